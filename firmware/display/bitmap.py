"""Pictures of letters, and how they are read from text."""

from __future__ import annotations

from collections.abc import Iterator

from companion.values import Value


class Bitmap(Value):
    """A picture: one integer of `width_px` bits per row from the top; the leftmost pixel is its highest.

    The first `above_px` rows lie above the place where it is put.
    """

    width_px: int
    rows: tuple[int, ...]
    above_px: int = 0

    @property
    def height_px(self) -> int:
        """Pixels from the top row to the bottom row, dark ones included."""
        return len(self.rows)


class PersianSheet(Value):
    """Persian letters beside those of a font: the file, and how many of its rows lie on the line or above.

    `doubled`: the letters are drawn twice as large as in the file. Both heights are those of the file.
    """

    sheet: str
    height_px: int
    baseline_px: int
    doubled: bool = False


def read_sheet(art: str, height_px: int) -> dict[str, Bitmap]:
    """The pictures of a sheet (its format is described in `glyph_art`), by name.

    Raises ValueError with the name of a glyph whose picture is not a rectangle of `#` and `.` of that height.
    """
    return {name: _read(name, pixels, height_px) for name, pixels in _pictures(art)}


def _pictures(art: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for band in art.strip().split("\n\n"):
        names, *lines = (line.split() for line in band.splitlines())
        yield from zip(names, zip(*lines, strict=True), strict=True)


def _read(name: str, pixels: tuple[str, ...], height_px: int) -> Bitmap:
    width_px = len(pixels[0])
    if len(pixels) != height_px or any(len(row) != width_px or row.strip("#.") for row in pixels):
        raise ValueError(f"glyph {name!r} is not a rectangle of # and . {height_px} px high")
    return Bitmap(width_px, tuple(int(row.replace("#", "1").replace(".", "0"), 2) for row in pixels))
