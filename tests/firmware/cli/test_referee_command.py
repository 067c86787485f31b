"""`nimmt referee` as other programs meet it: a process, two pipes, and whatever comes through them."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self

import pytest

from companion.match.log import replay
from firmware.journal.store import Journal
from tests.patience import PATIENCE_S

HOUSE = Path(__file__).parents[3]
NEW = b'{"new": "six", "seats": 2}'
LAY = b'{"do": {"kind": "lay_rows", "cards": [10, 20, 30, 40]}}'
SHOW = b'{"show": true}'


def command(journal: Path | None = None) -> list[str]:
    saved = [] if journal is None else ["--journal", str(journal)]
    return [sys.executable, "-W", "error", "-m", "firmware.cli", "referee", *saved]


class Program:
    """`nimmt referee` as a process, whose lines are answered one by one."""

    def __init__(self, journal: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command(journal), cwd=HOUSE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self.reads, self.writes, self.complains = (
            self.process.stdin, self.process.stdout, self.process.stderr
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.reads, self.writes, self.complains):
            with suppress(BrokenPipeError):
                stream.close()

    def ask(self, line: bytes) -> dict[str, Any]:
        self.reads.write(line + b"\n")
        self.reads.flush()
        answer: dict[str, Any] = json.loads(self.writes.readline())
        return answer

    def ends(self) -> int:
        """The status after the end of the input."""
        self.reads.close()
        return self.process.wait(PATIENCE_S)


def told(data: bytes, journal: Path | None = None) -> tuple[list[dict[str, Any]], int, bytes]:
    """The answers to some input, the exit status, and what came on standard error."""
    done = subprocess.run(
        command(journal), cwd=HOUSE, input=data, capture_output=True, timeout=PATIENCE_S, check=False
    )
    lines = done.stdout.splitlines(keepends=True)
    assert all(line.endswith(b"\n") for line in lines)
    return [json.loads(line) for line in lines], done.returncode, done.stderr


def test_every_line_is_answered_at_once_and_in_order_until_control_c_ends_it_quietly() -> None:
    with Program() as referee:
        for line, rows in ((NEW, []), (LAY, [[10], [20], [30], [40]]), (SHOW, [[10], [20], [30], [40]])):
            assert referee.ask(line)["state"]["rows"] == rows
        referee.process.send_signal(signal.SIGINT)
        assert referee.process.wait(PATIENCE_S) == 130  # as shells expect
        assert (referee.writes.read(), referee.complains.read()) == (b"", b"")


@pytest.mark.parametrize(
    ("data", "ok"),
    [(b"", []), (NEW + b"\n" + LAY[:20], [True, False]), (NEW + b"\n" + b"[" * 3_000_000, [True, False])],
    ids=["nothing", "half a line", "an endless line"],
)
def test_the_end_of_the_input_is_a_normal_end_wherever_it_comes(data: bytes, ok: list[bool]) -> None:
    given, status, complaints = told(data)
    assert [one["ok"] for one in given] == ok
    assert (status, complaints) == (0, b"")


@pytest.mark.slow
def test_a_long_line_does_not_stay_in_memory() -> None:
    """100 MB pass through a process that may have 80 MB more than it starts with."""
    limit = (
        "import resource, sys; from firmware.commands.referee import run; "
        "pages = int(open('/proc/self/statm').read().split()[0]); "
        "most = pages * resource.getpagesize() + 80_000_000; "
        "resource.setrlimit(resource.RLIMIT_AS, (most, most)); sys.exit(run(None))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", limit], cwd=HOUSE, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as referee:
        assert referee.stdin
        assert referee.stdout
        for _ in range(100):
            referee.stdin.write(b"y" * 1_000_000)
        referee.stdin.write(b"\n" + NEW + b"\n")
        referee.stdin.close()
        given = [json.loads(line) for line in referee.stdout]
        assert [one["ok"] for one in given] == [False, True]
        assert referee.wait(PATIENCE_S) == 0


def test_nothing_but_ascii_json_is_written_to_standard_output() -> None:
    done = subprocess.run(
        command(),
        cwd=HOUSE,
        input='{"new": "žluťoučký"}\n{"new": "six", "seats": 2, "options": {"شش": 6}}\n'.encode(),
        capture_output=True,
        timeout=PATIENCE_S,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
    )
    assert done.stdout.isascii()
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [False, False]


def test_it_ends_quietly_when_nobody_reads_the_answers_any_more() -> None:
    with Program() as referee:
        assert referee.ask(NEW)
        referee.writes.close()
        referee.reads.write((SHOW + b"\n") * 100)
        assert referee.ends() == 0
        assert referee.complains.read() == b""


# -------------------------------------------------------------------------------------------------- journal


def test_with_a_journal_every_match_and_step_is_on_the_disk_before_it_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "journal.sqlite"
    with Program(path) as referee:
        for steps, line in enumerate((NEW, LAY, b'{"undo": true}', b'{"do": {"kind": "lay", "card": 7}}')):
            assert referee.ask(line)["ok"]
            with closing(Journal.read(path)) as reader:
                assert [entry.steps for entry in reader.matches()] == [steps]
    with closing(Journal.read(path)) as reader:
        (entry,) = reader.matches()
        match = replay([entry.header, *reader.steps(entry.id)])
    assert match.game.view(match.position.table)["rows"] == ((7,),)


def test_what_the_journal_refuses_does_not_happen_and_succeeds_once_the_cause_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    aside = tmp_path / "aside"
    with Program(path) as referee:
        before = referee.ask(NEW)
        path.rename(aside)
        path.mkdir()
        for line in (LAY, b'{"new": "six", "seats": 3}'):
            refused = referee.ask(line)
            assert refused["ok"] is False
            assert str(path) in refused["fault"] + refused["fix"]
            assert referee.ask(SHOW)["state"] == before["state"]
        path.rmdir()
        aside.rename(path)
        assert referee.ask(LAY)["state"]["rows"] == [[10], [20], [30], [40]]
        assert referee.ends() == 0
    with closing(Journal.read(path)) as reader:
        (entry,) = reader.matches()
        assert entry.steps == 1


def test_a_journal_that_is_open_elsewhere_is_a_bad_end_and_a_damaged_one_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with closing(Journal.open(path, wall=lambda: "now")[0]):
        given, status, complaints = told(NEW, path)
    assert (given, status) == ([], 1)
    assert complaints.startswith(b"nimmt referee: ")
    assert b"Traceback" not in complaints
    path.write_bytes(b"nonsense" * 1000)
    given, status, complaints = told(NEW, path)
    assert ([one["ok"] for one in given], status) == ([True], 0)
    assert b"damaged-1" in complaints
