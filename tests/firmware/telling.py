"""What the page in front says: its texts and hints as they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.display.canvas import Canvas
from firmware.display.glyphs import Font

if TYPE_CHECKING:
    from tests.firmware.evening import Device


class NotingCanvas(Canvas):
    """Draws as every canvas does, and notes the texts and the hints of keys."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[str] = []

    def note(self, *texts: str) -> None:
        self.noted += texts

    def text(self, x_px: int, y_px: int, text: str, font: Font | None = None, *, invert: bool = False) -> int:
        self.noted.append(text)
        return super().text(x_px, y_px, text, *(() if font is None else (font,)), invert=invert)


def told(at: Device) -> list[str]:
    """What the page in front says."""
    canvas = NotingCanvas()
    at.table.front.draw(canvas, at.runtime.session)
    return canvas.noted
