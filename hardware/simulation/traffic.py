"""How much a simulated bus has carried, and how long a real one would have taken for that."""

from __future__ import annotations

import select
import time
from typing import Final

from msgspec import Struct

_TIMER_SLACK_S: Final = 0.0002  # a sleeping thread wakes up at most so late


class Traffic(Struct, frozen=True):
    """Counters of a bus; the difference of two is what happened in between.

    `bit_times` counts the clock periods: on I2C nine for each byte (the ninth is the acknowledge), one
    for START and one for STOP; on SPI eight for each byte, gaps not counted.
    """

    transfers: int = 0
    bytes_on_wire: int = 0  # with address and control bytes
    bit_times: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(
            self.transfers + other.transfers,
            self.bytes_on_wire + other.bytes_on_wire,
            self.bit_times + other.bit_times,
        )

    def __sub__(self, earlier: Traffic) -> Traffic:
        return Traffic(
            self.transfers - earlier.transfers,
            self.bytes_on_wire - earlier.bytes_on_wire,
            self.bit_times - earlier.bit_times,
        )

    def wire_s(self, bus_hz: float) -> float:
        """How many seconds this takes on a bus with the clock `bus_hz`."""
        return self.bit_times / bus_hz


def i2c_write(byte_count: int) -> Traffic:
    """One I2C write of `byte_count` bytes, the address included."""
    return Traffic(transfers=1, bytes_on_wire=byte_count, bit_times=9 * byte_count + 2)


def spi_write(byte_count: int) -> Traffic:
    """One SPI write of `byte_count` bytes."""
    return Traffic(transfers=1, bytes_on_wire=byte_count, bit_times=8 * byte_count)


def hold_until(deadline_s: float) -> None:
    """Block until `time.perf_counter()` reaches `deadline_s`, to some ten microseconds.

    Other threads run meanwhile, as they do while the kernel waits for a bus. The last part is polled, because
    a thread that sleeps wakes up late.
    """
    while (left_s := deadline_s - time.perf_counter()) > 0:
        select.select([], [], [], max(0.0, left_s - _TIMER_SLACK_S))
