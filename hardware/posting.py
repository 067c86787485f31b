"""How a device tells the program something: a `post` that cannot raise, and each fault only once."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

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
        """End the `select`, or the next one. Any thread, but not after `close`."""
        os.write(self._write, b"!")

    def close(self) -> None:
        """Free both ends. Once."""
        os.close(self.file)
        os.close(self._write)
