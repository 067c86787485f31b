"""A tournament as tables for other programs: CSV with a header, in UTF-8, numbers with a point."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from typing import TYPE_CHECKING

from companion.tournament.standing import standing, table_points

if TYPE_CHECKING:
    from companion.tournament.course import Tournament


def standing_csv(tournament: Tournament) -> str:
    """The standing: a line for each player."""
    lines = []
    for row in standing(tournament):
        relative, heads = f"{float(row.relative):.4f}", f"{float(row.heads):.2f}"
        who = (row.place, row.badge, row.name)
        what = (float(row.points), relative, heads, row.matches, int(row.withdrawn), row.decided_by)
        lines.append((*who, *what))
    return _csv("place badge name points relative heads matches left decided_by", lines)


def results_csv(tournament: Tournament) -> str:
    """Every seat of every round; heads and points are empty as long as there is no result."""
    names = {player.badge: player.name for player in tournament.players}
    lines: list[tuple[object, ...]] = []
    for round_ in tournament.rounds:
        for table in round_.tables:
            result, known = table.result, [("", "")] * len(table.badges)
            if result is not None:
                points = table_points(result.heads, lowest_wins=tournament.rules.lowest_wins)
                known = [
                    (str(heads), str(float(one))) for heads, one in zip(result.heads, points, strict=True)
                ]
            for seat, badge in enumerate(table.badges):
                where = (round_.number, int(round_.final), table.number, seat + 1, badge, names[badge])
                confirmed = int(result is not None and badge in result.confirmed)
                lines.append((*where, *known[seat], confirmed, result.reason if result else ""))
    return _csv("round final table seat badge name heads points confirmed corrected", lines)


def _csv(header: str, lines: Iterable[tuple[object, ...]]) -> str:
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(header.split())
    writer.writerows([[_harmless(cell) for cell in line] for line in lines])
    return out.getvalue()


def _harmless(cell: object) -> object:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t") else cell
