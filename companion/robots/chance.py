"""Chance that can be repeated: seeds, and numbers as bits."""

from hashlib import blake2b

from msgspec.structs import astuple

from companion.values import Value


def places(cards: int) -> list[int]:
    """The places of the bits, ascending, from 0."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found


def seed_of(*of: object) -> int:
    """A whole number of 64 bits that follows from these values, the same on every machine.

    A `Value` counts by its fields alone, so that its class can get another name.
    """
    plain = tuple(astuple(one) if isinstance(one, Value) else one for one in of)
    return int.from_bytes(blake2b(repr(plain).encode(), digest_size=8).digest(), "little")
