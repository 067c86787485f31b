"""A question with a few answers in words: the symbol of a joker, again or reverse, thanked or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import ChoiceList, ChosenItem, draw_choices
from firmware.screens.parts.player_names import name_badge
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.core.ask import Ask
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


LINE_PX: Final = 14
"""Height of the name of who answers, below the answers."""


class Decide(Page):
    """The answers as a list; none is chosen beforehand."""

    NAME: ClassVar[str] = "decide"
    TITLE_ASKS: ClassVar[bool] = True
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question, who answers it, and the answers."""
        t, layout = session.translate, Layout(canvas, session.plan)
        choices = self._choices(session.plan.choices)
        alone = len(self.ask.seats) == 1
        layout.title(t.say(self.ask.says), t.digits(choices.page_number))
        if layout.plan.choices_with_hints:
            layout.hints(t("OK=THIS ONE"), t("UNDO=BACK"))
        draw_choices(layout, choices, [t.say(label) for label in self.ask.labels])
        left = layout.free.below(layout.plan.choice_pitch_px * len(choices.shown) + 4)
        if alone and left.height_px >= LINE_PX:
            name = Area(left.x_px + 2, left.y_px, left.width_px - 4, min(16, left.height_px))
            name_badge(layout, name, session, session.badge(self.ask.seats[0]), MAIN_WORDS)

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list answers."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match self._choices(controller.session.plan.choices).key(action):
            case ChosenItem(choice):
                self.choose(choice, controller)
            case ChoiceList(cursor=cursor):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.OK:
                controller.decline(say("CHOOSE ONE FIRST"))
            case None:
                return False
        return True

    def choose(self, choice: str, controller: Controller) -> bool:
        """One of the answers."""
        if choice not in self.ask.choices:
            return False
        controller.answer(self.ask, self.ask.seats[0] if len(self.ask.seats) == 1 else None, choice)
        return True

    def _choices(self, per_page: int) -> ChoiceList[str]:
        return ChoiceList(self.ask.choices, self.cursor, per_page)
