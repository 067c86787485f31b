"""A robot at one seat of a match of the referee: what it answers to the question that is open.

It is given the match and the cards of its seat. Of the match it looks only at what lies open, so hidden
cards of other seats that the match may know change no answer. It keeps nothing: the same match, hand and
seed give the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, cast

from companion.core.ask import Answer, AskKind
from companion.core.cards import Seat
from companion.core.game import DealsCards, KnowsHands, RandomSource
from companion.match.dealer import Dealer, is_legal, legal_answers
from companion.robots import levels
from companion.robots.levels import Level, check
from companion.robots.rollouts import NO_LIMIT, Budget, seed_of
from companion.values import Value

if TYPE_CHECKING:
    from companion.match.match import Match

_OF_THE_TABLE = (AskKind.LAY, AskKind.TURN_UP)
"""What is laid from the deck: nobody decides it."""


class Question(Value):
    """A match in which a robot is asked: its seat, the names of its cards, its level, its chance.

    In Ciao! the card that came last is the last of the hand.
    """

    match: Match
    seat: Seat
    hand: tuple[str, ...]
    level: Level
    seed: int


def answer(question: Question, budget: Budget = NO_LIMIT) -> Answer | None:
    """What the robot answers; None if nothing is open that it decides.

    Raises `CompanionError` as `levels.check` does.
    """
    match, seat, hand = question.match, question.seat, question.hand
    key, game = match.terms.game, cast("KnowsHands[Any]", match.game)
    check(key, question.level)
    asks = [ask for ask in match.asks if seat in ask.seats and ask.kind not in _OF_THE_TABLE]
    if not asks:
        return None
    if game.decides(match.position.table) and _is_of_seat(match, seat, hand):
        robot = levels.robot(key, question.level, question.seed, budget)
        found = levels.answers_of(key)(robot, match, asks, seat, hand)
        # Cards that were shown to the device wrongly may make an answer that is not legal.
        if found is None or is_legal(match, found):
            return found
    if asks[0].kind is AskKind.RACE:
        return None
    for ask in asks:
        legal = list(legal_answers(match, ask, seat, hand))
        if legal:
            texts = [one.text for one in legal]
            seed = seed_of(question.seed, match.steps, ask.kind.value, seat, texts)
            return Random(seed).choice(legal)
    return None


def _is_of_seat(match: Match, seat: Seat, hand: tuple[str, ...]) -> bool:
    """Whether these can be the cards of a seat; in 6 nimmt! any will do."""
    game = cast("DealsCards[Any]", match.game)
    return match.terms.game == "six" or len(hand) == game.dealing(match.position.table).sizes[seat]


def robots(
    game: str,
    of: Sequence[Level],
    rng: RandomSource,
    budget: Budget = NO_LIMIT,
    *,
    named: bool = False,
) -> Dealer:
    """Robots for a match of this game, one for each player in the order of seats; `rng` deals.

    Each thinks for as long as `budget` says. Raises `CompanionError` as `answer` does.
    """
    for level in of:
        check(game, level)

    def player(match: Match, seat: Seat, hand: tuple[str, ...]) -> Answer | None:
        place = match.players.index(seat)
        return answer(Question(match, seat, hand, of[place], place), budget)

    return Dealer(rng, player, named=named)
