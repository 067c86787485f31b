"""A device with a journal and nothing else, in a process of its own, so that it can be killed or starved.

It takes one order per line and answers each with one line of JSON. The tests talk to it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware.journal.errors import JournalError
from firmware.journal.opening import OpenReport
from firmware.journal.rows import ImportedMatch
from firmware.journal.store import Journal
from firmware.journal.writes import Append, Note, Rewrite
from tests.no_orphan import NO_ORPHAN

NOBODY = 65534
ROOT = Path(__file__).parents[3]


def opened(path: Path) -> Journal:
    """A journal with which nothing is wrong."""
    journal, report = Journal.open(path)
    assert report.fault is None
    return journal


def under_strace(call: str, tampering: str) -> list[str]:
    """For `DeviceProcess.under`: what is done to a system call, as in `error=EIO:when=3`."""
    words = (f"trace={call}", f"inject={call}:{tampering}")
    return ["strace", "-f", "-qq", "-o", "/dev/null", *(word for one in words for word in ("-e", one))]


class DeviceProcess:
    """The test's end of the line: `ask` gives an order and waits for the answer."""

    def __init__(self, path: Path, *options: str, under: Sequence[str] = ()) -> None:
        self.process = subprocess.Popen(
            [*NO_ORPHAN, *under, sys.executable, __file__, str(path), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def order(self, order: str) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(order + "\n")
            self.process.stdin.flush()

    def answer(self) -> Any:
        """The next answer; None when the device has died."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def ask(self, order: str) -> Any:
        self.order(order)
        return self.answer()

    def leave(self) -> int:
        """Let the device come to its end: the status it ends with, negative for a signal."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        return self.process.wait()

    def kill(self) -> None:
        self.process.kill()
        self.leave()


class Device:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal: Journal | None = None
        self.match = 0
        self.number = 0

    def obey(self, order: str, rest: list[str]) -> object:  # noqa: C901, PLR0911, PLR0912 - one answer per order
        if order == "open":
            if self.journal is not None:
                self.journal.close()
            self.journal, report = Journal.open(self.path, wall=lambda: "now")
            return self.resume(report)
        if order == "fill":  # take all the room that is left on the disk
            return fill(self.path.with_name("ballast"))
        if order == "empty":
            self.path.with_name("ballast").unlink()
            return "emptied"
        assert self.journal is not None
        match order:
            case "append":
                self.journal.write(
                    [Append(self.match, self.number + 1, {"step": self.number + 1, "pad": rest})]
                )
                self.number += 1
                return self.number
            case "note":
                self.journal.write([Note("players", rest)])
                return "noted"
            case "take":  # two matches that come from elsewhere, of three steps each
                steps = [({"step": number, "pad": rest * 60}, "then") for number in (1, 2, 3)]
                kept = [ImportedMatch(f"{rest[0]} {copy}", {"game": "six"}, "then", steps) for copy in (1, 2)]
                return self.journal.import_matches(kept)
            case "forget":
                self.journal.write([Rewrite({1: {"game": "six", "badges": "gone"}}, {"players": None})])
                return "forgotten"
            case "headers":
                return [entry.header for entry in self.journal.reader.matches()]
            case "recall":
                return self.journal.recall("players")
            case "tidy":
                self.journal.checkpoint()
                return "tidied"
            case "writable":
                return self.journal.writable()
            case "steps":
                return list(self.journal.reader.steps(self.match))
            case "close":
                self.journal.close()
                return "closed"
            case _:
                raise ValueError(order)

    def resume(self, report: OpenReport) -> object:
        assert self.journal is not None
        newest = self.journal.reader.latest()
        self.match = self.journal.begin({"game": "six"}) if newest is None else newest
        self.number = len(list(self.journal.reader.steps(self.match)))
        return {"fault": report.fault, "number": self.number}


def fill(ballast: Path) -> str:
    with ballast.open("wb", buffering=0) as file:
        for block in (65536, 4096, 512, 1):
            with suppress(OSError):
                while file.write(bytes(block)):
                    pass
    return "filled"


def say(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main() -> None:
    device = Device(Path(sys.argv[1]))
    if "--as-nobody" in sys.argv and os.geteuid() == 0:
        device.path.absolute().as_uri()  # imports on first use what nobody may not be allowed to read
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    for line in sys.stdin:
        order, *rest = line.split()
        if order == "play":  # until it is killed
            while True:
                say(device.obey("append", ["x"]))
        try:
            answer = device.obey(order, rest)
        except JournalError as error:
            answer = {"refused": error.fault, "fix": error.fix}
        say(answer)


if __name__ == "__main__":
    main()
