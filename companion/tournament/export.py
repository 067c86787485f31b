"""A tournament as tables for other programs: CSV with a header, in UTF-8, numbers with a point."""

from companion.text.spreadsheet import csv_text
from companion.tournament.course import Tournament
from companion.tournament.standing import standing, table_points


def standing_csv(tournament: Tournament) -> str:
    """The standing: a line for each player."""
    lines: list[tuple[object, ...]] = [
        ("place", "badge", "name", "points", "relative", "heads", "matches", "left", "decided_by")
    ]
    for row in standing(tournament):
        relative, heads = f"{float(row.relative):.4f}", f"{float(row.heads):.2f}"
        who = (row.place, row.badge, row.name)
        what = (float(row.points), relative, heads, row.matches, int(row.withdrawn), row.decided_by)
        lines.append((*who, *what))
    return csv_text(lines)


def results_csv(tournament: Tournament) -> str:
    """Every seat of every round; heads and points are empty as long as there is no result."""
    names = {player.badge: player.name for player in tournament.players}
    lines: list[tuple[object, ...]] = [
        ("round", "final", "table", "seat", "badge", "name", "heads", "points", "confirmed", "corrected")
    ]
    for round_ in tournament.rounds:
        for table in round_.tables:
            result = table.result
            known: list[tuple[object, object]] = [("", "")] * len(table.badges)
            if result is not None:
                points = table_points(result.heads, lowest_wins=tournament.rules.lowest_wins)
                known = list(zip(result.heads, map(float, points), strict=True))
            for seat, badge in enumerate(table.badges):
                where = (round_.number, int(round_.final), table.number, seat + 1, badge, names[badge])
                confirmed = int(result is not None and badge in result.confirmed)
                lines.append((*where, *known[seat], confirmed, result.reason if result else ""))
    return csv_text(lines)
