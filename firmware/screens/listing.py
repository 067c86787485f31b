"""A list of things to do, one of which is done; what they are, others say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import ROW_KEYS, Act, KeyAct
from firmware.screens.taking import moved
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

PER_PAGE = 4
Item = tuple[str, "Callable[[Desk], None]"]


@dataclass(frozen=True, slots=True)
class Menu:
    """A list of things to do, four a page, with a cursor for boards without row keys."""

    NAME: ClassVar[str] = "menu"
    title: str
    items: tuple[Item, ...]
    cursor: int = 0

    def draw(self, canvas: Canvas, world: World) -> None:
        """The page of the list on which the cursor is."""
        t = world.words
        first = self.cursor // PER_PAGE * PER_PAGE
        pages = -(-len(self.items) // PER_PAGE)
        canvas.bar_title(self.title, f"{first // PER_PAGE + 1}/{pages}" if pages > 1 else "")
        for place, (label, _) in enumerate(self.items[first : first + PER_PAGE]):
            y_px = 13 + 10 * place
            if first + place == self.cursor:
                canvas.cursor(0, y_px)
            canvas.hint(6, y_px, f"{place + 1}={label}")
        canvas.footer(t("OK=DO IT"), t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A row key does its line, OK the one under the cursor; left and right turn the page."""
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        first = self.cursor // PER_PAGE * PER_PAGE
        if act.key in ROW_KEYS:
            index = first + ROW_KEYS.index(act.key)
        elif act.key is Key.OK:
            index = self.cursor
        elif act.key in (Key.LEFT, Key.RIGHT):
            pages = -(-len(self.items) // PER_PAGE)
            step = 1 if act.key is Key.RIGHT else -1
            desk.swap(replace(self, cursor=(first // PER_PAGE + step) % pages * PER_PAGE))
            return True
        else:
            cursor = moved(self.cursor, act, len(self.items))
            if cursor is not None:
                desk.swap(replace(self, cursor=cursor))
            return cursor is not None
        if index < len(self.items):
            desk.close()
            self.items[index][1](desk)
        return True
