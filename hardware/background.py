"""The thread of a device: it opens the device, serves it, opens it again if it is lost.

How any device tells the program something is here as well: a `post` that cannot raise, and each fault only
once.

A driver derives from `BackgroundDevice` and writes one method that opens the device and works with it until
it is lost, and one that looks at it for the doctor. Starting, stopping, trying again with growing pauses and
reporting a fault once are here. What has other work for its thread derives from `DeviceThread`: a display
(`hardware.panel.display`), where the newest picture replaces the older ones, and the keyboard of a terminal.
"""

import logging
import os
import select
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from math import inf
from typing import Final

from hardware.errors import HardwareError, sentence
from hardware.ports import DeviceFault, DeviceRecovered, Message

_LOG = logging.getLogger(__name__)


def guarded(post: Callable[[Message], None]) -> Callable[[Message], None]:
    """`post`, with whatever it raises written to the log instead of ending the thread that calls it.

    A device whose thread has died is a dead device in a live process, and nothing would restart it. The
    message is lost; the next one is tried again.
    """

    def posting(message: Message) -> None:
        try:
            post(message)
        except Exception:  # noqa: BLE001 - whatever it is, it is not the device's
            _LOG.exception("the program did not accept %r", message)

    return posting


def discard(message: Message) -> None:
    """The `post` of a device that is not started."""


