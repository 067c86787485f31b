"""A monochrome picture as lines of characters for a terminal.

A glyph stands for a cell of 1x2, 2x2 or 2x4 dots. The bigger the cell, the smaller the window in which
128x64 pixels fit, and the less it looks like a panel. In a large window a pixel is more than one dot.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PIL.Image import Image, Resampling


class Style(Struct, frozen=True):
    """How pixels become glyphs: a cell of `wide` x `high` dots is one of `glyphs`.

    The index is a number whose bits are the cell's dots, row by row; the first dot is the least significant
    bit. Two pixels side by side are `dots_of_two` dots wide, and so for two of them one above the other.
    """

    name: str
    wide: int
    high: int
    glyphs: str
    dots_of_two: int = 2

    def size(self, width_px: int, height_px: int) -> tuple[int, int]:
        """Columns and lines of a picture of that size."""
        across, down = (-(-pixels * self.dots_of_two // 2) for pixels in (width_px, height_px))
        return -(-across // self.wide), -(-down // self.high)

    def lines(self, picture: Image) -> list[str]:
        """The lines of a picture of mode "1"; its edge is padded with dark dots."""
        columns, rows = self.size(picture.width, picture.height)
        across, down = columns * self.wide, rows * self.high
        if self.dots_of_two != 2:  # noqa: PLR2004 - a dot for each pixel
            size = (picture.width * self.dots_of_two // 2, picture.height * self.dots_of_two // 2)
            picture = picture.resize(size, Resampling.NEAREST)
        flat = picture.convert("L").crop((0, 0, across, down)).tobytes()  # a byte for each pixel, 0 or 255
        lit = [flat[start : start + across] for start in range(0, len(flat), across)]
        return [self._line(lit[top : top + self.high], columns) for top in range(0, down, self.high)]

    def _line(self, lit: list[bytes], columns: int) -> str:
        """One line, all of its cells at once: a loop over 8192 pixels every second is too slow on a Pi."""
        cells = 0  # a byte for each cell
        for y, row in enumerate(lit):
            for x in range(self.wide):
                bit = bytes((1 << (y * self.wide + x),)) * columns
                cells |= int.from_bytes(row[x :: self.wide], "big") & int.from_bytes(bit, "big")
        return cells.to_bytes(columns, "big").decode("latin-1").translate(self.glyphs)


def _braille() -> str:
    """U+2800 and up; its dots are numbered 1 2 3 down the left, 4 5 6 down the right, then 7 8 below."""
    dots = (0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80)  # by rows
    return "".join(
        chr(0x2800 + sum(dot for bit, dot in enumerate(dots) if number >> bit & 1)) for number in range(256)
    )


def _shades(cell: int, ramp: str) -> str:
    """A glyph by the number of lit pixels, for terminals with ASCII only."""
    return "".join(ramp[-(-number.bit_count() * (len(ramp) - 1) // cell)] for number in range(1 << cell))


HALF: Final = Style("half blocks", 1, 2, " ▀▄█")
QUARTER: Final = Style("quarter blocks", 2, 2, " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
BRAILLE: Final = Style("braille dots", 2, 4, _braille())
ASCII_HALF: Final = Style("ASCII, 1x2 pixels", 1, 2, " '.#")
ASCII_QUARTER: Final = Style("ASCII, 2x2 pixels", 2, 2, _shades(4, " .:+#"))
ASCII_EIGHTH: Final = Style("ASCII, 2x4 pixels", 2, 4, _shades(8, " .:-=+*%#"))

LARGE_HALF: Final = replace(HALF, name="large half blocks", dots_of_two=4)
LARGEST_BRAILLE: Final = replace(BRAILLE, name="braille dots, nine for a pixel", dots_of_two=6)
LARGE_BRAILLE: Final = replace(BRAILLE, name="large braille dots", dots_of_two=3)

UNICODE: Final = (LARGE_HALF, LARGEST_BRAILLE, HALF, QUARTER, LARGE_BRAILLE, BRAILLE)
ASCII: Final = (ASCII_HALF, ASCII_QUARTER, ASCII_EIGHTH)
"""Best first. 128x64 pixels take 256x64 characters, 192x48, 128x32, 64x32, 96x24 or 64x16."""


def best(styles: tuple[Style, ...], picture: tuple[int, int], room: tuple[int, int]) -> Style | None:
    """The best style in which `picture` (pixels) fits into `room` (columns, lines); None if none fits."""
    for style in styles:
        columns, lines = style.size(*picture)
        if columns <= room[0] and lines <= room[1]:
            return style
    return None
