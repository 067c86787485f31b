"""Reading the display: its small letters as text, cell by cell. Larger letters and drawings are not read."""

from typing import Final

from PIL.Image import Image

from firmware.display.glyphs import SMALL

NO_LETTER: Final = "\N{WHITE SQUARE}"
_CELL_PX: Final = 6
_LEFT_PX: Final = 2
_TITLE_Y_PX: Final = 1
_BODY_Y_PX: Final = 11
_PITCH_PX: Final = 9
_BODY_LINES: Final = 5
_COLUMNS: Final = 21
_LETTERS: Final = {
    glyph.rows: char
    for char, glyph in sorted(SMALL.glyphs.items(), key=lambda drawn: (drawn[0].isascii(), drawn[0]))
}
"""Where characters are drawn alike, the last one: the Latin letter, no Cyrillic one and no digit (O, 0)."""


def alike(text: str) -> str:
    """The text as it would be read: "THE 0" is "THE O"."""
    return "".join(_LETTERS[SMALL.glyphs[char].rows] for char in SMALL.spelled(text))


def title(picture: Image) -> str:
    """The dark letters on the lit bar at the top, from the left; what stands at its right end is left out."""
    return _line(picture, _TITLE_Y_PX, lit=False).partition(NO_LETTER)[0].rstrip()


def body(picture: Image) -> str:
    """The lines between title bar and footer as one text; a cell that is no letter is a white square."""
    lines = (_line(picture, _BODY_Y_PX + _PITCH_PX * row, lit=True) for row in range(_BODY_LINES))
    return " ".join(line for line in lines if line)


def _line(picture: Image, y_px: int, *, lit: bool) -> str:
    pixels = picture.convert("1").load()
    assert pixels is not None
    wide, high = picture.size

    def cell(x_px: int) -> tuple[int, ...]:
        return tuple(
            sum(
                16 >> x
                for x in range(5)
                if x_px + x < wide and (y < high and bool(pixels[x_px + x, y])) == lit
            )
            for y in range(y_px, y_px + SMALL.height_px)
        )

    cells = (cell(_LEFT_PX + _CELL_PX * column) for column in range(_COLUMNS))
    return "".join(_LETTERS.get(rows, NO_LETTER) for rows in cells).rstrip()
