"""The device in a terminal: what is typed, what is drawn, and how the terminal is left."""

import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hardware.drivers.terminal import Terminal
from hardware.errors import HardwareError
from hardware.panel import terminal_blocks
from hardware.ports import Key, KeyPressed, KeyReleased, Light, Press, Scanned
from hardware.scanner.terminal_input import (
    ESCAPE_S,
    LEGEND,
    MINUS_S,
    ProgramRequest,
    TerminalInput,
    Typed,
    legend_lines,
)
from tests.hardware.device_setup import SOON_S, Letters
from tests.hardware.oled_setup import noise
from tests.hardware.window_setup import Window

Begin = Callable[..., tuple[Terminal, Window]]

SHORT, LONG, DOUBLE = Press.SHORT, Press.LONG, Press.DOUBLE

# ------------------------------------------------------------------------------------------ what is typed


def said(data: bytes) -> list[str]:
    return [in_short(typed) for typed in TerminalInput().feed(data, 0.0)]


def in_short(typed: Typed) -> str:
    match typed:
        case KeyPressed(key, press, _):
            return f"{key.value} {press.value}"
        case KeyReleased(key, _):
            return f"{key.value} up"
        case Scanned(text, _):
            return text
        case ProgramRequest():
            return f"<{typed.value}>"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("42\r", ["42"]),
        ("42\n", ["42"]),
        ("104\r55\r", ["104", "55"]),
        ("b3\r", ["6NC-P03"]),
        ("b10\r", ["6NC-P10"]),
        ("b\r", []),
        (":6NC-SWAP\r", ["6NC-SWAP"]),
        (":u\r", ["u"]),
        (":\r", []),
        ("6N055K\r", ["6N055K"]),  # a scanner that acts as a keyboard
        ("\r", ["ok short"]),
        ("m", ["ok long"]),
        ("M", ["ok long"]),
        ("d", ["ok double"]),
        ("u", ["undo short"]),
        ("\x7f", ["undo short"]),
        ("\x08", ["undo short"]),
        ("U", ["undo long"]),
        ("qwer", ["row_1 short", "row_2 short", "row_3 short", "row_4 short"]),
        ("mUq", ["ok long", "undo long", "ok up", "undo up", "row_1 short"]),
        ("mm", ["ok long", "ok up", "ok long"]),
        ("m5\r", ["ok long", "ok up", "5"]),
        ("QWER", ["row_1 long", "row_2 long", "row_3 long", "row_4 long"]),
        ("?", ["why short"]),
        ("-+", ["turn_left short", "turn_right short"]),
        ("\x1b[A\x1b[B\x1b[C\x1b[D", ["up short", "down short", "right short", "left short"]),
        ("\x1bOA", ["up short"]),
        ("\x1b[1;5A\x1b[3~", ["up short"]),
        ("1\x7f2\r", ["2"]),
        ("1\x7f\x7f", ["undo short"]),
        ("4u2\r", ["4u2"]),
        ("b3x\r", ["6NC-P03"]),
        ("b3r2\r", ["6NC-P03R2"]),
        ("b3r25\r", ["6NC-P03R2"]),
        ("b3r\r", []),
        ("x", ["<quit>"]),
        ("\x04", ["<quit>"]),
        ("12\x04", ["<quit>"]),
        ("\x0c", ["<redraw>"]),
        ("é\xff", []),
        ("۱۰۴\r٥٥\r", ["104", "55"]),  # a Persian and an Arabic keyboard
        ("b۳r۲\r", ["6NC-P03R2"]),
        (":لیلا,ü\r:سید\u200cعلی\r", ["لیلا,ü", "سید\u200cعلی"]),
        ("-۴۵\r", ["-45"]),
        ("zZ~", []),
    ],
)
def test_what_is_typed_is_what_is_meant(typed: str, meant: list[str]) -> None:
    assert said(typed.encode()) == meant


def test_an_escape_alone_forgets_the_line_and_an_arrow_in_two_pieces_is_an_arrow() -> None:
    keyboard = TerminalInput()
    keyboard.feed(b"42\x1b", 1.0)
    assert keyboard.line == "42"
    assert keyboard.due_s == pytest.approx(1.0 + ESCAPE_S)
    keyboard.until(1.0 + ESCAPE_S)
    assert keyboard.line == ""
    assert keyboard.feed(b"\x1b", 2.0) == []
    assert keyboard.feed(b"[", 2.01) == []
    assert keyboard.feed(b"A", 2.02) == [KeyPressed(Key.UP, SHORT, 2.02)]


