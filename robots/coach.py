"""The coach: what the hard robot would have played instead of a player whose hand is known.

It looks at finished deals of 6 nimmt! only, and at the seats whose hands the match knows: after an open
draft, or where the cards were registered when they were dealt, as those of robots are. Of a hand that nobody
knows it says nothing. What it compares are expectations at the moment of the play: it sees what the player
saw, not what the others held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards import Card, Seat
from robots import levels
from robots.six.round import HEADS
from robots.six.sight import finished_turns, seen_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.games.six.table import Table
    from companion.match import Match

GAMES: Final = ("six",)
"""The games that it knows."""

_CERTAIN: Final = 2.0
"""A difference of so many standard errors is no chance."""

_WORTH_TELLING: Final = 0.5
"""A smaller difference in heads is not told as a mistake."""


@dataclass(frozen=True, slots=True)
class Play:
    """A card that a player whose hand is known has played, and all that is needed to judge it.

    `deal` and `turn` count from 1. `before` is the match when the card was chosen; `hand` is with the card.
    `heads` is what the player took in this turn.
    """

    deal: int
    turn: int
    seat: Seat
    card: Card
    hand: tuple[Card, ...]
    before: Match
    heads: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A play beside what the hard robot would have played: the heads that each would have led to, expected.

    They are the own heads from this turn to the end of the deal. `certain`: the difference is worth telling,
    and no chance of the robot's imagination.
    """

    play: Play
    better: Card
    expected: float
    expected_better: float
    certain: bool

    @property
    def loss(self) -> float:
        """The heads that the better card would have saved in the mean; never less than 0."""
        return max(0.0, self.expected - self.expected_better)


def plays(match: Match, deals: Iterable[int] = (), seats: Iterable[Seat] = ()) -> Iterator[Play]:
    """The plays of the finished deals whose players' hands are known, in order.

    `deals` and `seats` choose some of them; without, all are meant. Other games have none.
    """
    if match.terms.game not in GAMES:
        return
    chosen, who = set(deals), set(seats)
    moments = _moments(match)
    for number, turns in enumerate(finished_turns(match), start=1):
        if number > len(match.position.score_sheet.deals) or (chosen and number not in chosen):
            continue
        for turn in turns:
            before = moments.get((number, turn.turn - 1))
            if before is not None:
                for play in _of_turn(number, turn, before):
                    if not who or play.seat in who:
                        yield play


def judge(play: Play, seed: int = 0) -> Judged:
    """What the hard robot makes of a play. It takes some hundredths of a second, and numpy.

    Raises `CompanionError` where there is no numpy.
    """
    levels.need_numpy()
    from robots.six.costs import compare

    found = compare(seen_by(play.before, play.seat, play.hand), play.card, seed)
    loss = found.of_played - found.of_best
    certain = found.best != play.card and loss > max(_WORTH_TELLING, _CERTAIN * found.error)
    return Judged(play, Card(found.best), found.of_played, found.of_best, certain)


def costliest(judged: Iterable[Judged], many: int = 3) -> list[Judged]:
    """The plays that have lost most, the worst first; those only of which it is certain."""
    return sorted((one for one in judged if one.certain), key=lambda one: -one.loss)[:many]


def _moments(match: Match) -> dict[tuple[int, int], Match]:
    """The match when the cards of a turn were chosen, by deal and finished turns."""
    found: dict[tuple[int, int], Match] = {}
    at: Match | None = match
    while at is not None:
        table: Table = at.position.table
        if not at.position.over and not table.shown and table.rows:
            found.setdefault((at.position.deal, table.turn), at)
        at = at.before
    return found


def _of_turn(deal: int, turn: Table, before: Match) -> Iterator[Play]:
    """The plays of one turn, given the table after it and the match before it."""
    hands = before.position.table.hands
    for seat in before.position.table.players if hands is not None else ():
        hand: frozenset[Card] = hands[seat]
        played = [(card, owner) for card, owner in turn.newest if card in hand and owner in (None, seat)]
        if len(played) == 1:
            card = played[0][0]
            took = [HEADS[one] for placed in turn.placed if placed.card == card for one in placed.takes]
            yield Play(deal, turn.turn, seat, card, tuple(sorted(hand)), before, sum(took))
