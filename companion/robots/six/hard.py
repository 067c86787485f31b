"""The hard robot for 6 nimmt!: it plays out what it could do, in worlds that explain what was played.

Theory of operation
-------------------
All cards of the hand are tried in the same worlds (`worlds`, `rollouts`): what chance does to one of them it
does to the others. After each block of worlds the worse half of the cards is dropped, so that more worlds
are left for those that may be best. A forced row is chosen in the same way: each row is taken, the turn is
placed and the deal is played on.

What counts are the own heads, as long as the match will go on. Once it may end with this deal (`_near_end`),
it is how likely this seat wins.

It must answer in time. A clock can be given. It is looked at before each turn that is played on, and after
some hundred deals that are weighed: each of these pieces takes about a millisecond of a computer, so they are
short also on a small board that does other things. When the time is up, the best choice of the blocks that
are finished is taken; if there is none, the one of the normal robot. Without a clock, or as long as there is
time, the answer depends on what was seen and the seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.robots.chance import seed_of
from companion.robots.rollouts import IN_TIME, never
from companion.robots.six.policies import Way
from companion.robots.six.rollouts import TimeIsUp, WhichCard, WhichEnd, ends_of_turn, of_cards, of_ends
from companion.robots.six.simple import Normal
from companion.robots.six.worlds import Beliefs
from companion.values import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.robots.six.rollouts import Heads
    from companion.robots.six.seen import SixPlayerView

    Values = NDArray[np.float64]

ROUGHLY_A_DEAL: Final = 12
"""The heads that a player takes in a deal, roughly, where all play well."""

_SURELY: Final = 40.0
"""What winning a match is worth, in heads; so much is at stake when it ends."""

_TO_WEIGH: Final = 0.4
"""The part of its time after which a robot weighs no more deals."""

_QUICK: Final = Normal()
"""Who answers where there was no time to think."""


class Hard(Value):
    """Plays at `tables` tables in each of `blocks` blocks, in worlds from deals that are weighed.

    So many deals are weighed that the others hold `hands` hands together, once they have played something.

    `clock` tells monotonic seconds; after `think_s` of them for each question it has answered.
    """

    seed: int = 0
    tables: int = 1000
    blocks: int = 3
    hands: int = 60_000
    me: Way = Way.GAP
    clock: Callable[[], float] | None = None
    think_s: float = 0.5

    def deals(self, seen: SixPlayerView) -> int:
        """How many deals are weighed: with more players each takes longer."""
        return max(1, (self.hands if seen.known else 3 * self.tables) // (seen.seats - 1))

    def card(self, seen: SixPlayerView) -> int:
        """The card that costs least in the mean."""
        return self.cards([seen])[0]

    def cards(self, seen: Sequence[SixPlayerView]) -> list[int]:
        """The cards for questions that have nothing to do with each other, of as many seats and cards."""
        if len(seen[0].hand) == 1:
            return [one.hand[0] for one in seen]
        weighed, up = self._times(len(seen))
        thoughts = [_Thought(one, self, weighed) for one in seen]
        for block in range(self.blocks):
            count_all = any(thought.near_end for thought in thoughts)
            questions = [thought.question() for thought in thoughts]
            try:
                heads = of_cards(questions, self.me, count_all=count_all, up=up)
            except TimeIsUp:
                break
            for thought, found in zip(thoughts, heads, strict=True):
                thought.learn(found)
            if block + 1 < self.blocks:
                for thought in thoughts:
                    thought.drop()
        return [thought.best for thought in thoughts]

    def row(self, seen: SixPlayerView) -> int:
        """The row that costs least in the mean, now and until the end of the deal."""
        weighed, up = self._times(1)
        random = np.random.PCG64(seed_of(self.seed, seen.rows, seen.hand, seen.shown))
        worlds = Beliefs(seen, random, self.deals(seen), weighed).worlds(self.tables // 2)
        near_end = _near_end(seen)
        asked = WhichEnd(seen, ends_of_turn(seen), worlds)
        try:
            heads = of_ends(asked, self.me, count_all=near_end, up=up)
        except TimeIsUp:
            return _QUICK.row(seen)
        return int(_losses(seen, heads, near_end=near_end).mean(axis=1).argmin())

    def _times(self, questions: int) -> tuple[Callable[[], bool], Callable[[], bool]]:
        """Begin to think about so many questions: whether to weigh no more, and whether the time is up."""
        clock = self.clock
        if clock is None:
            return never, never
        began_s, think_s = clock(), questions * self.think_s
        weighed_s, up_s = began_s + _TO_WEIGH * think_s, began_s + IN_TIME * think_s
        return lambda: clock() >= weighed_s, lambda: clock() >= up_s


class _Thought:
    """What is known so far about the cards of one question."""

    def __init__(self, seen: SixPlayerView, robot: Hard, enough: Callable[[], bool]) -> None:
        self._seen: Final = seen
        self._tables: Final = robot.tables
        random = np.random.PCG64(seed_of(robot.seed, seen.rows, seen.hand))
        self._believed: Final = Beliefs(seen, random, robot.deals(seen), enough)
        self.near_end: Final = _near_end(seen)
        self._cards = list(seen.hand)
        self._sums: Values | None = None

    def question(self) -> WhichCard:
        """The cards that are left, in new worlds."""
        many = self._tables // len(self._cards)
        return WhichCard(self._seen, tuple(self._cards), self._believed.worlds(many))

    def learn(self, heads: Heads) -> None:
        """Add what the cards have cost."""
        found = _losses(self._seen, heads, near_end=self.near_end).sum(axis=1)
        self._sums = found if self._sums is None else self._sums + found

    def drop(self) -> None:
        """Drop the worse half of the cards that were tried, but keep two."""
        if self._sums is None:
            return
        keep = np.sort(self._sums.argsort(kind="stable")[: max(2, (len(self._cards) + 1) // 2)])
        self._cards, self._sums = [self._cards[place] for place in keep], self._sums[keep]

    @property
    def best(self) -> int:
        if self._sums is None:
            return _QUICK.card(self._seen)
        return self._cards[int(self._sums.argmin())]


def _near_end(seen: SixPlayerView) -> bool:
    """Whether the match may end with this deal: the end rule is known, and somebody is near it."""
    if not seen.target or not seen.totals:
        return False
    return (
        max(map(sum, zip(seen.totals, seen.heads or seen.totals, strict=True)))
        >= seen.target - ROUGHLY_A_DEAL
    )


def _losses(seen: SixPlayerView, heads: Heads, *, near_end: bool) -> Values:
    """What is to be kept small, (tried, worlds): own heads, near the end also how likely another wins."""
    own: Values = heads[0].astype(np.float64)
    if not near_end:
        return own
    order = [seen.seat, *(seat for seat in range(seen.seats) if seat != seen.seat)]
    before = [seen.totals[seat] + (seen.heads[seat] if seen.heads else 0) for seat in order]
    totals = heads.astype(np.float64) + np.array(before, np.float64)[:, None, None]
    over = totals.max(axis=0) >= seen.target
    best, mine = totals[1:].min(axis=0), totals[0]
    share = np.where(mine < best, 1.0, np.where(mine == best, 0.5, 0.0))
    # Where the match goes on, a lead of two deals is as good as won.
    hopes = np.clip(0.5 + (best - mine) / (4 * ROUGHLY_A_DEAL), 0.0, 1.0)
    return own + _SURELY * (1 - np.where(over, share, hopes))
