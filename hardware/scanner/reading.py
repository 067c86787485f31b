"""The one thread of a scanner: it serves the line for ever and tells a fault once; no line is known here.

A driver gives it a function that opens its line and reads until the line is lost. The rest of a scanner's
life is here: trying again with a growing pause, a fault told once, a `close` that ends a waiting read.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Final

from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered, Scanned
from hardware.posting import to_nobody, unharmed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hardware.ports import Message
    from hardware.scanner.framing import Code

FIRST_RETRY_S: Final = 0.05
LAST_RETRY_S: Final = 1.0
STEADY_S: Final = 1.0
"""A line that served for so long is worth a quick retry; one that flaps is not."""

REJECTS_TOLD: Final = 3
"""So many lines in a row that are no code: not dirt on a card but a wrong setting, and worth a fault."""

_DEVICE: Final = "scanner"
_LEAVE_S: Final = 2.0


class Reading:
    """Runs `serve` in a thread until `close`; posts `Scanned`, `DeviceFault`, `DeviceRecovered` of "scanner".

    `serve` opens the line, calls `listens` when a scan would be heard, and returns only when `leaving` is
    set; it raises when the line is lost, and is called again later. `explain` turns what it raised into the
    fault and the check for people, None for what it does not know; a `HardwareError` explains itself.
    """

    def __init__(
        self,
        serve: Callable[[], None],
        explain: Callable[[BaseException], tuple[str, str] | None],
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.leaving = threading.Event()
        self._serve = serve
        self._explain = explain
        self._now_s = now_s
        self._post: Callable[[Message], None] = to_nobody
        self._listening = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None  # guarded by the lock, because close() calls it
        self._told: tuple[str, str] | None = None
        self._since_s = inf  # when it began to listen

    # ----------------------------------------------------------------------------- any thread

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; the line is opened in the thread. A second start without a close is a `RuntimeError`."""
        if self._thread is not None:
            raise RuntimeError("the scanner is already started; close it first")
        self._post = unharmed(post)
        self._told = None
        self.leaving.clear()
        self._thread = threading.Thread(target=self._run, name=_DEVICE, daemon=True)
        self._thread.start()

    def wait_listening(self, timeout_s: float) -> bool:
        """Wait until a scan would be heard; False if it is not in time."""
        return self._listening.wait(timeout_s)

    def alive(self) -> bool:
        """Whether the reading thread lives."""
        return self._thread is not None and self._thread.is_alive()

    def close(self) -> None:
        """Stop the thread; the line is free then. More than once does no harm."""
        self.leaving.set()
        with self._lock:
            if self._interrupt is not None:
                self._interrupt()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(_LEAVE_S)

    # ----------------------------------------------------------------------------- the thread: for `serve`

    @contextmanager
    def interrupted_by(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """While this is entered, `close` calls `interrupt`, which must end a read that waits."""
        with self._lock:
            self._interrupt = interrupt
        try:
            yield
        finally:
            self._listening.clear()
            with self._lock:
                self._interrupt = None

    def listens(self) -> None:
        """Say that the line is open and quiet: from now on a scan counts."""
        self.well()
        self._since_s = self._now_s()
        self._listening.set()

    def hand_on(self, code: Code) -> None:
        """Post a code that was read."""
        self.well()
        self._post(Scanned(code.text, code.at_s))

    def ill(self, fault: str, check: str) -> None:
        """Post a fault, unless it is the one that was told last."""
        if self._told != (fault, check):
            self._told = (fault, check)
            self._post(DeviceFault(_DEVICE, fault, check))

    def well(self) -> None:
        """Post that the fault is over, if one was told."""
        if self._told is not None:
            self._told = None
            self._post(DeviceRecovered(_DEVICE))

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self.leaving.is_set():
            self._since_s = inf
            try:
                self._serve()
            except ImportError as missing:
                self.ill(*self._reason(missing))
                return
            except Exception as lost:  # noqa: BLE001 - a reader that dies is a dead scanner in a live process
                if not self.leaving.is_set():
                    self.ill(*self._reason(lost))
            if self._now_s() - self._since_s > STEADY_S:
                retry_s = FIRST_RETRY_S
            self.leaving.wait(retry_s)
            retry_s = min(2 * retry_s, LAST_RETRY_S)

    def _reason(self, lost: BaseException) -> tuple[str, str]:
        if isinstance(lost, HardwareError):
            return lost.fault, lost.check
        unexpected = (
            f"unexpected {type(lost).__name__}: {lost}",
            "please report this; the program keeps trying",
        )
        return self._explain(lost) or unexpected
