"""Switching the machine off: OK is held and counts down, anything else stops it. The desk switches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.display.glyphs import LARGE
from firmware.screens.wrapping import wrap
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session

_LINES = 4


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """What to do, then the seconds. `left` gives those that are left; 0 while nobody holds the key."""

    NAME: ClassVar[str] = "switch_off"
    left: Callable[[], int]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The number is large: whoever holds the key looks at nothing else."""
        t = session.translate
        canvas.bar_title(t("SWITCH OFF"))
        if seconds := self.left():
            canvas.text_centre(64, 20, str(seconds), LARGE)
            canvas.footer(t("LET GO TO STAY ON"))
        else:
            follows = t("HOLD OK DOWN UNTIL IT HAS COUNTED TO THE END. ALL IS SAVED.")
            for place, line in enumerate(wrap(follows, _LINES)):
                canvas.body_line(place, line)
            canvas.footer(t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK, held down, begins to count; a short press or a code, which nobody can let go, does not."""
        if not isinstance(action, KeyAction) or action.key is not Key.OK:
            return False
        if action.down:
            controller.hold.begin(controller.now_s)
        else:
            controller.say(controller.session.translate("HOLD IT DOWN"))
        return True
