"""The whole program in its own process: a scanner on a serial line, a display of files, and `kill -9`."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from PIL import Image

from firmware.config.configuration import Config, load
from hardware.simulation.scanner_line import ScannerLine
from tests.no_orphan import NO_ORPHAN
from tests.patience import PATIENCE_S, watch
from tests.whole.scripted import CONFIG, Shown, shown

ROOT: Final = Path(__file__).parents[2]
NIMMT: Final = (sys.executable, "-m", "firmware.cli")
LONG_S: Final = PATIENCE_S
"""How long is waited for something that must happen."""
_LOOK_S: Final = 0.002
_HEARD_S: Final = 0.08
"""A code that brings no notice within this time was scanned before anybody listened."""


class LiveDevice:
    """A box with its power switch, its scanner and its display, in a folder. For one thread."""

    def __init__(
        self, folder: Path, program: Sequence[str] = NIMMT, *, journal: str = "journal.sqlite"
    ) -> None:
        self.journal: Final = folder / journal
        self.config_file: Final = folder / "table.toml"
        self._panel = folder / "pictures"
        self._panel.mkdir()
        self.config_file.write_text(CONFIG.format(folder=folder))
        self._line = ScannerLine(folder)
        self._state = folder / "state"
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._read = 0
        self.newest = Shown()
        """The newest picture that was looked at."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._line.close()

    @property
    def config(self) -> Config:
        """Its configuration."""
        return load(self.config_file)

    @property
    def pid(self) -> int:
        """The number of its process; only while it is on."""
        assert self._process is not None
        return self._process.pid

    # ------------------------------------------------------------------------------------- the switch

    def switch_on(self) -> None:
        """Start the program; the display is empty."""
        for file in self._panel.iterdir():
            file.unlink()
        self._read = 0
        self._process = subprocess.Popen(
            [
                *NO_ORPHAN,
                *self._program,
                "run",
                "--config",
                str(self.config_file),
                "--journal",
                str(self.journal),
            ],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(self._state)},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self, after_s: float = 0.0) -> None:
        """Pull the plug after a while: no signal is handled, no file is closed.

        What the program runs under, such as strace, goes with it: alone it would leave the program behind.
        """
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            status = process.wait(timeout=after_s)
            raise AssertionError(f"the program ended by itself with status {status}")
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> int:
        """Ask the program to end, as systemd does; gives its exit status."""
        assert self._process is not None
        self._process.terminate()
        status = self._process.wait(LONG_S)
        self._process = None
        return status

    # --------------------------------------------------------------------------- the scanner, the display

    def scan(self, code: str) -> None:
        """Read a code; nobody knows whether it is heard."""
        self._line.scan(code)

    def new_pictures(self) -> list[Shown]:
        """What the display has shown since it was looked at last; oldest first."""
        found = []
        while (file := self._panel / f"frame-{self._read + 1:06}.png").exists():
            with Image.open(file) as picture:
                found.append(shown(picture))
            self._read += 1
            self.newest = found[-1]
        return found

    def wait_for(self, seen: Callable[[Shown], bool], within_s: float = LONG_S) -> bool:
        """Wait for a new picture of which `seen` is true; False if it is not in time."""
        return watch(self.new_pictures, seen, within_s, _LOOK_S)

    def wait_listening(self, harmless: str) -> None:
        """Wait until scans are heard: `harmless` is a code that changes no more than a notice."""
        deadline_s = time.monotonic() + LONG_S
        while time.monotonic() < deadline_s:
            self.scan(harmless)
            if self.wait_for(lambda seen: not seen.heading, _HEARD_S):  # a notice is no heading
                return
        raise AssertionError("the scanner was never heard")
