"""What the journal promises on a good disk: order, whole files, one device, and readers beside it."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.journal import store as journal_module
from firmware.journal.errors import JournalError
from firmware.journal.opening import OpenReport
from firmware.journal.rows import MatchEntry
from firmware.journal.store import Journal
from firmware.journal.writes import Append, Note
from tests.examples import examples
from tests.firmware.journal.journal_device import DeviceProcess

EVENING = "2024-03-08 20:15"
HEADER: dict[str, object] = {"game": "six", "players": ["Ada", "Žofie", "علی"]}


def wall() -> str:
    return EVENING


def opened(path: Path) -> Journal:
    journal, report = Journal.open(path, wall=wall, identity=(f"match {n}" for n in range(1, 99)).__next__)
    assert report.fault is None
    return journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(opened(path)) as journal:
        yield journal


def played(journal: Journal, steps: int) -> int:
    match = journal.begin(HEADER)
    for number in range(1, steps + 1):
        journal.write([Append(match, number, {"card": number})])
    return match


def cards(journal: Journal, match: int) -> list[object]:
    return [record["card"] for record in journal.reader.steps(match)]


def test_a_new_journal_is_made_with_its_folders_and_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "state" / "of" / "nimmt" / "journal.sqlite"
    journal, report = Journal.open(path, wall=wall)
    with closing(journal):
        assert report == OpenReport()
        assert journal.reader.matches() == []
        assert journal.reader.latest() is None
        assert journal.recall("players") is None


def test_nobody_but_its_owner_and_group_reads_a_journal_however_it_was_made(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    for mode in (None, 0o644, 0o666, 0o600):
        if mode is not None:
            path.chmod(mode)
        with closing(Journal.open(path)[0]) as journal:
            journal.begin({})
            found = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.glob("journal.sqlite*")}
        del found["journal.sqlite.lock"]
        assert set(found.values()) == {0o600 if mode == 0o600 else 0o660 if mode == 0o666 else 0o640}, found


def test_matches_and_steps_are_there_when_the_journal_is_opened_again(path: Path) -> None:
    with closing(opened(path)) as journal:
        played(journal, 3)
        played(journal, 0)
        journal.write([Note("players", {"setup": None})])
        journal.write([Note("players", ["Ada", "Bo"])])
    journal, report = Journal.open(path, wall=wall)
    with closing(journal):
        assert report == OpenReport()
        assert journal.reader.matches() == [
            MatchEntry(1, HEADER, EVENING, 3, EVENING, "match 1"),
            MatchEntry(2, HEADER, EVENING, 0, None, "match 2"),
        ]
        assert journal.reader.latest() == 2
        assert list(journal.reader.steps(1)) == [{"card": 1}, {"card": 2}, {"card": 3}]
        assert list(journal.reader.steps(2)) == []
        assert journal.recall("players") == ["Ada", "Bo"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
RECORDS = st.lists(st.dictionaries(st.text(), JSON, max_size=6), max_size=8)


def test_any_records_come_back_as_they_were_in_their_order(journal: Journal) -> None:
    @examples(8)
    @given(header=st.dictionaries(st.text(), JSON), records=RECORDS)
    def check(header: dict[str, Any], records: list[dict[str, Any]]) -> None:
        match = journal.begin(header)
        for number, record in enumerate(records, start=1):
            journal.write([Append(match, number, record)])
        back = list(journal.reader.steps(match))
        assert back == records
        assert [list(record) for record in back] == [list(record) for record in records]
        assert journal.reader.matches()[-1].header == header

    check()


@pytest.mark.parametrize("number", [-1, 0, 1, 2, 4, 5])
def test_a_step_that_leaves_a_gap_or_comes_twice_is_refused(journal: Journal, number: int) -> None:
    match = played(journal, 2)
    with pytest.raises(JournalError, match=rf"step {number} of match 1 cannot follow step 2 \(save step 3"):
        journal.write([Append(match, number, {"card": 9})])
    journal.write([Append(match, 3, {"card": 3})])
    assert cards(journal, match) == [1, 2, 3]


def test_an_unknown_match_is_refused_with_the_matches_there_are(journal: Journal) -> None:
    with pytest.raises(JournalError, match=r"no match 1 \(there are no matches yet"):
        journal.write([Append(1, 1, {"card": 9})])
    played(journal, 1)
    played(journal, 1)
    with pytest.raises(JournalError, match=r"no match 3 \(use a match from 1 to 2"):
        journal.write([Append(3, 1, {"card": 9})])
    with pytest.raises(JournalError, match="no match 3"):
        journal.reader.steps(3)


def test_steps_already_asked_for_do_not_change_while_the_match_goes_on(journal: Journal) -> None:
    match = played(journal, 2)
    steps = journal.reader.steps(match)
    assert next(steps) == {"card": 1}
    journal.write([Append(match, 3, {"card": 3})])
    assert list(steps) == [{"card": 2}]
    assert cards(journal, match) == [1, 2, 3]


def test_a_second_device_is_told_which_process_has_the_journal(path: Path) -> None:
    with DeviceProcess(path) as device:
        device.ask("open")
        with pytest.raises(JournalError, match=f"in use by process {device.process.pid}") as refused:
            Journal.open(path, wall=wall)
        assert "stop the other nimmt" in refused.value.fix
        assert device.ask("append") == 1
    opened(path).close()


def test_the_same_process_cannot_open_a_journal_twice_and_a_closed_one_stays_closed(
    path: Path, journal: Journal
) -> None:
    with pytest.raises(JournalError, match="in use by process"):
        Journal.open(path, wall=wall)
    journal.close()
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.begin(HEADER)
    opened(path).close()


def test_plays_can_be_read_while_the_device_saves_them_and_a_reader_never_sees_a_gap(path: Path) -> None:
    with DeviceProcess(path) as device:
        device.ask("open")
        with closing(Journal.read(path)) as reader:
            for number in range(1, 6):
                assert device.ask("append") == number
                assert [record["step"] for record in reader.steps(1)] == list(range(1, number + 1))
                assert reader.matches()[0].steps == number
            device.ask("note Ada Bo")
            assert reader.recall("players") == ["Ada", "Bo"]
            assert reader.latest() == 1
            device.order("play")
            seen: list[int] = []
            while not seen or seen[-1] < 200:
                records = [record["step"] for record in reader.steps(1)]
                assert records == list(range(1, len(records) + 1))
                seen.append(len(records))
        assert all(earlier <= later for earlier, later in pairwise(seen))


def test_reading_a_journal_that_nobody_has_open_leaves_no_files_behind(path: Path) -> None:
    with closing(opened(path)) as journal:
        played(journal, 3)
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with closing(Journal.read(path)) as reader:
        assert len(list(reader.steps(1))) == 3
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_tidying_up_keeps_every_step_and_does_not_wait_for_a_reader(path: Path, journal: Journal) -> None:
    log = path.with_name(path.name + "-wal")
    match = journal.begin(HEADER)
    with closing(sqlite3.connect(path, isolation_level=None)) as slow_reader:
        slow_reader.execute("BEGIN")
        slow_reader.execute("SELECT * FROM match").fetchall()
        number = 0
        while log.stat().st_size < journal_module.CHECKPOINT_BYTES:
            journal.checkpoint()
            number += 1
            assert number < 100
            journal.write([Append(match, number, {"card": number, "pad": os.urandom(10000).hex()})])
        journal.checkpoint()
        journal.write([Append(match, number + 1, {"card": number + 1})])
    journal.checkpoint()
    assert log.stat().st_size == 0
    assert cards(journal, match) == list(range(1, number + 2))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace counts the syncs")
def test_a_step_costs_exactly_one_sync_and_that_before_it_is_acknowledged(path: Path) -> None:
    calls = path.with_name("calls")
    with DeviceProcess(path, under=["strace", "-f", "-o", str(calls), "-e", "trace=/sync,write"]) as device:
        device.ask("open")
        for number in range(1, 13):  # so long that SQLite, left alone, would tidy up in between
            assert device.ask("append " + os.urandom(60000).hex()) == number
        device.leave()
    seen = [
        "said" if "write(1," in line else "sync" for line in calls.read_text().splitlines() if "(" in line
    ]
    after_the_first = [at for at, what in enumerate(seen) if what == "said"][1]
    assert seen[after_the_first + 1 :][:22] == ["sync", "said"] * 11
