"""One table of 6 nimmt! in plain Python, and the players that decide at once, without numpy.

Robots reason with it, and the tests hold it and the batched `tables` equal to the referee. It explains
nothing and refuses nothing: that is what the referee is for.

`Learned` looks at each card of the hand alone: how many cards lie in its row, how far it is above the end of
the row, and the heads there, or what the cheapest row costs if it fits nowhere. Each of these has a weight,
which differs with the part of the deal and the number of players; the card whose weights are least together
is played. A row that has to be taken costs its heads, and a weight by the number of its cards. `learned.json`
has the weights that were learned by playing, `strong.json` what strong players avoid, from rounds that they
have played (docs/robots.md says how). Weights are whole numbers, and only the differences between them
matter. Beside the weights of rows a head counts `A_HEAD`; a strong player chooses a card e times as seldom
with each `A_HEAD` more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

from msgspec.json import decode

from companion.core.cards import HIGHEST, ROW_LENGTH, Card, bullheads
from companion.robots.rollouts import seed_of
from companion.robots.six.seen import SixPlayer, SixPlayerView
from companion.values import Value, field

HEADS: Final = (0, *(bullheads(Card(card)) for card in range(1, HIGHEST + 1)))
"""The heads of every card, by its number."""

Row = list[int]


def row_for(rows: Sequence[Sequence[int]], card: int) -> int | None:
    """The row that a card belongs to; None if it is lower than every end."""
    best, end = None, 0
    for index, row in enumerate(rows):
        if end < row[-1] < card:
            best, end = index, row[-1]
    return best


def cost(row: Sequence[int]) -> int:
    return sum([HEADS[card] for card in row])


def cheapest(rows: Sequence[Sequence[int]]) -> int:
    """The row with the fewest heads; of several the first."""
    costs = [cost(row) for row in rows]
    return costs.index(min(costs))


def price_of(rows: Sequence[Sequence[int]], card: int) -> int:
    """What a card costs that is placed now; the cheapest row where it fits nowhere."""
    row = row_for(rows, card)
    if row is None:
        return min(map(cost, rows))
    return cost(rows[row]) if len(rows[row]) == ROW_LENGTH else 0


def place(rows: list[Row], cards: Sequence[int], chosen: int | None = None) -> list[int]:
    """Place the cards of a turn, one of every seat, from the lowest to the highest; the rows change.

    Returns the heads that each seat takes. Where the lowest card fits nowhere, it takes the row `chosen`, or
    the cheapest one.
    """
    taken = [0] * len(cards)
    for seat in sorted(range(len(cards)), key=cards.__getitem__):
        card = cards[seat]
        index = row_for(rows, card)
        if index is not None and len(rows[index]) < ROW_LENGTH:
            rows[index].append(card)
            continue
        if index is None:
            index = cheapest(rows) if chosen is None else chosen
        taken[seat] = cost(rows[index])
        rows[index] = [card]
    return taken


class Easy(Value):
    """Plays any card, as a child that sees only its hand; takes the shortest row, of several the first."""

    seed: int = 0

    def card(self, seen: SixPlayerView) -> int:
        return Random(seed_of(self.seed, seen.rows, seen.hand)).choice(seen.hand)

    def row(self, seen: SixPlayerView) -> int:
        lengths = [len(row) for row in seen.rows]
        return lengths.index(min(lengths))


class Normal(Value):
    """Plays the card that is nearest above the end of its row and free; takes the cheapest row."""

    def card(self, seen: SixPlayerView) -> int:
        """The smallest gap without cost; if every card costs, the cheapest one, of several the lowest."""

        def wanted(card: int) -> tuple[bool, int, int]:
            price, row = price_of(seen.rows, card), row_for(seen.rows, card)
            gap = 0 if row is None else card - seen.rows[row][-1]
            return (price > 0, price or gap, card)

        return min(seen.hand, key=wanted)

    def row(self, seen: SixPlayerView) -> int:
        return cheapest(seen.rows)


class Mixed(Value):
    """Chooses as `better` would for a part of its choices, which chance picks, else as `other`."""

    seed: int
    part: float
    better: SixPlayer
    other: SixPlayer

    def card(self, seen: SixPlayerView) -> int:
        return self._picked(seen).card(seen)

    def row(self, seen: SixPlayerView) -> int:
        return self._picked(seen).row(seen)

    def _picked(self, seen: SixPlayerView) -> SixPlayer:
        chance = Random(seed_of(self.seed, self.part, seen.rows, seen.hand, seen.shown))
        return self.better if chance.random() < self.part else self.other


FILE: Final = Path(__file__).with_name("learned.json")
STRONG_FILE: Final = Path(__file__).with_name("strong.json")

PARTS: Final = (7, 4, 0)
"""A deal has three parts: the cards that are left in a hand are more than these."""

STRONG_PARTS: Final = (9, 8, 7, 5, 4, 2, 0)
"""The parts of a deal for strong players: each lies in one of `PARTS`."""

STEPS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 20, 24, 29, 35, 43, 60)
"""Steps from the end of a row up to these are alike, and all that are larger."""

A_HEAD: Final = 20


class Weights(Value):
    """What was learned for a number of players, by the part of the deal.

    `step` is by the cards in the row, less one, and the place in `STEPS`; `heads` by those cards and the
    heads of the row; `low` by the heads of the cheapest row, for a card that fits nowhere; `row` by the cards
    of a row that may be taken, less one, or nothing if that was not learned.
    """

    step: list[list[list[int]]]
    heads: list[list[list[int]]]
    low: list[list[int]]
    row: list[list[int]] = field(default_factory=list)


@lru_cache(maxsize=2)
def weights(file: Path) -> dict[int, Weights]:
    """The weights in a file by the number of players; of strong players only for those looked at."""
    return decode(file.read_bytes(), type=dict[int, Weights])


def part(left: int, parts: Sequence[int] = PARTS) -> int:
    """The part of the deal, counted from 0, in which each hand has `left` cards."""
    return next(number for number, more in enumerate(parts) if left > more)


class Learned(Value):
    """Plays the card, and takes the row, whose weights are least; of several the lowest card or first row."""

    def card(self, seen: SixPlayerView) -> int:
        found, now, rows = weights(FILE)[seen.seats], part(len(seen.hand)), seen.rows
        low = found.low[now][min(map(cost, rows))]

        def avoided(card: int) -> tuple[int, int]:
            row = row_for(rows, card)
            if row is None:
                return low, card
            cards, step = len(rows[row]) - 1, bisect_left(STEPS, card - rows[row][-1])
            return found.step[now][cards][step] + found.heads[now][cards][cost(rows[row])], card

        return min(seen.hand, key=avoided)

    def row(self, seen: SixPlayerView) -> int:
        of_cards = weights(FILE)[seen.seats].row[part(len(seen.hand) + 1)]
        costs = [A_HEAD * cost(row) + of_cards[len(row) - 1] for row in seen.rows]
        return costs.index(min(costs))
