"""Switching the machine off: OK is held and counts down, anything else stops it. The desk switches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import Act, KeyAct
from firmware.glyphs import LARGE
from firmware.screens.wrapping import wrapped
from hardware.ports import Key

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_LINES = 4


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """What to do, then the seconds. `left` gives those that are left; 0 while nobody holds the key."""

    NAME: ClassVar[str] = "switch_off"
    left: Callable[[], int]

    def draw(self, canvas: Canvas, world: World) -> None:
        """The number is large: whoever holds the key looks at nothing else."""
        t = world.words
        canvas.bar_title(t("SWITCH OFF"))
        if seconds := self.left():
            canvas.text_centre(64, 20, str(seconds), LARGE)
            canvas.footer(t("LET GO TO STAY ON"))
        else:
            follows = t("HOLD OK DOWN UNTIL IT HAS COUNTED TO THE END. ALL IS SAVED.")
            for place, line in enumerate(wrapped(follows, _LINES)):
                canvas.body_line(place, line)
            canvas.footer(t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """OK, held down, begins to count; a short press or a code, which nobody can let go, does not."""
        if not isinstance(act, KeyAct) or act.key is not Key.OK:
            return False
        if act.down:
            desk.hold.begin(desk.now_s)
        else:
            desk.say(desk.world.words("HOLD IT DOWN"))
        return True
