"""`python -m tools.fit rounds.jsonl ...`: write how strong players of 6 nimmt! play, from rounds of theirs.

The files are those of `nimmt arena --out`; all who sit at their tables count as strong. The weights say how
much a card is avoided beside the others of the same hand: it is chosen e times as seldom with each `A_HEAD`
more. They are those by which the cards that were played are likeliest (the gradient of the logarithm, and
Adam, as in `tools.learn`), with a small price on neighbours that differ: for what was rarely seen, what is
next to it counts.

It takes ten seconds of processor time for 20,000 cards. The same rounds give the same weights with the same
numpy.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec.json import encode

from companion.core.cards import ROW_LENGTH, TURNS
from companion.core.codec import read
from companion.robots.arena.standing import SixRound
from companion.robots.six.learned import A_HEAD, MOST_HEADS, STEPS, STRONG_FILE, STRONG_PARTS, Weights, part
from companion.robots.six.plain import cost, place, row_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_TIMES: Final = 400
_STEP: Final = 0.05
_SMOOTH: Final = 2e-4
"""The price of a difference of 1 between neighbours, where a card that was played costs 1 for each e."""

_BINS: Final = len(STEPS) + 1
_HEADS: Final = MOST_HEADS + 1
_SIZES: Final = ((ROW_LENGTH, _BINS), (ROW_LENGTH, _HEADS), (1, _HEADS))
"""The tables of a part of a deal: by cards in the row and step, by cards and heads, and for low cards."""

_FIRST: Final = tuple(np.cumsum([0, *(rows * columns for rows, columns in _SIZES)]).tolist())

Choice = tuple[int, list[tuple[int, int]], int]
"""The part of the deal, the two weights of each choice, and the place of the one that was taken."""


def choices(played: SixRound) -> Iterator[Choice]:
    """What each seat chose at each turn but the last.

    Cards that fit nowhere are one choice, as for the tables of a way; -1 stands for its second weight.
    """
    rows, hands = [[card] for card in played.rows], [sorted(hand) for hand in played.hands]
    chosen = iter(played.chosen)
    for turn, cards in enumerate(played.cards[: TURNS - 1]):
        cheapest = _FIRST[2] + min(map(cost, rows))
        for hand, card in zip(hands, cards, strict=True):
            weights: list[tuple[int, int]] = []
            taken = 0
            for one in hand:
                row = row_for(rows, one)
                if row is not None:
                    laid, step = len(rows[row]) - 1, bisect_left(STEPS, one - rows[row][-1])
                    weights.append((laid * _BINS + step, _FIRST[1] + laid * _HEADS + cost(rows[row])))
                elif not weights:
                    weights.append((cheapest, -1))
                if one == card:
                    taken = len(weights) - 1
            yield part(TURNS - turn, STRONG_PARTS), weights, taken
            hand.remove(card)
        place(rows, cards, lambda _rows, _seat: next(chosen))


def fit(found: Iterable[Choice]) -> Weights:
    """The weights by which these choices are likeliest."""
    all_found = list(found)
    size = len(STRONG_PARTS) * _FIRST[-1]
    # The last weight is that of nothing: it stays 0.
    places = np.full((len(all_found), TURNS, 2), size)
    for number, (at, weights, _) in enumerate(all_found):
        for place_of_card, pair in enumerate(weights):
            places[number, place_of_card] = [size if one < 0 else at * _FIRST[-1] + one for one in pair]
    held = places[:, :, 0] < size
    numbers, taken = np.arange(len(all_found)), np.array([choice[2] for choice in all_found])
    avoided, mean, square = np.zeros(size + 1), np.zeros(size + 1), np.zeros(size + 1)
    for time in range(1, _TIMES + 1):
        score = np.where(held, -avoided[places].sum(axis=2), -np.inf)
        likely = np.exp(score - score.max(axis=1, keepdims=True))
        falls = -likely / likely.sum(axis=1, keepdims=True)
        falls[numbers, taken] += 1
        gradient = np.bincount(places.ravel(), np.repeat(falls, 2, axis=1).ravel(), size + 1) / len(all_found)
        gradient[:-1] += _SMOOTH * _bends(avoided[:-1])
        gradient[-1] = 0
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
        avoided -= _STEP * mean / (1 - 0.9**time) / (np.sqrt(square / (1 - 0.99**time)) + 1e-6)
    parts = np.round(avoided[:-1] * A_HEAD).astype(int).reshape(len(STRONG_PARTS), -1)
    step, heads, low = (
        [one.reshape(rows, columns).tolist() for one in parts[:, first : first + rows * columns]]
        for first, (rows, columns) in zip(_FIRST, _SIZES, strict=False)
    )
    return Weights(step, heads, [one[0] for one in low])


def _bends(avoided: Numbers) -> Numbers:
    """By how much the squares of the differences of neighbours rise with each weight, halved."""
    found = np.zeros_like(avoided).reshape(len(STRONG_PARTS), -1)
    for first, (rows, columns) in zip(_FIRST, _SIZES, strict=False):
        last = first + rows * columns
        table = avoided.reshape(found.shape)[:, first:last].reshape(-1, rows, columns)
        change, bends = np.diff(table, axis=2), np.zeros_like(table)
        bends[:, :, 1:] += change
        bends[:, :, :-1] -= change
        found[:, first:last] = bends.reshape(len(found), -1)
    return found.ravel()


def likelihood(weights: Weights, found: Iterable[Choice]) -> float:
    """The mean logarithm of how likely the cards that were played are by these weights."""
    logs = []
    for at, cards, taken in found:
        tables = [*np.ravel(weights.step[at]), *np.ravel(weights.heads[at]), *weights.low[at], 0]
        score = np.array([-(tables[one] + tables[other]) / A_HEAD for one, other in cards])
        logs.append(score[taken] - np.log(np.exp(score).sum()))
    return float(np.mean(logs))


def main() -> int:
    """Read the rounds, and write the weights for each number of players that was found."""
    by_seats: dict[int, list[Choice]] = {}
    for name in sys.argv[1:]:
        _, *lines = Path(name).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 2):
            played = read(json.loads(line), SixRound, f"line {number}")
            by_seats.setdefault(len(played.sits), []).extend(choices(played))
    found = {seats: fit(some) for seats, some in sorted(by_seats.items())}
    lines_of = (b'"%d": %s' % (seats, encode(one)) for seats, one in found.items())
    STRONG_FILE.write_bytes(b"{" + b",\n".join(lines_of) + b"}\n")
    for seats, some in sorted(by_seats.items()):
        print(f"{seats} players, {len(some)} cards: {likelihood(found[seats], some):.3f}")  # noqa: T201
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
