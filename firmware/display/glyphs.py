"""The bitmap fonts and icons: reads them from `fonts` and knows how wide a text is.

The fonts are drawn by hand so that a picture of a screen has the same bits on every machine and with every
version of Pillow: outline fonts change with the renderer. SMALL has fixed cells (21 columns on 128 px),
MEDIUM and LARGE are proportional. Zeros are open, because a slashed 0 looks like an 8 from across the table.

SMALL and MEDIUM write Persian as well; `persian` has its letters and is imported when a text has one.
"""

import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from companion.values import Value
from firmware.display.bitmap import (
    Bitmap,
    DerivedGlyphs,
    PersianSheet,
    condensed,
    dotted,
    doubled,
    read_font,
    slim,
    taller,
    trimmed,
)

# Icons are private characters, to be put into a text; `companion.text.sentence` names those that games use.
# SMALL has all but the bull card, MEDIUM the bull, the crown and the warning, LARGE the bull and its card.
BULL_CARD: Final = "\ue00b"
"""A card of 11 nimmt! with a whole bull: it costs nothing, and must not look like the bullheads."""
UNKNOWN: Final = "\ufffd"
"""Replaces every character without a glyph; drawn as an empty box."""
ELLIPSIS: Final = "…"
CROSS: Final = "✗"
"""In the place of a key: this was not right."""
RIGHT_TO_LEFT: Final = "\u200f"
"""In front of a text: it runs from right to left, whatever its first letter is. Itself it is not drawn."""
PERSIAN: Final = frozenset("ءآأإؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیةۀ،؛؟٫٪«»۰۱۲۳۴۵۶۷۸۹")
"""The letters, digits and signs of Persian texts, Arabic ones in Persian names included."""

# They have no picture: joiners and marks of direction, and the vowel signs, which Persian leaves out.
_UNSEEN: Final = frozenset("\u0640\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069\u0670") | frozenset(
    map(chr, range(0x064B, 0x0653))
)

_LONGEST = 256  # characters; far past the right edge of every panel, and a hostile code may be a megabyte

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
    "ي": "ی", "ى": "ی", "ك": "ک", "ھ": "ه", "ہ": "ه",
    **{chr(0x0660 + digit): chr(0x06F0 + digit) for digit in range(10)},
    "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe",
    "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "Đ": "D", "đ": "d", "Ð": "D", "ð": "d", "Þ": "TH", "þ": "th",
    "Ħ": "H", "ħ": "h", "Ŋ": "N", "ŋ": "n", "ĸ": "k", "ŉ": "'n", "Ŧ": "T", "ŧ": "t", "Ə": "E", "ə": "e",
})  # fmt: skip


_CYRILLIC_LIKE_LATIN: Final = dict(zip("АВЕКМНОРСТХІЈЅ", "ABEKMHOPCTXIJS", strict=True))
_PERSIAN_OR_UNSEEN: Final = PERSIAN | _UNSEEN


