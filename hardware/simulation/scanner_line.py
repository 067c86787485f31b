"""A serial line with a simulated barcode scanner on it: a pseudo terminal; nothing of ours is known here.

The kernel gives a real tty: termios, select, flock and hang-up are the real ones. Pulling the plug closes the
master side, which is what a USB adapter does to its tty.
"""

from __future__ import annotations

import os
import select
import time
import tty
from pathlib import Path
from typing import Final

_FULL_S: Final = 10.0


class ScannerLine:
    """A scanner which can be plugged in and pulled; its port is always `path`, as with a udev link.

    `folder` is an existing folder of the caller's. It is plugged in from the start. For one thread.
    """

    def __init__(self, folder: Path, name: str = "nimmt-scanner") -> None:
        self.path: Final = str(folder / name)
        self._master = -1
        self.plug()

    def plug(self) -> None:
        """Plug the scanner in; the link leads to a new tty."""
        if self._master >= 0:
            return
        self._master, slave = os.openpty()
        tty.setraw(slave)
        Path(self.path).symlink_to(os.ttyname(slave))
        os.close(slave)  # else the line would never hang up

    def unplug(self) -> None:
        """Pull the plug, in the middle of a code if need be: the tty hangs up and the link is gone."""
        if self._master >= 0:
            Path(self.path).unlink(missing_ok=True)
            os.close(self._master)
            self._master = -1

    def scan(self, text: str, end: bytes = b"\r") -> None:
        """Read a code: its characters, and what the scanner was set to send after them."""
        self.write(text.encode("ascii") + end)

    def write(self, data: bytes) -> None:
        """Send any bytes. Raises `TimeoutError` where nobody takes them for ten seconds."""
        deadline_s = time.monotonic() + _FULL_S
        rest = memoryview(data)
        os.set_blocking(self._master, False)
        while rest:
            _, free, _ = select.select([], [self._master], [], max(0.0, deadline_s - time.monotonic()))
            if not free:
                raise TimeoutError(f"nobody reads {self.path}: {len(rest)} bytes are left")
            rest = rest[os.write(self._master, rest) :]

    def close(self) -> None:
        """Away with it."""
        self.unplug()
