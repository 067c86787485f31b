"""Who plays in the arena: a name, a player, and what its moves took; and what a round has come to."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.values import Value, field


class MoveTimes(Struct):
    """The moves of a player and the seconds that they took; `faults` were lost to the fallback."""

    moves: int = 0
    total_s: float = 0.0
    worst_s: float = 0.0
    faults: int = 0

    def add(self, moves: int, took_s: float) -> None:
        """So many moves that took so long together."""
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
