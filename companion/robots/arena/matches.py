"""Matches of 11 nimmt! and Ciao! in the arena: robots at a match of the referee, who rules on every card."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from companion.core.ask import Answer
from companion.core.cards import Card, Seat
from companion.games.six.records import LayRows, Play, TakeRow
from companion.match.dealer import Dealer, Hand
from companion.match.match import Match, Step, Terms, begin
from companion.robots.arena.standing import ArenaResult, Entry, PlayedMatch, SixRound
from companion.robots.ciao.players import CiaoPlayerView as CiaoSeen
from companion.robots.ciao.players import answer as ciao_answer
from companion.robots.eleven.deal import Move
from companion.robots.eleven.players import ElevenPlayerView as ElevenSeen
from companion.robots.eleven.players import answer as eleven_answer
from companion.robots.rollouts import seed_of
from companion.text.errors import InvalidRecord
from companion.values import Value

_ANSWERS: Final[Mapping[str, Any]] = {"eleven": eleven_answer, "ciao": ciao_answer}


class _Timed(Value, eq=False):
    """A player whose moves are measured."""

    entry: Entry

    def move(self, seen: ElevenSeen) -> Move:
        """A move of 11 nimmt!."""
        move: Move = self.entry.timed(self.entry.player.move, seen)
        return move

    def choose(self, seen: CiaoSeen, choices: Sequence[int]) -> int:
        choice: int = self.entry.timed(self.entry.player.choose, seen, choices)
        return choice


def play(game: str, entries: Sequence[Entry], numbers: Sequence[int], seed: int) -> Iterator[ArenaResult]:
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
            record = PlayedMatch(number, sits, game, number % seats, tuple(answers), match.totals)
            deals = len(match.position.score_sheet.deals)
            yield ArenaResult(number, deals, tuple(points), tuple(wins), (record,))


def _played(
    game: str, robots: Sequence[_Timed], number: int, seed: int
) -> tuple[Match, list[tuple[Any, ...]]]:
    """A match to its end, and every answer: the place of its question, who answers, and what."""
    chance = Random()

    def player(match: Match, seat: Seat, hand: Hand) -> Answer | None:
        asks = [ask for ask in match.asks if seat in ask.seats]
        found: Answer | None = _ANSWERS[game](robots[seat], match.position.table, asks, seat, hand)
        return found

    dealer = Dealer(chance, player, named=True)
    match = begin(Terms(game, len(robots), {}, Seat(number % len(robots))))
    deal = 0
    answers: list[tuple[Any, ...]] = []
    while match.asks:
        if match.position.deal != deal:
            deal = match.position.deal
            chance.seed(seed_of(seed, number, deal))  # whatever chance was needed for in the deal before
        given = dealer.answer(match)
        place = match.asks.index(given.ask)
        answers.append((place, given.seat, given.text))
        match = after(match, match.game.read(given.ask, given.seat, given.text))
    return match, answers


def heads_of(played: SixRound) -> tuple[int, ...]:
    """The heads that each seat has, as the referee rules on this round of 6 nimmt!.

    Raises `InvalidRecord` where the referee refuses what was played.
    """
    chosen, hands = list(played.chosen), [set(hand) for hand in played.hands]
    try:
        match = begin(Terms("six", len(hands), {"end": {"deals": 1}}))
        match = after(match, LayRows(tuple(map(Card, played.rows))))
        for cards in played.cards:
            for seat, card in enumerate(cards):
                hands[seat].remove(card)
                match = after(match, Play(Card(card), Seat(seat)))
            while match.asks and match.asks[0].choices:
                match = after(match, TakeRow(chosen.pop(0)))
    except LookupError as bad:
        raise InvalidRecord(f"this is not a round: {bad!r}", "give a file from `nimmt arena --out`") from None
    deals = match.position.score_sheet.deals
    if not deals:
        raise InvalidRecord("the round is not played to its end", "give a file from `nimmt arena --out`")
    return deals[0]


def points_of(played: PlayedMatch) -> tuple[int, ...]:
    """The points of every seat, as the referee rules on this match.

    Raises `InvalidRecord` where the referee refuses what was answered.
    """
    try:
        match = begin(Terms(played.game, len(played.sits), {}, Seat(played.first)))
        for place, seat, text in played.answers:
            match = after(match, match.game.read(match.asks[place], seat, text))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as bad:
        raise InvalidRecord(f"this is not a match: {bad!r}", "give a file from `nimmt arena --out`") from None
    return match.totals


def after(match: Match, command: object) -> Match:
    """The match after a command. Raises `InvalidRecord` where the referee refuses it."""
    step = match.propose(command)
    if not isinstance(step, Step):
        raise InvalidRecord(step.fault, step.fix)
    return match.then(step)
