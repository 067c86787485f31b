"""A list of things to do, one of which is done; what they are, others say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from firmware.screens.taking import moved
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session

PER_PAGE = 4
Item = tuple[str, "Callable[[Controller], None]"]


@dataclass(frozen=True, slots=True)
class Menu:
    """A list of things to do, four a page, with a cursor for boards without row keys."""

    NAME: ClassVar[str] = "menu"
    title: str
    items: tuple[Item, ...]
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The page of the list on which the cursor is."""
        t = session.translate
        first = self.cursor // PER_PAGE * PER_PAGE
        pages = -(-len(self.items) // PER_PAGE)
        canvas.bar_title(self.title, f"{first // PER_PAGE + 1}/{pages}" if pages > 1 else "")
        for place, (label, _) in enumerate(self.items[first : first + PER_PAGE]):
            y_px = 13 + 10 * place
            if first + place == self.cursor:
                canvas.cursor(0, y_px)
            canvas.hint(6, y_px, f"{place + 1}={label}")
        canvas.footer(t("OK=DO IT"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key does its line, OK the one under the cursor; left and right turn the page."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        first = self.cursor // PER_PAGE * PER_PAGE
        if action.key in ROW_KEYS:
            index = first + ROW_KEYS.index(action.key)
        elif action.key is Key.OK:
            index = self.cursor
        elif action.key in (Key.LEFT, Key.RIGHT):
            pages = -(-len(self.items) // PER_PAGE)
            step = 1 if action.key is Key.RIGHT else -1
            controller.swap(replace(self, cursor=(first // PER_PAGE + step) % pages * PER_PAGE))
            return True
        else:
            cursor = moved(self.cursor, action, len(self.items))
            if cursor is not None:
                controller.swap(replace(self, cursor=cursor))
            return cursor is not None
        if index < len(self.items):
            controller.close()
            self.items[index][1](controller)
        return True
