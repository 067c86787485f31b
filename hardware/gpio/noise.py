"""When a wire makes more edges than a hand can; what its edges mean is not known here.

A floating input picks up the mains (100 edges a second) or a radio (as many as the machine can take).
It must not press keys, and it must not eat the processor: it is switched off, left alone for a while,
listened to for a while, and only used again when it was quiet then.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Final

_NS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """`edges` of them within `window_s` are noise. Off for `rest_s`, then on trial for `window_s`.

    150 in 2 s is above a child that hammers a bad key (eight presses a second with eight edges
    each) and below the hum of the mains.
    """

    edges: int = 150
    window_s: float = 2.0
    rest_s: float = 5.0


class Ear(Enum):
    """What to do with a wire."""

    USED = "used"
    OFF = "off"  # do not even ask the chip for its edges
    TRIED = "tried"  # count its edges, believe none of them


class NoiseGuard:
    """Judges one wire. Times are nanoseconds of one clock and are passed in. Not for several threads."""

    def __init__(self, limits: Limits = Limits()) -> None:
        self.ear = Ear.USED
        self._window_ns = round(limits.window_s * _NS)
        self._rest_ns = round(limits.rest_s * _NS)
        self._recent: deque[int] = deque(maxlen=limits.edges)
        self._trial_edges = limits.edges // 10
        self._due_ns: int | None = None

    @property
    def due_ns(self) -> int | None:
        """When `until` changes the `ear` if no edge does; None: it does not."""
        return self._due_ns

    def edge(self, at_ns: int) -> Ear:
        """Count an edge; gives the `ear` from now on."""
        self.until(at_ns)
        if self.ear is Ear.OFF:
            return self.ear  # a latecomer
        self._recent.append(at_ns)
        full = len(self._recent) == self._recent.maxlen and at_ns - self._recent[0] <= self._window_ns
        if full or (self.ear is Ear.TRIED and len(self._recent) > self._trial_edges):
            self.ear = Ear.OFF
            self._due_ns = at_ns + self._rest_ns
            self._recent.clear()
        return self.ear

    def until(self, now_ns: int) -> Ear:
        """Time passed until `now_ns`; gives the `ear` from now on."""
        if self._due_ns is not None and now_ns >= self._due_ns:
            if self.ear is Ear.OFF:
                self.ear = Ear.TRIED
                # From now, not from when it was due: the edges of a trial are those that were asked for.
                self._due_ns = now_ns + self._window_ns
            else:
                self.ear = Ear.USED
                self._due_ns = None
            self._recent.clear()
        return self.ear
