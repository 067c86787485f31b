"""The program as a service, in a process of its own: begun, fed, ended, and brought back.

A start costs a second of the processor, so each of these programs shows several things on its way.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, Self

from PIL import Image

from firmware.display import status_pictures
from firmware.display.status_pictures import Notice
from firmware.journal.store import Journal
from firmware.text.translation import Translator
from hardware.simulation.scanner_line import ScannerLine
from tests.firmware.evening import device
from tests.no_orphan import NO_ORPHAN
from tests.patience import PATIENCE_S, comes
from tests.systemd.box import Manager

ROOT: Final = Path(__file__).parents[2]
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

    def __init__(self, folder: Path, *, config: str = CONFIG) -> None:
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
            [*NO_ORPHAN, sys.executable, "-m", "firmware.cli", "run", "--config", str(self.config)],
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
        assert comes(seen, 0.1), "it never came"

    def wait_for(self, picture: bytes) -> None:
        self.wait_until(lambda: self.picture() == picture)

    def wait_listening(self) -> None:
        """Wait until scans are heard."""
        before = self.picture()

        def heard() -> bool:
            self.scanner.scan("6NC-SWAPV")  # it changes no more than a notice
            return self.picture() != before

        self.wait_until(heard)

    def end(self, with_signal: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send it a signal; gives the exit status and what it wrote on standard error."""
        self.process.send_signal(with_signal)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Wait for its end; gives the exit status and what it wrote on standard error."""
        _, said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, said.decode()


JOIN = (
    "6NC-R1U",
    "6NC-P01J",
    "6NC-P02S",
    "6NC-P03Z",
    "6NC-P04G",
    "6NC-OKB",
    "6NC-R1U",
    "6NC-P09V",
    "6NC-R1U",
)
"""The badge of nobody parts two codes that are the same and would count as one scan."""


def joined(program: Program, *cards: str) -> None:
    """Four people begin a match of 6 nimmt!, and scan these cards."""
    (program.folder / "elsewhere").mkdir()
    with device(program.folder / "elsewhere") as other:
        program.wait_for(other.runtime.app.picture().tobytes())
    program.wait_listening()
    for code in (*JOIN, *cards):
        program.scanner.scan(code)
    program.manager.wait_for("STATUS=deal 1")


def crashed(folder: Path, times: int) -> Path:
    """So many crashes a moment ago as the program notes them: the last one when it starts again.

    `test_crashes` shows how they are counted.
    """
    file = folder / "run" / "deaths.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps([time.monotonic()] * (times - 1)))
    return file


def test_it_is_ready_then_alive_then_stops_and_a_broken_file_is_told_the_next_time(tmp_path: Path) -> None:
    with Program(tmp_path) as program:
        came = program.manager.wait_for("WATCHDOG=1")
        assert came[0] == "READY=1"
        assert json.loads(program.status.read_text())["pid"] == program.process.pid
        assert program.end() == (0, "")
        assert program.manager.waiting()[-1] == "STOPPING=1"
        assert program.picture() == status_pictures.picture(Notice.STOPPED, Translator()).tobytes()
        assert not program.status.exists()
    with Program(tmp_path, config=CONFIG + "[tabel]\n") as program:  # the file that was right is used
        came = program.manager.wait_for("WATCHDOG=1") + program.manager.wait_for("WATCHDOG=1")
        assert came[0] == "READY=1"
        assert any("tabel" in line for line in came)
        assert program.end()[0] == 0


def test_garbage_from_the_scanner_stops_nothing_and_a_stop_flushes_what_was_scanned_last(
    tmp_path: Path,
) -> None:
    garbage = (bytes(range(256)) + b"6N999A\r\n4007396032\r\x00\xff" + b"x" * 3000) * 300  # a megabyte
    with Program(tmp_path) as program:
        program.manager.wait_for("WATCHDOG=1")
        program.manager.waiting()
        program.scanner.write(garbage)
        program.manager.wait_for("WATCHDOG=1")
        program.scanner.write(b"\r" * 10)
        joined(program, "12", "37", "43", "58", "14", "44")
        before = program.picture()
        program.scanner.scan("61")
        program.wait_until(lambda: program.picture() != before)
        assert program.end() == (0, "")
    with closing(Journal.read(program.journal)) as journal:
        assert journal.matches()[0].steps == 7
    with Program(tmp_path) as program:
        program.manager.wait_for("STATUS=deal 1")
        assert json.loads(program.status.read_text())["match"]["asks"] == ["play a card"]


def test_after_a_third_quick_death_it_comes_back_in_safe_mode_and_a_stop_ends_the_count(
    tmp_path: Path,
) -> None:
    crashed(tmp_path, 2)
    with Program(tmp_path) as program:
        program.manager.wait_for("WATCHDOG=1")
        assert json.loads(program.status.read_text())["mode"] == "normal"
        program.process.send_signal(signal.SIGSTOP)  # as good as hanging
        program.process.send_signal(signal.SIGABRT)  # what the watchdog does
        status, said = program.end(signal.SIGCONT)
        assert status == -signal.SIGABRT
        assert "serial_line.py" in said  # the thread of the scanner
        assert "app.py" in said  # the loop
    deaths = crashed(tmp_path, 1 + len(json.loads((tmp_path / "run" / "deaths.json").read_text())))
    with Program(tmp_path) as program:
        program.manager.wait_for("WATCHDOG=1")
        assert json.loads(program.status.read_text())["mode"] == "safe"
        assert program.end()[0] == 0
    assert not deaths.exists()


def test_a_configuration_that_was_never_good_ends_it_with_all_its_faults_and_at_last_in_safe_mode(
    tmp_path: Path,
) -> None:
    faulty = "[screen]\nlanguage = 'xx'\ndim = 1\n"
    crashed(tmp_path, 2)
    with Program(tmp_path, config=faulty) as program:
        status, said = program.ended()
        assert status == 1
        assert "screen.language" in said
        assert "screen.dim" in said
        assert program.manager.waiting() == []
    crashed(tmp_path, 3)
    with Program(tmp_path, config=faulty) as program:
        program.manager.wait_for("WATCHDOG=1")
        program.manager.wait_for("WATCHDOG=1")  # by now the table was told of everything
        issues = {one["id"] for one in json.loads(program.status.read_text())["issues"]}
        assert {"safe-mode", "configuration"} <= issues
