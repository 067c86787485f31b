"""A serial line with a simulated barcode scanner: a pseudo terminal.

The tty is a real one of the kernel, with the real termios, select, flock and hang-up. Pulling the plug closes
the master side, which looks to the program like a USB adapter that was unplugged.
"""

from __future__ import annotations

import os
import select
import termios
import time
import tty
from pathlib import Path
from typing import Final

_FULL_S: Final = 300.0


class ScannerLine:
    """A scanner that can be plugged in and unplugged; its port is always `path`, as with a udev link.

    `folder` is an existing folder of the caller. The scanner is plugged in from the start. For one thread.
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
        os.close(slave)  # otherwise the line would never hang up

    def unplug(self) -> None:
        """Unplug it, even in the middle of a code: the tty hangs up and the link is removed."""
        if self._master >= 0:
            Path(self.path).unlink(missing_ok=True)
            os.close(self._master)
            self._master = -1

    def scan(self, text: str, end: bytes = b"\r") -> None:
        """Scan a code: send its characters, and what the scanner is set to send after them."""
        self.write(text.encode("ascii") + end)

    def write(self, data: bytes) -> None:
        """Send any bytes. Raises `TimeoutError` if nobody reads them for minutes."""
        deadline_s = time.monotonic() + _FULL_S
        rest = memoryview(data)
        os.set_blocking(self._master, False)
        while rest:
            _, free, _ = select.select([], [self._master], [], max(0.0, deadline_s - time.monotonic()))
            if not free:
                raise TimeoutError(f"nobody reads {self.path}: {len(rest)} bytes are left")
            rest = rest[os.write(self._master, rest) :]

    def heard(self, timeout_s: float, *also: int) -> bytes | None:
        """What the program has sent by now, or within `timeout_s`; None while it is unplugged.

        A byte in one of the files `also` ends the wait.
        """
        files = [self._master] if self._master >= 0 else []
        ready, _, _ = select.select([*files, *also], [], [], timeout_s)
        if self._master < 0:
            return None
        if self._master not in ready:
            return b""
        try:
            return os.read(self._master, 4096)
        except OSError:  # the program has closed its end, or never opened it
            return b""

    @property
    def baud(self) -> int:
        """The speed the program has set the tty to, in bits per second; 0 while it is unplugged."""
        if self._master < 0:
            return 0
        speed = termios.tcgetattr(self._master)[5]
        names = (name for name in dir(termios) if name[0] == "B" and name[1:].isdigit())
        return next((int(name[1:]) for name in names if getattr(termios, name) == speed), 0)

    def close(self) -> None:
        self.unplug()
