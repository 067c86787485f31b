"""How large the letters of a page are on a panel, and from how far they can be read.

ISO 9241-303 asks for capitals that are seen under at least 16 minutes of arc, and recommends 20 to 22.
"""

from collections.abc import Iterable, Iterator
from math import atan, degrees
from typing import Final

from companion.values import Value
from firmware.display.canvas import Canvas
from firmware.display.glyphs import SMALL, Font

DISTANCE_MM: Final = 1200
"""From the eyes of people around a table to the device at its edge."""


class Panel(Value):
    """A panel of 128x64 pixels: its size as it is sold, and the distance from pixel to pixel."""

    inches: str
    pitch_mm: float


PANELS: Final = (Panel("2.42", 0.43), Panel("1.3", 0.23))
"""The panels that are bought for the device; the distance is the width of the lit area through 128."""


def height_mm(height_px: int, panel: Panel) -> float:
    return height_px * panel.pitch_mm


def arc_minutes(height_px: int, panel: Panel, distance_mm: float = DISTANCE_MM) -> float:
    """The angle in minutes under which letters are seen."""
    return degrees(atan(height_mm(height_px, panel) / distance_mm)) * 60


class MeasuredCanvas(Canvas):
    """A canvas that also notes which letters are drawn on it."""

    def __init__(self) -> None:
        super().__init__()
        self.letters_px: set[int] = set()
        """The heights of capitals that were drawn, in pixels."""

    def text(self, x_px: int, y_px: int, text: str, font: Font = SMALL, *, invert: bool = False) -> int:
        if text.strip():
            self.letters_px.add(font.capital_px)
        return super().text(x_px, y_px, text, font, invert=invert)

    @property
    def largest_px(self) -> int:
        """The height of the main text: as the page notes it, else of the largest letters."""
        return self.main_px or max(self.letters_px, default=0)

    @property
    def smallest_px(self) -> int:
        """The height of the smallest letters; 0 if there are none."""
        return min(self.letters_px, default=0)


def as_table(pages: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    """Lines of a Markdown table of pages: name, height of the main text, height of the smallest letters.

    The heights are given in pixels; the table also has them as they are on the panels and as they are seen.
    """
    parts = [f"{panel.inches} inch: mm | {panel.inches} inch: arc min" for panel in PANELS]
    yield " | ".join(["| screen", "main text: px", *parts, "smallest letters: px |"])
    yield "|---" + "|--:" * (2 + 2 * len(PANELS)) + "|"
    for name, main_px, smallest_px in pages:
        found = [f"{height_mm(main_px, panel):.1f} | {arc_minutes(main_px, panel):.1f}" for panel in PANELS]
        yield " | ".join([f"| {name}", str(main_px), *found, f"{smallest_px} |"])
