"""The package on a fresh Debian that really runs systemd: installed, hurt, upgraded, switched off, removed.

    python -m tests.systemd.package_trial [--suite bookworm] dist/nimmt-companion_*.deb

A container, not a machine: there is no GPIO and no I2C, the display is a picture file and the scanner a
serial line of the kernel. What is tried is all that stands between the program and the machine: the scripts
of the package, the units with their sandbox, the watchdog, polkit, the last picture. Needs root,
the packages mmdebstrap and systemd-container, and the apt sources of this machine. Takes a few minutes,
leaves nothing behind but a cached base system in build/trial, and says in one table what it did.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from PIL import Image

from firmware.display import status_pictures
from firmware.display.status_pictures import Notice
from firmware.text.translation import Translator
from tests.systemd.trial import HANG_S, Report, begun, comes, unpack

CACHE: Final = Path("build/trial")
GAME: Final = "nimmt-companion.service"
BASE: Final = ("systemd", "systemd-sysv", "udev", "dbus", "polkitd", "python3", "debconf", "ca-certificates")
TABLE: Final = """\
[display]
driver = "png"
folder = "/run/test"
scale_px = 1
[scanner]
driver = "serial"
port = "/run/test/scanner"
[codes]
plain_numbers = true

[table]
names = ["Ana", "Bo"]
duplicate_s = 0
[screen]
heartbeat_s = 0
"""
SCANNER: Final = """\
import os, pwd
from pathlib import Path
from hardware.simulation.scanner_line import ScannerLine
line = ScannerLine(Path("/run/test"), "scanner")
os.chown(os.path.realpath(line.path), pwd.getpwnam("nimmt").pw_uid, -1)
os.mkfifo("/run/test/codes")
while True:
    with open("/run/test/codes") as codes:
        for code in codes:
            line.scan(code.strip())
"""
ASKED: Final = """\
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
def status(number):
    asked = HTTPConnection("127.0.0.1", 8066, timeout=600)
    path = ("/", "/join", "/records", "/records/1")[number % 4]
    asked.request("GET", path, headers={"Cookie": "nimmt_host=x"})
    return asked.getresponse().status
print(status(0))
with ThreadPoolExecutor(60) as pool:
    print(*set(pool.map(status, range(300))) - {200, 429, 503})
