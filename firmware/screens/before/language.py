"""Choosing the language: each stands in the list in its own letters, for those who can read no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.values import replace
from firmware.display.layout import Layout
from firmware.screens.parts.base import Page
from firmware.screens.parts.choice import ChoiceList, Chosen, draw_choices
from firmware.session.actions import Action, BadgeAction, CardAction, KeyAction
from firmware.text.translation import LANGUAGES

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.parts.base import Controller
    from firmware.session.session import Session


class Language(Page):
    """The languages; the cursor begins at the one in use. The first page of a device that has to ask."""

    NAME: ClassVar[str] = "language"
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The names of the languages, the one in use lit."""
        t, choices = session.translate, self._choices(session)
        layout = Layout(canvas, session.plan)
        layout.title(t("LANGUAGE"), t.digits(choices.page_number))
        if layout.plan.choices_with_hints:
            layout.hints(t("OK=CHOOSE"), "" if session.asks_language else t("UNDO=BACK"))
        draw_choices(layout, choices, [LANGUAGES[key].title for key in choices.items])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key or OK chooses. A card on the first page of all keeps the language, and is not lost."""
        session = controller.session
        if isinstance(action, CardAction | BadgeAction) and session.asks_language:
            session.use_language(session.language)
            controller.act(action)
            return True
        if not isinstance(action, KeyAction):
            return False
        match self._choices(session).key(action):
            case Chosen(language):
                session.use_language(language)
                controller.home()  # a page that is open has its words in the language before
                controller.say(LANGUAGES[language].title)
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _choices(self, session: Session) -> ChoiceList[str]:
        languages = tuple(LANGUAGES)
        cursor = languages.index(session.language) if self.cursor is None else self.cursor
        return ChoiceList(languages, cursor, session.plan.choices)
