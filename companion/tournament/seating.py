"""Who sits where in a round: how large the tables are, the lots, and seats with few repeated meetings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Final, TypeVar

from companion.values import Value, field

T = TypeVar("T")
_WORDS: Final = 8
_WORD_BYTES: Final = 4
_RANGE: Final = 1 << (8 * _WORD_BYTES)


class Lots:
    """A sequence of lots for one purpose: `Lots("4 8 15", "seating", 2)`.

    Block k is the SHA-256 of the seed, the purposes and k, each followed by a line feed, in UTF-8. It gives
    eight numbers of 32 bits, the highest byte first. So any program can draw the same lots.
    """

    def __init__(self, seed: str, *purpose: object) -> None:
        self._head = "".join(f"{part}\n" for part in (seed, *purpose))
        self._words = self._all_words()

    def below(self, limit: int) -> int:
        """A number from 0 to below `limit`, each as likely as the others. `limit` is 1 to 2**32."""
        fair = _RANGE - _RANGE % limit  # the rest would make small numbers likelier
        return next(word for word in self._words if word < fair) % limit

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """The things in an order drawn by lot (Fisher and Yates, from the end)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def _all_words(self) -> Iterator[int]:
        block = 0
        while True:
            digest = sha256(f"{self._head}{block}\n".encode()).digest()
            for word in range(_WORDS):
                yield int.from_bytes(digest[word * _WORD_BYTES : (word + 1) * _WORD_BYTES], "big")
            block += 1


FEWEST: Final = 3
USUAL: Final = 4
MOST: Final = 5


