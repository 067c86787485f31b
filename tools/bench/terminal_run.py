"""`nimmt run` in a terminal of its own, as on a laptop: what is typed into it and what it draws."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Final

from hardware.panel.terminal_blocks import HALF
from hardware.ports import Key, Scanned
from tools.bench.machine import HOUSE
from tools.bench.programs import PATIENCE_S, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.bench.evening import Action

_LINES, _COLUMNS = 40, 130  # the window in which a pixel is drawn best
_LEAST_GLYPHS: Final = 20
"""So many lit cells are a picture; the lines below it hold letters only."""
_LIT: Final = HALF.glyphs.strip()
_KEYS: Final = {
    Key.OK: "\r",
    Key.UNDO: "u",
    Key.ROW_1: "q",
    Key.ROW_2: "w",
    Key.ROW_3: "e",
    Key.ROW_4: "r",
    Key.UP: "\x1b[A",
    Key.DOWN: "\x1b[B",
}


@dataclass(slots=True)
class TerminalRun:
    """A running `nimmt run`, its terminal in our hands. For one thread."""

    process: subprocess.Popen[bytes]
    _window: int
    _seen: bytearray = field(default_factory=bytearray)

    @property
    def pid(self) -> int:
        """The process."""
        return self.process.pid

    def give(self, action: Action) -> None:
        """Type a code and Enter, or press a key."""
        text = f"{action.text}\r" if isinstance(action, Scanned) else _KEYS[action.key]
        os.write(self._window, text.encode())

    def take(self, timeout_s: float) -> bool:
        """Take what it has drawn; False if there is nothing within the time."""
        ready, _, _ = select.select([self._window], [], [], timeout_s)
        if ready:
            self._seen += os.read(self._window, 65_536)
        return bool(ready)

    def watch(self, for_s: float) -> None:
        """Take all that it draws in so many seconds."""
        until_s = time.monotonic() + for_s
        while (left_s := until_s - time.monotonic()) > 0:
            self.take(left_s)

    def wait_for_picture(self) -> None:
        """Wait until there is a picture in the window. Raises `TimeoutError` and tells what came instead."""
        until_s = time.monotonic() + PATIENCE_S
        while not self._has_picture():
            if self.process.poll() is not None or not self.take(max(0.0, until_s - time.monotonic())):
                raise TimeoutError(f"nimmt run draws no picture: {bytes(self._seen[-500:])!r}")

    def _has_picture(self) -> bool:
        drawn = self._seen.decode("utf-8", errors="ignore")
        return sum(drawn.count(glyph) for glyph in _LIT) >= _LEAST_GLYPHS


@contextmanager
def terminal_run(command: list[str], folder: Path, complaints: IO[bytes] | int) -> Iterator[TerminalRun]:
    """Start it in a new terminal, with its state in `folder`; told to stop at the end, and waited for.

    Raises `subprocess.CalledProcessError` where it does not end well.
    """
    window, inside = os.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
    process = subprocess.Popen(  # noqa: S603 - our own programs
        command, cwd=HOUSE, env=environment(folder), stdin=inside, stdout=inside, stderr=complaints
    )
    os.close(inside)
    run = TerminalRun(process, window)
    try:
        yield run
        process.send_signal(signal.SIGTERM)
        while process.poll() is None:
            _drain(run)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
    finally:
        process.kill()
        process.wait()
        os.close(window)


def _drain(run: TerminalRun) -> None:
    """A program that ends writes once more, and would wait for ever for somebody to read."""
    try:
        run.take(0.01)
    except OSError:  # its end of the terminal is closed
        run.process.wait(PATIENCE_S)