def test_a_minus_begins_a_number_below_zero_and_alone_it_is_the_knob() -> None:
    knob = KeyPressed(Key.TURN_LEFT, SHORT, 0.0)
    keyboard = TerminalInput()
    assert keyboard.feed(b"-45\r", 0.0) == [Scanned("-45", 0.0, typed=True)]
    assert keyboard.feed(b"-", 0.0) == []
    assert keyboard.due_s == pytest.approx(MINUS_S)
    assert [in_short(one) for one in keyboard.until(MINUS_S)] == [in_short(knob)]
    assert (keyboard.line, keyboard.due_s) == ("", None)
    assert said(b"--u") == ["turn_left short", "turn_left short", "undo short"]
    assert said(b"-\x1b[A") == ["turn_left short", "up short"]


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_whatever_is_typed_a_scan_is_printable(chunks: list[bytes]) -> None:
    keyboard = TerminalInput()
    for number, chunk in enumerate(chunks):
        for typed in keyboard.feed(chunk, float(number)):
            if isinstance(typed, Scanned):
                assert typed.text.replace("\u200c", "").isprintable()
                assert 1 <= len(typed.text) <= 128


# ------------------------------------------------------------------------------------------ what is drawn


def picture(*lit: tuple[int, int], size: tuple[int, int] = (128, 64)) -> Image.Image:
    frame = Image.new("1", size)
    for place in lit:
        frame.putpixel(place, 1)
    return frame


@pytest.mark.parametrize(
    ("style", "lit", "glyph"),
    [
        (terminal_blocks.HALF, [(0, 0)], "▀"),
        (terminal_blocks.HALF, [(0, 1)], "▄"),
        (terminal_blocks.HALF, [(0, 0), (0, 1)], "█"),
        (terminal_blocks.QUARTER, [(0, 0)], "▘"),
        (terminal_blocks.QUARTER, [(1, 0)], "▝"),
        (terminal_blocks.QUARTER, [(0, 1)], "▖"),
        (terminal_blocks.QUARTER, [(1, 1)], "▗"),
        (terminal_blocks.QUARTER, [(1, 0), (0, 1)], "▞"),
        (terminal_blocks.QUARTER, [(0, 0), (1, 0), (0, 1), (1, 1)], "█"),
        (terminal_blocks.BRAILLE, [], "\u2800"),
        (terminal_blocks.BRAILLE, [(0, 0)], "⠁"),
        (terminal_blocks.BRAILLE, [(1, 0)], "⠈"),
        (terminal_blocks.BRAILLE, [(0, 3)], "⡀"),
        (terminal_blocks.BRAILLE, [(x, y) for x in (0, 1) for y in range(4)], "⣿"),
        (terminal_blocks.LARGE_BRAILLE, [(0, 0)], "⠁"),
        (terminal_blocks.LARGE_BRAILLE, [(1, 1)], "⠰"),
        (terminal_blocks.LARGEST_BRAILLE, [(0, 0)], "⠿"),
        (terminal_blocks.LARGE_HALF, [(0, 0)], "█"),
        (terminal_blocks.ASCII_HALF, [(0, 1)], "."),
        (terminal_blocks.ASCII_EIGHTH, [(0, 0)], "."),
    ],
)
def test_a_cell_of_pixels_is_one_glyph(
    style: terminal_blocks.Style, lit: list[tuple[int, int]], glyph: str
) -> None:
    lines = style.lines(picture(*lit))
    assert lines[0][0] == glyph
    assert (len(lines[0]), len(lines)) == style.size(128, 64)


# ------------------------------------------------------------------------------------------ in a terminal


@pytest.fixture
def begin(letters: Letters) -> Iterator[Begin]:
    begun = []

    def begin(columns: int = 140, lines: int = 40, **options: Any) -> tuple[Terminal, Window]:
        window = Window(columns, lines)
        terminal = Terminal(
            Terminal.Options(**{"glyphs": "unicode", **options}), reads=window.slave, writes=window.slave
        )
        begun.append((terminal, window))
        terminal.start(letters.post)
        assert window.shows(lambda: any("_" in line for line in window.grid) or "small" in str(window.grid))
        return terminal, window

    yield begin
    for terminal, window in begun:
        terminal.close()
        window.close()


@pytest.mark.parametrize(
    ("columns", "lines", "glyphs", "style"),
    [
        (256, 68, "unicode", terminal_blocks.LARGE_HALF),
        (200, 60, "unicode", terminal_blocks.LARGEST_BRAILLE),
        (128, 36, "unicode", terminal_blocks.HALF),
        (130, 34, "unicode", terminal_blocks.LARGE_BRAILLE),
        (100, 30, "unicode", terminal_blocks.LARGE_BRAILLE),
        (140, 50, "unicode", terminal_blocks.HALF),
        (100, 40, "unicode", terminal_blocks.QUARTER),
        (80, 24, "unicode", terminal_blocks.BRAILLE),
        (128, 36, "ascii", terminal_blocks.ASCII_HALF),
        (80, 40, "ascii", terminal_blocks.ASCII_QUARTER),
        (80, 24, "ascii", terminal_blocks.ASCII_EIGHTH),
    ],
)
def test_the_picture_is_drawn_as_well_as_the_window_allows(
    begin: Begin, columns: int, lines: int, glyphs: str, style: terminal_blocks.Style
) -> None:
    terminal, window = begin(columns, lines, glyphs=glyphs)
    frame = noise(6)
    terminal.draw(frame)
    expected = style.lines(frame)
    assert window.shows(lambda: window.grid[: len(expected)] == expected)
    assert terminal.settle(SOON_S)
    assert window.grid[len(expected)] == "> _"
    assert window.grid[len(expected) + 1] == legend_lines(columns - 1)[0]
    assert style.name in terminal.check()


