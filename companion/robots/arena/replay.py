"""Rounds and matches that an arena has written, played again by the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.cards import Card, Seat
from companion.games.six.records import LayRows, Play, TakeRow
from companion.match.match import Step, Terms, begin
from companion.text.errors import InvalidRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.match.match import Match


def heads_of(record: Mapping[str, Any]) -> tuple[int, ...]:
    """The heads that each seat has, as the referee rules on this round of 6 nimmt!.

    Raises `InvalidRecord` where a key is missing, or the referee refuses what was played.
    """
    try:
        rows, turns, chosen = record["rows"], record["cards"], list(record["chosen"])
        hands = [set(hand) for hand in record["hands"]]
        match = begin(Terms("six", len(hands), {"end": {"deals": 1}}))
        match = after(match, LayRows(tuple(map(Card, rows))))
        for cards in turns:
            for seat, card in enumerate(cards):
                hands[seat].remove(card)
                match = after(match, Play(Card(card), Seat(seat)))
            while match.asks and match.asks[0].choices:
                match = after(match, TakeRow(chosen.pop(0)))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as bad:
        raise InvalidRecord(f"this is no round: {bad!r}", "give a file from `nimmt arena --out`") from None
    deals = match.position.score_sheet.deals
    if not deals:
        raise InvalidRecord("the round is not played to its end", "give a file from `nimmt arena --out`")
    return deals[0]


def points_of(record: Mapping[str, Any]) -> tuple[int, ...]:
    """The points of every seat, as the referee rules on this match.

    Raises `InvalidRecord` where a key is missing, or the referee refuses what was answered.
    """
    try:
        match = begin(Terms(record["game"], len(record["sits"]), {}, Seat(record["first"])))
        for place, seat, text in record["answers"]:
            match = after(match, match.game.read(match.asks[place], seat, text))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as bad:
        raise InvalidRecord(f"this is no match: {bad!r}", "give a file from `nimmt arena --out`") from None
    return match.totals


def after(match: Match, command: object) -> Match:
    """The match after a command. Raises `InvalidRecord` where the referee refuses it."""
    step = match.propose(command)
    if not isinstance(step, Step):
        raise InvalidRecord(step.fault, step.fix)
    return match.then(step)
