"""Pictures of letters: read from fonts, or made from other letters: taller, twice as large, tall and narrow.

Larger sizes need no drawings of their own where this gives good letters. Each letter is made when it is first
drawn, because a start does not need them all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.values import Value

FONTS: Final = Path(__file__).parent / "fonts"


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
    """Persian letters beside those of a font: their font, and how many of its rows lie on the line or above.

    Both heights are those of that font. `taller_px`: rows that the letters have more (0 or 2, see
    `taller_persian`). `times`: how many times as large they are drawn then, 1 or 2.
    """

    sheet: str
    height_px: int
    baseline_px: int
    taller_px: int = 0
    times: int = 1

    @property
    def drawn_px(self) -> int:
        """The height of a line as it is drawn."""
        return (self.height_px + self.taller_px) * self.times

    @property
    def above_px(self) -> int:
        """How much of it lies on the line or above."""
        return (self.baseline_px + self.taller_px) * self.times


def read_font(name: str) -> dict[str, Bitmap]:
    """The pictures of a font in `fonts`, by character, or by name where they are of no character.

    The file is in the Glyph Bitmap Distribution Format 2.1, which editors of fonts read and write. Every
    picture is as high as the line. Raises ValueError with the name of one that is not.
    """
    text = (FONTS / f"{name}.bdf").read_text(encoding="ascii")
    head, *glyphs = text.split("\nSTARTCHAR ")
    height = head.partition("FONTBOUNDINGBOX ")[2].split()[1]
    found = {}
    for glyph in glyphs:
        title, *lines = glyph.splitlines()
        fields = dict(line.split(" ", 1) for line in lines[: lines.index("BITMAP")])
        width, high, *_ = fields["BBX"].split()
        rows = lines[lines.index("BITMAP") + 1 : lines.index("ENDCHAR")]
        if high != height or len(rows) != int(height):
            raise ValueError(f"glyph {title!r} is not {height} px high")
        code = int(fields["ENCODING"])
        found[title if code < 0 else chr(code)] = Bitmap(int(width), _bits(rows, int(width)))
    return found


def _bits(rows: Sequence[str], width_px: int) -> tuple[int, ...]:
    """Rows of hexadecimal digits, which are filled up to whole bytes at their right end."""
    return tuple(int(row, 16) >> (4 * len(row) - width_px) for row in rows)


_DOTTED: Final = "äöüЁЇё"
"""Letters with two dots, which become one where strokes are made bold."""

Grid = list[list[int]]


class DerivedGlyphs(Mapping[str, Bitmap]):
    """Letters that `make` gives for those of `source`, each made once, when it is asked for."""

    def __init__(
        self, source: Mapping[str, Bitmap], make: Callable[[str, Bitmap], Bitmap], other: Mapping[str, Bitmap]
    ) -> None:
        """Characters in `other` are taken from there."""
        self._source, self._make = source, make
        self._other = other
        self._made: dict[str, Bitmap] = {}

    def __getitem__(self, char: str) -> Bitmap:
        """The picture of a character. Raises KeyError for one that neither has."""
        if char in self._other:
            return self._other[char]
        if char not in self._made:
            self._made[char] = self._make(char, self._source[char])
        return self._made[char]

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._other), **dict.fromkeys(self._source)})

    def __len__(self) -> int:
        return len({*self._other, *self._source})


def taller(_char: str, letter: Bitmap) -> Bitmap:
    """Two rows more, by repeating the row of the upper and of the lower half that is most like the next."""
    middle = letter.height_px // 2
    return _repeating(letter, (2, middle - 2), (middle + 1, letter.height_px - 2))


def taller_persian(_char: str, form: Bitmap) -> Bitmap:
    """Two rows more in a form with 12 rows above the line: one in low letters, one above them."""
    return _repeating(form, (1, 5), (6, 11))


def dotted(letter: Bitmap) -> Bitmap:
    """A capital with two dots: two rows of them, a dark row, and the letter without two plain rows.

    The first row stands above other capitals, so that the letter is nearly as large as they are.
    """
    grid, wide_px = _grid(letter), letter.width_px
    middle = max(y for y, row in enumerate(grid) if any(row)) // 2
    left_out = (_plainest(grid, 2, middle), _plainest(grid, middle + 1, 2 * middle - 1))
    dot_px = 2 if wide_px > 5 else 1  # noqa: PLR2004 - two wide dots would touch there
    half = [0] * ((wide_px - 3 * dot_px) // 2) + [1] * dot_px
    dots = half + [0] * (wide_px - 2 * len(half)) + half[::-1]
    body = [row for y, row in enumerate(grid) if y not in left_out]
    return Bitmap(wide_px, _bitmap([dots, dots, [0] * wide_px, *body]).rows, above_px=1)


def _repeating(letter: Bitmap, *parts: tuple[int, int]) -> Bitmap:
    """The letter with the plainest row of each part, from its first row to the one before its end, twice."""
    grid = _grid(letter)
    repeated = [_plainest(grid, first, end) for first, end in parts]
    return _bitmap([row for at, row in enumerate(grid) for _ in range(1 + (at in repeated))])


def trimmed(_char: str, letter: Bitmap) -> Bitmap:
    """Without the dark columns at its sides; a space keeps two of them."""
    grid = _grid(letter)
    lit = [x for x in range(letter.width_px) if any(row[x] for row in grid)]
    if not lit:
        return Bitmap(2, (0,) * len(grid))
    return _bitmap([row[lit[0] : lit[-1] + 1] for row in grid])


def doubled(_char: str, letter: Bitmap) -> Bitmap:
    """Twice as wide and as high, with the corners of slanting strokes smoothed (the EPX rule)."""
    grid = _grid(letter)
    wide, high = letter.width_px, len(grid)

    def at(x: int, y: int) -> int:
        return grid[y][x] if 0 <= y < high and 0 <= x < wide else 0

    found = [[0] * (2 * wide) for _ in range(2 * high)]
    for y in range(high):
        for x in range(wide):
            above, right, left, below = at(x, y - 1), at(x + 1, y), at(x - 1, y), at(x, y + 1)
            corners = [grid[y][x]] * 4
            if left == above != below and above != right:
                corners[0] = above
            if above == right != left and right != below:
                corners[1] = right
            if below == left != right and left != above:
                corners[2] = left
            if right == below != above and below != left:
                corners[3] = below
            found[2 * y][2 * x : 2 * x + 2] = corners[:2]
            found[2 * y + 1][2 * x : 2 * x + 2] = corners[2:]
    return Bitmap(2 * wide, _bitmap(found).rows, 2 * letter.above_px)


def slim(char: str, letter: Bitmap) -> Bitmap:
    """Twice as high, without the dark columns at its sides."""
    return _bitmap([row for row in _grid(trimmed(char, letter)) for _ in range(2)])


def condensed(char: str, letter: Bitmap) -> Bitmap:
    """Twice as high, with strokes of two pixels, without the dark columns at its sides."""
    if char == " ":
        return Bitmap(3, (0,) * (2 * letter.height_px))
    found = []
    for y, row in enumerate(_grid(trimmed(char, letter))):
        bold = [lit | before for lit, before in zip([*row, 0], [0, *row], strict=True)]
        line = [*row, 0] if y == 0 and char in _DOTTED else bold
        found += [line, line]
    return _bitmap(found)


def _plainest(grid: Grid, first: int, end: int) -> int:
    """The row in first..end-1 that differs least from the next one, near the middle of them."""
    return min(
        range(first, end),
        key=lambda at: (
            sum(one != other for one, other in zip(grid[at], grid[at + 1], strict=True)),
            abs(2 * at - first - end + 1),
        ),
    )


def _grid(letter: Bitmap) -> Grid:
    return [[row >> letter.width_px - 1 - x & 1 for x in range(letter.width_px)] for row in letter.rows]


def _bitmap(grid: Grid) -> Bitmap:
    return Bitmap(len(grid[0]), tuple(int("".join(map(str, row)), 2) for row in grid))
