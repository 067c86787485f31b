"""A robot at one seat of a match of the referee: what it answers to the question that is open.

It is given the match and the cards of its seat. Of the match it looks only at what lies open, so hidden
cards of other seats that the match may know change no answer. It keeps nothing: the same match, hand and
seed give the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from companion.core.ask import Answer, Ask, AskKind
from companion.core.cards import Seat
from companion.core.game import RandomSource
from companion.games.ciao.table import Stage
from companion.match.dealer import Dealer, is_legal, legal_answers
from companion.robots import levels
from companion.robots.chance import seed_of
from companion.robots.levels import THINK_S, Level, check
from companion.values import Value

if TYPE_CHECKING:
    from companion.match.match import Match

_OF_THE_TABLE = (AskKind.LAY, AskKind.TURN_UP)
"""What is laid from the deck: nobody decides it."""

_OF_CIAO: Final = frozenset(Stage) - {Stage.CLAIM, Stage.COUNT, Stage.THANKS}
"""What a player of Ciao! decides; the others are questions about what has happened."""


class Question(Value):
    """A match in which a robot is asked: its seat, the names of its cards, its level, its chance.

    In Ciao! the card that came last is the last of the hand.
    """

    match: Match
    seat: Seat
    hand: tuple[str, ...]
    level: Level
    seed: int


def answer(
    question: Question, clock: Callable[[], float] | None = None, think_s: float = THINK_S
) -> Answer | None:
    """What the robot answers; None if nothing is open that it decides.

    `clock` tells monotonic seconds; after `think_s` of them it comes to an end. Raises `CompanionError` as
    `levels.check` does.
    """
    match, seat = question.match, question.seat
    check(match.terms.game, question.level)
    asks = [ask for ask in match.asks if seat in ask.seats and ask.kind not in _OF_THE_TABLE]
    if not asks:
        return None
    if match.terms.game == "six" and asks[0].kind in (AskKind.PLAY, AskKind.CHOOSE):
        return _six(question, asks[0], clock, think_s)
    found = _thought(question, asks, clock, think_s)
    if found is not None or asks[0].kind is AskKind.RACE:
        return found
    for ask in asks:
        legal = list(legal_answers(match, ask, seat, question.hand))
        if legal:
            texts = [one.text for one in legal]
            seed = seed_of(question.seed, match.steps, ask.kind.value, seat, texts)
            return Random(seed).choice(legal)
    return None


def robots(
    game: str,
    of: Sequence[Level],
    rng: RandomSource,
    clock: Callable[[], float] | None = None,
    think_s: float = THINK_S,
    *,
    named: bool = False,
) -> Dealer:
    """Robots for a match of this game, one for each player in the order of seats; `rng` deals.

    Each thinks for `think_s` seconds of `clock`, or as long as it likes. Raises `CompanionError` as `answer`
    does.
    """
    for level in of:
        check(game, level)

    def player(match: Match, seat: Seat, hand: tuple[str, ...]) -> Answer | None:
        place = match.players.index(seat)
        return answer(Question(match, seat, hand, of[place], place), clock, think_s)

    return Dealer(rng, player, named=named)


def _six(question: Question, ask: Ask, clock: Callable[[], float] | None, think_s: float) -> Answer | None:
    from companion.robots.six.sight import seen_by

    if ask.kind is AskKind.CHOOSE and ask.seats != (question.seat,) and ask.card not in question.hand:
        return None  # it is the card of another player
    hand = [int(card) for card in question.hand if card != ask.card]
    seen = seen_by(question.match, question.seat, hand)
    # After corrections more cards may have been seen than the others can have played.
    possible = len(seen.unseen()) >= (seen.seats - 1) * len(hand)
    level = question.level if possible or question.level is not Level.HARD else Level.NORMAL
    robot = levels.six(level, question.seed, clock, think_s)
    if ask.kind is AskKind.CHOOSE:
        return Answer(ask, str(robot.row(seen)), question.seat)
    return Answer(ask, str(robot.card(seen)), question.seat) if hand else None


def _thought(
    question: Question, asks: Sequence[Ask], clock: Callable[[], float] | None, think_s: float
) -> Answer | None:
    """What a robot for 11 nimmt! or Ciao! chooses; None: nothing, or the cards are not those of its seat."""
    match, seat, hand = question.match, question.seat, question.hand
    table = match.position.table
    if match.terms.game == "eleven" and not table.counting and len(hand) == table.sizes[seat]:
        from companion.robots.eleven.players import answer as eleven_answer

        robot = levels.eleven(question.level, question.seed, clock, think_s)
        return _if_legal(match, eleven_answer(robot, table, asks, seat, hand))
    if match.terms.game == "ciao" and table.stage in _OF_CIAO and len(hand) == table.hands[seat].size:
        from companion.robots.ciao.players import answer as ciao_answer

        found = ciao_answer(
            levels.ciao(question.level, question.seed, clock, think_s), table, asks, seat, hand
        )
        return None if found is None else _if_legal(match, found)
    return None


def _if_legal(match: Match, found: Answer) -> Answer | None:
    """Cards that were shown to the device wrongly may make an answer that is not."""
    return found if is_legal(match, found) else None
