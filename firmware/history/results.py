"""What a match that is over has to tell beside its winner.

Its honours: who has the most points, the costliest card, the best deal. And whether a total was the best ever
of a badge: a note of the journal holds the best result of each for each game and end rule, because only then
totals can be compared. It is made from the tallies of the matches, in quiet moments
(`firmware.session.journal_care`): to look at it, no match is read. It knows the matches that are stored, and
lacks the match in play.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, ValidationError, convert

from companion.core import games
from companion.core.cards import Seat
from companion.core.score_sheet import Place
from companion.core.tally import MatchTally, Rank
from companion.match.match import Match
from companion.match.tally import deal_tallies, tally_of
from companion.values import Value
from firmware.history.played_match import rule_of
from firmware.history.players import NOBODY, Person, people_in, people_of

BEST_NOTE: Final = "best"
"""The key of the note in the journal: for each kind of match, for each badge matches, wins, best total."""

Best = dict[str, dict[str, Annotated[list[int], Meta(min_length=3, max_length=3)]]]


class BadgeRecord(Value):
    """What a badge has reached in matches like this one, with this one.

    `best` is the best total of the matches before; None if this was the first. `table` says that nobody has
    ever done better.
    """

    badge: int
    total: int
    matches: int
    wins: int
    best: int | None
    is_best: bool
    table: bool


def read_best(note: object) -> Best:
    """The note as it was made; empty where there is none."""
    try:
        return convert(note, Best)
    except ValidationError:
        return {}


def best_without(best: Best, badge: int) -> Best:
    return {
        kind: {key: line for key, line in lines.items() if key != str(badge)} for kind, lines in best.items()
    }


def add_best(best: Best, header: Mapping[str, Any], tally: MatchTally) -> None:
    """Count a match that is over. Raises `CompanionError` where its game is not installed."""
    if not tally.over:
        return
    game = games.module(str(header["game"])).make(int(header["seats"]), header.get("options") or {})
    lines = best.setdefault(f"{tally.game} {rule_of(game.end)}", {})
    for person, total in _alone(people_in(header, tally.seats), tally.places):
        matches, wins, before = lines.get(str(person.badge), [0, 0, total])
        better = max if tally.high else min
        won = person.seat in tally.winners
        lines[str(person.badge)] = [matches + 1, wins + won, better(before, total)]


def records_of(match: Match, best: Best) -> tuple[BadgeRecord, ...]:
    """What a match that is over means for those who played for themselves, with a badge, best first."""
    lines = best.get(f"{match.title} {rule_of(match.game.end)}", {})
    better = max if match.scoring.high_wins else min
    of_all = [line[2] for line in lines.values()]
    found = []
    for person, total in _alone(people_of(match, ()), match.places):
        matches, wins, *reached = lines.get(str(person.badge), [0, 0])
        wins += person.seat in (match.winners or ())
        before = reached[0] if reached else None
        is_best, table = _beats(total, reached, better), _beats(total, of_all, better)
        found.append(BadgeRecord(person.badge, total, matches + 1, wins, before, is_best, table))
    return tuple(found)


def _alone(people: Sequence[Person], places: Iterable[Place | Rank]) -> Iterator[tuple[Person, int]]:
    """Who played for themselves with a badge of their own, each with the total."""
    for place in places:
        person = people[place.seats[0]]
        if len(place.seats) == 1 and person.badge != NOBODY and not person.joined:
            yield person, place.total


def _beats(total: int, others: Sequence[int], better: Callable[..., int]) -> bool:
    """Whether there are other totals and this one is better than all of them."""
    return bool(others) and total not in others and better(total, *others) == total


class Honour(Value):
    """Something that one or several players share: `points`, and in which deal or with which card."""

    seats: tuple[Seat, ...]
    points: int
    card: str = ""
    deal: int = 0


class Honours(Value):
    """Each is None where there is nothing to tell.

    `most` are the players with the highest total where low totals win; `heads`: the points are bullheads.
    `card` is the costliest card that somebody has got points for, `best` the best result of a deal.
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
    taken = [Honour((seat,), of_seat[seat].points, of_seat[seat].card) for seat in match.players]
    return max((card for card in taken if card.points > 0), key=lambda card: card.points, default=None)


def _best(match: Match) -> Honour | None:
    """The best result of a deal; None where there was one deal, whose results the totals are."""
    better = max if match.scoring.high_wins else min
    if len(match.position.score_sheet.deals) < 2:  # noqa: PLR2004 - see above
        return None
    results = {
        (number, seat): deal.points[seat]
        for number, deal in enumerate(deal_tallies(match), start=1)
        for seat in match.players
        if seat in deal.players
    }
    best = better(results.values())
    found = [where for where, points in results.items() if points == best]
    seats = tuple(dict.fromkeys(seat for _, seat in found))
    return Honour(seats, best, deal=found[0][0] if len(found) == 1 else 0)