@pytest.mark.parametrize("columns", [65, 80, 100, 140])
def test_no_key_in_the_legend_is_cut_where_the_window_has_the_lines(begin: Begin, columns: int) -> None:
    terminal, window = begin(columns, 24)
    terminal.draw(noise(6))
    keys = [key for part in LEGEND for key in part.split("   ")]
    assert "x Ctrl-C quit" in keys
    assert window.shows(lambda: all(any(key in line for line in window.grid) for key in keys))


def test_a_window_that_is_too_small_says_which_size_would_do(begin: Begin) -> None:
    terminal, window = begin(60, 10)
    assert window.shows(lambda: "needs 64 columns and 17 lines" in "".join(window.grid))
    frame = picture((0, 0))
    terminal.draw(frame)
    window.resize(80, 24)
    assert window.shows(lambda: window.grid[:16] == terminal_blocks.BRAILLE.lines(frame))


def test_only_the_lines_that_changed_are_sent_again(begin: Begin) -> None:
    terminal, window = begin()
    terminal.draw(picture())
    assert terminal.settle(SOON_S)
    window.type(b"4")
    assert window.shows(lambda: "> 4_" in window.grid)  # and so all that was written before
    window.raw = b""
    frame = picture((5, 10))
    terminal.draw(frame)
    assert window.shows(lambda: window.grid[:32] == terminal_blocks.HALF.lines(frame))
    assert window.raw.count(b"\x1b[2K") == 1
    assert len(window.raw) < 250


def test_the_light_is_white_grey_or_off(begin: Begin) -> None:
    terminal, window = begin()
    terminal.draw(picture((0, 0)))
    assert window.shows(lambda: window.grid[0].startswith("▀"))
    terminal.light(Light.DIM)
    assert window.shows(lambda: b"\x1b[0;2;37;40m" in window.raw)
    terminal.light(Light.OFF)
    assert window.shows(lambda: not window.grid[0].strip())
    terminal.light(Light.FULL)
    assert window.shows(lambda: window.grid[0].startswith("▀"))


def test_what_is_typed_is_shown_and_then_posted(begin: Begin, letters: Letters) -> None:
    _, window = begin()
    window.type(b"104")
    assert window.shows(lambda: "> 104_" in window.grid)
    before_s = time.monotonic()
    window.type(b"\x7f\r")
    scanned = letters.next(Scanned)
    assert scanned.text == "10"
    assert before_s <= scanned.at_s <= time.monotonic()
    assert window.shows(lambda: "> _" in window.grid)
    window.type(b"\x1b[A")
    assert letters.next(KeyPressed).key is Key.UP


def test_the_terminal_is_given_back_as_it_was_found(begin: Begin) -> None:
    fresh = Window(80, 24)
    found = termios.tcgetattr(fresh.slave)
    fresh.close()
    terminal, window = begin()
    assert termios.tcgetattr(window.slave) != found
    terminal.close()
    terminal.close()
    assert termios.tcgetattr(window.slave) == found
    assert window.shows(lambda: window.raw.endswith(b"\x1b[0m\x1b[?25h\x1b[?1049l"))
    assert not window.read(0.1)


def test_without_a_terminal_it_says_what_to_do(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w+b") as file:
        terminal = Terminal(Terminal.Options(), reads=file.fileno(), writes=file.fileno())
        with pytest.raises(HardwareError, match="standard input is not a terminal"):
            terminal.start(Letters().post)
        with pytest.raises(HardwareError, match="choose another display"):
            terminal.check()


PROGRAM = """
import fcntl, queue, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # Ctrl-C goes to whom the terminal belongs to
from hardware.drivers.terminal import Terminal
terminal = Terminal(Terminal.Options(glyphs="unicode"))
notes = queue.Queue()
try:
    terminal.start(notes.put)
    while True:
        notes.get()
except KeyboardInterrupt:
    if "leave" in sys.argv:
        sys.exit(3)
    raise
"""


@pytest.mark.slow
@pytest.mark.parametrize("keys", [b"\x03", b"\x04", b"x"])
@pytest.mark.parametrize("argument", ["leave", "crash"])
def test_ctrl_c_ctrl_d_and_x_wake_the_main_thread_and_the_terminal_is_restored_whatever_happens(
    keys: bytes, argument: str
) -> None:
    window = Window(100, 40)
    found = termios.tcgetattr(window.slave)
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, argument],
        stdin=window.slave,
        stdout=window.slave,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])},
        start_new_session=True,
    ) as program:
        assert window.shows(lambda: "> _" in window.grid)
        window.type(keys)
        while program.poll() is None:
            window.read(0.05)
        assert program.returncode in ((3,) if argument == "leave" else (1, 130, -signal.SIGINT))
    assert window.shows(lambda: b"\x1b[?1049l" in window.raw)
    assert termios.tcgetattr(window.slave) == found
    window.close()