"""
"""A program: prints the status with which the page answers, and any others that many at once get."""
JOIN: Final = ("6NC-R1U", "6NC-P01J", "6NC-P02S", "6NC-OKB", "6NC-R1U", "6NC-P09V", "6NC-R1U")


class Failed(AssertionError):
    """Something did not happen, or not as it should."""


class Box:
    """A Debian in a container, with the box in it: its display, its scanner, what it says of itself."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._leader = 0

    @property
    def root(self) -> Path:
        """Its files, with what is mounted in it while it is up."""
        return Path(f"/proc/{self._leader}/root") if self._leader else self._folder

    def boot(self) -> None:
        """Switch it on and wait until all is started."""
        self._nspawn = subprocess.Popen(
            [
                *("systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--link-journal=no"),
                *("--private-network", "--console=read-only", "--boot", f"--directory={self._folder}"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children")

        def up() -> bool:
            # Looked up each time: the first child of systemd-nspawn only prepares the namespaces and ends;
            # the one after it is the container's systemd.
            self._leader = int(children.read_text().partition(" ")[0])
            return self.says("systemctl", "is-system-running") in {"running", "degraded"}

        until("systemd is up", up)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command as its root; whatever its status."""
        enter = (
            ("nsenter", f"--target={self._leader}", "--mount", "--uts", "--ipc", "--net", "--pid")
            if self._leader
            else ("chroot", str(self._folder))
        )
        return subprocess.run(
            [*enter, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=HANG_S,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"},
        )

    def must(self, *command: str) -> str:
        """Run a command that has to succeed; gives what it said."""
        done = self.run(*command)
        need(done.returncode == 0, f"{command} gave {done.returncode}:\n{done.stdout}")
        return done.stdout

    def says(self, *command: str) -> str:
        """What a command says, in one piece; its status does not matter."""
        return self.run(*command).stdout.strip()

    def wait_off(self) -> None:
        assert self._nspawn is not None
        self._nspawn.wait(HANG_S)
        self._nspawn, self._leader = None, 0

    def kill(self) -> None:
        """Off, whatever it does."""
        if self._nspawn is not None:
            with suppress(ProcessLookupError):
                os.kill(self._leader, signal.SIGKILL)
            self._nspawn.kill()
            self._nspawn.wait()
            self._nspawn, self._leader = None, 0

    @property
    def status(self) -> dict[str, Any]:
        """What it says of itself; empty where it says nothing."""
        said: dict[str, Any] = json.loads(self.says("nimmt", "status", "--json"))
        return said

    def shows(self, notice: Notice, folder: str = "run/test") -> bool:
        with Image.open(self.root / folder / "latest.png") as picture:
            return picture.convert("1").tobytes() == status_pictures.picture(notice, Translator()).tobytes()

    def pid(self) -> int:
        """The process of the game; 0 where there is none."""
        return int(self.says("systemctl", "show", "--value", "--property=MainPID", GAME))

    def wait_up(self, what: str = "it is up", other_than: int = 0) -> None:
        """Wait until the game is ready, with another process than that one."""

        def up() -> bool:
            said = self.says("systemctl", "show", "--property=ActiveState,MainPID", GAME)
            shown = dict(line.split("=") for line in said.splitlines())
            return shown["ActiveState"] == "active" and int(shown["MainPID"]) not in (0, other_than)

        until(what, up)

    def signal(self, kind: str) -> None:
        self.must("systemctl", "kill", "--kill-whom=main", f"--signal={kind}", GAME)

    def scan(self, *codes: str) -> None:
        with (self.root / "run/test/codes").open("w") as line:
            line.write("".join(f"{code}\n" for code in codes))

    def plug_in(self) -> None:
        """Prepare the display and the scanner, which are gone after each start of the machine."""
        folder = self.root / "run/test"
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)
        (self.root / "usr/local/scanner.py").write_text(SCANNER)
        python = "/usr/lib/nimmt-companion/bin/python3"
        self.must("systemd-run", "--unit=trial-scanner", python, "-I", "/usr/local/scanner.py")
        until("the scanner is plugged in", (folder / "codes").exists)


def need(good: object, otherwise: str) -> None:
    """Raise `Failed` where something is not as it should be."""
    if not good:
        raise Failed(otherwise)


def until(what: str, seen: Callable[[], bool]) -> None:
    """Look until something is seen; what cannot be asked yet is not seen. Raises `Failed`."""

    def is_seen() -> bool:
        with suppress(OSError, ValueError):
            return seen()
        return False

    need(comes(is_seen), f"it never came: {what}")


@contextmanager
def fresh_debian(suite: str) -> Iterator[Box]:
    """A Debian as small as systemd allows; its base is made once. Gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="nimmt-trial-", dir="/var/tmp") as place:
        folder = Path(place) / "root"
        unpack(suite, BASE, CACHE, folder)
        box = Box(folder)
        try:
            yield box
        finally:
            box.kill()


def trial(box: Box, deb: Path, report: Report) -> None:
    """All of it, in the order in which it happens to a box."""
    again = Path(shutil.copy(deb, box.root / "root"))
    inside = f"/root/{again.name}"
    box.must("apt-get", "update", "-q=2")
    box.must("apt-get", "install", "-q=2", "-y", inside)
    report.did("`apt install ./nimmt-companion_*.deb`", box.must("nimmt", "--version").strip())
    page = Path(shutil.copy(deb.with_name(deb.name.replace("companion", "web")), box.root / "root"))
    box.must("apt-get", "install", "-q=2", "-y", f"/root/{page.name}")
    (box.root / "etc/nimmt/nimmt.toml").write_text(TABLE)
    _allow_test_folder(box)

    box.boot()
    box.plug_in()
    _first_start(box, report)
    _match(box, report)
    _page(box, report)
    box.must("dpkg", "--purge", "nimmt-web")
    _crash(box, report)
    _hang(box, report)
    _power_off(box, report)
    _removal(box, inside, report)


def _allow_test_folder(box: Box) -> None:
    """The display and the scanner of the trial lie in a folder of their own, in /run."""
    dropin = box.root / "etc/systemd/system/nimmt-.service.d/trial.conf"
    dropin.parent.mkdir(parents=True)
    dropin.write_text("[Service]\nReadWritePaths=-/run/test\nUMask=0022\n")
    place = box.root / "etc/tmpfiles.d/trial.conf"
    place.write_text("d /run/test 0777 root root -\n")


def _first_start(box: Box, report: Report) -> None:
    # Since the container was booted it has tried to start without its display; it may find that any moment.
    box.must("systemctl", "stop", GAME)
    box.must("systemctl", "restart", "nimmt-boot-picture.service")
    need(box.shows(Notice.STARTING), "the picture of the start is not on the display")
    box.must("systemctl", "restart", GAME)
    box.wait_up()
    report.did("the service after the start", "ready")


def _match(box: Box, report: Report) -> None:
    until("the scanner is heard", lambda: not any(one["id"] == "scanner" for one in box.status["issues"]))
    until("the start page", lambda: not box.shows(Notice.STARTING))
    box.scan("6NC-OKB", *JOIN, "12", "37", "43", "58", "14")
    until("a match is played", lambda: bool(box.status["playing"]))
    until("the newest card is there", lambda: box.status["match"]["asks"] == ["play a card"])
    report.did(
        "seven codes and five cards through the sandbox", f"match {box.status['match']['id']} is played"
    )


def _page(box: Box, report: Report) -> None:
    """The page starts when somebody looks, has tasks enough for many at once, and ends again."""
    said = box.must("/usr/lib/nimmt-companion/bin/python3", "-I", "-c", ASKED).split()
    state = box.says("systemctl", "is-active", "nimmt-web.service")
    log = box.says("journalctl", "-u", "nimmt-web")
    need((said, state) == (["200"], "active"), f"it answers {said} and is {state}:\n{log}")
    show = ("systemctl", "show", "--value", "nimmt-web.service")
    limit, pid = (box.says(*show, f"--property={name}") for name in ("TasksMax", "MainPID"))
    tasks = len(box.must("ls", f"/proc/{pid}/task").split())
    need(tasks <= int(limit), f"it has {tasks} tasks, of {limit}")
    box.must("systemctl", "stop", "nimmt-web.service")
    report.did("the page, asked 300 times at once", f"answers, with {tasks} of the {limit} tasks of its unit")


def _crash(box: Box, report: Report) -> None:
    before, pid = box.status["match"], box.pid()
    until("the display shows the game", lambda: not box.shows(Notice.FAULT))
    box.signal("KILL")
    until("the fault is on the display", lambda: box.shows(Notice.FAULT))
    box.wait_up("it is back", pid)
    until("the match is back", lambda: box.status.get("match") == before)
    report.did("the program is killed", "a fault page, then the same question")


def _hang(box: Box, report: Report) -> None:
    pid = box.pid()
    box.signal("STOP")
    box.wait_up("the watchdog ends it", pid)
    log = box.says("journalctl", "--no-pager", "--output=cat", f"--unit={GAME}")
    stacks = "Watchdog timeout" in log and "most recent call first" in log
    need(stacks, f"no watchdog, or no stacks, in the log:\n{log}")
    report.did("the program hangs (SIGSTOP)", "watchdog, every stack in the log, ready again")


def _power_off(box: Box, report: Report) -> None:
    ask = (  # which waits for the answer
        "from firmware.service.power import Logind; Logind(exit)._run('poweroff')"
    )
    python = ("/usr/lib/nimmt-companion/bin/python3", "-I", "-c", ask)
    unit = ("systemd-run", "--quiet", "--wait", "--property=WorkingDirectory=/")
    refused = box.run(*unit, "--unit=nimmt-stranger.service", "--property=User=nobody", *python)
    need(refused.returncode, "anybody may switch the machine off")
    # The display has to outlive /run, which ends with the machine.
    kept = box.root / "var/lib/pictures"
    kept.mkdir()
    kept.chmod(0o777)
    config = box.root / "etc/nimmt/nimmt.toml"
    config.write_text(config.read_text().replace('/run/test"\nscale', '/var/lib/pictures"\nscale'))
    box.run(*unit, "--unit=nimmt-switch.service", "--property=User=nimmt", *python)
    box.wait_off()
    safe = box.shows(Notice.OFF, "var/lib/pictures")
    need(safe, "the last picture does not say that the plug may be pulled")
    report.did(
        "the program, without any rights, switches the machine off", "off; the display says SAFE TO UNPLUG"
    )
    report.did("another user tries the same", "refused")


def _removal(box: Box, deb: str, report: Report) -> None:
    box.must("dpkg", "--remove", "nimmt-companion")
    matches = box.root / "var/lib/nimmt/journal.sqlite"
    need(matches.exists(), "removing the package has removed the matches")
    kept = ("/etc/nimmt", "/etc/systemd/system/")  # and that it was enabled, as Debian has it
    left = [place for place in _left(box) if not place.startswith(kept)]
    need(not left, f"remove has left {left}")
    report.did("`apt remove`", "configuration and matches stay, nothing else does")
    box.must("dpkg", "--purge", "nimmt-companion")
    need(matches.exists(), "purging without a yes has removed the matches")
    need(not _left(box), f"purge has left {_left(box)}")
    report.did("`apt purge`, nobody says yes", "the configuration goes, the matches stay")
    box.must("dpkg", "--install", deb)
    report.did("installed again", box.must("nimmt", "matches").strip())
    yes = "nimmt-companion nimmt-companion/delete-matches boolean true"
    box.must("sh", "-c", f"echo '{yes}' | debconf-set-selections")
    box.must("dpkg", "--purge", "nimmt-companion")
    need(not matches.parent.exists() and not _left(box), "purging with a yes has left something")
    report.did("`apt purge`, with a yes to the question", "nothing is left")


def _left(box: Box) -> list[str]:
    """Files that belong to the package and are still there; not its data, nor what apt and dpkg keep."""
    found = box.says(
        *("find", "/", "-xdev", "-name", "*nimmt*", "-not", "-path", "/root/*", "-not", "-path", "/var/*"),
        *("-not", "-path", "/proc/*", "-not", "-path", "/etc/systemd/system/nimmt-.service.d"),
    )
    return found.split()


def main() -> int:
    """Try it; 0 if all went as it should, 1 if not, 2 where it cannot be done."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--suite", default="bookworm", help="which Debian: bookworm (12) or trixie (13)")
    words.add_argument("deb", type=Path)
    given = words.parse_args()
    needs = {"mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container", "nsenter": "util-linux"}
    report = begun([package for program, package in needs.items() if not shutil.which(program)])
    failed = False
    try:
        with fresh_debian(given.suite) as box:
            trial(box, given.deb, report)
    except (Failed, subprocess.TimeoutExpired) as why:
        failed = True
        report.did("FAILED", str(why))
    sys.stdout.write(f"\n{given.deb.name} on Debian {given.suite}\n\n{report.table()}\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
