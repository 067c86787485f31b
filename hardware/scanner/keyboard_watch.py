"""Keyboards that people may type on: they are listened to until one types a code at the speed of a scanner.

Nothing is taken from anybody: what is typed goes where it always goes. What a person types is forgotten key
by key, for nobody types a code so fast.
"""

from __future__ import annotations

import errno
import os
import select
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from hardware.background import WakePipe
from hardware.errors import sentence
from hardware.ports import Scanned
from hardware.scanner.framing import LONGEST, SILENCE_S, End
from hardware.scanner.input_devices import EVENT, KEY, NO_CHARACTER, Keyboard, UsKeyboard, no_access
from hardware.scanner.source import Receiver, Source

LOOK_S: Final = 1.0
"""So long a `read` waits at most: meanwhile something may have been plugged in."""

SHORTEST: Final = 6
"""Characters of a code that is believed: so many have a card and the codes of the test page."""
MOST_S: Final = 0.04
"""For a key, on average. Scanners need 2 to 30 ms; the fastest people need twice as long as this."""
STEADY_S: Final = 0.012
"""Between the longest and the shortest time from one movement of a key to the next. Over a slow wire, such as
Bluetooth, scanners are as slow as people, but no person is as even."""

UNKNOWN: Final = (
    sentence("a connected keyboard may be the scanner"),
    sentence("scan a code of this game; if that does nothing, plug the scanner in"),
)
"""The fault and what to do as long as only a scan can tell which one it is."""

_REPEATED: Final = 2  # the value of a key that is held
_AT_ONCE_S: Final = 0.001  # events of one report
_ENDS: Final = {b"\r": End.CR, b"\t": End.TAB}
_CHUNK: Final = 64 * EVENT.size
_GONE: Final = (errno.ENOENT, errno.ENODEV, errno.ENXIO)


class FastTyping:
    """Finds codes in the events of one keyboard, by the times that the kernel has given them."""

    def __init__(self) -> None:
        self._keys = UsKeyboard()
        self._line = b""
        self._began_s = self._last_s = 0.0
        self._gaps: list[float] = []
        """Times from one movement of a key to the next, in this line."""
        self._ending: tuple[str, End] | None = None

    def codes(self, data: bytes) -> list[tuple[str, End]]:
        """The codes that end in these events, each with what was typed after it.

        A code ends when its last key is up again: were it taken before, other programs would see that key
        held for ever.
        """
        found = []
        for start in range(0, len(data), EVENT.size):
            event = data[start : start + EVENT.size]
            seconds, microseconds, kind, _, value = EVENT.unpack(event)
            at_s = seconds + microseconds / 1e6
            if kind == KEY and value != _REPEATED:
                gap_s, self._last_s = at_s - self._last_s, at_s
                if not 0 <= gap_s <= SILENCE_S or len(self._line) > LONGEST:
                    self._line, self._gaps = b"", []
                elif gap_s > _AT_ONCE_S:
                    self._gaps.append(gap_s)
            if self._ending is not None and (kind, value) == (KEY, 0):
                found.append(self._ending)
                self._ending = None
            typed = self._keys.typed(event)
            if not typed:
                continue
            if not self._line:
                self._began_s = at_s
            if typed in _ENDS:
                line, self._line, gaps, self._gaps = self._line, b"", self._gaps, []
                is_even = len(gaps) >= SHORTEST and max(gaps) - min(gaps) <= STEADY_S
                if len(line) >= SHORTEST and (is_even or at_s - self._began_s <= MOST_S * len(line)):
                    self._ending = line.decode("ascii"), _ENDS[typed]
            else:
                self._line = b"" if typed == NO_CHARACTER else self._line + typed
        return found


class FoundScan(Struct, frozen=True):
    """The scan that has told which keyboard is the scanner."""

    keyboard: Keyboard
    code: Scanned
    end: End


class KeyboardWatch(Source):
    """Listens to the keyboards that are there; `scan` is the first code that one of them has typed."""

    def __init__(self, there: Sequence[Keyboard], now_s: Callable[[], float]) -> None:
        self.scan: FoundScan | None = None
        self._there = there
        self._now_s = now_s
        self._files: dict[int, tuple[Keyboard, FastTyping]] = {}
        self._wake: WakePipe | None = None

    def open(self, receiver: Receiver) -> None:
        self._wake = WakePipe()
        self._open()

    def watch(self, there: Sequence[Keyboard]) -> None:
        """From now on these are there. Nothing is lost of what a keyboard types that stays."""
        for file, (keyboard, _) in list(self._files.items()):
            if keyboard not in there:
                del self._files[file]
                os.close(file)
        self._there = there
        self._open()

    def _open(self) -> None:
        listened = [keyboard for keyboard, _ in self._files.values()]
        for one in self._there:
            if one in listened:
                continue
            try:
                file = os.open(one.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError as lost:
                if lost.errno in _GONE:  # unplugged in this moment
                    continue
                raise
            self._files[file] = one, FastTyping()

    def read(self, receiver: Receiver) -> None:
        others = [] if self._wake is None else [self._wake.file]
        ready, _, _ = select.select([*self._files, *others], [], [], LOOK_S)
        for file, (keyboard, typing) in list(self._files.items()):
            if file not in ready:
                continue
            try:
                data = os.read(file, _CHUNK)
            except OSError:
                data = b""
            if not data:  # it was unplugged, which does not matter to the others
                del self._files[file]
                os.close(file)
            for text, end in typing.codes(data):
                self.scan = FoundScan(keyboard, keyboard.scanned(text, self._now_s()), end)

    def interrupt(self) -> None:
        if (wake := self._wake) is not None:
            wake.wake()

    def close(self) -> None:
        files, self._files = self._files, {}
        wake, self._wake = self._wake, None
        for file in files:
            os.close(file)
        if wake is not None:
            wake.close()

    def check(self) -> str:
        """Open them for a moment. Their names: whether one of them is a scanner, only a scan can tell."""
        try:
            self._open()
        finally:
            self.close()
        return ", ".join(one.name for one in self._there)

    def explain(self, lost: BaseException) -> tuple[str, str] | None:
        return no_access(lost) if isinstance(lost, OSError) else None
