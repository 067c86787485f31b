"""The hard robot for 6 nimmt!: it plays out what it could do, in worlds that explain what was played.

Theory of operation
-------------------
All cards of the hand are tried in the same worlds (`worlds`, `of_cards`): what chance does to one of them it
does to the others. After each block of worlds the worse half of the cards is dropped, so that more worlds
are left for those that may be best. A forced row is chosen in the same way: each row is taken, the turn is
placed and the deal is played on.

What counts are the own heads, as long as the match will go on. Once it may end with this deal (`_near_end`),
it is how likely this seat wins.

*What a choice has cost* (`compare`) is for a coach. Late in a deal few of the imagined deals explain all that
was played, and most worlds are one of those few. So how much worlds differ says little of how sure the robot
can be. Where a choice seems worse than another one, both are compared again, in worlds from deals that are
imagined several times: the spread of these comparisons is the error.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.core.cards import ROWS
from companion.robots.rollouts import better_half, seed_of
from companion.robots.six.plain import cost, place
from companion.robots.six.seen import SixPlayerView
from companion.robots.six.tables import KEYS, U16, U32, HandArrays, Numbers, Tables, codes_of, later, policies
from companion.robots.six.worlds import Beliefs, Worlds
from companion.values import Value


def of_cards(seen: SixPlayerView, cards: Sequence[int], worlds: Worlds, *, count_all: bool = False) -> U16:
    """The heads that each of these cards of the hand leads to, (counted, cards, worlds).

    All cards are tried in the same worlds. The own seat is counted first, with `count_all` also the others.
    """
    seats, size, many, tried = seen.seats, len(seen.hand), worlds.policy.shape[1], len(cards)
    theirs, chance = worlds.hands << np.uint16(8), worlds.chance.copy()
    others = HandArrays(theirs, worlds.policy[1:], policies(seats), chance[1:])
    first = others.play(codes_of(seen.rows, many))
    chance[1:] = later(chance[1:], size)
    keys = np.empty((seats, tried, many), np.uint16)
    keys[0] = KEYS[list(cards)][:, None]
    keys[1:] = (KEYS[first] + _seat_bits(seats)[1:])[:, None]
    left = np.empty((size - 1, seats, tried, many), np.uint16)
    for number, card in enumerate(cards):
        rest = [other for other in seen.hand if other != card]
        left[:, 0, number] = np.array(rest, np.uint16).reshape(-1, 1) << 8
    # The played card has been replaced by the last one, so the first ones are those that are left.
    left[:, 1:] = theirs[: size - 1, :, None]
    tables = Tables(seats, codes_of(seen.rows, tried * many), range(seats if count_all else 1))
    tables.place(keys.reshape(seats, -1))
    return _played_on(tables, left, worlds.policy, chance)


def of_rows(seen: SixPlayerView, rows: Sequence[int], worlds: Worlds, *, count_all: bool = False) -> U16:
    """The heads that each of these rows leads to, (counted, rows, worlds), for the own card fits nowhere."""
    seats, size, many = seen.seats, len(seen.hand), worlds.policy.shape[1]
    others = [*seen.shown[: seen.seat], *seen.shown[seen.seat + 1 :]]
    taken, codes = [], []
    for number in rows:
        lying = [list(row) for row in seen.rows]
        lying[number] = [seen.shown[seen.seat]]
        taken.append([cost(seen.rows[number]), *place(lying, others)])  # they fit, for they are higher
        codes.append(codes_of(lying, many))
    hands = np.empty((size, seats, len(taken), many), np.uint16)
    hands[:, 0] = (np.array(seen.hand, np.uint16) << 8).reshape(-1, 1, 1)
    hands[:, 1:] = (worlds.hands << 8)[:, :, None]
    tables = Tables(seats, np.concatenate(codes, axis=1), range(seats if count_all else 1))
    heads = _played_on(tables, hands, worlds.policy, worlds.chance)
    heads += np.array(taken, np.uint16).T[: len(heads), :, None]
    return heads


def _played_on(tables: Tables, hands: U16, policy: NDArray[np.intp], chance: U32) -> U16:
    """The heads when hands, (cards, seats, tried, worlds), are played to their end."""
    left, seats, tried, many = hands.shape
    cards = hands.reshape(left, seats, tried * many)
    playing = HandArrays(cards, np.tile(policy, tried), policies(seats), np.tile(chance, tried))
    while playing.left:
        tables.place(KEYS[playing.play(tables.codes)] + _seat_bits(seats))
    return tables.heads.reshape(-1, tried, many)


def _seat_bits(seats: int) -> U16:
    return np.arange(0, seats << 3, 8, dtype=np.uint16).reshape(-1, 1)


ROUGHLY_A_DEAL: Final = 12
"""The heads that a player takes in a deal, roughly, where all play well."""

_FEW: Final = 6
"""With more players a move tries fewer tables and hands in proportion, so that it takes no longer."""

_SURELY: Final = 40.0
"""What winning a match is worth, in heads; so much is at stake when it ends."""


class Hard(Value):
    """Plays at `tables` tables in each of `blocks` blocks, in worlds from deals that are weighed.

    So many deals are weighed that the others hold `hands` hands together, once they have played something.
    """

    seed: int = 0
    tables: int = 2000
    blocks: int = 3
    hands: int = 120_000

    def card(self, seen: SixPlayerView) -> int:
        return seen.hand[0] if len(seen.hand) == 1 else self._best(seen, list(seen.hand))

    def row(self, seen: SixPlayerView) -> int:
        return self._best(seen, list(range(ROWS)))

    def _best(self, seen: SixPlayerView, choices: list[int]) -> int:
        tables, hands = (effort * _FEW // max(seen.seats, _FEW) for effort in (self.tables, self.hands))
        deals = max(1, (hands if seen.known else 3 * tables) // (seen.seats - 1))
        random = np.random.PCG64(seed_of(self.seed, seen.rows, seen.hand, seen.shown))
        believed, near_end = Beliefs(seen, random, deals), _near_end(seen)
        sums = np.zeros(len(choices))
        for block in range(self.blocks):
            if block:
                keep = better_half(sums.tolist())
                choices, sums = [choices[place] for place in keep], sums[keep]
            worlds = believed.worlds(tables // len(choices))
            heads = (of_rows if seen.shown else of_cards)(seen, choices, worlds, count_all=near_end)
            sums += _losses(seen, heads, near_end=near_end).sum(axis=1)
        return choices[int(sums.argmin())]


def _near_end(seen: SixPlayerView) -> bool:
    """Whether the match may end with this deal: it is the last one, or somebody is near the target."""
    most = max(map(add, seen.totals, seen.heads), default=0)
    return seen.last or 0 < seen.target <= most + ROUGHLY_A_DEAL


def _losses(seen: SixPlayerView, heads: U16, *, near_end: bool) -> Numbers:
    """What is to be kept small, (tried, worlds): own heads, near the end also how likely another wins."""
    own: Numbers = heads[0].astype(np.float64)
    if not near_end:
        return own
    had = [*map(add, seen.totals, seen.heads)]
    before = [had.pop(seen.seat), *had]
    totals = heads.astype(np.float64) + np.array(before, np.float64)[:, None, None]
    over = seen.last | (totals.max(axis=0) >= seen.target)
    best, mine = totals[1:].min(axis=0), totals[0]
    share = np.where(mine < best, 1.0, np.where(mine == best, 0.5, 0.0))
    # Where the match goes on, a lead of two deals is as good as won.
    hopes = np.clip(0.5 + (best - mine) / (4 * ROUGHLY_A_DEAL), 0.0, 1.0)
    return own + _SURELY * (1 - np.where(over, share, hopes))


_HANDS: Final = 12_000
"""So many hands of the others are weighed each time."""

_WORLDS: Final = 300
_AGAIN: Final = 10
"""So often two choices are compared, each time in deals that are imagined anew."""

_WORTH_TELLING: Final = 0.5
"""A difference of fewer heads is not looked at again: it is no mistake that is worth telling."""

_CERTAIN: Final = 3.0
"""A difference of this many standard errors is not chance, even as the largest of a whole deal."""


class ChoiceCost(Value):
    """A choice beside the best one, which may be the same: own heads until the end of the deal, in the mean.

    `certain`: the difference is large enough to report, and not chance.
    """

    best: int
    of_chosen: float
    of_best: float
    certain: bool = False


def compare(seen: SixPlayerView, chosen: int, seed: int = 0) -> ChoiceCost:
    """What a card of the hand, or while a row is chosen, a row (from 0) costs beside the best one.

    What seems best in some worlds is there better than it is, so both are compared in others.
    """
    choices, tried = (range(ROWS), of_rows) if seen.shown else (seen.hand, of_cards)
    seed = seed_of(seed, seen.rows, seen.hand, seen.shown)

    def means(some: Sequence[int], number: int) -> Numbers:
        random = np.random.PCG64(seed_of(seed, number))
        worlds = Beliefs(seen, random, max(1, _HANDS // (seen.seats - 1))).worlds(_WORLDS)
        found: Numbers = tried(seen, some, worlds)[0].astype(np.float64).mean(axis=1)
        return found

    first = means(choices, 0)
    best, place = int(first.argmin()), choices.index(chosen)
    if first[place] - first[best] <= _WORTH_TELLING:
        return ChoiceCost(choices[best], float(first[place]), float(first[best]))
    again = np.array([means((chosen, choices[best]), number) for number in range(1, _AGAIN + 1)])
    error = float((again[:, 0] - again[:, 1]).std(ddof=1)) / _AGAIN**0.5
    of_chosen, of_best = map(float, again.mean(axis=0))
    if of_best >= of_chosen:  # it seemed better only in the first worlds
        return ChoiceCost(chosen, of_chosen, of_chosen)
    certain = of_chosen - of_best > max(_WORTH_TELLING, _CERTAIN * error)
    return ChoiceCost(choices[best], of_chosen, of_best, certain)
