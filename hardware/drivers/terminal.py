"""The whole device in a terminal: the panel in block characters, scanner and keys on the keyboard.

What to type, `typed` knows; how pixels become characters, `blocks`. Here is the terminal: its modes, its
size, who reads it and who writes it, and that it is left as it was found.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import os
import select
import signal
import sys
import termios
import textwrap
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hardware.errors import HardwareError
from hardware.options import option
from hardware.panel import terminal_blocks
from hardware.panel.background import Background
from hardware.ports import DeviceFault, Light
from hardware.posting import to_nobody, unharmed
from hardware.scanner.typed import LEGEND, Keyboard, Wish

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

    from hardware.ports import Message

WIDTH_PX: Final = 128
HEIGHT_PX: Final = 64
_DEVICE: Final = "display"
_LOOK_S: Final = 0.5
"""How often the window's size is looked at: SIGWINCH would need the main thread."""
_LEAVE_S: Final = 2.0

# ECMA-48, and xterm's private modes 1049 (the other screen) and 25 (the cursor).
_ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[0m\x1b[2J"
_LEAVE: Final = "\x1b[0m\x1b[?25h\x1b[?1049l"
_INK: Final = {
    Light.FULL: "\x1b[0;97;40m",  # white on black, whatever the theme
    Light.DIM: "\x1b[0;2;37;40m",
    Light.OFF: "\x1b[0;30;40m",
}
_PLAIN: Final = "\x1b[0m"


class Terminal:
    """Display, keys and scanner in one; it posts `KeyPressed` and `Scanned`.

    Ctrl-C raises `KeyboardInterrupt` in the main thread as always, and so do Ctrl-D and x.
    """

    @dataclass(frozen=True, slots=True)
    class Options:
        """How to draw."""

        glyphs: str = option(
            "auto: the best that the window size and the encoding allow; ascii: no block characters",
            "auto",
            among=("auto", "unicode", "ascii"),
        )

    width_px = WIDTH_PX
    height_px = HEIGHT_PX

    def __init__(self, options: Options, *, reads: int = 0, writes: int = 1) -> None:
        """`reads` and `writes` are file descriptors of a terminal: standard input and output."""
        self._reads = reads
        self._writes = writes
        self._window = _Window(self._writes, _styles(options.glyphs))
        self._background = Background(_DEVICE, self._window, refresh_s=_LOOK_S)
        self._post: Callable[[Message], None] = to_nobody
        self._found: list[Any] | None = None  # the modes as they were
        self._leaving = (-1, -1)  # a pipe that wakes the reading thread
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def start(self, post: Callable[[Message], None]) -> None:
        """Take the terminal. Raises `HardwareError` where there is none: it will not come by waiting."""
        self._must_be_terminal()
        with self._lock:
            if self._thread is not None:
                raise RuntimeError("the terminal is already started; close it first")
            self._post = unharmed(post)
            self._found = termios.tcgetattr(self._reads)
            self._leaving = os.pipe()
            atexit.register(self.close)
            _type_raw(self._reads)
            self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)
            self._thread.start()
        self._background.start(self._post)

    def draw(self, frame: Image) -> None:
        """Show a picture; `ValueError` if it is not of mode "1" and 128x64 pixels."""
        self._background.draw(frame)

    def light(self, level: Light) -> None:
        """White, grey or black."""
        self._background.light(level)

    def settle(self, timeout_s: float) -> bool:
        """Wait until everything drawn so far is in the window; False if it is not in time."""
        return self._background.settle(timeout_s)

    def check(self) -> str:
        """How big the window is, and how the picture would be drawn."""
        self._must_be_terminal()
        columns, lines = os.get_terminal_size(self._writes)
        return f"a terminal of {columns} columns and {lines} lines: {self._window.drawn_in(columns, lines)}"

    def close(self) -> None:
        """Give the terminal back as it was found; at the end of the program at the latest."""
        atexit.unregister(self.close)
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is None:
                return
            os.write(self._leaving[1], b"x")
        self._background.close()
        if thread is not threading.current_thread():
            thread.join(_LEAVE_S)
        for end in self._leaving:
            os.close(end)
        if self._found is not None:
            with contextlib.suppress(termios.error, OSError):  # the window was closed
                termios.tcsetattr(self._reads, termios.TCSADRAIN, self._found)

    # ----------------------------------------------------------------------------- the keyboard's thread

    def _read(self) -> None:
        keyboard = Keyboard()
        while True:
            due_s = keyboard.due_s
            wait_s = None if due_s is None else max(0.0, due_s - time.monotonic())
            ready, _, _ = select.select([self._reads, self._leaving[0]], [], [], wait_s)
            if self._leaving[0] in ready:
                return
            if ready:
                try:
                    data = os.read(self._reads, 4096)
                except OSError as gone:
                    if gone.errno == errno.EINTR:
                        continue
                    data = b""
                if not data:
                    self._post(
                        DeviceFault(
                            _DEVICE, "the terminal was closed", "start the program in another terminal"
                        )
                    )
                    return
                self._take(keyboard, data)
            else:
                keyboard.until(time.monotonic())
            self._window.show_typed(keyboard.line)

    def _take(self, keyboard: Keyboard, data: bytes) -> None:
        for typed in keyboard.feed(data, time.monotonic()):
            if typed is Wish.QUIT:
                # A true signal: it wakes a main thread that waits in a lock; `interrupt_main` would not.
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            elif typed is Wish.REDRAW:
                self._window.forget()
            else:
                self._post(typed)

    def _must_be_terminal(self) -> None:
        for end, name in ((self._reads, "standard input"), (self._writes, "standard output")):
            if not os.isatty(end):
                raise HardwareError(
                    _DEVICE,
                    f"{name} is not a terminal",
                    "run it in a terminal (over ssh: ssh -t), or choose another display",
                )


Options = Terminal.Options


class _Window:
    """The blocking panel (see `hardware.panel.background.Panel`): what is written where in the terminal.

    `show_typed` is called by the keyboard's thread, everything else by the panel's; one lock keeps their
    bytes apart.
    """

    width_px = WIDTH_PX
    height_px = HEIGHT_PX

    def __init__(self, writes: int, styles: tuple[terminal_blocks.Style, ...]) -> None:
        self._writes = writes
        self._styles = styles
        self._lock = threading.RLock()
        self._open = False
        self._size = os.terminal_size((0, 0))
        self._sent: list[str] = []  # the lines as they stand in the window
        self._picture: Image | None = None
        self._level = Light.FULL
        self._typed = ""

    def open(self) -> None:
        """Go to the other screen, which is empty."""
        with self._lock:
            self._open = True
            self._sent = []
            self._write(_ENTER)
            self._paint()

    def show(self, frame: Image) -> None:
        """Write the lines that differ."""
        with self._lock:
            self._picture = frame
            self._paint()

    def light(self, level: Light) -> None:
        """Another ink for the picture."""
        with self._lock:
            self._level = level
            self._paint()

    def refresh(self) -> None:
        """Look at the window's size; a changed one is painted anew."""
        with self._lock:
            self._paint()

    def close(self) -> None:
        """Back to the screen that was there before, with its cursor."""
        with self._lock:
            if self._open:
                self._open = False
                self._write(_LEAVE)

    def show_typed(self, line: str) -> None:
        """Write the line that is being typed. What goes wrong here, the panel's thread will tell."""
        with self._lock, contextlib.suppress(HardwareError):
            if line != self._typed:
                self._typed = line
                if self._open:
                    self._paint()

    def forget(self) -> None:
        """Something else has written into the window: paint everything anew."""
        with self._lock, contextlib.suppress(HardwareError):
            self._size = os.terminal_size((0, 0))
            if self._open:
                self._paint()

    def drawn_in(self, columns: int, lines: int) -> str:
        """How the picture is drawn in a window of that size, for people."""
        style = self._style(columns, lines)
        if style is not None:
            return style.name
        wide, high = self._styles[-1].size(WIDTH_PX, HEIGHT_PX)
        best_wide, best_high = self._styles[0].size(WIDTH_PX, HEIGHT_PX)
        return (
            f"too small; it needs {wide} columns and {high + 1} lines, "
            f"best are {best_wide} and {best_high + 1 + len(LEGEND)}"
        )

    def _style(self, columns: int, lines: int) -> terminal_blocks.Style | None:
        return terminal_blocks.best(self._styles, (WIDTH_PX, HEIGHT_PX), (columns, lines - 1))

    def _paint(self) -> None:
        """Bring the window to what it should be."""
        try:
            size = os.get_terminal_size(self._writes)
        except OSError as gone:
            raise HardwareError(
                _DEVICE, "the terminal was closed", "start the program in another terminal"
            ) from gone
        anew = ""
        if size != self._size:
            self._size = size
            self._sent = []
            anew = "\x1b[0m\x1b[2J"
        wanted = self._lines(size.columns, size.lines)
        changes = "".join(
            f"\x1b[{number + 1};1H\x1b[2K{line}"  # erased first: after a glyph in the last column it would go
            for number, line in enumerate(wanted)
            if number >= len(self._sent) or self._sent[number] != line
        )
        self._sent = wanted
        if anew or changes:
            self._write(anew + changes)

    def _lines(self, columns: int, lines: int) -> list[str]:
        """All that is in the window: the picture, what is typed, and as much of the legend as fits."""
        style = self._style(columns, lines)
        if style is None:
            says = f"this window is {self.drawn_in(columns, lines)}"
            return textwrap.wrap(says, max(1, columns - 1))[:lines]
        if self._picture is None or self._level is Light.OFF:
            wide, high = style.size(WIDTH_PX, HEIGHT_PX)
            picture = [" " * wide] * high
        else:
            picture = style.lines(self._picture)
        ink = _INK[self._level]
        below = [f"> {self._typed}_", *LEGEND]
        # The last column stays free: a glyph there may scroll the window.
        return [ink + line + _PLAIN for line in picture] + [
            line[: columns - 1] for line in below[: lines - len(picture)]
        ]

    def _write(self, text: str) -> None:
        rest = memoryview(text.encode())
        try:
            while rest:
                rest = rest[os.write(self._writes, rest) :]
        except OSError as gone:
            raise HardwareError(
                _DEVICE, "the terminal was closed", "start the program in another terminal"
            ) from gone


def _styles(glyphs: str) -> tuple[terminal_blocks.Style, ...]:
    if glyphs == "auto":
        encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
        glyphs = "unicode" if encoding == "utf8" else "ascii"
    return terminal_blocks.UNICODE if glyphs == "unicode" else terminal_blocks.ASCII


def _type_raw(reads: int) -> None:
    """Every key at once and unseen. Ctrl-C still makes its signal; Ctrl-S, -V and -Z are only keys."""
    modes = termios.tcgetattr(reads)
    modes[0] &= ~(termios.IXON | termios.INLCR | termios.IGNCR)
    modes[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    modes[3] |= termios.ISIG
    modes[6][termios.VMIN] = 1
    modes[6][termios.VTIME] = 0
    # Stopped in this mode, it would leave a shell that echoes nothing.
    modes[6][termios.VSUSP] = b"\x00"
    termios.tcsetattr(reads, termios.TCSADRAIN, modes)
