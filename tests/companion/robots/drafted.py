"""A match with an open draft, so that all hands are known; robots play it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.core.ask import AskKind
from companion.match.dealer import players_by_chance
from companion.match.match import Match, Step, Terms, begin
from companion.robots.levels import Level
from companion.robots.seat import Question, answer


def drafted_match(levels: Sequence[Level], deals: int, badges: Sequence[int] = ()) -> Match:
    """The match when it is over; every seat plays on its level, and picks by chance."""
    options = {"deck": "known", "draft": True, "end": {"deals": deals}}
    match = begin(Terms("six", len(levels), options, badges=tuple(badges)))
    players = players_by_chance("six", Random(4))
    while match.asks:
        ask = match.asks[0]
        given = None
        if ask.kind in (AskKind.PLAY, AskKind.CHOOSE):
            seat = ask.seats[0]
            hand = tuple(map(str, sorted(match.position.table.hands[seat])))
            given = answer(Question(match, seat, hand, levels[seat], 1))
        given = given or players.answer(match)
        step = match.propose(match.game.read(given.ask, given.seat, given.text))
        assert isinstance(step, Step)
        match = match.then(step)
    return match
