"""The whole device in a terminal: the display in block characters, scanner and keys on the keyboard.

This module looks after the terminal: its modes, its size, the thread that reads and the one that writes, and
that it is left as it was found. `hardware.scanner.terminal_input` says what the keys mean,
`hardware.panel.terminal_blocks` how pixels become characters.
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
from collections.abc import Callable
from typing import Annotated, Any, Final

from msgspec import Struct
from PIL.Image import Image

from hardware.background import DeviceThread, WakePipe
from hardware.errors import HardwareError, sentence
from hardware.options import option
from hardware.panel import terminal_blocks
from hardware.panel.display import Panel, PanelDisplay
from hardware.ports import DeviceFault, Light, Message
from hardware.scanner.terminal_input import LEGEND, ProgramRequest, TerminalInput, Typed, legend_lines

WIDTH_PX: Final = 128
HEIGHT_PX: Final = 64
_DEVICE: Final = "display"
_LOOK_S: Final = 0.5
"""The pause between two looks at the window's size: the signal SIGWINCH would need the main thread."""
_JOIN_S: Final = 2.0
_CLOSED: Final = (
    _DEVICE,
    sentence("the terminal was closed"),
    sentence("start the program in another terminal"),
)

# ECMA-48, and xterm's private modes 1049 (the other screen) and 25 (the cursor).
_ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[0m\x1b[2J"
_LEAVE: Final = "\x1b[0m\x1b[?25h\x1b[?1049l"
_COLOUR: Final = {
    Light.FULL: "\x1b[0;97;40m",  # white on black, whatever the theme
    Light.DIM: "\x1b[0;2;37;40m",
    Light.OFF: "\x1b[0;30;40m",
}
_PLAIN: Final = "\x1b[0m"


class Terminal(PanelDisplay):
    """Display, keys and scanner in one terminal; it posts key presses and `Scanned`. Needs no wiring at all.

    ```toml
    [display]
    driver = "terminal"
    ```

    ```python
    from PIL import Image
    from hardware.drivers.terminal import Terminal

    terminal = Terminal(Terminal.Options())
    terminal.start(print)  # what is typed comes as messages
    terminal.draw(Image.new("1", (128, 64), 1))
    terminal.settle(1.0)
    terminal.close()
    ```

    Ctrl-C raises `KeyboardInterrupt` in the main thread as always, and so do Ctrl-D and x.
    """

    class Options(Struct, frozen=True):
        """How to draw."""

        glyphs: Annotated[
            str,
            option(
                "auto: the best that the window size and the encoding allow; ascii: no block characters",
                among=("auto", "unicode", "ascii"),
            ),
        ] = "auto"

    def __init__(self, options: Options, *, reads: int = 0, writes: int = 1) -> None:
        """`reads` and `writes` are file descriptors of a terminal: standard input and output."""
        self._reads = reads
        self._writes = writes
        self._window = _Window(writes, _styles(options.glyphs))
        self._keyboard = _Keyboard(reads, self._window)
        super().__init__(self._window, refresh_s=_LOOK_S)

    def start(self, post: Callable[[Message], None]) -> None:
        """Take over the terminal. Raises `HardwareError` where there is none: waiting would not help."""
        self._must_be_terminal()
        atexit.register(self.close)
        self._keyboard.start(post)
        super().start(post)

    def check(self) -> str:
        """The size of the window, and how the picture would be drawn in it."""
        self._must_be_terminal()
        columns, lines = os.get_terminal_size(self._writes)
        return f"a terminal of {columns} columns and {lines} lines: {self._window.drawn_in(columns, lines)}"

    def close(self) -> None:
        """Restore the terminal as it was before; done at the end of the program at the latest."""
        atexit.unregister(self.close)
        super().close()
        self._keyboard.close()

    def _must_be_terminal(self) -> None:
        for end, name in ((self._reads, "standard input"), (self._writes, "standard output")):
            if not os.isatty(end):
                fix = "run it in a terminal (over ssh: ssh -t), or choose another display"
                raise HardwareError(_DEVICE, f"{name} is not a terminal", fix)


Options = Terminal.Options


class _Keyboard(DeviceThread):
    """Reads what is typed, in a thread of its own, while the terminal is in raw mode."""

    def __init__(self, reads: int, window: _Window) -> None:
        super().__init__("keyboard")
        self._reads = reads
        self._window = window
        self._modes: list[Any] = []  # of the terminal, as they were found
        self._wake: WakePipe | None = None

    def start(self, post: Callable[[Message], None]) -> None:
        if self._wake is None:
            self._modes = termios.tcgetattr(self._reads)
            self._wake = WakePipe()
            _type_raw(self._reads)
        super().start(post)

    def close(self) -> None:
        """Stop reading, and restore the modes of the terminal. More than once does no harm."""
        super().close()
        wake, self._wake = self._wake, None
        if wake is not None:
            wake.close()
            with contextlib.suppress(termios.error, OSError):  # the window was closed
                termios.tcsetattr(self._reads, termios.TCSADRAIN, self._modes)

    def _interrupt(self) -> None:
        if (wake := self._wake) is not None:
            wake.wake()

    def _run(self) -> None:
        typed = TerminalInput()
        while not self.stopping.is_set() and (wake := self._wake) is not None:
            due_s = typed.due_s
            wait_s = None if due_s is None else max(0.0, due_s - time.monotonic())
            ready, _, _ = select.select([self._reads, wake.file], [], [], wait_s)
            if wake.file in ready:
                return
            if ready:
                try:
                    data = os.read(self._reads, 4096)
                except OSError as gone:
                    if gone.errno == errno.EINTR:
                        continue
                    data = b""
                if not data:
                    self._post(DeviceFault(*_CLOSED))
                    return
                self._handle(typed.feed(data, time.monotonic()))
            else:
                self._handle(typed.until(time.monotonic()))
            self._window.show_typed(typed.line)

    def _handle(self, typed: list[Typed]) -> None:
        for one in typed:
            if one is ProgramRequest.QUIT:
                # A real signal: it wakes a main thread that waits in a lock; `interrupt_main` would not.
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            elif one is ProgramRequest.REDRAW:
                self._window.forget()
            else:
                self._post(one)


class _Window(Panel):
    """The window of the terminal, as a panel: the picture, the line that is being typed, and the legend.

    `show_typed` and `forget` are called by the keyboard's thread, everything else by the display's; a lock
    keeps their bytes apart.
    """

    width_px = WIDTH_PX
    height_px = HEIGHT_PX

    def __init__(self, writes: int, styles: tuple[terminal_blocks.Style, ...]) -> None:
        self._writes = writes
        self._styles = styles
        self._lock = threading.RLock()
        self._open = False
        self._size = os.terminal_size((0, 0))
        self._sent: list[str] = []  # the lines that are in the window
        self._picture: Image | None = None
        self._level = Light.FULL
        self._typed = ""

    def open(self) -> None:
        """Switch to the alternate screen, which is empty."""
        with self._lock:
            self._open = True
            self._sent = []
            self._write(_ENTER)
            self._update()

    def show(self, frame: Image) -> None:
        with self._lock:
            self._picture = frame
            self._update()

    def light(self, level: Light) -> None:
        with self._lock:
            self._level = level
            self._update()

    def refresh(self) -> None:
        """Look at the window's size; draw everything again if it has changed."""
        with self._lock:
            self._update()

    def close(self) -> None:
        """Switch back to the normal screen, with its cursor."""
        with self._lock:
            if self._open:
                self._open = False
                self._write(_LEAVE)

    def show_typed(self, line: str) -> None:
        """Write the line that is being typed. A fault is left for the display's thread to report."""
        with self._lock, contextlib.suppress(HardwareError):
            if line != self._typed:
                self._typed = line
                if self._open:
                    self._update()

    def forget(self) -> None:
        """Something else has written into the window: draw everything again."""
        with self._lock, contextlib.suppress(HardwareError):
            self._size = os.terminal_size((0, 0))
            if self._open:
                self._update()

    def drawn_in(self, columns: int, lines: int) -> str:
        """How the picture is drawn in a window of that size, in words for people."""
        style = self._style(columns, lines)
        if style is not None:
            return style.name
        wide, high = self._styles[-1].size(WIDTH_PX, HEIGHT_PX)
        exact = next(one for one in self._styles if one.dots_of_two == 2)  # noqa: PLR2004 - a block a pixel
        best_wide, best_high = exact.size(WIDTH_PX, HEIGHT_PX)
        best_lines = best_high + 1 + len(LEGEND)
        needs = f"{wide} columns and {high + 1} lines"
        return f"too small; it needs {needs}, best are {best_wide} and {best_lines}"

    def _style(self, columns: int, lines: int) -> terminal_blocks.Style | None:
        """The largest picture that leaves room for the legend; in a small window, one without it."""
        picture, below = (WIDTH_PX, HEIGHT_PX), 1 + len(legend_lines(columns - 1))
        return terminal_blocks.best(self._styles, picture, (columns, lines - below)) or terminal_blocks.best(
            self._styles, picture, (columns, lines - 1)
        )

    def _update(self) -> None:
        """Write what differs from what the window should show."""
        try:
            size = os.get_terminal_size(self._writes)
        except OSError as gone:
            raise HardwareError(*_CLOSED) from gone
        clear = ""
        if size != self._size:
            self._size = size
            self._sent = []
            clear = "\x1b[0m\x1b[2J"
        wanted = self._lines(size.columns, size.lines)
        changes = "".join(
            f"\x1b[{number + 1};1H\x1b[2K{line}"  # erased first, or the last column would be lost
            for number, line in enumerate(wanted)
            if number >= len(self._sent) or self._sent[number] != line
        )
        self._sent = wanted
        if clear or changes:
            self._write(clear + changes)

    def _lines(self, columns: int, lines: int) -> list[str]:
        """The lines for the window: the picture, what is typed, and as much of the legend as fits."""
        style = self._style(columns, lines)
        if style is None:
            says = f"this window is {self.drawn_in(columns, lines)}"
            return textwrap.wrap(says, max(1, columns - 1))[:lines]
        if self._picture is None or self._level is Light.OFF:
            wide, high = style.size(WIDTH_PX, HEIGHT_PX)
            picture = [" " * wide] * high
        else:
            picture = style.lines(self._picture)
        colour = _COLOUR[self._level]
        # The last column stays empty: a glyph there may scroll the window.
        below = [f"> {self._typed}_"[: columns - 1], *legend_lines(columns - 1)]
        return [colour + line + _PLAIN for line in picture] + below[: lines - len(picture)]

    def _write(self, text: str) -> None:
        rest = memoryview(text.encode())
        try:
            while rest:
                rest = rest[os.write(self._writes, rest) :]
        except OSError as gone:
            raise HardwareError(*_CLOSED) from gone


def _styles(glyphs: str) -> tuple[terminal_blocks.Style, ...]:
    if glyphs == "auto":
        encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
        glyphs = "unicode" if encoding == "utf8" else "ascii"
    return terminal_blocks.UNICODE if glyphs == "unicode" else terminal_blocks.ASCII


def _type_raw(reads: int) -> None:
    """Read every key at once and without echo. Ctrl-C still sends its signal; Ctrl-S, -V and -Z are keys."""
    modes = termios.tcgetattr(reads)
    modes[0] &= ~(termios.IXON | termios.INLCR | termios.IGNCR)
    modes[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    modes[3] |= termios.ISIG
    modes[6][termios.VMIN] = 1
    modes[6][termios.VTIME] = 0
    # A program that is stopped (Ctrl-Z) in this mode would leave a shell that echoes nothing.
    modes[6][termios.VSUSP] = b"\x00"
    termios.tcsetattr(reads, termios.TCSADRAIN, modes)
