"""A terminal window for tests: a pty, and the grid of characters that was written to it."""

import codecs
import fcntl
import os
import re
import select
import struct
import termios
import time
from collections.abc import Callable

from tests.hardware.device_setup import SOON_S

_PIECE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|([^\x1b]+)")


class Window:
    """Understands what the terminal driver writes: places, erasing, colours (ignored) and text."""

    def __init__(self, columns: int, lines: int) -> None:
        self.master, self.slave = os.openpty()
        self.grid: list[str] = []
        self.raw = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""
        self._row = 0
        self.resize(columns, lines)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.lines = lines

    def type(self, data: bytes) -> None:
        os.write(self.master, data)

    def shows(self, seen: Callable[[], bool]) -> bool:
        """Read until `seen` is true; False if it does not become so in time."""
        deadline_s = time.monotonic() + SOON_S
        while not seen():
            if not self.read(max(0.0, deadline_s - time.monotonic())):
                return False
        return True

    def read(self, wait_s: float) -> bool:
        """Read what is written within that time; False if nothing is."""
        if not select.select([self.master], [], [], wait_s)[0]:
            return False
        data = os.read(self.master, 65536)
        self.raw += data
        text = self._rest + self._decoder.decode(data)
        end = 0
        while piece := _PIECE.match(text, end):
            end = piece.end()
            self._draw(*piece.groups(default=""))
        self._rest = text[end:]  # an escape sequence cut in two
        return True

    def _draw(self, numbers: str, what: str, glyphs: str) -> None:
        if what == "J":
            self.grid = [""] * self.lines
        elif what == "H":
            self._row = int(numbers.split(";", maxsplit=1)[0]) - 1
        elif what == "K":
            self.grid[self._row] = ""
        elif glyphs:
            self.grid[self._row] += glyphs

    def close(self) -> None:
        os.close(self.master)
        os.close(self.slave)
