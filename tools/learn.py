"""`python -m tools.learn`: learn a way of playing 6 nimmt! by playing, and write its weights.

For each number of players, deals are played at many tables at once (`companion.robots.six.tables`). At each
turn, each card that the first seat could play is played, and the deal to its end, with the hands that the
others really have. So it is known what each card would have cost. Cards are played by chance, those with low
weights more often; the weights change so that the mean cost falls (the gradient over all cards, and Adam:
https://arxiv.org/abs/1412.6980). Where a row has to be taken, all four rows are tried in the same way.

The others are a mixture of all ways so far: the simple ones of `Way`, and the one that is learned, as it is
now and as it was before. What wins against the newest one alone is soon lost to what came before it.

It takes about five minutes of processor time. The same seed gives the same weights with the same numpy.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec.json import encode

from companion.core.cards import HIGHEST, ROW_LENGTH, ROWS, TURNS
from companion.games.six.options import SEATS
from companion.robots.six.learned import A_HEAD, FILE, MOST_HEADS, PARTS, STEPS, Weights, every, part
from companion.robots.six.tables import (
    ENTRIES,
    KEYS,
    LOWER,
    Hands,
    Tables,
    Way,
    avoided,
    drawn,
    entries_of,
    shuffled,
    simple,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.robots.six.tables import U16

    Numbers = NDArray[np.float64]

SEED: Final = 66
_PLAYERS: Final = 8192
"""So many play at the same time, at all tables together."""

_TIMES: Final = 120
_SNAPSHOT: Final = 20
"""After so many times the way as it is becomes one of the mixture."""

_SNAPSHOTS: Final = 6
_VARIANTS: Final = 8
"""To play by chance, the newest way stands in the mixture so often, each time with other noise."""

_SIMPLE: Final = 0.5
"""The part of the others that play a simple way."""

_STEP: Final = 0.05
_WAYS: Final = tuple(way for way in Way if way < Way.LEARNED)

_BINS: Final = len(STEPS) + 1
_OF_HEADS: Final = ROW_LENGTH * _BINS
_OF_LOW: Final = _OF_HEADS + ROW_LENGTH * (MOST_HEADS + 1)
_OF_ROWS: Final = _OF_LOW + MOST_HEADS + 1
_ALL: Final = np.arange(1 << 16)
_ROW_CARDS, _ROW_HEADS = np.minimum(_ALL & 7, ROW_LENGTH - 1), _ALL >> 3 & MOST_HEADS
_FIRST: Final = np.where(
    _ALL >= LOWER,
    _OF_LOW + _ROW_HEADS,
    _ROW_CARDS * _BINS + np.searchsorted(STEPS, np.minimum(_ALL >> 8, HIGHEST)),
)
_SECOND: Final = np.where(
    _ALL >= LOWER, _OF_LOW + _ROW_HEADS, _OF_HEADS + _ROW_CARDS * (MOST_HEADS + 1) + _ROW_HEADS
)
"""By the difference of a card to its row (`tables`), the places of its two weights; of a low one the same."""


def _simple(seats: int) -> U16:
    """The entries of the simple ways, by part."""
    return np.tile(entries_of(simple(seats))[:, :ENTRIES].ravel(), (len(PARTS), 1))


class _Adam:
    """Weights, by part of a deal and place, that follow a gradient."""

    def __init__(self, weights: Numbers) -> None:
        self.weights = weights
        self._mean, self._square, self._times = np.zeros_like(weights), np.zeros_like(weights), 0

    def follow(self, gradient: Numbers, step: float) -> None:
        self._times += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = 0.98 * self._square + 0.02 * gradient**2
        mean, square = self._mean / (1 - 0.9**self._times), self._square / (1 - 0.98**self._times)
        self.weights = self.weights - step * mean / (np.sqrt(square) + 1e-6)


def _begin() -> Numbers:
    """Weights of one who avoids large steps and heads."""
    found = np.zeros((len(PARTS), _OF_ROWS + ROW_LENGTH))
    found[:, : _OF_HEADS - _BINS] = np.tile([*STEPS, HIGHEST], ROW_LENGTH - 1) * 0.02
    found[:, _OF_LOW - MOST_HEADS - 1 : _OF_LOW] = np.arange(MOST_HEADS + 1) * 0.3
    found[:, _OF_LOW:_OF_ROWS] = np.arange(MOST_HEADS + 1) * 0.15 + 0.3
    return found


def _table(weights: Numbers, noise: Numbers | float = 0.0) -> U16:
    """The entries of `policies` for such weights, by part."""
    both = weights[:, _FIRST] + weights[:, _SECOND] + noise
    found = np.round((both - both.min(axis=1, keepdims=True)) * A_HEAD).astype(np.int64)
    return entries_of(found)[:, :ENTRIES]


class _Play:
    """So many deals for so many seats; `ways` by seat and table, of which `table_of` has the entries."""

    def __init__(self, seats: int, ways: NDArray[np.intp], table_of: U16, random: np.random.PCG64) -> None:
        self.seats, self.tables = ways.shape
        self._ways, self._table_of, self._random = ways, table_of, random
        self._places = np.arange(seats, dtype=np.uint16).reshape(-1, 1) << np.uint16(3)
        order = (shuffled(random, self.tables, HIGHEST)[:, : ROWS + TURNS * seats].T & 0x7F).astype(np.uint16)
        order += 1
        self.on = Tables(seats, self.tables)
        self.on.codes[:] = _alone(order[:ROWS])
        self.hands = self._hands(_shifted(order[ROWS:].reshape(TURNS, seats, self.tables)), ways)

    def _hands(self, cards: U16, ways: NDArray[np.intp]) -> Hands:
        return Hands(cards, ways, self._table_of, drawn(self._random, *ways.shape), PARTS)

    def _end(self, tables: Tables, cards: U16, ways: NDArray[np.intp]) -> NDArray[np.uint16]:
        """Play these hands to their end; what the first seat has taken."""
        hands = self._hands(cards, ways)
        while hands.left:
            tables.place(KEYS[hands.play(tables.codes)] + self._places)
        heads: NDArray[np.uint16] = tables.heads[0]
        return heads

    def turn(self) -> tuple[U16, U16, U16]:
        """Play a turn: the rows before it, the hands and what each seat has played."""
        codes, cards = self.on.codes.copy(), self.hands.cards[: self.hands.left].copy()
        played = self.hands.play(codes).copy()
        self.on.place(KEYS[played] + self._places)
        return codes, cards, played

    def costs(self, codes: U16, cards: U16, played: U16) -> Numbers:
        """What each card of the first seat costs until the end, (cards, tables)."""
        left = len(cards)
        tables = Tables(self.seats, left * self.tables, (0,))
        tables.codes[:] = np.tile(codes, left)
        keys = np.repeat((KEYS[played] + self._places)[:, None], left, axis=1)
        keys[0] = KEYS[cards[:, 0] >> 8]
        tables.place(keys.reshape(self.seats, -1))
        rest = np.empty((left - 1, self.seats, left, self.tables), np.uint16)
        rest[:, 1:] = _without(cards[:, 1:], played[1:])[:, :, None]
        for place in range(left):
            rest[:, 0, place] = np.delete(cards[:, 0], place, axis=0)
        ways = np.repeat(self._ways[:, None], left, axis=1).reshape(self.seats, -1)
        heads = self._end(tables, rest.reshape(left - 1, self.seats, -1), ways)
        return heads.reshape(left, self.tables).astype(np.float64)

    def row_costs(self, codes: U16, cards: U16, played: U16) -> tuple[Numbers, U16]:
        """Where the first seat has to take a row: what each costs until the end, and all rows, (4, some)."""
        some = np.flatnonzero(
            (played[0] < played[1:].min(axis=0)) & (_shifted(played[0]) < codes.min(axis=0))
        )
        codes, many = codes[:, some], len(some)
        tables = Tables(self.seats - 1, ROWS * many, ())
        tables.codes[:] = np.tile(codes, ROWS)
        own = _alone(played[0, some])
        for row in range(ROWS):
            tables.codes[row, row * many : (row + 1) * many] = own
        tables.place(np.tile((KEYS[played] + self._places)[1:, some], ROWS))
        after = Tables(self.seats, ROWS * many, (0,))
        after.codes[:] = tables.codes
        rest = np.tile(_without(cards, played)[:, :, some], ROWS)
        heads = self._end(after, rest, np.tile(self._ways[:, some], ROWS)).reshape(ROWS, many)
        return heads.astype(np.float64) + _heads(codes), codes


def _shifted(cards: U16) -> U16:
    return np.left_shift(cards, 8, dtype=np.uint16)


def _alone(cards: U16) -> U16:
    """The codes of rows of one card."""
    codes: U16 = _shifted(cards) - np.left_shift(KEYS[cards] & np.uint16(7), 3, dtype=np.uint16)
    return codes


def _heads(codes: U16) -> Numbers:
    """The heads of rows."""
    return (-codes.astype(np.int64) >> 3 & MOST_HEADS).astype(np.float64)


def _without(cards: U16, played: U16) -> U16:
    """The hands when these cards have left them: the last one takes their place."""
    left: U16 = np.where(cards[:-1] == _shifted(played), cards[-1], cards[:-1])
    return left


def _differences(cards: U16, codes: U16) -> NDArray[np.intp]:
    """How cards differ from the rows that they belong to (`tables`)."""
    nowhere = LOWER | _heads(codes).min(axis=0).astype(np.intp) << 3
    found: NDArray[np.intp] = np.minimum((cards[:, None] - codes).min(axis=1), nowhere)
    return found


def _falls(score: Numbers, costs: Numbers) -> Numbers:
    """By how much the mean cost rises with the weights of each choice, where low weights are chosen more."""
    likely = np.exp(score.min(axis=0) - score)
    likely /= likely.sum(axis=0)
    falls: Numbers = likely * ((likely * costs).sum(axis=0) - costs)
    return falls


def learn(seats: int, seed: int, times: int = _TIMES, players: int = _PLAYERS) -> Weights:
    """Learn for so many seats at a table, in so many steps, by what so many players play at the same time."""
    random, bits = np.random.default_rng([seed, seats]), np.random.PCG64([seed, seats])
    many, always = players // seats, _simple(seats)
    learned = _Adam(_begin())
    snapshots: list[U16] = []
    for time in range(times):
        now = learned.weights
        newest = [_table(now, random.gumbel(size=(len(PARTS), 1 << 16))) for _ in range(_VARIANTS)]
        table_of = np.concatenate([always, *newest, *snapshots[-_SNAPSHOTS:]], axis=1)
        kinds = table_of.shape[1] // ENTRIES
        ways = random.integers(len(_WAYS), kinds, (seats, many))
        at_simple = random.random((seats, many)) < _SIMPLE
        ways[at_simple] = random.integers(0, len(_WAYS), at_simple.sum())
        ways[0] = random.integers(len(_WAYS), len(_WAYS) + _VARIANTS, many)
        play, gradient = _Play(seats, ways, table_of, bits), np.zeros_like(now)
        while play.hands.left > 1:
            at = part(play.hands.left)
            codes, cards, played = play.turn()
            differ = _differences(cards[:, 0], codes)
            places = np.array([_FIRST[differ], _SECOND[differ]])
            falls = _falls(now[at, places].sum(axis=0), play.costs(codes, cards, played)) / many
            rows_cost, rows = play.row_costs(codes, cards, played)
            of_rows = _OF_ROWS + (-rows.astype(np.intp) & 7)
            rows_fall = _falls(_heads(rows) + now[at, of_rows], rows_cost) / many
            for place, fall in ((places[0], falls), (places[1], falls), (of_rows, rows_fall)):
                gradient[at] += np.bincount(place.ravel(), fall.ravel(), now.shape[1])
        learned.follow(gradient, _STEP * min(1.0, 3 * (1 - time / times) + 0.05))
        if time % _SNAPSHOT == _SNAPSHOT - 1:
            snapshots.append(_table(now, random.gumbel(size=(len(PARTS), 1 << 16))))
    return _weights(np.round(learned.weights * A_HEAD).astype(int))


def _weights(whole: NDArray[np.intp]) -> Weights:
    step, heads, low, row = (one.tolist() for one in np.split(whole, (_OF_HEADS, _OF_LOW, _OF_ROWS), axis=1))
    return Weights(
        [_by_cards(of_part, _BINS) for of_part in step],
        [_by_cards(of_part, MOST_HEADS + 1) for of_part in heads],
        low,
        row,
    )


def _by_cards(weights: list[int], many: int) -> list[list[int]]:
    """So many weights for each number of cards in a row."""
    return [weights[first : first + many] for first in range(0, len(weights), many)]


def paid(seats: int, weights: Weights, seed: int) -> float:
    """The heads a deal of one who plays by these weights, in the mean; the others play the simple ways."""
    random, many = np.random.default_rng(seed), _PLAYERS // seats
    table_of = np.concatenate((_simple(seats), entries_of(avoided(weights))[:, :ENTRIES]), axis=1)
    ways = random.integers(0, len(_WAYS), (seats, many))
    ways[0] = len(_WAYS)
    play = _Play(seats, ways, table_of, np.random.PCG64(seed))
    while play.hands.left:
        play.turn()
    return float(play.on.heads[0].mean())


def main() -> int:
    """Learn for each number of players, or for those that are named, and write the file."""
    found = every() if FILE.exists() else {}
    for seats in [int(one) for one in sys.argv[1:]] or SEATS:
        found[seats] = learn(seats, SEED)
        lines = (b'"%d": %s' % (one, encode(found[one])) for one in sorted(found))
        FILE.write_bytes(b"{" + b",\n".join(lines) + b"}\n")
        heads = paid(seats, found[seats], SEED)
        print(f"{seats} players: {heads:.2f} heads a deal", flush=True)  # noqa: T201 - it takes minutes
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
