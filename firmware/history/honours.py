"""What a match has to tell beside its winner: who has the most points, the costliest card, the best deal."""

from companion.core import games
from companion.core.cards import Seat
from companion.match.match import Match
from companion.match.tally import tally_of
from companion.values import Value


class Honour(Value):
    """Something that one or several players share: `points`, and in which deal or with which card."""

    seats: tuple[Seat, ...]
    points: int
    card: str = ""
    deal: int = 0


class Honours(Value):
    """Each is None where there is nothing to tell.

    `most` are the players with the highest total where low totals win; `heads`: the points are bullheads.
    `card` is the costliest card that was taken, `best` the best result of a deal.
    """

    most: Honour | None = None
    heads: bool = False
    card: Honour | None = None
    best: Honour | None = None


def honours_of(match: Match) -> Honours:
    numbered = bool(match.box) and all(card.isdigit() for card in games.module(match.box).DECK)
    return Honours(_most(match), numbered, _costliest(match), _best(match))


def _most(match: Match) -> Honour | None:
    totals = {seat: match.totals[seat] for seat in match.players}
    most = max(totals.values())
    seats = tuple(seat for seat, total in totals.items() if total == most)
    if match.scoring.high_wins or len(seats) == len(totals) or set(seats) & set(match.winners or ()):
        return None
    return Honour(seats, most)


def _costliest(match: Match) -> Honour | None:
    of_seat = tally_of(match).taken
    taken = [
        Honour((seat,), of_seat[seat].points, of_seat[seat].card)
        for seat in match.players
        if of_seat[seat].points > 0
    ]
    return max(taken, key=lambda one: one.points, default=None)


def _best(match: Match) -> Honour | None:
    """The best result of a deal; None where there was one deal, whose results the totals are."""
    sheet = match.position.score_sheet
    better = max if match.scoring.high_wins else min
    if len(sheet.deals) < 2:  # noqa: PLR2004 - see above
        return None
    results = [
        (points[seat], number, seat)
        for number, points in enumerate(sheet.deals, start=1)
        for seat in match.players
        if seat < len(points)
    ]
    best = better(points for points, _, _ in results)
    found = [(number, seat) for points, number, seat in results if points == best]
    seats = tuple(dict.fromkeys(seat for _, seat in found))
    return Honour(seats, best, deal=found[0][0] if len(found) == 1 else 0)
