"""Worlds that explain what was played: hands that the others may have, and their policies.

A deal of the unseen cards is likely if the players, each by some policy, would have played from it what they
did play. A policy is a table (`policies`): at a past turn every card has an entry, and a player who followed
it and played card c held no card with a lower entry. All past turns make one number with a bit for each
turn for every unseen card: the turns at which this card would have been played instead. The bits of a hand
are those of its cards together, and how likely it is stands in a table by its bits. The bits of all policies
are side by side in one number. So a deal costs one look-up for each card, however many turns there were.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.core.cards import TURNS
from companion.robots.six.seen import SixPlayerView, TurnCards
from companion.robots.six.tables import U16, U32, VARIANTS, Numbers, Policy, chances, drawn, entries, shuffled
from companion.values import Value

U64 = NDArray[np.uint64]


class PlayerKind(Value):
    """A kind of player: this policy, but any card with the chance `slip`.

    `prior` is how usual it is, `in_crowd` at tables of more than four, where plays tell little.
    """

    policy: Policy
    slip: float
    prior: float
    in_crowd: float


# Few people and programs play by one simple rule, and who does is soon known by it.
KINDS: Final = (
    PlayerKind(Policy.RANDOM, 1.0, 0.1, 0.86),
    PlayerKind(Policy.GREEDY, 0.02, 0.06, 0.03),
    PlayerKind(Policy.GREEDY, 0.3, 0.04, 0.02),
    PlayerKind(Policy.GAP, 0.02, 0.06, 0.03),
    PlayerKind(Policy.GAP, 0.6, 0.02, 0.01),
    PlayerKind(Policy.LEARNED, 0.02, 0.02, 0.01),
    PlayerKind(Policy.STRONG, 0.3, 0.4, 0.02),
    PlayerKind(Policy.STRONG, 0.5, 0.3, 0.02),
)

_CROWD: Final = 4  # with more players little follows from what each plays: measured with six and ten

_SHIFTS: Final = np.arange(0, TURNS * len(Policy), TURNS, dtype=np.uint64)
"""By policy: where its bits begin in one number."""


def _likelihoods(hand_sizes: Sequence[int], slip: float) -> Numbers:
    """How likely a player of this slip plays so, by the bits of the turns at which another card was due.

    One that plays any card has the slip 1: the bits do not matter.
    """
    found = np.ones(1)
    for size in hand_sizes:
        other = slip / size
        found = np.concatenate([found * (1 - slip + other), found * other])
    return found


def _bits(turns: Sequence[TurnCards], seats: int, deck: int) -> U64:
    """By seat and card: the turns at which the seat would have played this card instead, see `_of_policy`."""
    found = np.zeros((seats, deck + 1), np.uint64)
    for number, turn in enumerate(turns):
        entry = entries(turn.rows, seats, deck, TURNS - number)
        for seat, card in enumerate(turn.cards):
            instead = (entry < entry[:, card : card + 1]).astype(np.uint64)
            found[seat] |= np.bitwise_or.reduce(instead << (_SHIFTS + np.uint64(number))[:, None], axis=0)
    return found


def _of_own_cards(bits: U64, turns: Sequence[TurnCards], seat: int) -> np.uint64:
    """The bits that the cards a seat has played later make."""
    found = np.uint64(0)
    for number, turn in enumerate(turns):
        earlier = np.bitwise_or.reduce(np.uint64((1 << number) - 1) << _SHIFTS)
        found |= bits[seat, turn.cards[seat]] & earlier
    return found


def _of_policy(bits: U64 | np.uint64, policy: Policy) -> NDArray[np.intp]:
    """The turns of one policy, a bit for each: the bits of all policies stand side by side."""
    return np.asarray(bits >> _SHIFTS[policy] & np.uint64((1 << TURNS) - 1)).astype(np.intp)


@lru_cache(maxsize=256)
def _evidence_of(turns: tuple[TurnCards, ...], seats: int, deck: int) -> Numbers:
    """By seat and kind: how likely it played a finished deal so, whose hands are all known."""
    bits, sizes = _bits(turns, seats, deck), range(TURNS, 0, -1)
    own = np.array([_of_own_cards(bits, turns, seat) for seat in range(seats)])
    found = [np.take(_likelihoods(sizes, kind.slip), _of_policy(own, kind.policy)) for kind in KINDS]
    return np.array(found).T


def priors(seen: SixPlayerView) -> Numbers:
    """By seat and kind: how likely it is before this deal, from the deals before, or from some."""
    usual = [kind.in_crowd if seen.seats > _CROWD else kind.prior for kind in KINDS]
    found = np.tile(np.array(usual), (seen.seats, 1))
    for turns in seen.earlier:
        if len(turns) == TURNS and all(len(turn.cards) == seen.seats for turn in turns):
            found = found * _evidence_of(turns, seen.seats, seen.deck)
            found /= found.sum(axis=1, keepdims=True)
            # Nobody keeps to a policy for ever: what was never likely can still become so.
            found = found * 0.98 + 0.02 / len(KINDS)
    return found


class Worlds(Value):
    """Hands of the others, (cards, others, worlds), and the table by which each plays, (seats, worlds).

    The own seat is the first one; its table is that by which it goes on.
    `chance` is what decides where somebody plays any card (`drawn`), (seats, worlds), the own seat first.
    """

    hands: U16
    policy: NDArray[np.intp]
    chance: U32


def deals_of(seen: SixPlayerView, random: np.random.PCG64, many: int) -> U16:
    """Unseen cards in the hands of the others, (cards of a hand, others, deals)."""
    unseen = np.array(seen.unseen(), np.uint16)
    need = (seen.seats - 1) * len(seen.hand)
    if not need:
        return np.zeros((0, seen.seats - 1, many), np.uint16)
    # One order of all cards serves for several deals that have no card in common.
    of_one = len(unseen) // need
    orders = shuffled(random, -(-many // of_one), len(unseen))[:, : of_one * need].reshape(-1, need)[:many]
    hands = np.empty((need, many), np.uint16)
    for cards, order in zip(hands, orders.T, strict=True):
        cards[:] = unseen[order & np.uint32(0x7F)]
    return hands.reshape(len(seen.hand), seen.seats - 1, many)


class Beliefs:
    """What one player believes of the others at one moment, from `deals` deals that are weighed."""

    def __init__(self, seen: SixPlayerView, random: np.random.PCG64, deals: int) -> None:
        turns = seen.known
        others = [seat for seat in range(seen.seats) if seat != seen.seat]
        self._prior: Final = priors(seen)[others]
        self._random: Final = random
        sizes = [len(seen.hand) + len(turns) - number for number in range(len(turns))]
        self._likely: Final = [_likelihoods(sizes, kind.slip) for kind in KINDS]
        bits = _bits(turns, seen.seats, seen.deck)
        self._hands: Final = deals_of(seen, random, deals)
        self._bits: Final = np.empty(self._hands.shape[1:], np.uint64)
        weight = np.ones(deals)
        for place, seat in enumerate(others):
            found = self._bits[place]
            found[:] = _of_own_cards(bits, turns, seat)
            for cards in self._hands[:, place]:
                found |= np.take(bits[seat], cards)
            weight *= self._likelihood(place)
        self._weight: Final = weight.cumsum()

    def _likelihood(self, place: int) -> Numbers:
        """How likely one of the others has played so, by deal."""
        by_kind = [likely * prior for likely, prior in zip(self._likely, self._prior[place], strict=True)]
        chance: Numbers = by_kind[0][0]  # any card is as likely as any other
        for policy in Policy:
            kinds = [index for index, kind in zip(by_kind, KINDS, strict=True) if kind.policy is policy]
            if policy is not Policy.RANDOM:
                chance = chance + np.take(np.sum(kinds, axis=0), _of_policy(self._bits[place], policy))
        return chance

    def worlds(self, many: int) -> Worlds:
        """So many worlds, each deal as often as its weight says."""
        step = self._weight[-1] / many
        places = (np.arange(many) + chances(self._random, 1)[0]) * step
        chosen = np.minimum(np.searchsorted(self._weight, places, side="right"), len(self._weight) - 1)
        others, found = len(self._bits), self._bits[:, chosen]
        likely = np.empty((others, len(KINDS), many))
        for number, kind in enumerate(KINDS):
            of_bits = np.take(self._likely[number], _of_policy(found, kind.policy))
            np.multiply(of_bits, self._prior[:, number, None], out=likely[:, number])
        likely = likely.cumsum(axis=1)
        among = chances(self._random, others * many).reshape(others, 1, many) * likely[:, -1:]
        kinds = np.minimum((likely <= among).sum(axis=1), len(KINDS) - 1)
        slips = chances(self._random, others * many).reshape(others, many) < _SLIPS[kinds]
        policy = np.where(slips, int(Policy.RANDOM), _POLICIES[kinds])
        # The noise of its tables are the slips of a strong player.
        variants = self._random.random_raw(others * many).reshape(others, many) % np.uint64(VARIANTS)
        policy = np.where(policy == Policy.STRONG, policy + 1 + variants.astype(np.intp), policy)
        # Beside strong players the robot goes on as they do.
        strong = 2 * (policy > Policy.STRONG).sum(axis=0) >= others
        own = np.where(strong, int(Policy.STRONG), int(Policy.LEARNED))[None]
        policy = np.concatenate((own, policy))
        return Worlds(self._hands[:, :, chosen], policy, drawn(self._random, others + 1, many))


_SLIPS: Final = np.array([0.0 if kind.policy is Policy.STRONG else kind.slip for kind in KINDS])
_POLICIES: Final = np.array([int(kind.policy) for kind in KINDS], np.intp)
