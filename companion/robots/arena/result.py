"""What one round or match of the arena has come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping


class Result(Value):
    """By entry the points and the share in the win; `block` is whose cards it had, `records` how it went."""

    block: int
    deals: int
    points: tuple[int, ...]
    wins: tuple[float, ...]
    records: tuple[Mapping[str, Any], ...]
