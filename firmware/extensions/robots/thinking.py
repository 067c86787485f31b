"""Robots in a match at this table: asked by the game thread, they think in a thread of their own.

`Robots.answer` is asked again and again, as a page is drawn: it returns at once, with the answer or without.
The first time that a robot is asked something, it begins to think; what it has thought is posted into the
queue of the loop like any input, and is there when it is asked the next time. Nothing has to be called
back: a thought that fits the match no more, because people have undone or corrected something, is not found.

The robots that think, and numpy with them, are imported by that thread, once a robot has to think.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.core.ask import Answer, AskKind, Wait
from companion.core.cards import Seat
from companion.match.dealer import Hand
from companion.match.match import Match
from companion.robots import levels
from companion.robots.levels import Decision, Level
from companion.text.errors import CompanionError
from companion.values import replace
from firmware.worker import Worker
from hardware.ports import ExtensionMessage

if TYPE_CHECKING:
    from companion.robots.coach import PlayAdvice


class Thought(ExtensionMessage, frozen=True):
    """What a robot has found about a question, or the coach about a deal; None if there is nothing.

    `fault` says why another level had to answer.
    """

    of: Hashable
    about: Hashable
    found: Any
    fault: CompanionError | None = None


class Robots:
    """The robots at this table. Used by the game thread; `close` also by others.

    Until `start` a robot thinks at once, in the thread that asks.
    """

    def __init__(self) -> None:
        self.fault: CompanionError | None = None
        """Why a robot does not play as it was asked to; people are to be told, once."""
        self._post: Callable[[Thought], None] = self.receive
        self._thoughts: dict[Hashable, Thought] = {}
        self._asked: dict[Hashable, Hashable] = {}
        self._worker: Final = Worker("robots")

    def start(self, post: Callable[[Thought], None]) -> None:
        """From now on thoughts are given to `post`, which hands them to `hear` in the game thread."""
        self._post = post
        self._worker.start()

    def close(self) -> None:
        self._worker.close()

    def answer(self, question: Decision) -> tuple[bool, Answer | None]:
        """Whether a robot still thinks about the open question, and its answer; None if it has none."""
        match, seat = question.match, question.seat
        ask = next((ask for ask in match.asks if seat in ask.seats), None)
        if ask is None:
            return False, None
        # Where all play at the same time, it is the same question from the first card to the last one: a
        # robot does not look at cards that others have turned over before it.
        together = ask.wait is Wait.ALL and ask.kind is AskKind.PLAY
        stacks = tuple(stack.cards[-1:] if stack.covered else stack.cards for stack in match.board.stacks)
        moment = match.position.deal if together else match.steps
        robot = (seat, question.hand, question.level, question.seed)
        about = (robot, ask.kind, ask.card, stacks, moment)
        thought = self._thought(seat, about, partial(_answer, question))
        if thought is None or thought.found is None:
            return thought is None, None
        found: Answer = thought.found
        for now in match.asks:
            if seat in now.seats and (now.kind, now.card) == (found.ask.kind, found.ask.card):
                return False, Answer(now, found.text, seat)
        return False, None

    def costliest(self, match: Match, dealt: Mapping[Seat, Hand]) -> PlayAdvice | None:
        """The play that lost most in a match of one deal, in which these seats were dealt these cards.

        None where no play has clearly lost anything, in another game than 6 nimmt!, where numpy is missing,
        and as long as the coach has not looked at the deal: like `answer` it returns at once.
        """
        about = (match.steps, match.terms.game, tuple(sorted(dealt.items())))
        thought = self._thought("coach", about, partial(_costliest, match, dealt))
        return None if thought is None else thought.found

    def receive(self, thought: Thought) -> None:
        """Keep what was thought, if nothing else was asked meanwhile."""
        if self._asked.get(thought.of) == thought.about:
            self._thoughts[thought.of] = thought
        if thought.fault is not None and self.fault is None:
            self.fault = thought.fault

    def _thought(self, of: Hashable, about: Hashable, think: Callable[[], _Found]) -> Thought | None:
        """What was thought about a question; if it was not asked before, the thinking begins."""
        if self._asked.get(of) != about:
            self._asked[of] = about
            self._worker.do(partial(self._think, of, about, think))
        thought = self._thoughts.get(of)
        return thought if thought is not None and thought.about == about else None

    def _think(self, of: Hashable, about: Hashable, think: Callable[[], _Found]) -> None:
        if self._asked.get(of) == about:  # else nobody waits for it any more
            self._post(Thought(of, about, *think()))


_Found = tuple["Answer | PlayAdvice | None", CompanionError | None]
"""What was found, and why another level had to find it."""


def _answer(question: Decision) -> _Found:
    try:
        return levels.answer(question), None
    except CompanionError as bad:
        return levels.answer(replace(question, level=Level.NORMAL)), bad


def _costliest(match: Match, dealt: Mapping[Seat, Hand]) -> _Found:
    from companion.robots import coach

    try:
        worst = coach.costliest(map(coach.judge, coach.plays(match, dealt)), 1)
    except CompanionError:  # without numpy nobody can say
        worst = []
    return (worst[0] if worst else None), None
