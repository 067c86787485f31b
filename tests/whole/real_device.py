"""The whole device in this process: real luma, gpiozero, lgpio.py and pyserial over simulated lowest layers.

The loop has a thread of its own, as it has on a Raspberry Pi; the test is the people at the table.
"""

from __future__ import annotations

import fcntl
import os
import termios
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, Self

from companion.match.match import Match
from firmware.config.configuration import parse
from firmware.journal.store import Journal
from firmware.play.pages import UNSEEN_S
from firmware.play.runtime import Runtime
from hardware.ports import KeyPressed, Message
from hardware.scanner.framing import SILENCE_S
from hardware.simulation.i2c_node import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from hardware.simulation.scanner_line import ScannerLine
from tests.firmware.evening import device
from tests.hardware.gpio_setup import flutter_until, fresh_chip
from tests.patience import PATIENCE_S, comes
from tests.whole import reading

LONG_S: Final = PATIENCE_S
"""How long is waited for something that must happen."""
_LOOK_S: Final = 0.003
_MS: Final = 1_000_000

_CONFIG: Final = """
board = "hand-wired"

[buttons]
hold_s = 5.0
noise_rest_s = 0.2

[codes]
plain_numbers = true

[scanner]
driver = "serial"
port = "{port}"
"""


class RealDevice:
    """The hand-wired table with everything plugged in, resuming the match in `folder`; a context manager."""

    def __init__(self, folder: Path) -> None:
        self.chip = fresh_chip()
        self.panel = SimulatedPanel("ssd1309")
        self.bus = SimulatedI2cBus(self.panel)
        self.line = ScannerLine(folder)
        self.config = parse(_CONFIG.format(port=self.line.path), "the table of the test")
        self.keys: dict[str, int] = dict(getattr(self.config.buttons.options, "pins", {}))
        self.journal = folder / "journal.sqlite"
        self.runtime: Runtime
        self._is_made = threading.Event()
        self._loop = threading.Thread(target=self._live, name="loop", daemon=True)
        self._stack = ExitStack()
        self._up_ns = 0  # when the newest key was released
        self._keys_heard = 0
        self._pause = threading.Event()  # nobody sets it: waiting for it is looking again a little later

    def __enter__(self) -> Self:
        self._stack.enter_context(self.bus)
        self._stack.callback(self.line.close)
        self._stack.callback(self._stop)
        self._loop.start()
        assert self._is_made.wait(LONG_S)
        assert self.runtime.devices["scanner"].wait_listening(LONG_S)
        assert self.chip.wait_watched(*self.keys.values(), timeout_s=LONG_S)
        self.wait(lambda: self.panel.lit)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _live(self) -> None:
        """What `nimmt run` does: one thread makes the device, is its loop, and closes it."""
        self.runtime = Runtime(self.config, self.journal)
        hear = self.runtime.app.controller.hear

        def hears(message: Message, now_s: float) -> bool:
            counted = hear(message, now_s)
            self._keys_heard += isinstance(message, KeyPressed)
            return counted

        self.runtime.app.controller.hear = hears  # type: ignore[method-assign] # the same, and counted
        try:
            self.runtime.start()
            self._is_made.set()
            self.runtime.app.run()
        finally:
            self.runtime.close()

    def _stop(self) -> None:
        assert self._loop.is_alive(), "the loop has ended"
        self.runtime.app.stop()
        self._loop.join(LONG_S)

    # ------------------------------------------------------------------------------------- what is seen

    @property
    def match(self) -> Match:
        """The match in play."""
        return self.runtime.session.playing

    @property
    def page(self) -> str:
        """The name of the page in front."""
        return self.runtime.app.controller.front.NAME

    def title(self) -> str:
        """The title on the display."""
        return reading.title(self.panel.seen())

    def body(self) -> str:
        """The lines on the display, without title and footer."""
        return reading.body(self.panel.seen())

    def wait(self, ready: Callable[[], bool]) -> None:
        """Wait until something holds."""
        assert comes(ready, _LOOK_S), (self.page, self.title(), self.body(), self.runtime.session.faults)

    def wait_title(self, title: str) -> None:
        """Wait until the display has this title."""
        self.wait(lambda: self.title() == reading.alike(title))

    # ------------------------------------------------------------------------------------- what is done

    def scan(self, *codes: str) -> None:
        """Scan codes of which each makes a step."""
        for code in codes:
            self.making_a_step(lambda code=code: self.line.scan(code))  # type: ignore[misc]

    def scan_until(self, code: str, seen: Callable[[], bool]) -> None:
        """Scan a code again and again, as people do, until something is seen."""

        def seen_after_a_scan() -> bool:
            self.line.scan(code)
            return seen()

        assert comes(seen_after_a_scan, look_s=0.3)

    def silence(self) -> None:
        """Let the scanner's line be silent for longer than any pause within a code.

        Where the machine is busy, the driver may see no silence all the same: it looks at the clock when it
        has read.
        """
        line = os.open(self.line.path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            self.wait(lambda: not any(fcntl.ioctl(line, termios.FIONREAD, bytes(4))))  # all was read
        finally:
            os.close(line)
        self._pause.wait(3 * SILENCE_S)

    def press(self, key: str, bounces: int = 0) -> None:
        """Press a key for a moment; it bounces so many times when it closes, and when it opens.

        Where the keys are only read now and then, it is held until that has happened.
        """
        if not self.runtime.devices["buttons"].alive():
            (wire,) = (
                pin.wire for pin in self.runtime.devices["buttons"]._pins if pin.number == self.keys[key]
            )
            self.chip.press(self.keys[key])
            self.wait(lambda: bool(wire.contact))
            self.chip.release(self.keys[key])
            self.wait(lambda: not wire.contact)
            return
        down_ns = max(time.monotonic_ns(), self._up_ns + 100 * _MS)  # no finger is faster
        self._up_ns = down_ns + 60 * _MS
        for level, at_ns in ((0, down_ns), (1, self._up_ns)):
            self.chip.chatter(self.keys[key], level, edges=1 + 2 * bounces, gap_us=4000, at_ns=at_ns)

    def ok_until(self, page: str) -> None:
        """Press OK until a page is in front: an OK may mean a fault that came up, or the page below it."""
        for _ in range(5):
            self._pause.wait(UNSEEN_S)  # read what is on the display
            heard = self._keys_heard
            self.press("ok")
            self.wait(lambda heard=heard: self._keys_heard > heard)  # type: ignore[misc]
            if self.page == page:
                return
        raise AssertionError((self.page, self.title(), self.body()))

    def flutter_until(self, key: str, seen: Callable[[], bool]) -> None:
        """Let the wire of a key make noise for so long that something is seen."""
        assert flutter_until(self.chip, self.keys[key], seen), (self.title(), self.body())

    def babble_until(self, noise: bytes, seen: Callable[[], bool]) -> None:
        """Let the scanner send noise again and again, with silences between, until something is seen."""

        def seen_after_more() -> bool:
            self.line.write(noise)
            self.silence()
            return seen()

        assert comes(seen_after_more)

    def making_a_step(self, action: Callable[[], object]) -> None:
        """Do something and wait until it has made one step of the match."""
        steps = self.match.steps
        action()
        self.wait(lambda: self.match.steps > steps)
        assert self.match.steps == steps + 1


def kept(journal: Path) -> list[dict[str, Any]]:
    """The steps of the first match in a journal, without their times."""
    with closing(Journal.read(journal)) as reader:
        return list(reader.steps(1))


def expected(folder: Path, script: str) -> list[dict[str, Any]]:
    """The steps that a device makes in a new folder where nobody disturbs it."""
    folder.mkdir()
    with device(folder, script):
        pass
    return kept(folder / "journal.sqlite")
