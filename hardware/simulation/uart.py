"""What a UART hears of bytes that were sent at another speed than it reads at.

A byte is a start bit (low), eight bits from the least significant one, and a stop bit (high); without bytes
the wire is high. The receiver waits for the wire to go low, looks again after half a bit, and then once in
the middle of each bit. It does not look whether the stop bit is there: the drivers of Linux hand on a byte
without one as well, unless the program asks them not to.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

_BITS: Final = 10  # of a byte, with start and stop


def heard_at(data: bytes, sent_baud: int, read_baud: int) -> bytes:
    """The bytes that arrive, where `data` is sent without a pause."""
    return bytes(_received(_wire(data), sent_baud, read_baud))


def _wire(data: bytes) -> list[int]:
    """The level of the wire for each bit that is sent, and for one before."""
    bits = [1]
    for byte in data:
        bits += [0, *(byte >> place & 1 for place in range(8)), 1]
    return bits


def _received(wire: list[int], sent_baud: int, read_baud: int) -> Iterator[int]:
    def level(read_bits: float) -> int:
        """The level so many bits of the receiver after the first falling edge."""
        place = int(read_bits * sent_baud / read_baud)
        return wire[place] if place < len(wire) else 1

    busy_until = 0.0
    for place, (before, after) in enumerate(pairwise(wire), start=1):
        start = place * read_baud / sent_baud
        if before and not after and start >= busy_until and not level(start + 0.5):
            yield sum(level(start + 1.5 + bit) << bit for bit in range(8))
            busy_until = start + _BITS - 0.5
