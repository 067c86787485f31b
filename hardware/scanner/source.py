"""Every scanner's port: a `Source` reads codes from one kind of line, `SourceScanner` does the rest.

The rest is a thread that reads, a line that is opened again after it was lost, faults that are reported once,
and a `close` that ends a waiting read.
"""

import threading
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Final, Protocol

from hardware.background import BackgroundDevice
from hardware.ports import Scanned

FIRST_RETRY_S: Final = 0.05
LAST_RETRY_S: Final = 1.0

UNREADABLE_LIMIT: Final = 3
"""This many lines in a row that are not codes are not dirt on a card but a wrong setting: a fault."""

_DEVICE: Final = "scanner"


class Receiver(Protocol):
    """Where a source sends what it reads; of the thread that reads, except `stopping`."""

    @property
    def stopping(self) -> threading.Event:
        """Set when the scanner is being closed: what takes long should end then."""

    def scanned(self, code: Scanned) -> None:
        """A whole code was read; people wait for it, so it is sent at once."""

    def unreadable(self, fault: str, check: str) -> None:
        """The line is open, but what comes is no code. Reported once; the next code ends it."""


class Source(Protocol):
    """Where codes come from: a line to a scanner. One thread uses it, except for `interrupt`.

    Every method may raise what the line raises; `explain` says what that means. The source is then closed
    and opened again later.
    """

    @abstractmethod
    def open(self, receiver: Receiver) -> None:
        """Open the line, set the scanner up where it can be, and drop what was scanned before this moment.

        From the return on, a scan counts. Sends nothing to `receiver` itself, but may keep it.
        """

    @abstractmethod
    def read(self, receiver: Receiver) -> None:
        """Wait for what comes next and send the codes in it to `receiver`. Called again and again."""

    @abstractmethod
    def interrupt(self) -> None:
        """End a `read` that waits, or the next one. Any thread; never after `close` has begun."""

    @abstractmethod
    def close(self) -> None:
        """Free the line. Also called after an `open` that failed, and when nothing is open."""

    @abstractmethod
    def check(self) -> str:
        """Open the line, look, close it: one line for people about what answered. May take two seconds."""

    def explain(self, lost: BaseException) -> tuple[str, str] | None:
        """The fault and what to check, for people; None for an exception that this source does not expect.

        Not asked about a `HardwareError`, which explains itself.
        """
        return None


class SourceScanner(BackgroundDevice):
    """The scanner port over a `Source`. It posts `Scanned`, `DeviceFault` and `DeviceRecovered` of "scanner".

    ```python
    scanner = SourceScanner(MySource())
    scanner.start(print)  # Scanned(text='42', at_s=81203.114)
    ```
    """

    def __init__(self, source: Source, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(_DEVICE, now_s, first_retry_s=FIRST_RETRY_S, last_retry_s=LAST_RETRY_S)
        self._source = source
        self._listening = threading.Event()
        self._lock = threading.Lock()
        self._in_use = False  # guarded by the lock, because `close` interrupts the source only while it is

    def wait_listening(self, timeout_s: float) -> bool:
        """Wait until a scan would be read; False if it is not in time."""
        return self._listening.wait(timeout_s)

    def _look(self) -> str:
        return self._source.check()

    # ----------------------------------------------------------------------------- the thread: a `Receiver`

    def scanned(self, code: Scanned) -> None:
        """Post a code that was read. It proves that the scanner works."""
        self._recovered()
        self._post(code)

    def unreadable(self, fault: str, check: str) -> None:
        self._fault(fault, check)

    # ----------------------------------------------------------------------------- the thread itself

    def _serve(self) -> None:
        with self._lock:
            self._in_use = True
        try:
            self._source.open(self)
            if not self.stopping.is_set():
                self._opened()
                self._listening.set()
            while not self.stopping.is_set():
                self._source.read(self)
        finally:
            self._listening.clear()
            # First of all: `close` of another thread must not interrupt a line that is closed by then.
            with self._lock:
                self._in_use = False
            self._source.close()

    def _interrupt(self) -> None:
        with self._lock:
            if self._in_use:
                self._source.interrupt()

    def _explain(self, lost: BaseException) -> tuple[str, str] | None:
        return self._source.explain(lost)
