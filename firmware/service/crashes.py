"""How often the program has crashed lately, so that the next start can be a safe one.

The program counts for itself, in a file in memory that the service manager keeps from start to start. Its own
limit of starts would do the same, but what it triggers when is not the same on every Debian: since systemd
254 `OnFailure=` runs after each crash, and not after the last one only.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.bounded_file import publish, read_json

QUICK_S: Final = 120.0
"""Crashes within so many seconds belong together: three watchdog timeouts and three slow starts fit in."""
TOO_MANY: Final = 3
"""After so many quick crashes the same start would most likely crash again."""
HOPELESS: Final = 5
"""After so many, safe mode has crashed as well: what it still tried may be the cause."""


class CrashCounter:
    """The count in `file`; without a file nothing is counted. Times are monotonic seconds of this machine."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    def begin(self, now_s: float) -> int:
        """Record a start; gives the number of recent starts without an `end`. Raises nothing."""
        lately = [at_s for at_s in self._read(now_s) if 0 <= now_s - at_s < QUICK_S]
        if self._file is not None:
            with suppress(OSError):
                publish(json.dumps(lately).encode(), self._file)
        return len(lately)

    def end(self) -> None:
        """A normal end: the count starts again at zero."""
        if self._file is not None:
            with suppress(OSError):
                self._file.unlink(missing_ok=True)

    def _read(self, now_s: float) -> list[float]:
        """When there were crashes, the last of them now; of an unreadable file only that one is known."""
        if self._file is None or not os.path.lexists(self._file):
            return []
        return [*(read_json(self._file, list[float]) or ()), now_s]
