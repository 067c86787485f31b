"""The best result of each badge, to tell at the end of a match that it was the best ever.

A note of the journal holds them for each game and end rule, because only then totals can be compared. It is
made from the tallies of the matches, in quiet moments (`firmware.session.journal_care`): to look at it, no
match is read. It knows the matches that are stored, and lacks the match in play.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import Meta, ValidationError, convert

from companion.core import games
from companion.core.tally import MatchTally
from companion.match.match import Match
from companion.values import Value
from firmware.history.played_match import rule_of
from firmware.history.players import NOBODY, people_in, people_of

NOTE: Final = "best"
"""The key of the note in the journal: for each kind of match, for each badge matches, wins, best total."""

Best = dict[str, dict[str, Annotated[list[int], Meta(min_length=3, max_length=3)]]]


class Record(Value):
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


def read(note: object) -> Best:
    """The note as it was made; empty where there is none."""
    try:
        return convert(note, Best)
    except ValidationError:
        return {}


def without(best: Best, badge: int) -> Best:
    return {
        kind: {key: line for key, line in lines.items() if key != str(badge)} for kind, lines in best.items()
    }


def kind_of(match: Match) -> str:
    """What matches must have in common to be compared."""
    return f"{match.title} {rule_of(match.game.end)}"


def add(best: Best, header: Mapping[str, Any], tally: MatchTally) -> None:
    """Count a match that is over. Raises `CompanionError` where its game is not installed."""
    if not tally.over:
        return
    game = games.module(str(header["game"])).make(int(header["seats"]), header.get("options") or {})
    lines = best.setdefault(f"{tally.game} {rule_of(game.end)}", {})
    people = people_in(header, tally.seats)
    for place in tally.places:
        person, total = people[place.seats[0]], place.total
        if len(place.seats) > 1 or person.badge == NOBODY or person.joined:
            continue
        matches, wins, before = lines.get(str(person.badge), [0, 0, total])
        better = max if tally.high else min
        won = person.seat in tally.winners
        lines[str(person.badge)] = [matches + 1, wins + won, better(before, total)]


def records_of(match: Match, best: Best) -> tuple[Record, ...]:
    """What a match that is over means for those who played for themselves, with a badge, best first."""
    lines = best.get(kind_of(match), {})
    better = max if match.scoring.high_wins else min
    people = people_of(match, ())
    winners = match.winners or ()
    of_all = [line[2] for line in lines.values()]
    found = []
    for place in match.position.score_sheet.standings(match.players):
        person = people[place.seats[0]]
        if len(place.seats) > 1 or person.badge == NOBODY or person.joined:
            continue
        line = lines.get(str(person.badge))
        matches, wins, before = (0, 0, None) if line is None else line
        is_best = before is not None and before != place.total and better(before, place.total) == place.total
        table = bool(of_all) and all(
            one != place.total and better(one, place.total) == place.total for one in of_all
        )
        wins += person.seat in winners
        found.append(Record(person.badge, place.total, matches + 1, wins, before, is_best, table))
    return tuple(found)
