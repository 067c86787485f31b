"""A printing press for tests: prints an order, turns it into pixels, reads it, and finds what lies where.

Pixels and boxes come from the finished PDF alone, through pdfium; codes are read by zxing-cpp.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pypdfium2
import pypdfium2.raw as pdfium
import zxingcpp

from companion.core import games
from firmware.cli import main as cli
from firmware.paper.print_job import Document, PrintRequest, document, print_job
from firmware.paper.stock import Box, Paper

if TYPE_CHECKING:
    from PIL.Image import Image

MM: Final = 25.4 / 72
BOXED: Final = [key for key in games.GAMES if games.module(key).DECK]
"""The games that come with cards; scores can be kept without."""
BLACK: Final = (0, 0, 0)


def printed(**request: Any) -> Document:
    """The document of an order; the same order is printed once."""
    return _printed(frozenset(request.items()))


@cache
def _printed(request: frozenset[tuple[str, Any]]) -> Document:
    return document(print_job(PrintRequest(**dict(request))))


def printed_in(language: str, folder: Path, *words: str) -> bytes:
    """What `nimmt print` with these words makes at a table that speaks a language."""
    config, file = folder / "table.toml", folder / "sheets.pdf"
    config.write_text(f'[screen]\nlanguage = "{language}"\n', encoding="utf-8")
    assert cli.main(["print", *words, "--config", str(config), "--out", str(file)]) == 0
    return file.read_bytes()


@dataclass(frozen=True, slots=True)
class Sighting:
    """A code that a reader saw: its text, its kind and the middle of it on the page, in mm."""

    text: str
    kind: str
    x: float
    y: float


def pictures(pdf: bytes, dpi: int) -> Iterator[Image]:
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        yield page.render(scale=dpi / 72, grayscale=True).to_pil()
    document.close()


def seen(picture: Image, dpi: int) -> list[Sighting]:
    found = []
    for code in zxingcpp.read_barcodes(picture):
        at = code.position
        corners = (at.top_left, at.top_right, at.bottom_left, at.bottom_right)
        x = sum(corner.x for corner in corners) / 4 / dpi * 25.4
        y = sum(corner.y for corner in corners) / 4 / dpi * 25.4
        found.append(Sighting(code.text, str(code.format), x, y))
    return found


@cache
def all_seen(pdf: bytes, dpi: int) -> list[list[Sighting]]:
    return [seen(picture, dpi) for picture in pictures(pdf, dpi)]


def texts_seen(pdf: bytes, dpi: int) -> list[str]:
    return [code.text for page in all_seen(pdf, dpi) for code in page]


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on a page: its box in mm from the upper left corner, and the text if it is one."""

    box: Box
    text: str = ""
    filled: tuple[int, int, int] | None = None
    stroked: bool = False

    @property
    def is_code(self) -> bool:
        """Nothing but codes is filled with pure black."""
        return not self.text and self.filled == BLACK


@dataclass(frozen=True, slots=True)
class Laid:
    """A page of the finished document."""

    width: float
    height: float
    things: tuple[Thing, ...]

    @property
    def codes(self) -> list[Thing]:
        return [thing for thing in self.things if thing.is_code]

    @property
    def texts(self) -> list[Thing]:
        return [thing for thing in self.things if thing.text]

    @property
    def words(self) -> str:
        return " ".join(thing.text for thing in self.texts)


@cache
def laid(pdf: bytes) -> list[Laid]:
    """Every page with everything on it, in the order in which it was drawn."""
    document = pypdfium2.PdfDocument(pdf)
    pages = []
    for page in document:
        width, height = page.get_size()
        letters = page.get_textpage()
        things = tuple(_thing(item, letters, height) for item in page.get_objects())
        pages.append(Laid(width * MM, height * MM, things))
    document.close()
    return pages


def _thing(item: Any, letters: Any, height: float) -> Thing:
    left, bottom, right, top = item.get_bounds()
    box = Box(left * MM, (height - top) * MM, (right - left) * MM, (top - bottom) * MM)
    if item.type == pdfium.FPDF_PAGEOBJ_TEXT:
        long = pdfium.FPDFTextObj_GetText(item, letters, None, 0)
        text = ctypes.create_string_buffer(long)
        pdfium.FPDFTextObj_GetText(item, letters, ctypes.cast(text, ctypes.POINTER(pdfium.FPDF_WCHAR)), long)
        return Thing(box, text.raw.decode("utf-16-le").strip("\0 "))
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fill, stroke)
    colour = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetFillColor(item, *colour)
    red, green, blue, _ = (part.value for part in colour)
    if stroke.value:
        width = ctypes.c_float()
        pdfium.FPDFPageObj_GetStrokeWidth(item, width)
        box = box.inset(width.value * MM)  # the box of a line has room for its ends and corners
    return Thing(box, filled=(red, green, blue) if fill.value else None, stroked=bool(stroke.value))


def overlap(one: Box, other: Box, slack: float = 0.0) -> bool:
    """Whether two boxes share more than `slack` mm in both directions."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > slack and down > slack


def inside(inner: Box, outer: Box, slack: float = 0.01) -> bool:
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.x + inner.width <= outer.x + outer.width + slack
        and inner.y + inner.height <= outer.y + outer.height + slack
    )


def grown(box: Box, across: float, down: float) -> Box:
    return Box(box.x - across, box.y - down, box.width + 2 * across, box.height + 2 * down)


def whole(paper: Paper) -> Box:
    return Box(0, 0, paper.width, paper.height)
