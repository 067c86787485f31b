"""A question before something large is done from a menu, where it is easy to press the wrong key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from firmware.display.layout import Layout
from firmware.screens.parts.base import Page
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.display.canvas import Canvas
    from firmware.screens.parts.base import Controller
    from firmware.session.session import Session


class Confirm(Page):
    """The question, what would follow, in up to four lines, and what OK does; nothing is done before OK."""

    NAME: ClassVar[str] = "confirm"
    title: str
    follows: str
    word: str
    then: Callable[[Controller], object]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question and what would follow."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.sentence(self.title, self.follows, t("OK={what}", what=self.word), t("UNDO=NO"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK carries it out."""
        if isinstance(action, KeyAction) and action.key is Key.OK and action.press is Press.SHORT:
            controller.close()
            self.then(controller)
            return True
        return False
