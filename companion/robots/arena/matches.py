"""Matches of 11 nimmt! and Ciao! in the arena: robots at a match of the referee, who rules on every card."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.core.cards import Seat
from companion.match.dealer import Dealer
from companion.match.match import Match, Terms, begin
from companion.robots.arena.entry import Result
from companion.robots.arena.replay import after
from companion.robots.ciao.answers import answer as ciao_answer
from companion.robots.eleven.answers import answer as eleven_answer
from companion.robots.seeds import seed_of
from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.core.ask import Answer
    from companion.match.dealer import Hand
    from companion.robots.arena.entry import Entry
    from companion.robots.ciao.seen import Seen as CiaoSeen
    from companion.robots.eleven.deal import Move
    from companion.robots.eleven.seen import Seen as ElevenSeen

_ANSWERS: Final[Mapping[str, Any]] = {"eleven": eleven_answer, "ciao": ciao_answer}


class _Timed(Value, eq=False):
    """A player whose moves are measured."""

    entry: Entry

    def move(self, seen: ElevenSeen) -> Move:
        """A move of 11 nimmt!."""
        began_s = self.entry.clock()
        move: Move = self.entry.player.move(seen)
        self.entry.spent.add(1, self.entry.clock() - began_s)
        return move

    def choose(self, seen: CiaoSeen, choices: Sequence[int]) -> int:
        """A choice in Ciao!."""
        began_s = self.entry.clock()
        choice: int = self.entry.player.choose(seen, choices)
        self.entry.spent.add(1, self.entry.clock() - began_s)
        return choice


def play(game: str, entries: Sequence[Entry], numbers: Sequence[int], seed: int) -> Iterator[Result]:
    """Every match of these numbers once for each rotation of the players, with the same cards."""
    seats = len(entries)
    for number in numbers:
        for turned in range(seats):
            sits = tuple((seat + turned) % seats for seat in range(seats))
            robots = [_Timed(entries[one]) for one in sits]
            match, answers = _played(game, robots, number, seed)
            winners = match.winners or ()
            points, wins = [0] * seats, [0.0] * seats
            for seat, entry in enumerate(sits):
                points[entry] = match.totals[seat]
                wins[entry] = 1 / len(winners) if Seat(seat) in winners else 0.0
            record = {
                "match": number,
                "sits": list(sits),
                "game": game,
                "first": number % seats,
                "answers": answers,
                "points": list(match.totals),
            }
            deals = len(match.position.score_sheet.deals)
            yield Result(number, deals, tuple(points), tuple(wins), (record,))


def _played(game: str, robots: Sequence[_Timed], number: int, seed: int) -> tuple[Match, list[Any]]:
    """A match to its end, and every answer: the place of its question, who answers, and what."""
    chance = Random()

    def player(match: Match, seat: Seat, hand: Hand) -> Answer | None:
        asks = [ask for ask in match.asks if seat in ask.seats]
        found: Answer | None = _ANSWERS[game](robots[seat], match.position.table, asks, seat, hand)
        return found

    dealer = Dealer(chance, player, named=True)
    match = begin(Terms(game, len(robots), {}, Seat(number % len(robots))))
    deal, answers = 0, []
    while match.asks:
        if match.position.deal != deal:
            deal = match.position.deal
            chance.seed(seed_of(seed, number, deal))  # whatever chance was needed for in the deal before
        given = dealer.answer(match)
        place = match.asks.index(given.ask)
        answers.append([place, given.seat, given.text])
        match = after(match, match.game.read(given.ask, given.seat, given.text))
    return match, answers
