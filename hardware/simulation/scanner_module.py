"""A scanner module that answers commands: a program at the other end of a simulated line.

What differs between modules is their `Firmware`. Here are the line, its speed (a module and a program at
different speeds receive noise from each other), the plug, and one thread in which all of it happens.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, TypeVar

from hardware.simulation.scanner_line import ScannerLine

T = TypeVar("T")

_TURN_S: Final = 0.005
_PATIENCE_S: Final = 300.0


class Firmware(Protocol):
    """The protocol of a module, and what it remembers. One thread uses it."""

    @property
    def baud(self) -> int:
        """Its speed in bits per second."""

    def power_on(self) -> None:
        """Start with what was saved."""

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take bytes from the program; gives the answer."""

    def scan(self, text: str, now_s: float) -> bytes:
        """A code is in front of the window; gives what is sent now."""

    def late(self, now_s: float) -> bytes:
        """What is sent because time has passed."""


class ScannerModule:
    """A module with its line; the port is always `path`. It is plugged in from the start. Any thread."""

    def __init__(self, folder: Path, firmware: Firmware, name: str = "nimmt-scanner") -> None:
        self.firmware: Final = firmware
        self.ran_s = 0.0
        """How long it has run, in seconds: like a clock that stands still while its thread does."""
        self._line = ScannerLine(folder, name)
        self.path: Final = self._line.path
        self._plugged = True
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_read, self._wake_write = os.pipe()
        self._closed = False
        firmware.power_on()
        self._thread = threading.Thread(target=self._run, name="scanner-module", daemon=True)
        self._thread.start()

    def scan(self, text: str) -> None:
        """Hold a code in front of its window."""
        self.do(lambda: self._send(self.firmware.scan(text, time.monotonic())))

    def write(self, data: bytes) -> None:
        """Send any bytes, as a module may that loses power or has a loose wire."""
        self.do(lambda: self._send(data))

    def plug(self) -> None:
        """Plug it in; it starts with what it has saved."""

        def plugging() -> None:
            self.firmware.power_on()
            self._line.plug()
            self._plugged = True

        self.do(plugging)

    def unplug(self) -> None:

        def unplugging() -> None:
            self._plugged = False
            self._line.unplug()

        self.do(unplugging)

    def do(self, order: Callable[[], T]) -> T:
        """Call `order` in the module's thread, between two messages; gives its result."""
        done = threading.Event()
        results: list[T] = []

        def doing() -> None:
            results.append(order())
            done.set()

        self._orders.put(doing)
        os.write(self._wake_write, b"!")
        if not done.wait(_PATIENCE_S):
            raise TimeoutError("the simulated module hangs")
        return results[0]

    def close(self) -> None:
        """Stop the thread, and remove the line. More than once does no harm."""
        if not self._closed:
            self._closed = True
            os.write(self._wake_write, b"!")
            self._thread.join()
            self._line.close()
            os.close(self._wake_read)
            os.close(self._wake_write)

    # ----------------------------------------------------------------------------- the thread

    def _run(self) -> None:
        began_s = time.monotonic()
        while not self._closed:
            before_s, began_s = began_s, time.monotonic()
            self.ran_s += min(began_s - before_s, 4 * _TURN_S)
            data = self._line.heard(_TURN_S, self._wake_read)
            if data and self._line.baud == self.firmware.baud:
                self._send(self.firmware.hear(data, time.monotonic()))
            if self._plugged:
                self._send(self.firmware.late(time.monotonic()))
            if not data:
                self._obey()

    def _obey(self) -> None:
        try:
            self._orders.get(timeout=_TURN_S)()
            os.read(self._wake_read, 1)
        except queue.Empty:
            pass

    def _send(self, data: bytes) -> None:
        if data and self._plugged:
            clear = self._line.baud == self.firmware.baud
            self._line.write(data if clear else bytes(byte ^ 0x2A | 0x80 for byte in data))