def table_sizes(players: int, most: int = MOST) -> tuple[int, ...]:
    """The sizes of the tables for so many players, the large ones first; none for fewer than three players.

    As few tables as possible are not of four. Between two tables of three and two of five it takes those of
    three. Nobody sits out. With `most` 4 there are no tables of five, except that five players sit at one
    table.
    """
    if players < FEWEST:
        return ()
    five = players % USUAL == 1
    if five and (most >= MOST or players == MOST):
        return (MOST, *(USUAL,) * (players // USUAL - 1))
    threes = -players % USUAL
    return (*(USUAL,) * ((players - threes * FEWEST) // USUAL), *(FEWEST,) * threes)


_MET: Final = 10**9
"""The cost of one unit of squared meetings: more than everything below together."""
_AGAIN: Final = 10**6
"""Two pairs that meet twice have the squares of one pair that meets three times: this prefers the pairs."""
_ODD: Final = 100
_SWAPS: Final = 800
"""Swaps without a better seating after which the search ends."""
_DEAR: Final = 12
"""How many players, those who sit at the highest cost, are tried for a swap."""
_FIELD: Final = 120
"""The search begins this many times, divided by the number of players, besides the first."""
_PLANE: Final = 16

Tables = tuple[tuple[int, ...], ...]


class Before(Value):
    """What has happened until now, as far as it counts for the next seating."""

    met: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """How often a pair (the lower badge first) has sat at one table."""
    odd: Mapping[int, int] = field(default_factory=dict)
    """How often a player has sat at a table of three or five."""
    score: Mapping[int, Fraction] = field(default_factory=dict)
    """Points; for Swiss rounds only."""


def seat(players: Sequence[int], before: Before, seed: str, number: int, most: int = MOST) -> Tables:
    """The tables of round `number` for these players, by badge; at each table in the order of the seats.

    In Swiss rounds `players` is their order in the standing, and table 1 gets the best ones.
    """
    sizes = table_sizes(len(players), most)
    swiss = bool(before.score)
    order = list(players) if swiss else Lots(seed, "order").shuffled(sorted(players))
    search = _Search(order, sizes, before)
    designed = None if swiss else _designed(len(order), number)
    if designed is None or not search.without_repetition(designed):
        start = list(range(len(order)))
        lots = Lots(seed, "start", number)
        first = start if swiss else lots.shuffled(start)
        # A small field has few ways out of a dead end, and costs little: there it begins again several times.
        again = [lots.shuffled(start) for _ in range(_FIELD // len(order))]
        designed = min((search.improved(way) for way in (first, *again)), key=lambda found: found[0])[1]
    if swiss:
        designed = tuple(sorted(designed, key=min))
    lots = Lots(seed, "seats", number)
    return tuple(tuple(lots.shuffled(order[player] for player in sorted(table))) for table in designed)


def repetitions(tables: Tables, met: Mapping[tuple[int, int], int]) -> int:
    """How many pairs at these tables have met before."""
    return sum(bool(met.get(pair)) for table in tables for pair in pairs(table))


def pairs(table: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs at a table, the lower badge first."""
    by_number = sorted(table)
    return [(low, high) for at, low in enumerate(by_number) for high in by_number[at + 1 :]]


class _Search:
    """The search for tables of these sizes. Players are their positions in `order`."""

    def __init__(self, order: Sequence[int], sizes: tuple[int, ...], before: Before) -> None:
        self.sizes = sizes
        met = before.met
        self.pair = [
            [0 if own == other else _again(met.get((min(own, other), max(own, other)), 0)) for other in order]
            for own in order
        ]
        if before.score:
            halves = [int(before.score.get(player, 0) * 2) for player in order]
            for own, row in enumerate(self.pair):
                self.pair[own] = [cost + (halves[own] - halves[at]) ** 2 for at, cost in enumerate(row)]
        # To sit at an odd table for the second time costs 3, then 5: what squared meetings cost.
        self.odd = [_ODD * (2 * before.odd.get(player, 0) + 1) for player in order]
        odd_seats = sum(size for size in sizes if size != USUAL)
        self.floor = sum(sorted(self.odd)[:odd_seats])
        """What no seating can be below."""
        self.at: list[int] = []  # the table of each player
        # By player and table, the cost of sitting there with who sits there now.
        self.cost: list[list[int]] = []

    def without_repetition(self, tables: Tables) -> bool:
        """Whether nobody at these tables has met before."""
        return not any(self.pair[player][other] for table in tables for player, other in pairs(table))

    def _tables(self) -> Tables:
        return tuple(
            tuple(player for player, at in enumerate(self.at) if at == table)
            for table in range(len(self.sizes))
        )

    def improved(self, start: Sequence[int]) -> tuple[int, Tables]:
        """The cost and the tables of the best seating that is found from this order, cut into tables."""
        places = [table for table, size in enumerate(self.sizes) for _ in range(size)]
        self.at = [table for _, table in sorted(zip(start, places, strict=True))]
        self.cost = [self._costs(player) for player in range(len(start))]
        total = self._total()
        best, best_at = total, list(self.at)
        until = [0] * len(start)  # a player who was just moved is left where he is until then
        swap = last_better = 0
        while best > self.floor and swap - last_better < _SWAPS:
            swap += 1
            found = self._best_swap(until, swap, total, best)
            if found is None:
                break
            change, player, other = found
            self._swap(player, other)
            until[player] = until[other] = swap + 3 + (swap * 7) % 5
            total += change
            if total < best:
                best, best_at, last_better = total, list(self.at), swap
        self.at = best_at
        return best, self._tables()

    def _best_swap(
        self, until: Sequence[int], swap: int, total: int, best: int
    ) -> tuple[int, int, int] | None:
        """The change and the two players of the best swap; of players in the dearest places only, in turn."""
        at, cost, pair = self.at, self.cost, self.pair
        here = [cost[player][table] for player, table in enumerate(at)]
        free = [player for player in range(len(at)) if until[player] < swap]
        dear = sorted(free, key=lambda player: -here[player])[:_DEAR]
        found: tuple[int, int, int] | None = None
        for player in dear:
            mine, from_ = cost[player], at[player]
            together = pair[player]
            for other, to in enumerate(at):
                if to == from_:
                    continue
                change = mine[to] - here[player] + cost[other][from_] - here[other] - 2 * together[other]
                if until[other] >= swap and total + change >= best:
                    continue
                if found is None or change < found[0]:
                    found = change, player, other
        return found

    def _swap(self, first: int, second: int) -> None:
        from_, to = self.at[first], self.at[second]
        with_first, with_second = self.pair[first], self.pair[second]
        for player, cost in enumerate(self.cost):
            change = with_second[player] - with_first[player]
            cost[from_] += change
            cost[to] -= change
        self.at[first], self.at[second] = to, from_

    def _costs(self, player: int) -> list[int]:
        costs = [0 if size == USUAL else self.odd[player] for size in self.sizes]
        for other, table in enumerate(self.at):
            costs[table] += self.pair[player][other]
        return costs

    def _total(self) -> int:
        """The cost of all tables: of every pair once, and of every player at an odd table."""
        pairs_twice = odd = 0
        for player, table in enumerate(self.at):
            own = 0 if self.sizes[table] == USUAL else self.odd[player]
            pairs_twice += self.cost[player][table] - own
            odd += own
        return pairs_twice // 2 + odd


def _again(met: int) -> int:
    """What it costs that a pair meets again; the cost of a first meeting is the same for all and left out."""
    return _MET * 2 * met + _AGAIN * met * (met - 1)


def _designed(players: int, number: int) -> Tables | None:
    """The tables of round `number` (from 1) of a known design, as positions; None where there is none."""
    if players == _PLANE:
        return _plane_lines(number - 1) if number <= USUAL + 1 else None
    columns, rest = divmod(players, USUAL)
    if rest or columns <= USUAL or not columns % 2 or not columns % 3 or number > columns:
        return None
    return tuple(
        tuple(row * columns + (start + row * (number - 1)) % columns for row in range(USUAL))
        for start in range(columns)
    )


def _plane_lines(direction: int) -> Tables:
    """The four parallel lines of one direction (0 to 4) in the plane of 4 times 4 points."""
    points = [(x, y) for x in range(USUAL) for y in range(USUAL)]
    if direction == USUAL:
        return tuple(tuple(x * USUAL + y for y in range(USUAL)) for x in range(USUAL))
    return tuple(
        tuple(x * USUAL + y for x, y in points if y ^ _times(direction, x) == line) for line in range(USUAL)
    )


def _times(left: int, right: int) -> int:
    """The product in the field with four elements: 2 and 3 are the roots of x² = x + 1."""
    return 0 if not (left and right) else (left - 1 + right - 1) % 3 + 1
