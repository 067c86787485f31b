"""Switching the machine off: while OK is held, a countdown runs; anything else stops it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from firmware.display.layout import Big, Layout
from firmware.screens.parts.base import Page
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.display.canvas import Canvas
    from firmware.screens.parts.base import Controller
    from firmware.session.session import Session


class SwitchOff(Page):
    """What to do, then the seconds that are left, which `left` gives; 0 while the key is not held."""

    NAME: ClassVar[str] = "switch_off"
    left: Callable[[], int]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The number is large: during the countdown nothing else matters."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("SWITCH OFF"))
        if seconds := self.left():
            layout.hints(t("RELEASE TO CANCEL"))
            layout.stack(layout.free, (Big(t.number(seconds)),))
        else:
            layout.hints(t("UNDO=BACK"))
            layout.paragraph(t("HOLD OK UNTIL THE COUNTDOWN ENDS. EVERYTHING IS SAVED."))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK, held down, starts the countdown; a short press or a code does not: neither is held."""
        if not isinstance(action, KeyAction) or action.key is not Key.OK:
            return False
        if action.down:
            controller.machine.begin_switch_off()
        else:
            controller.say(controller.session.translate("HOLD OK DOWN"))
        return True
