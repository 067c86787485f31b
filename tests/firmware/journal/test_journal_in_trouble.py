"""What the journal promises when the plug is pulled, the disk fills up or fails, or the file is changed."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.journal.errors import JournalError
from firmware.journal.opening import OpenReport
from firmware.journal.store import Journal
from firmware.journal.writes import Append, Note
from tests.firmware.journal.journal_device import NOBODY, DeviceProcess, opened, under_strace
from tests.firmware.past_evenings import tampered

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace makes system calls fail")


def numbers(path: Path) -> list[object]:
    """The steps of match 1 as a fresh start of the device finds them."""
    with closing(opened(path)) as journal:
        return [record["step"] for record in journal.reader.steps(1)]


def beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def played(path: Path) -> Path:
    """A journal of forty steps that nobody has open."""
    with_steps(path)
    return path


def with_steps(path: Path) -> None:
    with closing(opened(path)) as journal:
        journal.begin({"game": "six", "players": ["Ada", "Bo"]})
        for number in range(1, 41):
            journal.write(
                [Append(1, number, {"step": number, "pad": random.Random(number).randbytes(400).hex()})]
            )
        journal.write([Note("players", ["Ada", "Bo"])])


# --- the plug is pulled


def test_after_the_next_start_all_is_in_the_file_itself(path: Path) -> None:
    with DeviceProcess(path) as device:
        device.ask("open")
        assert [device.ask("append") for _ in range(5)] == [1, 2, 3, 4, 5]
        device.kill()
    with closing(opened(path)):
        copy = path.with_name("copy")
        copy.write_bytes(path.read_bytes())
    with closing(Journal.read(copy)) as reader:
        assert len(list(reader.steps(1))) == 5


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize(
    ("call", "when"),
    [
        ("pwrite64", 1),
        ("pwrite64", 12),
        ("pwrite64", 33),
        ("fdatasync", 2),
        ("fdatasync", 6),
        ("fsync,ftruncate,rename,renameat,renameat2,unlink", 2),
        ("fsync,ftruncate,rename,renameat,renameat2,unlink", 4),
    ],
)
def test_a_device_killed_at_any_system_call_starts_again_with_all_it_had_acknowledged(
    path: Path, call: str, when: int
) -> None:
    acknowledged = 0
    with DeviceProcess(path, under=under_strace(call, f"signal=KILL:when={when}")) as device:
        opened_once = device.ask("open") is not None
        while opened_once and acknowledged < 4 and device.ask("append"):
            acknowledged += 1
        device.leave()
    with closing(opened(path)) as journal:
        match = journal.reader.latest() or journal.begin({"game": "six"})
        found = len(list(journal.reader.steps(match)))
        assert acknowledged <= found <= acknowledged + 1
        journal.write([Append(match, found + 1, {"step": found + 1})])


def test_a_log_torn_anywhere_costs_only_what_was_not_yet_written(tmp_path: Path, path: Path) -> None:
    ends = []
    with closing(opened(path)) as journal:
        match = journal.begin({"game": "six"})
        for number in range(1, 9):
            journal.write([Append(match, number, {"step": number, "pad": "x" * 300})])
            ends.append(beside(path, "-wal").stat().st_size)
        file, log = path.read_bytes(), beside(path, "-wal").read_bytes()
    for cut in [
        *range(ends[0], len(log), 1997),
        *ends,
        *(end - 1 for end in ends[1:]),
        *(end + 1 for end in ends),
    ]:
        with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
            torn = Path(folder) / "torn.sqlite"
            torn.write_bytes(file)
            beside(torn, "-wal").write_bytes(log[:cut])
            whole = sum(end <= cut for end in ends)
            assert numbers(torn) == list(range(1, whole + 1))
            with closing(opened(torn)) as journal:
                journal.write([Append(match, whole + 1, {"step": whole + 1})])


# --- the disk is not well


def refused(answer: Any) -> str:
    assert isinstance(answer, dict), answer
    assert answer["fix"]
    return str(answer["refused"])


def test_on_a_full_disk_a_start_and_a_step_are_refused_and_go_in_when_there_is_room_again(
    tmp_path: Path,
) -> None:
    with small_disk(tmp_path) as device:
        device.ask("fill")
        assert "the disk is full" in refused(device.ask("open"))
        device.ask("empty")
        assert device.ask("open")["number"] == 0
        assert [device.ask("append") for _ in range(3)] == [1, 2, 3]
        for last in (3, 5):
            device.ask("fill")
            fault = f"step {last + 1} of match 1 was not saved: the disk is full"
            for _ in range(3):
                assert refused(device.ask("append")) == fault
                assert "the disk is full" in refused(device.ask("note Ada"))
                assert device.ask("writable") is False
            assert len(device.ask("steps")) == last
            device.ask("empty")
            assert device.ask("writable") is True
            assert [device.ask("append") for _ in range(2)] == [last + 1, last + 2]
        device.ask("close")
        device.ask("fill")
        assert "the disk is full" in refused(device.ask("open"))
        device.ask("empty")
        assert device.ask("open") == {"fault": None, "number": 7}


def small_disk(tmp_path: Path) -> DeviceProcess:
    """A device whose journal lies on a disk of 256 KiB, in a file system that vanishes with it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mount = f'mount -t tmpfs -o size=256k none {disk} && exec "$@"'
    try:
        subprocess.run([*alone, mount, "sh", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine lets nobody mount a small disk")
    return DeviceProcess(disk / "journal.sqlite", under=[*alone, mount, "sh"])


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize(
    ("call", "period", "error"),
    [("pwrite64", 43, "EIO"), ("fdatasync", 7, "ENOSPC"), ("fdatasync", 7, "EROFS")],
)
def test_a_disk_that_fails_now_and_then_loses_no_step_and_doubles_none(
    path: Path, call: str, period: int, error: str
) -> None:
    opened(path).close()
    now_and_then = under_strace(call, f"error={error}:when=3+{period}")
    refusals = 0
    with DeviceProcess(path, under=now_and_then) as device:
        while isinstance(found := device.ask("open"), dict) and "refused" in found:
            refusals += 1
            assert refusals < 5
        number = 0
        while number < 24:
            answer = device.ask("append")
            if answer == number + 1:
                number += 1
            else:
                assert f"step {number + 1} of match 1 was not saved" in refused(answer)
                refusals += 1
                assert refusals < 30
        device.leave()
    assert refusals
    assert numbers(path) == list(range(1, 25))


@needs_strace
def test_what_was_refused_is_taken_back_when_the_device_is_switched_off(path: Path) -> None:
    with closing(opened(path)) as journal:
        journal.begin({"game": "six"})
    strace = under_strace("fdatasync", "error=EIO:when=5..6")
    with DeviceProcess(path, under=strace) as device:
        device.ask("open")
        assert [device.ask("append"), device.ask("append")] == [1, 2]
        assert "step 3 of match 1 was not saved" in refused(device.ask("append"))
        assert device.ask("close") == "closed"
        device.leave()
    assert numbers(path) == [1, 2]


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize("failing", [1, 3, 8])
def test_a_step_or_a_note_refused_because_its_sync_failed_is_not_saved_all_the_same(
    path: Path, failing: int
) -> None:
    with closing(opened(path)) as journal:
        journal.begin({"game": "six"})
        journal.write([Note("players", ["Ada"])])
    # Opening and the first step cost three syncs, the second one; then so many fail. What is written
    # can be read back meanwhile, but nobody knows whether it is on the disk.
    strace = under_strace("fdatasync", f"error=EIO:when=5..{4 + failing}")
    with DeviceProcess(path, under=strace) as device:
        device.ask("open")
        assert [device.ask("append first"), device.ask("append second")] == [1, 2]
        assert "step 3 of match 1 was not saved: the disk reports an error" in refused(
            device.ask("append third")
        )
        tries = 1
        while "refused" in (found := device.ask("steps")):
            tries += 1
            assert tries < 20
        assert len(found) == 2
        assert device.ask("recall") == ["Ada"]
        assert device.ask("note Bo Cleo") == "noted"
        assert device.ask("append another") == 3
        assert device.ask("append fourth") == 4
        assert [step["pad"][0] for step in device.ask("steps")] == ["first", "second", "another", "fourth"]
        device.leave()
    assert numbers(path) == [1, 2, 3, 4]


@pytest.mark.slow
def test_a_journal_that_somebody_else_holds_is_refused_and_then_goes_on(played: Path) -> None:
    with closing(opened(played)) as journal:
        with closing(sqlite3.connect(played, isolation_level=None)) as shell:
            shell.execute("BEGIN IMMEDIATE")
            with pytest.raises(
                JournalError, match="step 41 of match 1 was not saved: another program is using"
            ):
                journal.write([Append(1, 41, {"step": 41})])
            assert len(list(journal.reader.steps(1))) == 40
            shell.execute("ROLLBACK")
        journal.write([Append(1, 41, {"step": 41})])
    assert numbers(played)[-1] == 41


# --- no permission


@pytest.fixture
def guarded() -> Iterator[Path]:
    """A journal in a folder that everybody may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "journal.sqlite"
        with DeviceProcess(path) as device:
            device.ask("open")
            device.ask("append")
            device.leave()
        yield path


def test_a_file_or_a_folder_that_may_not_be_written_is_reported_at_the_start(guarded: Path) -> None:
    guarded.parent.chmod(0o777)
    guarded.chmod(0o444)
    before = guarded.read_bytes()
    beside(guarded, ".lock").unlink()
    with DeviceProcess(guarded, "--as-nobody") as device:
        assert "the file or its disk is read-only" in refused(device.ask("open"))
    guarded.parent.chmod(0o555)
    with DeviceProcess(guarded.parent / "new" / "journal.sqlite", "--as-nobody") as device:
        assert "cannot be opened" in refused(device.ask("open"))
    assert guarded.read_bytes() == before


def test_its_group_may_read_the_journal_of_a_device_also_after_it_was_killed_and_no_others(
    guarded: Path,
) -> None:
    def read(group: int = guarded.stat().st_gid) -> int:
        """How many steps a user of a group finds; in a process of its own, which gives its rights up."""
        child = os.fork()
        if child == 0:
            found = 255
            try:
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setgid(group)
                    os.setuid(NOBODY)
                with closing(Journal.read(guarded)) as reader:
                    found = len(list(reader.steps(1)))
            finally:
                os._exit(found)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    assert read() == 1
    with DeviceProcess(guarded) as device:
        device.ask("open")
        assert device.ask("append") == 2
        assert read() == 2
        device.kill()
        assert read() == 2
    assert os.geteuid() != 0 or read(NOBODY) == 255


@pytest.fixture
def on_a_disk() -> Iterator[Path]:
    """A journal on a disk, also where `tmp_path` is in memory: not every Linux can lock a file there."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        with_steps(Path(folder) / "journal.sqlite")
        yield Path(folder) / "journal.sqlite"


def test_a_file_locked_against_change_refuses_steps_until_it_is_unlocked(on_a_disk: Path) -> None:
    with closing(opened(on_a_disk)) as journal:
        files = [on_a_disk, beside(on_a_disk, "-wal")]
        try:
            subprocess.run(["chattr", "+i", *files], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("this file system or user cannot lock a file against change")
        try:
            for _ in range(2):
                assert journal.writable() is False
                with pytest.raises(JournalError, match="step 41 of match 1 was not saved"):
                    journal.write([Append(1, 41, {"step": 41})])
        finally:
            subprocess.run(["chattr", "-i", *files], check=True)
        assert journal.writable() is True
        journal.write([Append(1, 41, {"step": 41})])
    assert numbers(on_a_disk)[-1] == 41


LOCKED = """\
import subprocess, sys
from contextlib import closing
from pathlib import Path
from firmware.journal.store import Journal
from firmware.journal.errors import JournalError
from firmware.journal.writes import Append

folder = Path(sys.argv[1])
run = lambda *words: subprocess.run([*words, folder], check=True)
with closing(Journal.open(folder / "journal.sqlite", wall=str)[0]) as journal:
    run("mount", "--bind", folder)
    run("mount", "-o", "remount,bind,ro")
    for _ in range(2):
        assert not journal.writable()
        try:
            journal.write([Append(1, 41, {"step": 41})])
        except JournalError as refused:
            print(refused)
    run("umount")
    assert journal.writable()
    journal.write([Append(1, 41, {"step": 41})])
"""
"""The place is locked while the journal is open; into the files that it has open it could go on writing."""


def test_a_file_system_locked_against_writing_refuses_steps_though_linux_says_that_all_went_well(
    played: Path,
) -> None:
    alone = ["unshare", "--mount"]
    if shutil.which("unshare") is None or subprocess.call([*alone, "true"], stderr=subprocess.DEVNULL):
        pytest.skip("this user cannot have mounts of its own")
    done = subprocess.run(
        [*alone, sys.executable, "-c", LOCKED, played.parent], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("step 41 of match 1 was not saved: the file or its disk is read-only") == 2
    assert numbers(played)[-1] == 41


# --- the file is not what it was


def started_anew(path: Path, n: int = 1) -> OpenReport:
    """Open, and check that the file was put aside as it was and an empty journal begun."""
    before = path.read_bytes()
    journal, report = Journal.open(path)
    with closing(journal):
        assert journal.reader.matches() == []
        assert journal.begin({"game": "six"}) == 1
    aside = beside(path, f".damaged-{n}")
    assert aside.read_bytes() == before
    assert report.fault is not None
    assert str(path) in report.fault
    assert str(aside) in report.fix
    return report


def test_what_was_put_aside_is_never_overwritten(path: Path) -> None:
    for n in range(1, 4):
        path.write_bytes(b"garbage %d" % n)
        started_anew(path, n)
    assert [beside(path, f".damaged-{n}").read_bytes() for n in (1, 2, 3)] == [
        b"garbage 1",
        b"garbage 2",
        b"garbage 3",
    ]


def test_the_log_of_a_damaged_file_is_put_aside_with_it(played: Path) -> None:
    with DeviceProcess(played) as device:
        device.ask("open")
        device.ask("append")
        device.kill()
    log = beside(played, "-wal").read_bytes()
    assert log
    content = played.read_bytes()
    played.write_bytes(b"!" * 100 + content[100:])
    started_anew(played)
    aside = beside(played, ".damaged-1")
    assert beside(aside, "-wal").read_bytes() == log
    # Together they are what the device had: with the first page repaired, nothing is missing.
    aside.write_bytes(content)
    assert numbers(aside) == list(range(1, 42))


@pytest.mark.parametrize("empty", [True, False])
def test_a_log_whose_file_is_gone_is_kept(played: Path, *, empty: bool) -> None:
    with DeviceProcess(played) as device:
        device.ask("open")
        device.ask("append")
        device.kill()
    log = beside(played, "-wal").read_bytes()
    played.unlink()
    if empty:
        played.touch()
    journal, report = Journal.open(played)
    with closing(journal):
        assert journal.reader.matches() == []
    assert report.fault is not None
    assert beside(played, ".damaged-1-wal").read_bytes() == log


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DELETE FROM step WHERE number = 7", "step 7 of match 1 is missing"),
        ("DELETE FROM step WHERE number = 1", "step 1 of match 1 is missing"),
        ("DELETE FROM step WHERE number = 40", "step 40 of match 1 is missing"),
        ("DELETE FROM match", "match 1 is missing"),
        ("UPDATE match SET steps = 39", "the header of match 1 is damaged"),
        ("UPDATE step SET record = x'00' WHERE number = 40", "step 40 of match 1 is damaged"),
        ("UPDATE match SET header = '{}'", "the header of match 1 is damaged"),
        ("UPDATE note SET content = '{}'", "the notes are damaged"),
        ("CREATE TRIGGER t AFTER INSERT ON step BEGIN DELETE FROM step; END", "it has the trigger 't'"),
        ("CREATE VIEW v AS SELECT * FROM step", "it has the view 'v'"),
        ("CREATE INDEX i ON step (at)", "its tables are not those of a journal"),
        ("CREATE TABLE recipes (name TEXT)", "its tables are not those of a journal"),
        ("DROP TABLE note", "its tables are not those of a journal"),
    ],
)
def test_a_journal_that_was_tampered_with_is_put_aside(played: Path, statement: str, fault: str) -> None:
    tampered(played, statement)
    assert fault in (started_anew(played).fault or "")


# --- the file goes while it is open


@pytest.mark.parametrize("gone", ["", "-wal"])
def test_a_file_that_was_deleted_is_told_and_nothing_counts_as_saved_until_a_restart(
    played: Path, gone: str
) -> None:
    with closing(opened(played)) as journal:
        journal.write([Append(1, 41, {"step": 41})])
        beside(played, gone).unlink()
        for _ in range(2):
            assert journal.writable() is False
            with pytest.raises(
                JournalError, match=r"step 42 of match 1 was not saved: .* was deleted, moved away"
            ) as told:
                journal.write([Append(1, 42, {"step": 42})])
            assert "a restart begins a new journal" in told.value.fix
        if gone:  # what was in the log is in the file, should the process be killed now
            copy = played.with_name("copy")
            copy.write_bytes(played.read_bytes())
            assert numbers(copy) == list(range(1, 42))
            return
        beside(played, "-wal").unlink()
    journal, report = Journal.open(played)
    with closing(journal):
        assert journal.reader.matches() == []
    assert "is gone: it was deleted or moved away" in (report.fault or "")
    opened(played).close()


def test_a_file_moved_away_and_back_is_resumed(played: Path) -> None:
    with closing(opened(played)) as journal:
        away = played.with_name("away")
        played.rename(away)
        with pytest.raises(JournalError, match="deleted, moved away"):
            journal.write([Append(1, 41, {"step": 41})])
        away.rename(played)
        journal.write([Append(1, 41, {"step": 41})])
    assert numbers(played)[-1] == 41


def test_another_file_in_its_place_is_not_written_over(played: Path) -> None:
    with closing(opened(played)) as journal:
        journal.write([Append(1, 41, {"step": 41})])
        played.unlink()
        played.write_bytes(b"somebody's notes")
        with pytest.raises(JournalError, match="moved away or replaced"):
            journal.write([Append(1, 42, {"step": 42})])
    assert played.read_bytes() == b"somebody's notes"
