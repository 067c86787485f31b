"""A robot at one seat of a match of the referee: what it answers to the question that is open.

It is given the match and the cards of its seat. Of the match it looks only at what lies open, so hidden
cards of other seats that the match may know change no answer. It keeps nothing: the same match, hand and
seed give the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from companion.ask import Answer, Ask, AskKind, Gives
from companion.match import Step
from robots import levels
from robots.group import GAMES, not_played
from robots.levels import THINK_S, Level
from robots.seeds import seed_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.cards import Seat
    from companion.match import Match

_OF_THE_TABLE = (AskKind.LAY, AskKind.TURN_UP)
"""What is laid from the deck: nobody decides it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A match in which a robot is asked: its seat, the names of its cards, its level, its chance."""

    match: Match
    seat: Seat
    hand: tuple[str, ...]
    level: Level
    seed: int


def check(game: str, level: Level) -> None:
    """Raises `CompanionError` where no robot of this level can play this game here."""
    if level not in GAMES.get(game, ()):
        raise not_played(game, level)
    if game == "six" and level is Level.HARD:
        levels.need_numpy()


def answer(
    question: Question, clock: Callable[[], float] | None = None, think_s: float = THINK_S
) -> Answer | None:
    """What the robot answers; None if nothing is open that it decides.

    `clock` tells monotonic seconds; after `think_s` of them it comes to an end. Raises `CompanionError` as
    `check` does.
    """
    match, seat = question.match, question.seat
    check(match.terms.game, question.level)
    asks = [ask for ask in match.asks if seat in ask.seats and ask.kind not in _OF_THE_TABLE]
    if not asks:
        return None
    if match.terms.game == "six" and asks[0].kind in (AskKind.PLAY, AskKind.CHOOSE):
        return _six(question, asks[0], clock, think_s)
    for ask in asks:
        texts = list(_legal(question, ask))
        if texts:
            return Answer(ask, str(_choose(question, ask, texts)), seat)
    return None


def _six(question: Question, ask: Ask, clock: Callable[[], float] | None, think_s: float) -> Answer | None:
    from robots.six.sight import seen_by

    if ask.kind is AskKind.CHOOSE and ask.seats != (question.seat,):
        return None  # it may be the card of another player
    hand = [int(card) for card in question.hand if card != ask.card]
    seen = seen_by(question.match, question.seat, hand)
    # After corrections more cards may have been seen than the others can have played.
    possible = len(seen.unseen()) >= (seen.seats - 1) * len(hand)
    level = question.level if possible or question.level is not Level.HARD else Level.NORMAL
    robot = levels.six(level, question.seed, clock, think_s)
    if ask.kind is AskKind.CHOOSE:
        return Answer(ask, str(robot.row(seen)), question.seat)
    return Answer(ask, str(robot.card(seen)), question.seat) if hand else None


def _legal(question: Question, ask: Ask) -> Iterator[str]:
    """The answers to one question that the referee takes, of the own cards or of its choices."""
    match = question.match
    own = ask.kind.gives is Gives.CARD and not ask.choices
    for text in dict.fromkeys(question.hand) if own else ask.choices:
        if isinstance(match.propose(match.game.read(ask, question.seat, text)), Step):
            yield text


def _choose(question: Question, ask: Ask, texts: Sequence[str]) -> Any:  # noqa: ANN401 - a card or a word
    game, table = question.match.terms.game, question.match.position.table
    if question.level is Level.EASY or game == "six":
        seed = seed_of(question.seed, question.match.steps, ask.kind.value, question.seat, texts)
        return Random(seed).choice(texts)
    from robots import ciao, eleven

    if game == "ciao":
        return ciao.choose(table, question.seat, texts)
    numbers = ask.kind.gives is Gives.CARD
    return eleven.choose(table, question.seat, [int(text) for text in texts] if numbers else texts)
