"""Who plays in the arena: a name, a player, and what its moves took; and what a round has come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


class ArenaResult(Value):
    """A round or a match: by entry the points and the share in the win.

    `block` is whose cards it had, `records` how it went.
    """

    block: int
    deals: int
    points: tuple[int, ...]
    wins: tuple[float, ...]
    records: tuple[Mapping[str, Any], ...]
