"""Seeds: chance that is the same wherever the same question is asked."""

from __future__ import annotations

from hashlib import blake2b


def seed_of(*of: object) -> int:
    """A whole number of 64 bits that follows from these values, the same on every machine."""
    return int.from_bytes(blake2b(repr(of).encode(), digest_size=8).digest(), "little")
