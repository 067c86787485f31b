"""Persian letters: joined, in the order in which they stand on the display, drawn from a sheet of bitmaps.

Nothing of this is imported before a text has such a letter. `arabic_reshaper` chooses the form of each letter
from its neighbours (alone, first, middle, last), `bidi` brings right-to-left letters, numbers and Latin words
into the order from left to right. A text runs from left to right unless it begins with U+200F.

The fonts are `persian_9` (lines of 9 px, beside SMALL) and `persian_16` (lines of 16 px, beside MEDIUM). A
form brings its dark columns: forms stand side by side without a gap, so that those that join do.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from arabic_reshaper import ArabicReshaper
from bidi import get_display

from firmware.display.bitmap import Bitmap, DerivedGlyphs, PersianSheet, doubled, read_font, taller_persian

_SPACE_PX: Final = 4
DAMMA: Final = "\u064f"
"""The vowel sign that tells پُر (full) and بُر (shuffle) from other words; it is drawn where it has room."""
KASRA: Final = "\u0650"
"""The vowel sign that joins a word to the next one (دستِ علی), drawn where it has room below its letter."""
TANWIN: Final = "\u064b"
"""The end of قبلاً: it stands beside the top of its alef, above which no sheet has room."""

# U+0640 only makes words longer; the isolates and marks have done their work once the order is found. Other
# vowel signs are left out, as people who write leave them out.
_UNSEEN: Final = dict.fromkeys(
    map(ord, "\u0640\u0670\u200b\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069")
) | dict.fromkeys({*range(0x064B, 0x0653)} - {*map(ord, (DAMMA, KASRA, TANWIN))})

_SIGNS: Final = frozenset((DAMMA, KASRA))
"""They stand on a letter or below it, and take no room beside it."""
_MARKS: Final = ".:!"
"""Marks of other fonts that stand close to the Persian word before them."""
_OPENING: Final = "([{<‹«"
_BRACKETS: Final = dict(zip(_OPENING + ")]}>›»", ")]}>›»" + _OPENING, strict=True))
_SHAPER: Final = ArabicReshaper({
    "language": "Farsi",
    "delete_harakat": False,
    "ARABIC LIGATURE ALLAH": False,  # lam with alef is the only pair that is one form in the sheets
    "ARABIC LIGATURE LAM WITH ALEF WITH HAMZA ABOVE": False,
    "ARABIC LIGATURE LAM WITH ALEF WITH HAMZA BELOW": False,
    "ARABIC LIGATURE LAM WITH ALEF WITH MADDA ABOVE": False,
})  # fmt: skip


def in_display_order(text: str) -> str:
    """The forms and other characters of a text from left to right."""
    base = "R" if text.startswith("\u200f") else "L"
    shown: str = get_display(_SHAPER.reshape(text), base_dir=base)
    return "".join(_mirrored(shown.translate(_UNSEEN), base))


def _mirrored(shown: str, base: str) -> list[str]:
    """The characters with every pair of brackets around what is between them, in right-to-left parts too.

    A bracket whose other half is in another line runs as the text does.
    """
    chars, waiting = list(shown), [-1]
    for place in range(len(chars)) if base == "L" else reversed(range(len(chars))):  # as it is read
        char, before = chars[place], waiting[-1]
        if char not in _BRACKETS:
            continue
        # In a line from right to left, only around Latin words does an opening one stand at the left.
        latin = base == "L" or char not in _OPENING or re.search("[A-Za-z]", "".join(chars[place:before]))
        if not latin or before < 0 or chars[before] != _BRACKETS[char]:
            waiting.append(place)
            continue
        waiting.pop()
        if (char in _OPENING) is (before < place):
            chars[before], chars[place] = char, chars[before]
    if base == "R":
        for alone in waiting[1:]:
            chars[alone] = _BRACKETS[chars[alone]]
    return chars


@cache
def sheet(persian: PersianSheet) -> Mapping[str, Bitmap]:
    """The forms of a font by character, as they are drawn."""
    forms: Mapping[str, Bitmap] = read_font(persian.sheet)
    if persian.taller_px:
        forms = DerivedGlyphs(forms, taller_persian, {})
    return DerivedGlyphs(forms, doubled, {}) if persian.times > 1 else forms


def _close(form: Bitmap) -> Bitmap:
    """A form without the empty columns that a full stop has in a font of equal widths."""
    lit = 0
    for row in form.rows:
        lit |= row
    right_px = (lit & -lit).bit_length() - 1
    return Bitmap(lit.bit_length() - right_px, tuple(row >> right_px for row in form.rows), form.above_px)


def _beside(sign: Bitmap, form: Bitmap, *, below: bool) -> tuple[int, int] | None:
    """Rows down and columns from the right for a sign above or below a form; None where it has no room."""
    lit = [y for y, row in enumerate(sign.rows) if row]
    letter = [y for y, row in enumerate(form.rows) if row] or [0]
    down = letter[-1] + 2 - lit[0] if below else letter[0] - 2 - lit[-1]  # one row stays dark between them
    if down + lit[0] < 0 or down + lit[-1] >= form.height_px:
        return None
    return down, max(0, (form.width_px - sign.width_px) // 2)


def line(
    text: str, persian: PersianSheet, others: Mapping[str, Bitmap], *, capital_px: int, gap_px: int
) -> Bitmap:
    """A text in one row: Persian letters from their sheet, all others from `others`, on the same line.

    The other letters are `capital_px` high above the line, with `gap_px` between them.
    """
    forms = sheet(persian)
    shown = in_display_order(text)
    dots_px = max((others[char].above_px for char in shown if char in others), default=0)
    top_px = max(persian.above_px, capital_px + dots_px)
    forms_y_px, others_y_px = top_px - persian.above_px, top_px - capital_px
    rows = [0] * max(forms_y_px + persian.drawn_px, others_y_px + others[" "].height_px)
    space = Bitmap(_SPACE_PX * persian.times, ())
    width_px = open_px = 0  # so far; and what the letter before wants to be dark beside it
    sign, below = None, False  # it comes before the letter that it stands on or below
    for char in shown:
        if char in _SIGNS:
            sign, below = forms.get(char), char == KASRA
            continue
        if char == " ":
            form, gap, y_px = space, 0, 0
        elif char in forms:
            form, gap, y_px = forms[char], 0, forms_y_px
        else:
            form, gap = others.get(char, others["\ufffd"]), gap_px
            form, y_px = _close(form) if char in _MARKS else form, others_y_px - form.above_px
        advance_px = (max(open_px, gap) if width_px else 0) + form.width_px
        rows = [row << advance_px for row in rows]
        for y, bits in enumerate(form.rows, y_px):
            rows[y] |= bits
        if sign is not None and (place := _beside(sign, form, below=below)) is not None:
            for y, bits in enumerate(sign.rows, y_px + place[0]):
                if bits:
                    rows[y] |= bits << place[1]
        sign = None
        width_px, open_px = width_px + advance_px, gap
    return Bitmap(width_px, tuple(rows), others_y_px)
