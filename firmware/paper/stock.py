"""What is put into the printer: paper sizes, label sheets as their makers sell them, and grids of one's own.

The measures of label sheets were taken from the tables of two free programs, LibreOffice 7.4
(`share/labels/labels.xml`, "LO") and gLabels 3.4 (`templates/`, "gL"), and are those of LibreOffice
where the two differ by some tenths: there the columns are centred on the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

from companion.text.digits import in_latin_digits
from companion.text.errors import CompanionError, quoted
from companion.values import Value
from firmware.paper.symbols import DOT_MM, CodeKind


class InvalidRequest(CompanionError, ValueError):
    """An order for a sheet that cannot be printed; the fix says what would work."""


MIN_MODULE_MM: Final = 0.25
"""The smallest module size that is chosen unless one was given, in mm."""
ENLARGED: Final = 1.5
"""How much larger the codes of badges and the control sheet are than those of cards, if there is room."""


def parts_of(only: str) -> Iterator[tuple[str, range]]:
    """The parts of a request such as `17,55,90-99`: each as it was typed, and the numbers that it names."""
    for part in filter(None, re.split(r"[\s,،]+", in_latin_digits(only))):
        span = re.fullmatch(r"([0-9]+)(?:-([0-9]+))?", part)
        yield part, range(int(span[1]), int(span[2] or span[1]) + 1) if span else range(0)


def largest(most: float, fits: Callable[[float], bool], least: float = MIN_MODULE_MM) -> float | None:
    """The largest module from `most` down to `least` that fits; None if none does.

    Between the two only whole dots of a printer with 600 dots an inch are tried.
    """
    half = DOT_MM / 2
    between = (dots * half for dots in range(int(most / half), int(least / half), -1))
    return next((size for size in (most, *between, least) if least <= size <= most and fits(size)), None)


INCH: Final = 25.4


class Paper(Enum):
    """A size of paper, upright, in mm; the value is its name in requests."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def title(self) -> str:
        return "A4" if self is Paper.A4 else "Letter"

    @property
    def width(self) -> float:
        return 210.0 if self is Paper.A4 else 8.5 * INCH

    @property
    def height(self) -> float:
        return 297.0 if self is Paper.A4 else 11 * INCH


