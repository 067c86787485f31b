"""A question before something large is done from a menu, where it is easy to press the wrong key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.screens.base import Page
from firmware.screens.wrapping import wrap
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session

_LINES = 4


@dataclass(frozen=True, slots=True)
class Confirm(Page):
    """The question, what would follow, in up to four lines, and what OK does; nothing is done before OK."""

    NAME: ClassVar[str] = "confirm"
    title: str
    follows: str
    word: str
    then: Callable[[Controller], object]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question and what would follow."""
        t = session.translate
        canvas.bar_title(self.title)
        for place, line in enumerate(wrap(self.follows, _LINES)):
            canvas.body_line(place, line)
        canvas.footer(t("OK={what}", what=self.word), t("UNDO=NO"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK carries it out."""
        if isinstance(action, KeyAction) and action.key is Key.OK and action.press is Press.SHORT:
            controller.close()
            self.then(controller)
            return True
        return False
