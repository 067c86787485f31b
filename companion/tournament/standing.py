"""The order of the players: points, then relative heads, then heads, then lot; and the draw by that order."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from companion.text.sentence import say
from companion.tournament import acts
from companion.tournament.course import ActRefused, Tournament, next_round
from companion.tournament.seating import FEWEST, Before, Lots, seat
from companion.values import Value, replace

POINTS: Final = {3: (6, 3, 0), 4: (6, 4, 2, 0), 5: (8, 6, 4, 2, 0)}
"""By the size of the table, the points of each place. Three players get 3 on average, as four do."""


def table_points(heads: Sequence[int], *, lowest_wins: bool = True) -> tuple[Fraction, ...]:
    """The points of each seat of a table, from the totals of the match. Equal totals share their places.

    >>> [str(points) for points in table_points([22, 35, 35, 71])]
    ['6', '3', '3', '0']
    """
    worth = POINTS[len(heads)]
    order = sorted(heads, reverse=not lowest_wins)
    shares = {
        total: Fraction(sum(worth[order.index(total) :][: order.count(total)]), order.count(total))
        for total in order
    }
    return tuple(shares[total] for total in heads)


def relative(heads: Sequence[int]) -> tuple[Fraction, ...]:
    """Of each seat, its heads divided by the average of the table: 1 is average, at tables of every size.

    Where this means nothing, because the sum is zero or a total is negative, it is 1 for everybody.
    """
    if min(heads) < 0 or not sum(heads):
        return (Fraction(1),) * len(heads)
    return tuple(Fraction(total * len(heads), sum(heads)) for total in heads)


def format_points(points: Fraction) -> str:
    """Points as people write them: `4`, `4½`. Points are whole or half, see `POINTS`."""
    whole, half = divmod(points, 1)
    return f"{int(whole) or ('' if half else 0)}{'½' if half else ''}"


class Row(Value):
    """A player in the standing."""

    place: int
    badge: int
    name: str
    points: Fraction
    relative: Fraction
    """Heads divided by the average of the table, on average of the matches; 1 for who has played none."""
    heads: Fraction
    """Heads of a match, on average."""
    matches: int
    withdrawn: bool = False
    decided_by: str = ""
    """Why this player is behind the one before: "points", "relative", "heads", "lot", "final" or "left"."""


def standing(tournament: Tournament) -> tuple[Row, ...]:
    """All players with the results that are known now, the best first. Every place is given once.

    Those who have left come last. Who played the final comes first, in the order of its totals; with the same
    total the standing before it decides.
    """
    rules = tournament.rules
    results: dict[int, list[tuple[Fraction, Fraction, int]]] = {each.badge: [] for each in tournament.players}
    for table in (table for round_ in tournament.rounds if not round_.final for table in round_.tables):
        if table.result is not None:
            totals = table.result.heads
            points = table_points(totals, lowest_wins=rules.lowest_wins)
            of_seats = zip(points, relative(totals), totals, strict=True)
            for badge, result in zip(table.badges, of_seats, strict=True):
                results[badge].append(result)
    best_first = 1 if rules.lowest_wins else -1
    lots = Lots(rules.seed, "lot").shuffled(sorted(results))
    keys: dict[int, tuple[object, ...]] = {}
    rows = {}
    for player in tournament.players:
        badge, of_one = player.badge, results[player.badge]
        played = max(len(of_one), 1)
        total = sum((points for points, _, _ in of_one), Fraction())
        share = sum((points for _, points, _ in of_one), Fraction()) / played if of_one else Fraction(1)
        heads = Fraction(sum(taken for _, _, taken in of_one), played)
        rows[badge] = Row(0, badge, player.name, total, share, heads, len(of_one), player.withdrawn)
        first = (_place_in_final(tournament, badge), player.withdrawn, -total)
        keys[badge] = (*first, share * best_first, heads * best_first, lots.index(badge))
    order = sorted(rows, key=keys.__getitem__)
    for place, badge in enumerate(order, start=1):
        decided = _decided(keys[order[place - 2]], keys[badge]) if place > 1 else ""
        rows[badge] = replace(rows[badge], place=place, decided_by=decided)
    return tuple(rows[badge] for badge in order)


_CRITERIA = ("final", "left", "points", "relative", "heads", "lot")


def _decided(before: tuple[object, ...], own: tuple[object, ...]) -> str:
    return next(name for name, theirs, ours in zip(_CRITERIA, before, own, strict=True) if theirs != ours)


def _place_in_final(tournament: Tournament, badge: int) -> tuple[int, int]:
    """First those of the final, by its totals once they are known."""
    final = next((round_ for round_ in tournament.rounds if round_.final), None)
    table = final.table_of(badge) if final else None
    if table is None:
        return (1, 0)
    if table.result is None:
        return (0, 0)
    total = table.result.heads[table.badges.index(badge)]
    return (0, total if tournament.rules.lowest_wins else -total)


def draw(tournament: Tournament) -> acts.Drawn:
    """The seats of the next round, or again those of a round without results. Raises `ActRefused`."""
    rules = tournament.rules
    number = next_round(tournament)
    before = tournament.before(number)
    badges = [player.badge for player in tournament.playing]
    if len(badges) < FEWEST:
        raise ActRefused(say("too few players: {players}", players=len(badges)), say("3 are needed"))
    closed = replace(tournament, rounds=tournament.rounds[: number - 1])
    order = [row.badge for row in standing(closed) if row.badge in badges]
    if number > rules.rounds:
        if not rules.final:
            raise ActRefused(say("all rounds have been played"), say("end the tournament"))
        finalists = order[: rules.final]
        return acts.Drawn(number, seat(finalists, Before(), rules.seed, number), final=True)
    if rules.pairing == acts.SWISS and number > 1:
        before = replace(before, score={row.badge: row.points for row in standing(closed)})
        return acts.Drawn(number, seat(order, before, rules.seed, number, rules.largest))
    return acts.Drawn(number, seat(badges, before, rules.seed, number, rules.largest))
