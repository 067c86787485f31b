"""Robots in a match at this table: asked by the game thread, they think in a thread of their own.

`Robots.answer` is asked again and again, as a page is drawn: it returns at once, with the answer or without.
The first time that a robot is asked something, it begins to think; what it has thought is posted into the
queue of the loop like any input, and is there when it is asked the next time. Nothing has to be called
back: a thought that fits the match no more, because people have undone or corrected something, is not found.

`robots`, and numpy with it, is imported by that thread, once a robot has to think.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.core.ask import Answer, Ask, AskKind, Wait
from companion.core.cards import Card, Seat
from companion.text.errors import CompanionError
from companion.values import Value, replace
from firmware.extensions.worker import Worker
from hardware.ports import ExtensionMessage

if TYPE_CHECKING:
    from companion.match.match import Match
    from companion.robots.coach import PlayAdvice

Hand = tuple[str, ...]
"""The names of the cards of a player."""

THINK_S: Final = 1.5
"""Seconds of a processor after which a robot has answered: many times what it needs on a small board."""

NORMAL: Final = "normal"
"""The level that plays every game everywhere; `companion.robots.levels` is not imported for its name."""


KeptAnswer = tuple[str, str]
"""An answer: the word for the kind of its question, and its text."""


class RobotPlayer(Value):
    """A robot at a seat: its level, one of `config.LEVELS`, and the seed of its chance."""

    seat: Seat
    level: str
    seed: int


class Thought(ExtensionMessage, frozen=True):
    """What was thought about a question: an answer, or what the coach says; None if there is nothing.

    `of` is the robot's seat, or the coach. `fault` says why another level had to answer, `keep` what is to be
    kept of an answer: see `Robots.to_keep`.
    """

    of: Hashable
    about: Hashable
    found: Answer | PlayAdvice | None
    fault: CompanionError | None = None
    keep: tuple[str, KeptAnswer] | None = None


_COACH: Final = "coach"

NONE_KEPT: Final[Mapping[str, KeptAnswer]] = {}


_Found = tuple["Answer | PlayAdvice | None", CompanionError | None, tuple[str, KeptAnswer] | None]
"""What was found, why another level had to find it, and what is to be kept."""


class Robots:
    """The robots at this table. Used by the game thread; `close` also by others.

    `clock` tells how many seconds the thread that asks it has worked: on a busy machine a robot plays the
    same card as on a quiet one. Until `start` a robot thinks at once, in the thread that asks.
    """

    def __init__(self, clock: Callable[[], float] = time.thread_time, think_s: float = THINK_S) -> None:
        self.fault: CompanionError | None = None
        """Why a robot does not play as it was asked to; people are to be told, once."""
        self._clock: Final = clock
        self._think_s: Final = think_s
        self._post: Callable[[Thought], None] = self.hear
        self._thoughts: dict[Hashable, Thought] = {}
        self._asked: dict[Hashable, Hashable] = {}
        self._worker: Final = Worker("robots")

    def start(self, post: Callable[[Thought], None]) -> None:
        """From now on thoughts are given to `post`, which hands them to `hear` in the game thread."""
        self._post = post
        self._worker.start()

    def close(self) -> None:
        self._worker.close()

    def answer(
        self, match: Match, robot: RobotPlayer, hand: Hand, kept: Mapping[str, KeptAnswer] = NONE_KEPT
    ) -> Answer | None:
        """The answer of a robot to the open question, given the names of its cards; None if there is none.

        It may come yet: see `thinks`. The command of an answer is
        `match.game.read(answer.ask, answer.seat, answer.text)`. `kept` are answers of this match by their
        situations, from `to_keep`: they are given again.
        """
        about = _about(match, robot, hand)
        if about is None:
            return None
        think = partial(_answer, match, robot, hand, kept, self._clock, self._think_s)
        self._ask(robot.seat, about, think)
        thought = self._thoughts.get(robot.seat)
        if thought is None or thought.about != about or not isinstance(thought.found, Answer):
            return None
        return _as_answer(match, robot.seat, thought.found)

    def to_keep(self, seat: Seat) -> tuple[str, KeptAnswer] | None:
        """The situation and the answer that a robot gave last, if the clock has cut its thoughts short.

        It is to be kept before people see it: another time it would not come again.
        """
        thought = self._thoughts.get(seat)
        return None if thought is None else thought.keep

    def thinks(self, match: Match, robot: RobotPlayer, hand: Hand) -> bool:
        """Whether it was asked just this, and its answer has not come yet."""
        about, thought = _about(match, robot, hand), self._thoughts.get(robot.seat)
        asked = about is not None and self._asked.get(robot.seat) == about
        return asked and (thought is None or thought.about != about)

    def costliest(
        self, match: Match, deal: int, dealt: Mapping[Seat, Hand]
    ) -> tuple[bool, PlayAdvice | None]:
        """Whether the coach has looked at a finished deal (1, 2, ...), and the play that lost most in it.

        It looks at the seats that have been dealt these cards. There is none where no play has clearly lost
        anything, in another game than 6 nimmt!, or where numpy is missing. Like `answer` it returns at once,
        and is asked again.
        """
        about = (match.steps, match.terms.game, deal, tuple(sorted(dealt.items())))
        self._ask(_COACH, about, partial(_costliest, match, deal, dealt))
        thought = self._thoughts.get(_COACH)
        if thought is None or thought.about != about:
            return False, None
        return True, None if isinstance(thought.found, Answer) else thought.found

    def hear(self, thought: Thought) -> None:
        """Keep what was thought, if nothing else was asked meanwhile."""
        if self._asked.get(thought.of) == thought.about:
            self._thoughts[thought.of] = thought
        if thought.fault is not None and self.fault is None:
            self.fault = thought.fault

    def _ask(self, of: Hashable, about: Hashable, think: Callable[[], _Found]) -> None:
        if self._asked.get(of) != about:
            self._asked[of] = about
            self._worker.do(partial(self._think, of, about, think))

    def _think(self, of: Hashable, about: Hashable, think: Callable[[], _Found]) -> None:
        if self._asked.get(of) == about:  # else nobody waits for it any more
            self._post(Thought(of, about, *think()))


def check(game: str, level: str) -> None:
    """Raises `CompanionError`, with what to do, where no robot of this level can play this game here.

    Nothing of numpy is imported for it.
    """
    from companion.robots import levels

    levels.check(game, levels.Level(level))


def _about(match: Match, robot: RobotPlayer, hand: Hand) -> Hashable:
    """What a robot is asked, as far as its answer depends on it; None if it is asked nothing.

    Where all play at the same time, it is the same question from the first card to the last one: a robot
    does not look at cards that others have turned over before it.
    """
    ask = next((one for one in match.asks if robot.seat in one.seats), None)
    if ask is None:
        return None
    stacks = tuple(stack.cards[-1:] if stack.covered else stack.cards for stack in match.board.stacks)
    moment = match.position.deal if _together(ask) else match.steps
    return (robot, ask.kind, ask.card, stacks, hand, moment)


def _together(ask: Ask) -> bool:
    return ask.wait is Wait.ALL and ask.kind is AskKind.PLAY


def _situation(match: Match, robot: RobotPlayer, hand: Hand) -> str:
    """What a robot is asked, and all that its answer depends on, as a word: the same again after an UNDO.

    Cards that others have turned over before it in a turn of all do not count, as in `_about`.
    """
    from companion.robots.rollouts import seed_of

    ask = next(one for one in match.asks if robot.seat in one.seats)
    position, rows = match.position, [stack.cards for stack in match.board.stacks]
    seen = rows if _together(ask) else match.game.view(position.table)
    return f"{seed_of(robot, ask.kind.value, ask.card, hand, position.deal, seen):016x}"


def _as_answer(match: Match, seat: Seat, found: Answer) -> Answer | None:
    """An answer as one to the same question as it is open now."""
    for ask in match.asks:
        if seat in ask.seats and ask.kind is found.ask.kind and ask.card == found.ask.card:
            return Answer(ask, found.text, seat)
    return None


def _answer(  # noqa: PLR0913, PLR0917 - what is asked, and how long it may take
    match: Match,
    robot: RobotPlayer,
    hand: Hand,
    kept: Mapping[str, KeptAnswer],
    clock: Callable[[], float],
    think_s: float,
) -> _Found:
    from companion.robots.levels import Level
    from companion.robots.rollouts import TO_WEIGH, Budget
    from companion.robots.seat import Question, answer

    situation = _situation(match, robot, hand)
    if situation in kept:
        kind, text = kept[situation]
        ask = next(one for one in match.asks if robot.seat in one.seats and one.kind.value == kind)
        return Answer(ask, text, robot.seat), None, None
    fault: CompanionError | None = None
    question = Question(match, robot.seat, hand, Level(robot.level), robot.seed)
    began_s = clock()
    try:
        found = answer(question, Budget(clock, think_s))
    except CompanionError as bad:
        fault = bad
        found = answer(replace(question, level=Level(NORMAL)))
    if found is None or clock() - began_s < TO_WEIGH * think_s:
        return found, fault, None
    return found, fault, (situation, (found.ask.kind.value, found.text))


def _costliest(match: Match, deal: int, dealt: Mapping[Seat, Hand]) -> _Found:
    from companion.robots import coach

    if match.terms.game not in coach.GAMES:
        return None, None, None
    hands = {(deal, seat): frozenset(Card(int(card)) for card in hand) for seat, hand in dealt.items()}
    try:
        worst = coach.costliest(map(coach.judge, coach.plays(match, (deal,), dealt, hands)), 1)
    except CompanionError:  # without numpy nobody can say
        worst = []
    return (worst[0] if worst else None), None, None
