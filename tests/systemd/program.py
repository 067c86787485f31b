"""The whole program as a service: started, listened to and ended as systemd does it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Self

from PIL import Image

from hardware.simulation.scanner_line import ScannerLine
from tests.no_orphan import NO_ORPHAN
from tests.patience import PATIENCE_S, comes
from tests.systemd.manager import Manager

ROOT: Final = Path(__file__).parents[2]
LONG_S: Final = PATIENCE_S
LOOK_S: Final = 0.1

CONFIG: Final = """\
[display]
driver = "png"
folder = "{folder}/pictures"
scale_px = 1
[scanner]
driver = "serial"
port = "{folder}/nimmt-scanner"
[codes]
plain_numbers = true
[table]
duplicate_s = 0
[screen]
heartbeat_s = 0
shift_every_s = 0
dim_after_s = 0
hide_after_s = 0
"""


class Program:
    """The program in a process of its own, with a scanner, a display of files, and its manager."""

    def __init__(self, folder: Path, *words: str, config: str = CONFIG) -> None:
        self.folder: Final = folder
        self.journal: Final = folder / "state" / "journal.sqlite"
        self.status: Final = folder / "run" / "status.json"
        for name in ("pictures", "state", "run"):
            (folder / name).mkdir(exist_ok=True)
        self.config: Final = folder / "nimmt.toml"
        self.config.write_text(config.format(folder=folder))
        self.scanner: Final = ScannerLine(folder)
        self.manager: Final = Manager(folder)
        self.process: Final = subprocess.Popen(
            [*NO_ORPHAN, *self._command(words)],
            cwd=ROOT,
            env=os.environ
            | {
                "PYTHONPATH": str(ROOT),
                "NOTIFY_SOCKET": self.manager.address,
                "WATCHDOG_USEC": "10000000",
                "STATE_DIRECTORY": str(folder / "state"),
                "RUNTIME_DIRECTORY": str(folder / "run"),
            },
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.manager.__exit__()
        self.scanner.unplug()

    def picture(self) -> bytes:
        """The display now; nothing before the first picture."""
        file = self.folder / "pictures" / "latest.png"
        if not file.exists():
            return b""
        with Image.open(file) as picture:
            return picture.convert("1").tobytes()

    def wait_until(self, seen: Callable[[], bool]) -> None:
        assert comes(seen, LOOK_S), "it never came"

    def wait_for(self, picture: bytes) -> None:
        self.wait_until(lambda: self.picture() == picture)

    def wait_listening(self, harmless: str = "6NC-SWAPV") -> None:
        """Wait until scans are heard: `harmless` is a code that changes no more than a notice."""
        before = self.picture()

        def heard() -> bool:
            self.scanner.scan(harmless)
            return self.picture() != before

        self.wait_until(heard)

    def end(self, with_signal: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send it a signal; gives the exit status and what it wrote on standard error."""
        self.process.send_signal(with_signal)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Wait for its end; gives the exit status and what it wrote on standard error."""
        _, said = self.process.communicate(timeout=LONG_S)
        return self.process.returncode, said.decode()

    def _command(self, words: Sequence[str]) -> list[str]:
        return [sys.executable, "-m", "firmware.cli", "run", "--config", str(self.config), *words]
