"""QEMU's Raspberry Pi 3, started from a card; their serial lines, one of which is a shell of root.

The image has no login. But systemd gives a shell on a line that the kernel's command line names, and U-Boot
adds to that what its variable nimmt_args says: so nothing in the slot is changed for the trial.
"""

import base64
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from tests.no_orphan import NO_ORPHAN
from tests.packaging.try_image.card_file import CardFile
from tests.packaging.try_image.device_tree import MACHINE, made_tree
from tests.systemd.trial import comes, unpack

CACHE: Final = Path("build/try-image")
SUITE: Final = "trixie"
"""QEMU 10: older ones have no I2C in this machine."""
SHELL: Final = "ttyS1"
"""The mini UART: the card leaves it without pins."""
UART: Final = "uart.txt"
UNITS: Final = {
    "nimmt-companion.service": "TimeoutStartSec=1800\nWatchdogSec=600",
    "nimmt-boot-picture.service": "TimeoutStartSec=1800",
    "table-settings.service": "TimeoutStartSec=1800",
}
"""More time for what an emulated processor does slowly: lines of the section [Service]."""


class Dark(AssertionError):
    """The machine did not do what it should; says what it wrote last."""


@dataclass(frozen=True, slots=True)
class Qemu:
    """A Debian in a folder that has QEMU 10; files are handed to it in its folder `work`."""

    folder: Path

    @property
    def work(self) -> Path:
        """What QEMU is to see must be in here."""
        return self.folder / "work"

    def inside(self, file: Path) -> str:
        """The path by which QEMU sees a file."""
        return f"/{file.resolve().relative_to(self.folder)}"


def qemu() -> Qemu:
    """Make or find it. The first time needs root, mmdebstrap and the network."""
    made = CACHE / f"qemu-{SUITE}"
    if not made.exists():
        draft = made.with_suffix(".new")
        shutil.rmtree(draft, ignore_errors=True)
        unpack(SUITE, ("qemu-system-arm",), CACHE, draft)
        (draft / "work").mkdir()
        draft.rename(made)
    return Qemu(made.resolve())


def until(command: str, turns: int = 60) -> str:
    """A loop of the shell that waits until the command succeeds, for so many turns by its own clock."""
    return f"n=0; until {command} || [ $n -gt {turns} ]; do sleep 3; n=$((n+1)); done"


def arguments() -> str:
    """More words for the kernel: a shell, and more time for what an emulated processor does slowly."""
    words = [
        f"systemd.debug_shell={SHELL}",
        f"console={SHELL},115200",
        "loglevel=6",
        "systemd.watchdog_sec=0",
        "systemd.default_timeout_start_sec=1800",
        "udev.event_timeout=1800",
    ]
    for unit, lines in UNITS.items():
        coded = base64.b64encode(f"[Service]\n{lines}\n".encode()).decode()
        words.append(f"systemd.set_credential_binary=systemd.unit-dropin.{unit}:{coded}")
    return " ".join(words)


