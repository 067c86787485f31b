"""The bitmap fonts and icons: reads the drawings in `glyph_art` and knows how wide a text is.

The fonts are drawn by hand so that a picture of a screen has the same bits on every machine and with every
version of Pillow: outline fonts change with the renderer. SMALL has fixed cells (21 columns on 128 px),
MEDIUM and LARGE are proportional. Zeros are open, because a slashed 0 looks like an 8 from across the table.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from companion.text import BULL, PAPER, ROCK, SCISSORS
from firmware.display.glyph_art import ICON_ART, LARGE_ART, MEDIUM_ART, SMALL_ART

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Icons are private characters, to be put into a text; those that games use are named in `companion.text`.
# SMALL has all icons, MEDIUM the bull, the crown and the warning, LARGE the bull.
HEART: Final = "\ue001"
BEAT: Final = "\ue002"
"""The hollow heart: HEART and BEAT in turn show that the program is running."""
CROWN: Final = "\ue003"
WARNING: Final = "\ue004"
LOCK: Final = "\ue005"
SCANNER: Final = "\ue006"
KNOB: Final = "\ue007"

UNKNOWN: Final = "\ufffd"
"""Replaces every character without a glyph; drawn as an empty box."""

ELLIPSIS: Final = "…"

_LONGEST = 256  # characters; far past the right edge of every panel, and a hostile code may be a megabyte

# Names in the sheets of characters that are a separator there, look like another one, or are icons.
_NAMED: Final[Mapping[str, str]] = MappingProxyType({
    "space": " ",
    "dot": "\N{MIDDLE DOT}",
    "dash": "\N{EN DASH}",
    "times": "\N{MULTIPLICATION SIGN}",
    "unknown": UNKNOWN,
    "bull": BULL,
    "heart": HEART,
    "beat": BEAT,
    "crown": CROWN,
    "warning": WARNING,
    "lock": LOCK,
    "scanner": SCANNER,
    "knob": KNOB,
    "rock": ROCK,
    "paper": PAPER,
    "scissors": SCISSORS,
})  # fmt: skip

# Typed or pasted characters that mean one we have, and letters Unicode does not take apart.
_MEANT: Final = str.maketrans({
    "\N{NO-BREAK SPACE}": " ",
    "\N{NON-BREAKING HYPHEN}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{EM DASH}": "\N{EN DASH}",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{LATIN CAPITAL LETTER SHARP S}": "ß",
    "\N{LATIN SMALL LETTER DOTLESS I}": "i",
    "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe",
    "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "Đ": "D", "đ": "d",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bitmap:
    """A picture: one integer of `width_px` bits per row from the top; the leftmost pixel is its highest."""

    width_px: int
    rows: tuple[int, ...]

    @property
    def height_px(self) -> int:
        """Pixels from the top row to the bottom row, dark ones included."""
        return len(self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """Letters of one size. `height_px` includes `descent_px` rows below the baseline.

    `gap_px` is the dark space between two letters. A font that lacks lower case draws capitals for it.
    """

    name: str
    height_px: int
    descent_px: int
    gap_px: int
    glyphs: Mapping[str, Bitmap]

    @property
    def capital_px(self) -> int:
        """Height of capitals and digits."""
        return self.height_px - self.descent_px

    def spelled(self, text: str) -> str:
        """The characters that will be drawn: unknown accents are dropped, others are UNKNOWN."""
        composed = text if text.isascii() else unicodedata.normalize("NFC", text.translate(_MEANT))
        return "".join(map(self._drawn, composed))

    def bitmap(self, text: str) -> Bitmap:
        """The text in one row, without a gap after its last letter; only its first 256 characters.

        Any text gives a picture. The last thousand are cached: screens repeat themselves.
        """
        return _set(self, text)

    def width_px(self, text: str) -> int:
        """Width of what `bitmap` draws; 0 for an empty text."""
        return _set(self, text).width_px

    def fit(self, text: str, width_px: int) -> str:
        """The text as it will be drawn, shortened with … if it is wider than `width_px`.

        Raises ValueError if not even the … fits.
        """
        whole = self.spelled(text[:_LONGEST])
        if self.width_px(whole) <= width_px and len(text) <= _LONGEST:
            return whole
        for end in range(len(whole), -1, -1):
            shortened = whole[:end].rstrip() + ELLIPSIS
            if self.width_px(shortened) <= width_px:
                return shortened
        raise ValueError(f"a {self.name} … is {self.width_px(ELLIPSIS)} px wide, there are {width_px} px")

    def _drawn(self, char: str) -> str:
        if char in self.glyphs:
            return char
        letter = _unaccented(char)
        for candidate in (char.upper(), letter, letter.upper()):
            if candidate in self.glyphs:
                return candidate
        return UNKNOWN


def _unaccented(char: str) -> str:
    """The letter without its accents ("É" gives "E"); anything else is returned unchanged."""
    apart = unicodedata.normalize("NFD", char)
    return apart[0] if all(map(unicodedata.combining, apart[1:])) else char


@lru_cache(maxsize=1024)
def _set(font: Font, text: str) -> Bitmap:
    rows = [0] * font.height_px
    width_px = 0
    for char in font.spelled(text[:_LONGEST]):
        glyph = font.glyphs[char]
        advance_px = glyph.width_px + font.gap_px
        rows = [row << advance_px | new for row, new in zip(rows, glyph.rows, strict=True)]
        width_px += advance_px
    # Every letter brought its gap on its left side, so the gap of the first one is in front: it has no bits.
    return Bitmap(max(0, width_px - font.gap_px), tuple(rows))


def read_sheet(art: str, height_px: int) -> dict[str, Bitmap]:
    """The glyphs of one sheet (its format is described in `glyph_art`), by character.

    Raises ValueError with the name of a glyph whose picture is not a rectangle of `#` and `.` of that height.
    """
    return {_NAMED.get(name, name): _read(name, pixels, height_px) for name, pixels in _pictures(art)}


def _pictures(art: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for band in art.strip().split("\n\n"):
        names, *lines = (line.split() for line in band.splitlines())
        yield from zip(names, zip(*lines, strict=True), strict=True)


def _read(name: str, pixels: tuple[str, ...], height_px: int) -> Bitmap:
    width_px = len(pixels[0])
    if len(pixels) != height_px or any(len(row) != width_px or row.strip("#.") for row in pixels):
        raise ValueError(f"glyph {name!r} is not a rectangle of # and . {height_px} px high")
    return Bitmap(width_px, tuple(int(row.replace("#", "1").replace(".", "0"), 2) for row in pixels))


SMALL: Final = Font("SMALL", 8, 1, 1, read_sheet(SMALL_ART, 8))
"""Cells of 6x8 px, capitals 7 px: hints, lists and names. Read from 0.6 m on a 2.42 inch panel."""

MEDIUM: Final = Font("MEDIUM", 12, 0, 1, read_sheet(MEDIUM_ART, 12))
"""Bold, 12 px: card numbers and headlines, read from a metre. Digits are 8 px wide, the 1 is 5."""

LARGE: Final = Font("LARGE", 24, 0, 2, read_sheet(LARGE_ART, 24))
"""24 px: the one fact of a screen, read from two metres. Digits, + - : / ? ! and the bull."""

ICONS: Final[Mapping[str, Bitmap]] = MappingProxyType({
    name: bitmap
    for name, char in _NAMED.items()
    for bitmap in [read_sheet(ICON_ART, 7).get(char)]
    if bitmap is not None
})  # fmt: skip
"""The icons at 7x7 px by name (bull, heart, beat, crown, warning, lock, scanner, knob), for free placing."""
