"""How busy other programs keep the processors while something is measured; who they are is not asked."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")
_BUSY: Final = (0, 1, 2, 5, 6, 7)  # user, nice, system, irq, softirq, steal: proc(5), /proc/stat


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A stop watch over the processors: begins when it is made."""

    _began_s: float = field(default_factory=time.monotonic)
    _busy_s: float = field(default_factory=lambda: _all_s() - _own_s())

    def percent(self) -> float:
        """What others have had since, in percent of one processor; programs of ours must have ended."""
        took_s = time.monotonic() - self._began_s
        return max(0.0, 100 * (_all_s() - _own_s() - self._busy_s) / took_s)


def _all_s() -> float:
    ticks = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:]
    return sum(int(ticks[place]) for place in _BUSY) * _TICK_S


def _own_s() -> float:
    """What we have had: the process itself, and those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
