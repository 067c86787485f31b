"""The table that `nimmt arena` prints, in the language of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.text.sentence import Decimals
from firmware.history.columns import columns, left, right

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.robots.arena.standing import Line
    from firmware.text.translation import Translator

_WIDTHS: Final = (6, 11, 6, 5, 7, 8, 4, 10)
"""The least columns of the fields, so that the heads in English stand above what they name."""

_LEFT: Final = (0, 2)
"""The fields that are written from the left: the name, and the error, whose sign comes first."""


def in_lines(lines: Sequence[Line], t: Translator) -> Iterator[str]:
    """The heads, then a line for each name."""
    # Translators: the heads of the table of `nimmt arena`. "95 %": half the width of the interval that
    # holds the true mean of the points. "worst ms": the longest move. "lost moves": late or illegal ones.
    heads = (
        t("player"),
        t("points/deal"),
        t("95 %"),
        t("wins"),
        t("ms/move"),
        t("worst ms"),
        t("Elo"),
        t("lost moves"),
    )
    table = [heads, *(_cells(line, t) for line in lines)]
    widths = [
        max(least, *map(columns, cells))
        for least, cells in zip(_WIDTHS, zip(*table, strict=True), strict=True)
    ]
    for cells in table:
        yield "  ".join(
            left(cell, width) if place in _LEFT else right(cell, width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )


def _cells(line: Line, t: Translator) -> tuple[str, ...]:
    name = line.name if line.players == 1 else f"{line.name} (x{line.players})"
    error = "-" if line.error == float("inf") else f"±{_decimals(line.error, 2, t)}"
    return (
        name,
        _decimals(line.points, 2, t),
        error,
        f"{_decimals(100 * line.wins, 1, t)}%",
        _decimals(line.ms, 2, t),
        _decimals(line.worst_ms, 1, t),
        _decimals(line.elo, 0, t),
        t.number(line.lost),
    )


def _decimals(number: float, places: int, t: Translator) -> str:
    return t.decimals(Decimals(number, places))