class Box(Value):
    """A rectangle on the page in mm; `x` and `y` are its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    def inset(self, by: float) -> Box:
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class Grid(Value):
    """Labels in columns and rows: the first one's corner, the size of each, the steps to the next."""

    columns: int
    rows: int
    left: float
    top: float
    width: float
    height: float
    step_x: float
    step_y: float

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def right(self) -> float:
        return self.left + (self.columns - 1) * self.step_x + self.width

    @property
    def bottom(self) -> float:
        return self.top + (self.rows - 1) * self.step_y + self.height

    def boxes(self) -> Iterator[Box]:
        """Every label of a sheet, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = self.left + column * self.step_x, self.top + row * self.step_y
                yield Box(x, y, self.width, self.height)


class LabelSheet(Value):
    """A sheet of labels that you can buy. `numbers` are those on the packs with this grid."""

    maker: str
    numbers: tuple[str, ...]
    paper: Paper
    grid: Grid
    about: str
    source: str

    @property
    def title(self) -> str:
        return f"{self.maker} {self.numbers[0]}"


SHEETS: Final = (
    LabelSheet("Avery Zweckform", ("L4730", "4730", "L7657", "J8659"), Paper.A4,
          Grid(10, 27, 4.67, 13.43, 17.78, 10.0, 20.32, 10.0),
          "270 removable labels, the smallest",
          'LO "4730 Stick+Lift", "L7657", "J8659"; gL Avery L4730 (left 6.0, top 13.0)'),
    LabelSheet("Avery Zweckform", ("L4731", "4731", "L7658", "J8658", "L6008", "L6036", "L6037"), Paper.A4,
          Grid(7, 27, 8.48, 13.43, 25.4, 10.0, 27.94, 10.0), "189 removable labels",
          'LO "4731 Stick+Lift", "L7658", "J8658"; gL Geha Z92, Avery 8658 (left 5.0)'),
    LabelSheet("Avery Zweckform", ("L4732", "4732"), Paper.A4,
          Grid(5, 16, 11.02, 12.99, 35.56, 16.93, 38.1, 16.93), "80 removable labels",
          'LO "4732 Stick+Lift"; gL Avery L4732'),
    LabelSheet("Avery", ("L7651", "J8651", "L8651", "L7551", "J8551"), Paper.A4,
          Grid(5, 13, 4.67, 10.9, 38.1, 21.17, 40.64, 21.17),
          "65 labels, sold everywhere",
          'LO "L7651 Mini Address"; gL Avery 8651'),
    LabelSheet("Avery Zweckform", ("3666", "L3666"), Paper.A4,
          Grid(5, 13, 9.75, 10.63, 38.1, 21.2, 38.1, 21.2), "65 labels without gaps",
          'LO "3666"; gL Igepa EA-381x212 (the same grid)'),
    LabelSheet("Avery Zweckform", ("L4736", "4736", "L6009", "L6113"), Paper.A4,
          Grid(4, 12, 9.75, 21.41, 45.72, 21.17, 48.26, 21.17), "48 removable labels",
          'LO "4736 Stick+Lift"; gL Geha Z91 (the same grid)'),
    LabelSheet("Herma", ("4343",), Paper.A4,
          Grid(10, 27, 4.26, 13.5, 17.8, 10.0, 20.41, 10.0),
          "270 removable labels, rounded corners",
          'LO "4343"'),
    LabelSheet("Herma", ("4333", "4344", "4108", "4118", "10001"), Paper.A4,
          Grid(7, 27, 8.48, 13.5, 25.4, 10.0, 27.94, 10.0),
          "189 labels (4344: removable)",
          'LO "4333", "4344"; gL Herma 10001 (left 8.0, top 14.4)'),
    LabelSheet("Herma", ("4334", "4211"), Paper.A4,
          Grid(7, 16, 8.48, 13.06, 25.4, 16.93, 27.94, 16.93),
          "112 labels (4211: removable): one deck per sheet",
          'LO "4334", "4211"; gL Pearl VM-6083 (the same grid)'),
    LabelSheet("Herma", ("4210",), Paper.A4,
          Grid(5, 22, 9.75, 8.8, 38.1, 12.7, 38.1, 12.7),
          "110 removable labels: one deck per sheet",
          'LO "4210"'),
    LabelSheet("Avery", ("5167", "5267", "6467", "8167", "15267", "18167"), Paper.LETTER,
          Grid(4, 20, 7.14, 12.7, 44.45, 12.7, 52.39, 12.7),
          "80 labels (6467: removable)",
          'LO "5167"; gL Avery 5167'),
    LabelSheet("OnlineLabels", ("OL385",), Paper.LETTER,
          Grid(4, 15, 7.81, 12.83, 44.45, 16.92, 51.94, 16.92), "60 labels",
          "gL Online Labels OL385"),
    LabelSheet("OnlineLabels", ("OL1930",), Paper.LETTER,
          Grid(8, 20, 6.35, 12.7, 25.4, 12.7, 25.4, 12.7), "160 labels without gaps",
          "gL Online Labels OL1930"),
)  # fmt: skip


def sheet(name: str) -> LabelSheet:
    """The sheet with that number on its pack, such as `L4731`, `L4731REV-25` or `Avery 5167`.

    Raises `InvalidRequest` where none is known.
    """
    around = r"^(AVERY|ZWECKFORM|HERMA|[ -])*|(REV)?(-[0-9]+)?$"
    word = re.sub(around, "", in_latin_digits(name).strip().upper())
    for known in SHEETS:
        if word in known.numbers:
            return known
    numbers = ", ".join(known.numbers[0] for known in SHEETS)
    raise InvalidRequest(
        f"the label sheet {quoted(name)} is not known",
        f"use one of: {numbers}; or measure it and use --columns, --rows and the options that go with them",
    )


MARGIN: Final = 10.0
"""The margin of plain paper, unless given: many printers cannot reach it."""

MIN_LABEL_MM: Final = 4.0
"""The side of the smallest label that anything fits on."""

EDGE: Final = 0.01
"""Sheets measured in inches end on the very edge of the page; this much is rounding, in mm."""


class Measures(Value):
    """What was measured with a ruler, in mm; None is worked out from the rest and the page."""

    columns: int
    rows: int
    margin_left: float | None = None
    margin_top: float | None = None
    label_width: float | None = None
    label_height: float | None = None
    gap_across: float = 0.0
    gap_down: float = 0.0


def measured_grid(paper: Paper, given: Measures) -> Grid:
    """The grid with these measures; raises `InvalidRequest` where it does not fit on that paper."""
    across = (given.margin_left, given.label_width, given.gap_across)
    down = (given.margin_top, given.label_height, given.gap_down)
    left, width = _along("--columns", paper.width, given.columns, across)
    top, height = _along("--rows", paper.height, given.rows, down)
    steps = (width + given.gap_across, height + given.gap_down)
    return Grid(given.columns, given.rows, left, top, width, height, *steps)


def _along(
    option: str, page: float, number: int, measures: tuple[float | None, float | None, float]
) -> tuple[float, float]:
    """The margin and the label's size in one direction."""
    margin, size, gap = measures
    if number < 1:
        raise InvalidRequest(f"{option} {number} is too few", f"count the labels, and use {option} 1 or more")
    if gap < 0 or (margin is not None and margin < 0):
        raise InvalidRequest("a margin or a gap is below 0", "measure again; 0 means no gap")
    if size is None:
        margin = MARGIN if margin is None else margin
        size = (page - 2 * margin - (number - 1) * gap) / number
    elif margin is None:
        margin = (page - number * size - (number - 1) * gap) / 2
    end = margin + number * size + (number - 1) * gap
    if size < MIN_LABEL_MM:
        raise InvalidRequest(
            f"{option} {number} leaves {size:.1f} mm for a label",
            f"use a smaller number, smaller margins, or labels of at least {MIN_LABEL_MM:.0f} mm",
        )
    if margin < -EDGE or end > page + EDGE:
        taken = f"takes {end - min(margin, 0.0):.1f} mm; the page has {page:.1f} mm"
        raise InvalidRequest(
            f"{option} {number} with labels of {size:.1f} mm {taken}",
            "use a smaller number, or measure the label, the gap and the margin again",
        )
    return max(margin, 0.0), size


def plain_grid(paper: Paper, code: CodeKind) -> Grid:
    """Labels to be cut from plain paper: as large as the usual module needs, centred, without gaps."""
    width, height = (40.0, 15.0) if code is CodeKind.CODE128 else (22.0, 12.0)
    columns = int((paper.width - 2 * MARGIN) / width)
    rows = int((paper.height - 60) / height)  # head and foot take 30 mm each
    labels = Measures(columns, rows, margin_top=34.0, label_width=width, label_height=height)
    return measured_grid(paper, labels)
