"""A grid of labels measured with a ruler, or of labels to be cut from plain paper."""

from __future__ import annotations

from typing import Final

from companion.text.errors import quoted
from companion.text.sentence import Decimals, say
from companion.values import Value
from firmware.paper.stock import Grid, InvalidRequest, Paper
from firmware.paper.symbols import CodeKind

MARGIN: Final = 10.0
"""The margin of plain paper, unless given: many printers cannot reach it."""

SMALLEST: Final = 4.0
"""The side of the smallest label that anything fits on."""

EDGE: Final = 0.01
"""Sheets measured in inches end on the very edge of the page; this much is rounding, in mm."""


class Measures(Value):
    """What was measured, in mm; None is worked out from the rest and the page."""

    columns: int
    rows: int
    margin_left: float | None = None
    margin_top: float | None = None
    label_width: float | None = None
    label_height: float | None = None
    gap_across: float = 0.0
    gap_down: float = 0.0


def grid(paper: Paper, given: Measures) -> Grid:
    """The grid with these measures; raises `InvalidRequest` where it does not fit on that paper."""
    left, width = _along(
        "--columns",
        paper.width,
        given.columns,
        (given.margin_left, given.label_width, given.gap_across),
    )
    top, height = _along(
        "--rows", paper.height, given.rows, (given.margin_top, given.label_height, given.gap_down)
    )
    return Grid(
        given.columns, given.rows, left, top, width, height, width + given.gap_across, height + given.gap_down
    )


def _along(
    option: str, page: float, number: int, measures: tuple[float | None, float | None, float]
) -> tuple[float, float]:
    """The margin and the label's size in one direction."""
    margin, size, gap = measures
    if number < 1:
        raise InvalidRequest(
            say("{option} {number} is too few", option=option, number=quoted(number)),
            say("count the labels, and use {option} 1 or more", option=option),
        )
    if gap < 0 or (margin is not None and margin < 0):
        raise InvalidRequest(say("a margin or a gap is below 0"), say("measure again; 0 means no gap"))
    if size is None:
        rim = MARGIN if margin is None else margin
        size = (page - 2 * rim - (number - 1) * gap) / number
        margin = rim
    elif margin is None:
        margin = (page - number * size - (number - 1) * gap) / 2
    end = margin + number * size + (number - 1) * gap
    if size < SMALLEST:
        raise InvalidRequest(
            say(
                "{option} {number} leaves {size} mm for a label",
                option=option,
                number=str(number),
                size=Decimals(size, 1),
            ),
            say(
                "use a smaller number, smaller margins, or labels of at least {smallest} mm",
                smallest=f"{SMALLEST:.0f}",
            ),
        )
    if margin < -EDGE or end > page + EDGE:
        raise InvalidRequest(
            say(
                "{option} {number} with labels of {size} mm takes {taken} mm; the page has {page} mm",
                option=option,
                number=str(number),
                size=Decimals(size, 1),
                taken=Decimals(end - min(margin, 0.0), 1),
                page=Decimals(page, 1),
            ),
            say("use a smaller number, or measure the label, the gap and the margin again"),
        )
    return max(margin, 0.0), size


def plain(paper: Paper, code: CodeKind) -> Grid:
    """Labels to be cut from plain paper: as large as the usual module needs, centred, without gaps."""
    width, height = (40.0, 15.0) if code is CodeKind.CODE128 else (22.0, 12.0)
    columns = int((paper.width - 2 * MARGIN) / width)
    rows = int((paper.height - 60) / height)  # head and foot take 30 mm each
    return grid(paper, Measures(columns, rows, margin_top=34.0, label_width=width, label_height=height))
