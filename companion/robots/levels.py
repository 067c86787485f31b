"""The robots of each level, and what one answers at a seat of a match of the referee.

It is given the match and the cards of its seat. Of the match it looks only at what lies open, so hidden
cards of other seats that the match may know change no answer. It keeps nothing: the same match, hand and
seed give the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final, cast

from companion.core import games
from companion.core.ask import Answer, Ask, AskKind
from companion.core.cards import Seat
from companion.core.game import RandomSource
from companion.match.dealer import Dealer, is_legal, legal_answers
from companion.match.match import Match
from companion.robots.rollouts import seed_of
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value


class Level(Enum):
    """How well a robot plays; the value is its name."""

    EASY = "easy"
    NORMAL = "normal"
    GOOD = "good"
    BETTER = "better"
    GREAT = "great"
    STRONG = "strong"
    HARD = "hard"


LEVELS: Final[Mapping[str, tuple[Level, ...]]] = {
    "six": tuple(Level),
    "eleven": (Level.EASY, Level.NORMAL, Level.HARD),
    "ciao": (Level.EASY, Level.NORMAL, Level.HARD),
}
"""The levels of each game that robots play, the easiest first.

Each wins 70 to 85 of 100 matches of two players against the one before it: docs/robots.md has the figures.
"""

_HARD_FOR: Final = {Level.BETTER: 0.2, Level.GREAT: 0.42, Level.STRONG: 0.71, Level.HARD: 1.0}
"""The part of its choices in 6 nimmt! for which a level thinks as hard does; for the others it is good."""

_NORMAL_FOR: Final = 0.25
"""The part of its choices in 6 nimmt! for which an easy robot looks at the table."""


def check(game: str, level: Level) -> None:
    """Raises `CompanionError` where no robot of this level can play this game here."""
    if game not in LEVELS:
        title = games.module(game).TITLE
        raise CompanionError(say("no robot plays {game}", game=title), say("have it played at random"))
    if level not in LEVELS[game]:
        raise CompanionError(
            say("{game} has no robots of level {level}", game=games.module(game).TITLE, level=level.value),
            say("use one of {names}", names=tuple(other.value for other in LEVELS[game])),
        )
    if game == "six" and level in _HARD_FOR:
        need_numpy()


def nearest(game: str, level: Level) -> Level:
    """The level itself, or the next easier one that can play this game here."""
    order = list(Level)
    for easier in order[order.index(level) : 0 : -1]:
        with suppress(CompanionError):
            check(game, easier)
            return easier
    return Level.EASY


def robot(game: str, level: Level, seed: int = 0) -> Any:  # noqa: ANN401 - as it says
    """The robot of a level: a `SixPlayer`, an `ElevenPlayer` or a `CiaoPlayer`.

    Raises `CompanionError` as `check` does.
    """
    check(game, level)
    players = import_module(f"companion.robots.{'six.plain' if game == 'six' else game}")
    if level is Level.NORMAL:
        return players.Normal()
    if game != "six":
        return players.Easy(seed) if level is Level.EASY else players.Hard(seed)
    if level is Level.EASY:
        return players.Mixed(seed, _NORMAL_FOR, players.Normal(), players.Easy(seed))
    if level is Level.GOOD:
        return players.Learned()
    hard = import_module("companion.robots.six.hard").Hard(seed)
    return hard if level is Level.HARD else players.Mixed(seed, _HARD_FOR[level], hard, players.Learned())


def need_numpy() -> None:
    """Raises `CompanionError`, which says how to get numpy, where there is none; imports nothing of it."""
    if find_spec("numpy") is None:
        raise CompanionError(
            say("the better robots of 6 nimmt! need numpy"),
            say("Debian: apt install python3-numpy, else pip install numpy"),
        )


class Decision(Value):
    """A match in which a robot is asked: its seat, the names of its cards, its level, its chance.

    In Ciao! the card that came last is the last of the hand.
    """

    match: Match
    seat: Seat
    hand: tuple[str, ...]
    level: Level
    seed: int


def answer(question: Decision) -> Answer | None:
    """What the robot answers; None if nothing is open that it decides.

    Raises `CompanionError` as `check` does.
    """
    match, seat = question.match, question.seat
    check(match.terms.game, question.level)
    of_the_deck = (AskKind.LAY, AskKind.TURN_UP)  # nobody decides it
    asks = [ask for ask in match.asks if seat in ask.seats and ask.kind not in of_the_deck]
    if not asks:
        return None
    if match.terms.game == "six" and asks[0].kind in (AskKind.PLAY, AskKind.CHOOSE):
        return _six(question, asks[0])
    found = _thought(question, asks)
    if found is not None or asks[0].kind is AskKind.RACE:
        return found
    for ask in asks:
        legal = list(legal_answers(match, ask, seat, question.hand))
        if legal:
            texts = [answer.text for answer in legal]
            return Random(seed_of(question.seed, match.steps, ask.kind.value, seat, texts)).choice(legal)
    return None


def robots(game: str, of: Sequence[Level], rng: RandomSource) -> Dealer:
    """Robots for a match of this game, one for each player in the order of seats; `rng` deals.

    Raises `CompanionError` as `answer` does.
    """
    for level in of:
        check(game, level)

    def player(match: Match, seat: Seat, hand: tuple[str, ...]) -> Answer | None:
        place = match.players.index(seat)
        return answer(Decision(match, seat, hand, of[place], place))

    return Dealer(rng, player)


def _six(question: Decision, ask: Ask) -> Answer | None:
    from companion.robots.six.seen import seen_by

    if ask.kind is AskKind.CHOOSE and ask.seats != (question.seat,) and ask.card not in question.hand:
        return None  # it is the card of another player
    hand = [int(card) for card in question.hand if card != ask.card]
    seen = seen_by(question.match, question.seat, hand)
    # After corrections more cards may have been seen than the others can have played.
    possible = len(seen.unseen()) >= (seen.seats - 1) * len(hand)
    level = question.level if possible or question.level not in _HARD_FOR else Level.GOOD
    player = robot("six", level, question.seed)
    if ask.kind is AskKind.CHOOSE:
        return Answer(ask, str(player.row(seen)), question.seat)
    return Answer(ask, str(player.card(seen)), question.seat) if hand else None


def _thought(question: Decision, asks: Sequence[Ask]) -> Answer | None:
    """What a robot for 11 nimmt! or Ciao! chooses; None: nothing, or the cards are not those of its seat."""
    match, seat, hand = question.match, question.seat, question.hand
    key, table, game = match.terms.game, match.position.table, cast("Any", match.game)
    if key == "six" or not game.decides(table) or len(hand) != game.dealing(table).sizes[seat]:
        return None
    players = import_module(f"companion.robots.{key}")
    player = robot(key, question.level, question.seed)
    found: Answer | None = players.answer(player, table, asks, seat, hand)
    # Cards that were shown to the device wrongly may make an answer that is not legal.
    return found if found is not None and is_legal(match, found) else None