@dataclass
class Pi:
    """A machine that has power while its block runs. For one thread."""

    qemu: Qemu
    card: CardFile
    stick: Path | None = None
    """A USB stick that is plugged in: a file with a file system, beside the card."""
    _process: subprocess.Popen[bytes] | None = None
    _line: socket.socket | None = None
    _scanner: socket.socket | None = None
    _heard: bytearray = field(default_factory=bytearray)
    _asked: int = 0

    def __enter__(self) -> Self:
        try:
            self._on()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Off at once: what the machine has not given to the card is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        for line in (self._line, self._scanner):
            if line is not None:
                line.close()

    def _on(self) -> None:
        """Give it power. The card's U-Boot is what runs first; the firmware before it is not emulated."""
        work = self.card.path.parent
        tree = made_tree(self.card, work)
        (work / "u-boot.bin").write_bytes(self.card.read("u-boot.bin"))
        (work / UART).write_bytes(b"")
        for name in ("line", "scanner"):
            (work / name).unlink(missing_ok=True)
        with (work / "qemu.txt").open("wb") as said:
            self._process = subprocess.Popen(
                [*NO_ORPHAN, "chroot", str(self.qemu.folder), *self._command(tree)],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        self._line = self._connected("line")
        threading.Thread(target=self._listen, args=(self._line,), daemon=True).start()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let nothing happen in it while the block runs: its card is as if the plug had been pulled."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self._process.pid, signal.SIGCONT)

    @property
    def said(self) -> str:
        """All that it has written to the line of its shell since it was switched on."""
        return bytes(self._heard).decode(errors="replace")

    @property
    def said_by_u_boot(self) -> str:
        """All that U-Boot has written to the UART of the pins since it was switched on."""
        return (self.card.path.parent / UART).read_text(errors="replace")

    def hear(self, pattern: str, start: int = 0) -> re.Match[str]:
        """Wait for a text on the line, after the first `start` characters. Raises `Dark`."""
        return self._hear(lambda: self.said, pattern, start)

    def hear_u_boot(self, pattern: str) -> re.Match[str]:
        """Wait for a text of U-Boot. Raises `Dark`."""
        return self._hear(lambda: self.said_by_u_boot, pattern)

    def _hear(self, said: Callable[[], str], pattern: str, start: int = 0) -> re.Match[str]:
        wanted, found = re.compile(pattern, re.DOTALL), list[re.Match[str]]()

        def heard() -> bool:
            found.extend(filter(None, [wanted.search(said(), start)]))
            return bool(found) or self._process is None or self._process.poll() is not None

        if comes(heard) and found:
            return found[0]
        qemu_said = (self.card.path.parent / "qemu.txt").read_text(errors="replace")
        raise Dark(f"nothing like {pattern!r}; the end of the line is\n{said()[-3000:]}{qemu_said}")

    def run(self, command: str) -> tuple[int, str]:
        """Run a command of the shell as root; its status and what it says. Raises `Dark`."""
        assert self._line is not None
        self._asked += 1
        begin, end = f"BEGIN-{self._asked}-", f"END-{self._asked}-"
        start = len(self.said)
        # Quoted in the middle, so that the echo of the line is not taken for the answer.
        told = (
            f"echo BEG''IN-{self._asked}-; {{ {command}; }} </dev/null 2>&1; echo E''ND-{self._asked}-$?-\n"
        )
        self._line.sendall(b"\n" + told.encode())
        found = self.hear(rf"{begin}\s*\n(.*?){end}(\d+)-", start)
        return int(found[2]), found[1].replace("\r", "").strip()

    def wait_shell(self) -> None:
        """Wait until the shell answers: what is typed before it runs is lost, so it is asked again."""
        assert self._line is not None
        line, start = self._line, len(self.said)

        def answers() -> bool:
            line.sendall(b"\necho HERE''-\n")
            return "HERE-" in self.said[start:]

        if not comes(answers, look_s=5):
            raise Dark(self.said[-3000:])
        self.run("export SYSTEMD_COLORS=0 SYSTEMD_PAGER=cat")

    def plug_scanner(self) -> None:
        """Take hold of the line at the pins, which are those of a scanner."""
        self._scanner = self._connected("scanner")

    def scanned(self, code: str) -> None:
        assert self._scanner is not None
        self._scanner.sendall(f"{code}\r".encode())

    def _command(self, tree: str) -> list[str]:
        stick: list[Any] = []
        if self.stick is not None:
            stick = ["-drive", f"file={self.qemu.inside(self.stick)},if=none,id=stick,format=raw"]
            stick += ["-device", "usb-storage,drive=stick"]
        place = self.qemu.inside(self.card.path.parent)
        # The scanner is at the UART of the pins. With QEMU's scanner for USB, the USB of this machine
        # interrupts without end, and Linux says that its first processor does nothing else.
        socket_of = f"socket,id=scanner,path={place}/scanner,server=on,wait=off"
        scanner = ["-chardev", f"{socket_of},logfile={place}/{UART}", "-serial", "chardev:scanner"]
        line = ["-chardev", f"socket,id=line,path={place}/line,server=on,wait=on,logfile={place}/line.txt"]
        line += ["-serial", "chardev:line"]
        return [
            *("qemu-system-aarch64", "-M", MACHINE, "-nodefaults", "-display", "none"),
            # One thread for all processors: on a busy machine four wait for each other until Linux gives up.
            *("-accel", "tcg,thread=single"),
            # Its clock counts instructions, 4 ns for each, and stands still while this machine does something
            # else. Else every time-out of the card would depend on what that is.
            *("-icount", "shift=2"),
            *("-monitor", f"unix:{place}/monitor,server=on,wait=off"),
            *("-kernel", f"{place}/u-boot.bin", "-dtb", f"{place}/{tree}"),
            "-drive",
            f"file={place}/{self.card.path.name},if=sd,format=raw,cache=writeback",
            *scanner,
            *line,
            *stick,
        ]

    def _connected(self, name: str) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)

        def there() -> bool:
            """Whether QEMU has opened it by now, or has ended."""
            with suppress(OSError):
                line.connect(str(self.card.path.parent / name))
                return True
            return self._process is None or self._process.poll() is not None

        if comes(there) and self._process is not None and self._process.poll() is None:
            return line
        raise Dark((self.card.path.parent / "qemu.txt").read_text(errors="replace"))

    def _listen(self, line: socket.socket) -> None:
        try:
            while piece := line.recv(65536):
                self._heard += piece
        except OSError:
            return  # it was switched off
