"""Matches that are taken in, people who are forgotten: all of it or nothing, whatever the disk does."""

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.journal.errors import JournalError
from firmware.journal.rows import ImportedMatch
from firmware.journal.writes import Append, Note, Rewrite
from tests.firmware.journal.journal_device import DeviceProcess, opened, under_strace

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace makes system calls fail")

BEFORE: dict[str, Any] = {"game": "six", "badges": "a badge that nobody else has"}
AFTER: dict[str, Any] = {"game": "six", "badges": "gone"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with a match of one step."""
    path = tmp_path / "journal.sqlite"
    with closing(opened(path)) as journal:
        journal.begin(BEFORE)
        journal.write([Append(1, 1, {"step": 1})])
        journal.write([Note("players", ["a badge that nobody else has"])])
    return path


def matches(path: Path) -> list[list[dict[str, object]]]:
    with closing(opened(path)) as journal:
        return [[entry.header, *journal.reader.steps(entry.id)] for entry in journal.reader.matches()]


def killed(path: Path, call: str, when: int, order: str) -> object:
    """What a device answers to an order that is killed at this system call; None where it died before."""
    with DeviceProcess(path, under=under_strace(call, f"signal=KILL:when={when}")) as device:
        said = None if device.ask("open") is None else device.ask(order)
        device.leave()
    return said


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize(
    ("call", "when"), [("pwrite64", 19), ("pwrite64", 25), ("fdatasync", 2), ("fdatasync", 4)]
)
def test_a_device_killed_while_it_takes_matches_in_has_all_of_them_or_none(
    path: Path, call: str, when: int
) -> None:
    taken = killed(path, call, when, "take them")
    found = matches(path)
    assert found[0] == [BEFORE, {"step": 1}]
    assert len(found) in ((3,) if taken else (1, 3))
    assert all(len(match) == 4 for match in found[1:])


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize(
    ("call", "when"),
    [
        ("pwrite64", 19),
        ("pwrite64", 25),
        ("pwrite64", 37),
        ("fdatasync", 3),
        ("fdatasync", 5),
        ("ftruncate", 5),
        ("ftruncate", 6),
    ],
)
def test_a_device_killed_while_it_forgets_somebody_still_has_every_match(
    path: Path, call: str, when: int
) -> None:
    said = killed(path, call, when, "forget")
    ((header, step),) = matches(path)
    assert step == {"step": 1}
    assert header == AFTER if said else header in (BEFORE, AFTER)
    if header == AFTER:
        with closing(opened(path)) as journal:
            journal.write([Rewrite({}, {})])
        assert b"nobody else" not in path.read_bytes()


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize("when", [1, 4, 6])
def test_forgetting_on_a_failing_disk_can_be_done_again(path: Path, when: int) -> None:
    with DeviceProcess(path, under=under_strace("fdatasync", f"error=EIO:when={when}")) as device:
        device.ask("open")
        tries = 1
        while device.ask("forget") != "forgotten":
            tries += 1
            assert tries < 20
        assert device.ask("headers") == [AFTER]
        assert device.ask("recall") is None
        device.leave()
    assert b"nobody else" not in path.read_bytes()
    assert matches(path) == [[AFTER, {"step": 1}]]


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize("failing", [1, 3])
def test_what_could_not_be_forgotten_is_as_it_was(path: Path, failing: int) -> None:
    # A sync that fails may leave the change in the log; who is told that nothing was removed counts on it.
    strace = under_strace("fdatasync", f"error=EIO:when=4..{3 + failing}")
    with DeviceProcess(path, under=strace) as device:
        device.ask("open")
        assert device.ask("append") == 2
        assert "nothing was removed: the disk reports an error" in device.ask("forget")["refused"]
        tries = 1
        while "refused" in (found := device.ask("headers")):
            tries += 1
            assert tries < 20
        assert found == [BEFORE]
        assert device.ask("recall") == ["a badge that nobody else has"]
        device.leave()
    ((header, *steps),) = matches(path)
    assert header == BEFORE
    assert len(steps) == 2


def test_the_same_match_is_not_taken_in_twice_nor_what_comes_with_it(path: Path) -> None:
    one = ImportedMatch("one", {"game": "six"}, "then", [({"step": 1}, "at")])
    two = ImportedMatch("two", {"game": "six"}, "then", [])
    with closing(opened(path)) as journal:
        assert journal.import_matches([one]) == [2]
        for again in ([one], [two, one], [two, two]):
            with pytest.raises(JournalError, match=r"match \d in the journal is the same match"):
                journal.import_matches(again)
        assert [entry.uid for entry in journal.reader.matches()[1:]] == ["one"]
        assert list(journal.reader.timed_steps(2)) == [({"step": 1}, "at")]
        assert journal.reader.matches()[1].started_at == "then"


def test_an_unknown_match_cannot_be_forgotten_and_nothing_else_is(path: Path) -> None:
    with closing(opened(path)) as journal:
        with pytest.raises(JournalError, match="there is no match 7"):
            journal.write([Rewrite({1: AFTER, 7: AFTER}, {"players": None})])
        assert journal.reader.matches()[0].header == BEFORE
        assert journal.recall("players") == ["a badge that nobody else has"]
