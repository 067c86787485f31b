"""A list of things to do, one of which is done. What they are is up to the page that opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.values import replace
from firmware.display.layout import Layout
from firmware.screens.parts.base import Page
from firmware.screens.parts.choice import ChoiceList, Chosen, draw_choices
from firmware.session.actions import Action, KeyAction

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.parts.base import Controller, Item
    from firmware.session.session import Session


class Menu(Page):
    """A list of things to do; the page has closed when the chosen one is done."""

    NAME: ClassVar[str] = "menu"
    title: str
    items: tuple[Item, ...]
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The page of the list with the cursor."""
        t, layout = session.translate, Layout(canvas, session.plan)
        choices = self._choices(session.plan.choices)
        layout.title(self.title, session.translate.digits(choices.page_number))
        if layout.plan.choices_with_hints:
            layout.hints(t("OK=SELECT"), t("UNDO=BACK"))
        draw_choices(layout, choices, [label for label, _ in self.items])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list does what it chooses."""
        if not isinstance(action, KeyAction):
            return False
        match self._choices(controller.session.plan.choices).key(action):
            case Chosen((_, do)):
                controller.close()
                do(controller)
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _choices(self, per_page: int) -> ChoiceList[Item]:
        return ChoiceList(self.items, self.cursor, per_page)
