"""What deals and matches amount to, in numbers: for lists, statistics and records, which then replay nothing.

The tally of a deal is made from its events: they lead to the table on which it ended. That of a match adds up
those of its deals, and what was taken in the deal in progress. Who stores a step asks `tally_after`, and
stores the tally with it. What was undone is in no tally, because the match after the undo is without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from companion.core import games
from companion.core.cards import Seat
from companion.core.tally import MatchTally, Rank, Taken
from companion.match.commands import ScoreCorrected
from companion.values import Value, replace

if TYPE_CHECKING:
    from companion.match.match import Match


class DealTally(Value):
    """A finished deal: its points by seat, who played it, and what every seat took.

    `verified`: every card was tracked, and they add up. `corrected`: the score was corrected afterwards.
    """

    points: tuple[int, ...]
    players: tuple[Seat, ...]
    taken: tuple[Taken, ...]
    verified: bool
    corrected: bool


def tally_of(match: Match) -> MatchTally:
    """The tally of a match as it stands."""
    seats, position, ends = range(len(match.totals)), match.position, _ends(match)
    tables = ends if position.table is position.finished else [*ends, position.table]
    taken = [_taken(match, table, len(seats)) for table in tables]
    deals = [*zip(map(match.game.players, ends), position.score_sheet.deals, strict=True)]
    return MatchTally(
        match.title,
        match.scoring.high_wins,
        position.over,
        position.deal,
        len(seats),
        match.winners or (),
        tuple(Rank(place.rank, place.total, place.seats) for place in match.places),
        tuple(tuple(points[seat] for players, points in deals if seat in players) for seat in seats),
        tuple(_sum(of_deal[seat] for of_deal in taken) for seat in seats),
    )


def tally_after(before: Match, after: Match) -> MatchTally | None:
    """The tally of a match after its newest step; None where that changed nothing of it."""
    was, now = before.position, after.position
    same = (
        was.finished is now.finished
        and was.score_sheet == now.score_sheet
        and (was.over, was.deal, before.players) == (now.over, now.deal, after.players)
        and before.game.takes(was.table) == after.game.takes(now.table)
    )
    return None if same and before.steps else tally_of(after)


def deal_tallies(match: Match) -> tuple[DealTally, ...]:
    """The finished deals, first to last."""
    events = [event for _, step, _ in match.live_steps() for event in step.events]
    corrected = {event.deal for event in events if isinstance(event, ScoreCorrected)}
    seats, deals = len(match.totals), match.position.score_sheet.deals
    tallies = []
    for number, (finished, points) in enumerate(zip(_ends(match), deals, strict=True), start=1):
        audit = match.game.audit(finished)
        tallies.append(
            DealTally(
                points + (0,) * (seats - len(points)),
                match.game.players(finished),
                _taken(match, finished, seats),
                audit.sound and audit.cards_due > 0,
                number in corrected,
            )
        )
    return tuple(tallies)


def _ends(match: Match) -> list[Any]:
    """The tables at the end of the finished deals, first to last."""
    ends: dict[int, Any] = {}
    at: Match | None = match
    while at is not None:  # back to the beginning: what a deal was when it was ended last counts
        ends.setdefault(len(at.position.score_sheet.deals), at.position.finished)
        at = at.before
    return [ends[deal + 1] for deal in range(len(match.position.score_sheet.deals))]


def _taken(match: Match, table: Any, seats: int) -> tuple[Taken, ...]:  # noqa: ANN401 - a state of its game
    taken: list[list[Taken]] = [[] for _ in range(seats)]
    for take in match.game.takes(table):
        taken[take.seat].append(Taken(1))
    for cost in match.game.costs(table):
        worth = games.module(match.box).worth
        card = max((card.partition("#")[0] for card in cost.cards), key=worth)
        taken[cost.seat].append(Taken(0, card, worth(card)))
    return tuple(map(_sum, taken))


def _sum(taken: Iterable[Taken]) -> Taken:
    every = (Taken(), *taken)
    costliest = max(every, key=attrgetter("points"))  # the first of equal ones
    return replace(costliest, number=sum(take.number for take in every))
