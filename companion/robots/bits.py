"""Sets of cards as the bits of a whole number."""

from __future__ import annotations


def places(cards: int) -> list[int]:
    """The places of the bits, ascending, from 0."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found
