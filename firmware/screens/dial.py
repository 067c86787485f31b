"""A number that is dialled with keys: a card that cannot be scanned, a limit, a turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import Act, KeyAct
from firmware.glyphs import LARGE
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_STEPS = {
    Key.ROW_1: -10,
    Key.ROW_2: -1,
    Key.ROW_3: 1,
    Key.ROW_4: 10,
    Key.UP: 1,
    Key.DOWN: -1,
    Key.LEFT: -10,
    Key.RIGHT: 10,
    Key.TURN_LEFT: -1,
    Key.TURN_RIGHT: 1,
}


@dataclass(frozen=True, slots=True)
class Dial:
    """A number between `low` and `high` that wraps around; OK hands it to `chosen`."""

    NAME: ClassVar[str] = "dial"
    title: str
    number: int
    low: int
    high: int
    chosen: Callable[[int, Desk], None]

    def draw(self, canvas: Canvas, world: World) -> None:
        """The number, large, and what the keys do to it."""
        t = world.words
        canvas.bar_title(self.title)
        canvas.text_centre(64, 13, str(self.number), LARGE)
        for place, step in enumerate(("-10", "-1", "+1", "+10")):
            x_px = 2 + 32 * place
            canvas.text(canvas.key(x_px, 43, str(place + 1)), 43, step)
        canvas.footer(t("OK=TAKE IT"), t("UNDO=NO"))

    def on(self, act: Act, desk: Desk) -> bool:
        """Keys change the number; a scan is answered by the page below."""
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key in _STEPS:
            span = self.high - self.low + 1
            desk.swap(replace(self, number=self.low + (self.number - self.low + _STEPS[act.key]) % span))
            return True
        if act.key is Key.OK:
            desk.close()
            self.chosen(self.number, desk)
            return True
        return False
