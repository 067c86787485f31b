"""Asked once before something large is done from a list, where a wrong key is near; others say what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import Act, KeyAct
from firmware.screens.wrapping import wrapped
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_LINES = 4


@dataclass(frozen=True, slots=True)
class Sure:
    """The question, what follows in up to four lines, and the word of OK, before which nothing is done."""

    NAME: ClassVar[str] = "sure"
    title: str
    follows: str
    word: str
    then: Callable[[Desk], object]

    def draw(self, canvas: Canvas, world: World) -> None:
        """The question and what follows."""
        t = world.words
        canvas.bar_title(self.title)
        for place, line in enumerate(wrapped(self.follows, _LINES)):
            canvas.body_line(place, line)
        canvas.footer(t("OK={what}", what=self.word), t("UNDO=NO"))

    def on(self, act: Act, desk: Desk) -> bool:
        """OK does it."""
        if isinstance(act, KeyAct) and act.key is Key.OK and act.press is Press.SHORT:
            desk.close()
            self.then(desk)
            return True
        return False
