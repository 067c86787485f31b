"""The table that `nimmt arena` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.robots.arena.standing import Line

_HEADS: Final = ("player", "points/deal", "95 %", "wins", "ms/move", "worst ms", "Elo", "lost moves")
"""95 %: half the width of the interval of the true mean of the points. Lost moves: late or illegal."""

_WIDTHS: Final = (6, 11, 6, 5, 7, 8, 4, 10)
"""The least columns of the fields."""

_LEFT: Final = (0, 2)
"""The fields that are written from the left: the name, and the error, whose sign comes first."""


def in_lines(lines: Sequence[Line]) -> Iterator[str]:
    """The heads, then a line for each name."""
    table = [_HEADS, *map(_cells, lines)]
    widths = [
        max(least, *map(len, cells)) for least, cells in zip(_WIDTHS, zip(*table, strict=True), strict=True)
    ]
    for cells in table:
        yield "  ".join(
            cell.ljust(width) if place in _LEFT else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )


def _cells(line: Line) -> tuple[str, ...]:
    return (
        line.name if line.players == 1 else f"{line.name} (x{line.players})",
        f"{line.points:.2f}",
        "-" if line.error == float("inf") else f"±{line.error:.2f}",
        f"{100 * line.wins:.1f}%",
        f"{line.ms:.2f}",
        f"{line.worst_ms:.1f}",
        f"{line.elo:.0f}",
        str(line.lost),
    )
