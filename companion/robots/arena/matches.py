"""Rounds and matches in the arena: robots and programs at a match of the referee, who rules on every card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.core.cards import Seat
from companion.match.dealer import Dealer, Hand
from companion.match.match import Match, Step, Terms, begin
from companion.robots.arena.standing import ArenaMatch, ArenaResult, Entry
from companion.robots.levels import answers_of
from companion.robots.rollouts import seed_of
from companion.text.errors import InvalidRecord

if TYPE_CHECKING:
    from companion.core.ask import Answer

ROUND: Final[Mapping[str, Any]] = {"end": {"deals": 1}}
"""The options of a single round of 6 nimmt! or Ciao!."""


def play(
    game: str, entries: Sequence[Entry], numbers: Sequence[int], seed: int, options: Mapping[str, Any]
) -> Iterator[ArenaResult]:
    """Every match of these numbers once for each rotation of the players, with the same cards."""
    seats = len(entries)
    for number in numbers:
        for turned in range(seats):
            sits = tuple((seat + turned) % seats for seat in range(seats))
            terms = Terms(game, seats, options, Seat(number % seats))
            match, answers = _played(terms, [entries[one] for one in sits], number, seed)
            winners = match.winners or ()
            points, wins = [0] * seats, [0.0] * seats
            for seat, entry in enumerate(sits):
                points[entry] = match.totals[seat]
                wins[entry] = 1 / len(winners) if Seat(seat) in winners else 0.0
            record = ArenaMatch(number, sits, game, terms.first, options, tuple(answers), match.totals)
            deals = len(match.position.score_sheet.deals)
            yield ArenaResult(number, deals, tuple(points), tuple(wins), record)


def _played(
    terms: Terms, players: Sequence[Entry], number: int, seed: int
) -> tuple[Match, list[tuple[Any, ...]]]:
    """A match to its end, and every answer: the place of its question, who answers, and what."""
    chance, answer = Random(), answers_of(terms.game)

    def player(match: Match, seat: Seat, hand: Hand) -> Answer | None:
        entry = players[seat]
        asks = [ask for ask in match.asks if seat in ask.seats]
        began_s = entry.clock()
        found = answer(entry.player, match, asks, seat, hand)
        entry.spent.add(entry.clock() - began_s)
        return found

    dealer = Dealer(chance, player, named=True)
    match = begin(terms)
    deal = 0
    answers: list[tuple[Any, ...]] = []
    while match.asks:
        if match.position.deal != deal:
            deal = match.position.deal
            chance.seed(seed_of(seed, number, deal))  # whatever chance was needed for in the deal before
        given = dealer.answer(match)
        place = match.asks.index(given.ask)
        answers.append((place, given.seat, given.text))
        match = _after(match, match.game.read(given.ask, given.seat, given.text))
    return match, answers


def points_of(played: ArenaMatch) -> tuple[int, ...]:
    """The points of every seat, as the referee rules on this match.

    Raises `InvalidRecord` where the referee refuses what was answered.
    """
    try:
        match = begin(Terms(played.game, len(played.sits), played.options, Seat(played.first)))
        for place, seat, text in played.answers:
            match = _after(match, match.game.read(match.asks[place], seat, text))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as bad:
        raise InvalidRecord(f"this is not a match: {bad!r}", "give a file from `nimmt arena --out`") from None
    return match.totals


def _after(match: Match, command: object) -> Match:
    """The match after a command. Raises `InvalidRecord` where the referee refuses it."""
    step = match.propose(command)
    if not isinstance(step, Step):
        raise InvalidRecord(step.fault, step.fix)
    return match.then(step)
