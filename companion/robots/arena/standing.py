"""Who plays in the arena, what a round has come to, and the table: means with their errors, wins, times, Elo.

Nothing is played here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log10, sqrt
from typing import Any, Final

from msgspec import Struct

from companion.values import Value, field


class MoveTimes(Struct):
    """The moves of a player and the seconds that they took; `faults` were lost to the fallback."""

    moves: int = 0
    total_s: float = 0.0
    worst_s: float = 0.0
    faults: int = 0

    def add(self, moves: int, took_s: float) -> None:
        """Add `moves` moves that took `took_s` seconds together."""
        self.moves += moves
        self.total_s += took_s
        self.worst_s = max(self.worst_s, took_s / moves)


class Entry(Struct):
    """A player in the arena. Those of the same name are one line in the table.

    `clock` tells the seconds by which its moves are measured: of this process, or for a program of the wall.
    """

    name: str
    player: Any
    clock: Callable[[], float]
    spent: MoveTimes = field(default_factory=MoveTimes)

    def timed(self, answer: Callable[..., Any], *given: object) -> Any:  # noqa: ANN401 - what it answers
        """What the player answers; the time of this move is added to what it has `spent`."""
        began_s = self.clock()
        found = answer(*given)
        self.spent.add(1, self.clock() - began_s)
        return found


class SixRound(Value):
    """A round of 6 nimmt! as a line of `nimmt arena --out`: by seat the entry, the hand and the heads.

    `cards` are those of each turn by seat, `chosen` the rows that were chosen.
    """

    match: int
    deal: int
    sits: tuple[int, ...]
    rows: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    cards: tuple[tuple[int, ...], ...]
    chosen: tuple[int, ...]
    heads: tuple[int, ...]


class PlayedMatch(Value):
    """A match of another game as such a line. An answer: the place of its question, the seat, the text."""

    match: int
    sits: tuple[int, ...]
    game: str
    first: int
    answers: tuple[tuple[Any, ...], ...]
    points: tuple[int, ...]


class ArenaResult(Value):
    """A round or a match: by entry the points and the share in the win.

    `block` is whose cards it had, `records` how it went.
    """

    block: int
    deals: int
    points: tuple[int, ...]
    wins: tuple[float, ...]
    records: tuple[SixRound | PlayedMatch, ...]


NORMAL_95: Final = 1.96
_MEAN_ELO: Final = 1500.0
_STEPS: Final = 200


class StandingRow(Value):
    """One name: how many play under it, its points a deal, half the width of their 95 % interval, and more.

    `wins` is the part of the rounds (or matches) that one of them wins. `ms` is a move in the mean,
    `worst_ms` the longest. `lost` moves were made by the fallback.
    """

    name: str
    players: int
    points: float
    error: float
    wins: float
    ms: float
    worst_ms: float
    lost: int
    elo: float


def standing(entries: Sequence[Entry], results: Sequence[ArenaResult]) -> list[StandingRow]:
    """The table, the fewest points first; there is at least one result."""
    names = list(dict.fromkeys(entry.name for entry in entries))
    rating = elo(names, [entry.name for entry in entries], results)
    lines = []
    for name in names:
        own = [number for number, entry in enumerate(entries) if entry.name == name]
        mean, error = mean_points(own, results)
        spent = [entries[number].spent for number in own]
        moves = max(1, sum(one.moves for one in spent))
        wins = sum(result.wins[number] for result in results for number in own)
        lines.append(
            StandingRow(
                name,
                len(own),
                mean,
                error,
                wins / (len(results) * len(own)),
                1000 * sum(one.total_s for one in spent) / moves,
                1000 * max(one.worst_s for one in spent),
                sum(one.faults for one in spent),
                rating[name],
            )
        )
    return sorted(lines, key=lambda line: line.points)


def mean_points(own: Sequence[int], results: Iterable[ArenaResult]) -> tuple[float, float]:
    """The points a deal of these entries, and the half width of the 95 % interval.

    The rounds of one block had the same cards, so a block is what varies; matches differ in length, so it is
    a ratio that is estimated (Cochran, Sampling Techniques, 6.4).
    """
    blocks: dict[int, list[float]] = {}
    for result in results:
        block = blocks.setdefault(result.block, [0.0, 0.0])
        block[0] += sum(result.points[number] for number in own) / len(own)
        block[1] += result.deals
    many, deals = len(blocks), sum(block[1] for block in blocks.values())
    mean = sum(block[0] for block in blocks.values()) / deals
    if many < 2:  # noqa: PLR2004 - one block says nothing of how blocks vary
        return mean, float("inf")
    spread = sum((points - mean * number) ** 2 for points, number in blocks.values()) / (many - 1)
    return mean, NORMAL_95 * sqrt(spread * many) / deals


def elo(names: Sequence[str], of: Sequence[str], results: Iterable[ArenaResult]) -> Mapping[str, float]:
    """Ratings by which the better of two in a round is explained best; their mean is 1500.

    Each round is a game between every two players of different names, won by the one with fewer points
    (Bradley and Terry; the iteration is that of Hunter, MM algorithms, 2004). Half a game is added to each
    side, so that who never won has a rating too.
    """
    won = {(one, other): 0.5 for one in names for other in names if one != other}
    for result in results:
        for first, one in enumerate(of):
            for second in range(first):
                other, less = of[second], result.points[first] - result.points[second]
                if one != other:
                    won[one, other] += 1.0 if less < 0 else 0.5 if less == 0 else 0.0
                    won[other, one] += 1.0 if less > 0 else 0.5 if less == 0 else 0.0
    strength = dict.fromkeys(names, 1.0)
    for _ in range(_STEPS if len(names) > 1 else 0):
        strength = {
            one: sum(won[one, other] for other in names if other != one)
            / sum(
                (won[one, other] + won[other, one]) / (strength[one] + strength[other])
                for other in names
                if other != one
            )
            for one in names
        }
    logs = {name: 400 * log10(strength[name]) for name in names}
    mean = sum(logs.values()) / len(logs)
    return {name: _MEAN_ELO + value - mean for name, value in logs.items()}
