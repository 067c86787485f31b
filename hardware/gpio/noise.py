"""Finds a wire that makes more edges than a hand can, and switches it off. See `hardware.gpio`."""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import Final

from msgspec import Struct

_NS: Final = 1_000_000_000


class Limits(Struct, frozen=True):
    """`edges` within `window_s` are noise. The wire is off for `rest_s`, then on trial for `window_s`.

    150 in 2 s is more than a child makes that hammers a bad key (eight presses a second with eight edges
    each), and less than the hum of the mains (100 edges a second).
    """

    edges: int = 150
    window_s: float = 2.0
    rest_s: float = 5.0


class WireState(Enum):
    """What to do with a wire."""

    USED = "used"
    OFF = "off"  # the chip is not even asked for its edges
    ON_TRIAL = "on trial"  # its edges are counted, but none of them means anything


class NoiseGuard:
    """Judges one wire. Times are nanoseconds of one clock and are passed in. Not thread-safe."""

    def __init__(self, limits: Limits = Limits()) -> None:
        self.state = WireState.USED
        self._window_ns = round(limits.window_s * _NS)
        self._rest_ns = round(limits.rest_s * _NS)
        self._recent: deque[int] = deque(maxlen=limits.edges)
        self._trial_edges = limits.edges // 10
        self._due_ns: int | None = None

    @property
    def due_ns(self) -> int | None:
        """When `until` changes the `state` if no edge does; None: it does not."""
        return self._due_ns

    def edge(self, at_ns: int) -> WireState:
        """Count an edge; gives the `state` from now on."""
        self.until(at_ns)
        if self.state is WireState.OFF:
            return self.state  # it was on its way when the wire was switched off
        self._recent.append(at_ns)
        full = len(self._recent) == self._recent.maxlen and at_ns - self._recent[0] <= self._window_ns
        if full or (self.state is WireState.ON_TRIAL and len(self._recent) > self._trial_edges):
            self.state = WireState.OFF
            self._due_ns = at_ns + self._rest_ns
            self._recent.clear()
        return self.state

    def until(self, now_ns: int) -> WireState:
        """Time passed until `now_ns`; gives the `state` from now on."""
        if self._due_ns is not None and now_ns >= self._due_ns:
            if self.state is WireState.OFF:
                self.state = WireState.ON_TRIAL
                # From now, not from when it was due: edges are only reported since they are asked for again.
                self._due_ns = now_ns + self._window_ns
            else:
                self.state = WireState.USED
                self._due_ns = None
            self._recent.clear()
        return self.state