class FaultReporter:
    """Posts a fault of one device when it is new, and the end of it once. Not thread-safe."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._reported: tuple[str, str] | None = None

    @property
    def faulty(self) -> bool:
        """Whether a fault was posted and its end was not. Any thread may ask."""
        return self._reported is not None

    def reset(self) -> None:
        """Forget what was posted: the program begins to listen now."""
        self._reported = None

    def fault(self, post: Callable[[Message], None], fault: str, check: str) -> None:
        """Post a `DeviceFault`, unless it is the one that was posted last."""
        if self._reported != (fault, check):
            self._reported = (fault, check)
            post(DeviceFault(self._device, fault, check))

    def recovered(self, post: Callable[[Message], None]) -> None:
        """Post a `DeviceRecovered` if a fault is open."""
        if self._reported is not None:
            self._reported = None
            post(DeviceRecovered(self._device))


class WakePipe:
    """A pipe whose reading end becomes readable when `wake` is called, and stays so.

    Give `file` to `select` together with the files that are waited for.
    """

    def __init__(self) -> None:
        self.file, self._write = os.pipe()

    def wake(self) -> None:
        """End the `select`, or the next one. Any thread; after `close` it is an `OSError`."""
        os.write(self._write, b"!")

    def drain(self) -> None:
        """From now on, the file is not readable until the next `wake`."""
        while select.select([self.file], [], [], 0)[0]:
            os.read(self.file, 64)

    def close(self) -> None:
        """Free both ends. Once."""
        os.close(self.file)
        write, self._write = self._write, -1
        os.close(write)


FIRST_RETRY_S: Final = 0.25
LAST_RETRY_S: Final = 10.0
STEADY_S: Final = 1.0
"""A device that worked for so long is tried again soon; one that fails again and again is not."""

_JOIN_S: Final = 2.0


class DeviceThread(ABC):
    """A device with a thread of its own, which nothing but `close` ends.

    `device` is the id in the messages and the name of the thread; `now_s` is a monotonic clock in seconds.
    """

    def __init__(self, device: str, now_s: Callable[[], float] = time.monotonic) -> None:
        self.stopping: Final = threading.Event()
        self._device = device
        self._now_s = now_s
        self._reporter: Final = FaultReporter(device)
        self._post: Callable[[Message], None] = discard
        self._thread: threading.Thread | None = None

    # ----------------------------------------------------------------------------- any thread

    def start(self, post: Callable[[Message], None]) -> None:
        """Start; the device is opened in the thread. A second start without a close is a `RuntimeError`."""
        if self._thread is not None:
            raise RuntimeError(f"{self._device} is already started; close it first")
        self._post = guarded(post)
        self._reporter.reset()
        self.stopping.clear()
        self._thread = threading.Thread(target=self._run, name=self._device, daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def close(self) -> None:
        """Stop the thread; the device is free then. More than once does no harm."""
        self.stopping.set()
        self._interrupt()
        thread, self._thread = self._thread, None
        # A `post` may close the device: then this is the device's own thread, which cannot wait for itself.
        if thread is not None and thread is not threading.current_thread():
            thread.join(_JOIN_S)

    @abstractmethod
    def _interrupt(self) -> None:
        """End whatever the thread waits for. Called from any thread, also when nothing is being served."""

    # ----------------------------------------------------------------------------- the thread

    @abstractmethod
    def _run(self) -> None:
        """What the thread does until `stopping` is set."""

    def _fault(self, fault: str, check: str) -> None:
        """Post a fault, unless it is the one that was posted last."""
        self._reporter.fault(self._post, fault, check)

    def _recovered(self) -> None:
        """Post that the fault is over, if there is one."""
        self._reporter.recovered(self._post)

    def _explain(self, lost: BaseException) -> tuple[str, str] | None:
        """The fault and what to check for what was raised; None for what is not expected.

        Not asked about a `HardwareError`, which explains itself.
        """
        return None

    def _reason(self, lost: BaseException) -> tuple[str, str]:
        if isinstance(lost, HardwareError):
            return lost.fault, lost.check
        unexpected = (
            sentence("unexpected {error}: {lost}", error=type(lost).__name__, lost=lost),
            sentence("please report this; the program keeps trying"),
        )
        return self._explain(lost) or unexpected


class BackgroundDevice(DeviceThread):
    """A device that its thread serves until it is lost, and opens again.

    Pauses between two attempts grow from `first_retry_s` to `last_retry_s`.
    """

    def __init__(
        self,
        device: str,
        now_s: Callable[[], float] = time.monotonic,
        *,
        first_retry_s: float = FIRST_RETRY_S,
        last_retry_s: float = LAST_RETRY_S,
    ) -> None:
        super().__init__(device, now_s)
        self._first_retry_s = first_retry_s
        self._last_retry_s = last_retry_s
        self._open_since_s = inf

    def check(self) -> str:
        """One line about what answered; raises `HardwareError`. Not while it is started."""
        try:
            return self._look()
        except HardwareError:
            raise
        except Exception as lost:
            if (reason := self._explain(lost)) is None:
                raise
            raise HardwareError(self._device, *reason) from lost

    # ----------------------------------------------------------------------------- what a driver writes

    @abstractmethod
    def _serve(self) -> None:
        """Open the device, call `_opened`, and work with it until `stopping` is set; free it in any case.

        Raises when the device is absent or lost, and is called again after a pause.
        """

    @abstractmethod
    def _look(self) -> str:
        """Open the device once, look, close it: one line for people. May raise as `_serve` does."""

    # ----------------------------------------------------------------------------- the thread: for `_serve`

    def _opened(self) -> None:
        """Say that the device works: an open fault is over."""
        self._recovered()
        self._open_since_s = self._now_s()

    def _run(self) -> None:
        retry_s = self._first_retry_s
        while not self.stopping.is_set():
            self._open_since_s = inf
            try:
                self._serve()
            except ImportError as missing:
                self._fault(*self._reason(missing))
                return  # a library does not appear while the program runs
            except Exception as lost:  # noqa: BLE001 - a thread that dies is a dead device in a live process
                # While it is being closed, errors are expected: a read was interrupted.
                if not self.stopping.is_set():
                    self._fault(*self._reason(lost))
            # A device that opens and fails at once must not be tried in quick succession for ever.
            if self._now_s() - self._open_since_s > STEADY_S:
                retry_s = self._first_retry_s
            self.stopping.wait(retry_s)
            retry_s = min(2 * retry_s, self._last_retry_s)