class Font(Value, eq=False):
    """Letters of one size. `height_px` includes `descent_px` rows below the baseline.

    `gap_px` is the dark space between two letters. A font that lacks lower case draws capitals for it.
    """

    name: str
    height_px: int
    descent_px: int
    gap_px: int
    glyphs: Mapping[str, Bitmap]
    persian: PersianSheet | None = None

    @property
    def capital_px(self) -> int:
        """Height of capitals and digits."""
        return self.height_px - self.descent_px

    def spelled(self, text: str) -> str:
        """The characters that will be drawn: unknown accents are dropped, others are UNKNOWN."""
        composed = text if text.isascii() else unicodedata.normalize("NFC", text.translate(_MEANT))
        return "".join(map(self.drawn, composed))

    def lacks(self, text: str) -> str:
        """The characters of a text that would be an empty box, each once."""
        composed = unicodedata.normalize("NFC", text.translate(_MEANT))
        return "".join(dict.fromkeys(char for char in composed if self.drawn(char) == UNKNOWN))

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

        Empty if not even the … fits.
        """
        whole = self.spelled(text[:_LONGEST])
        if self.width_px(whole) <= width_px and len(text) <= _LONGEST:
            return whole
        for end in range(len(whole), -1, -1):
            shortened = whole[:end].rstrip() + ELLIPSIS
            if self.width_px(shortened) <= width_px:
                return shortened
        return ""

    def drawn(self, char: str) -> str:
        """The character that is drawn for one: a capital, a letter without its accent, or UNKNOWN."""
        if char in self.glyphs or (self.persian is not None and char in _PERSIAN_OR_UNSEEN):
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
    spelled = font.spelled(text[:_LONGEST])
    if font.persian is not None and not _PERSIAN_OR_UNSEEN.isdisjoint(spelled):
        from firmware.display.persian import line  # with its libraries, which most tables do not need

        return line(spelled, font.persian, font.glyphs, capital_px=font.capital_px, gap_px=font.gap_px)
    glyphs = [font.glyphs[char] for char in spelled]
    above_px = max((glyph.above_px for glyph in glyphs), default=0)
    rows = [0] * (above_px + font.height_px)
    width_px = 0
    for glyph in glyphs:
        advance_px = glyph.width_px + font.gap_px
        dark = (0,) * (above_px - glyph.above_px)
        rows = [row << advance_px | new for row, new in zip(rows, dark + glyph.rows, strict=True)]
        width_px += advance_px
    # Every letter brought its gap on its left side, so the gap of the first one is in front: it has no bits.
    return Bitmap(max(0, width_px - font.gap_px), tuple(rows), above_px)


def _glyphs(name: str) -> dict[str, Bitmap]:
    """The glyphs of a font by character; Cyrillic letters that look Latin are the same picture."""
    glyphs = read_font(name)
    alike = {char: glyphs[latin] for char, latin in _CYRILLIC_LIKE_LATIN.items() if latin in glyphs}
    return glyphs | alike


_UMLAUTS: Final = {"Ä": "A", "Ö": "O", "Ü": "U"}


def _dotted(
    letters: Mapping[str, Bitmap], make: Callable[[str, Bitmap], Bitmap] = lambda _char, letter: letter
) -> Mapping[str, Bitmap]:
    """The umlauts of larger letters: their capitals, and dots above them."""
    capitals = {umlaut: letters[capital] for umlaut, capital in _UMLAUTS.items()}
    return DerivedGlyphs(capitals, lambda char, letter: dotted(make(char, letter)), {})


_SMALL_LETTERS: Final = _glyphs("small")
_MEDIUM_CAPITALS: Final = _glyphs("medium")
_MEDIUM_LETTERS: Final = _MEDIUM_CAPITALS | dict(_dotted(_MEDIUM_CAPITALS))
_LARGE_LETTERS: Final = _glyphs("large")
_NARROW_LETTERS: Final = _glyphs("narrow")

# What the larger letters lack is taken from the small ones, but no lower case: capitals stand for it.
_OTHER_SIGNS: Final = {
    char: letter
    for char, letter in _SMALL_LETTERS.items()
    if char not in _MEDIUM_LETTERS and char == char.upper()
}


# A small icon with higher strokes is no picture any more: lines of 16 px have those of 12.
_ICONS_16_PX: Final = {
    char: Bitmap(icon.width_px, (0, *icon.rows, 0, 0, 0))
    for char, icon in _MEDIUM_CAPITALS.items()
    if unicodedata.category(char) == "Co"
}


def _sign_12_px(char: str, letter: Bitmap) -> Bitmap:
    narrow = trimmed(char, letter)
    return Bitmap(narrow.width_px, ((0,) * 3 + narrow.rows + (0,)))


def _sign_14_px(char: str, letter: Bitmap) -> Bitmap:
    twice = doubled(char, trimmed(char, letter))
    return Bitmap(twice.width_px, twice.rows[:14])


def _sign_24_px(char: str, letter: Bitmap) -> Bitmap:
    twice = _sign_14_px(char, letter)
    return Bitmap(twice.width_px, ((0,) * 5 + twice.rows + (0,) * 5))


SMALL: Final = Font("SMALL", 8, 1, 1, _SMALL_LETTERS, PersianSheet("persian_9", 9, 8))
"""Cells of 6x8 px, capitals 7 px: hints, lists and names. Read from 0.6 m on a 2.42 inch panel."""
NARROW: Final = Font(
    "NARROW",
    8,
    1,
    1,
    DerivedGlyphs(_SMALL_LETTERS, trimmed, _NARROW_LETTERS),
    PersianSheet("persian_9", 9, 8),
)
"""As high as SMALL, and about five columns of it wide where SMALL is six: for words that have no room."""

MEDIUM: Final = Font(
    "MEDIUM",
    12,
    0,
    1,
    DerivedGlyphs(_OTHER_SIGNS, _sign_12_px, _MEDIUM_LETTERS),
    PersianSheet("persian_16", 16, 12),
)
"""Bold, 12 px: card numbers and headlines, read from a metre. Digits are 8 px wide, the 1 is 5."""

TALL: Final = Font(
    "TALL",
    14,
    0,
    1,
    DerivedGlyphs(
        _MEDIUM_CAPITALS, taller, DerivedGlyphs(_OTHER_SIGNS, _sign_14_px, _dotted(_MEDIUM_CAPITALS, taller))
    ),
    PersianSheet("persian_16", 16, 12, taller_px=2),
)
"""MEDIUM with two rows more: what a page says to all around the table."""

CONDENSED: Final = Font(
    "CONDENSED",
    16,
    2,
    1,
    DerivedGlyphs(_SMALL_LETTERS, condensed, {**_dotted(_SMALL_LETTERS, condensed), **_ICONS_16_PX}),
    PersianSheet("persian_16", 16, 12),
)
"""Bold, 14 px high and about as wide as SMALL: titles and lines of small panels, long words of others."""

SLIM: Final = Font(
    "SLIM",
    16,
    2,
    1,
    DerivedGlyphs(_SMALL_LETTERS, slim, _dotted(_SMALL_LETTERS, slim)),
    PersianSheet("persian_16", 16, 12),
)
"""14 px high with thin strokes, narrower than SMALL: where even CONDENSED has no room."""

LARGE: Final = Font(
    "LARGE",
    24,
    0,
    2,
    DerivedGlyphs(_MEDIUM_LETTERS, doubled, DerivedGlyphs(_OTHER_SIGNS, _sign_24_px, _LARGE_LETTERS)),
    PersianSheet("persian_16", 16, 12, times=2),
)
"""24 px: the one fact of a screen, read from two metres. Letters are MEDIUM twice as large."""

BADGE_SHAPES: Final = 10
"""The shapes of the printed badges, as icons `badge-1` to `badge-10`."""
ICONS: Final[Mapping[str, Bitmap]] = MappingProxyType(read_font("icons"))
"""The icons at 7x7 px by name, for free placing: bull, crown, lock ..., and the shapes of the badges.

`heart` and the hollow `beat` in turn show that the program is running.
"""
LARGE_ICONS: Final[Mapping[str, Bitmap]] = DerivedGlyphs(ICONS, doubled, {})
"""The same at 14x14 px."""
