"""A journal of an older nimmt is brought to today's version: whole, with a copy kept, or not at all."""

import json
import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.core.tally import Taken
from companion.match import log
from companion.match.tally import tally_of
from firmware.journal import migrations
from firmware.journal.errors import JournalError
from firmware.journal.reader import JournalReader
from firmware.journal.store import Journal
from tests.firmware.past_evenings import OLD, logged

PLAYED = ("match-corrected", "score-put-right", "score-in-teams", "match-of-four")
BADGES = ([7, 3, 1], [3, 8, 1], [1, 2, 3, 7], [4, 3, 9, 7])


def wall() -> str:
    return "2026-05-01T20:15:00Z"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite"
    shutil.copyfile(OLD, path)
    return path


def told(journal: JournalReader) -> list[list[dict[str, Any]]]:
    return [[entry.header, *journal.steps(entry.id)] for entry in journal.matches()]


def expected() -> list[list[dict[str, Any]]]:
    matches = [logged(name) for name in PLAYED]
    matches[3] = matches[3][:41]
    for step in (step for match in matches for step in match[1:]):
        step.get("do", {}).pop("missing", None)  # orders of that time did not have it
    return [[{**one[0], "badges": badges}, *one[1:]] for one, badges in zip(matches, BADGES, strict=True)]


def test_every_match_of_an_older_journal_is_there_and_the_old_file_is_kept_beside_it(old: Path) -> None:
    journal, report = Journal.open(old, wall=wall)
    with closing(journal):
        assert report.fault is None
        assert told(journal.reader) == expected()
        assert journal.recall("open") == 4
        assert [entry.started_at[:11] for entry in journal.reader.matches()] == ["2026-02-21T"] * 4
        assert journal.begin({"game": "six"}) == 5
    kept = old.with_name("journal.sqlite.v1-20260501T201500Z-1.bak")
    with closing(sqlite3.connect(f"{kept.as_uri()}?mode=ro", uri=True)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (1,)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copy.execute("SELECT count(*) FROM step").fetchone() == (14 - 1 + 28 - 1 + 22 - 1 + 40,)


@pytest.mark.parametrize("version", ["v1", "v3"])
def test_the_matches_of_an_older_journal_get_their_tallies(tmp_path: Path, version: str) -> None:
    path = tmp_path / "journal.sqlite"
    shutil.copyfile(OLD.with_name(f"journal-{version}.sqlite"), path)
    with closing(Journal.open(path, wall=wall)[0]) as journal:
        for entry in journal.reader.matches():
            match = log.replay([entry.header, *journal.reader.steps(entry.id)])
            assert entry.tally == tally_of(match)


def test_what_was_derived_from_a_match_before_is_its_tally(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    shutil.copyfile(OLD.with_name("journal-v3.sqlite"), path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        (chain,) = db.execute('SELECT chain FROM "match" WHERE id = 1').fetchone()
        known = {"game": "6 NIMMT!", "high": False, "over": True, "deal": 1, "seats": 3, "winners": [2]}
        summary = {"version": 1, **known, "places": [[1, 9, [2]]], "points": [[], [], [9]], "taken": []}
        for number, seal in ((1, 0), (2, 1)):  # that of match 2 is damaged
            content = json.dumps({**summary, "taken": [[1, "55", 7]] * 3})
            of_row = zlib.crc32(f"{number}\n{chain}\n{content}".encode()) ^ seal
            db.execute("INSERT INTO summary VALUES (?, ?, ?, ?)", (number, chain, content, of_row))
    with closing(Journal.open(path, wall=wall)[0]) as journal:
        one, other, *_ = journal.reader.matches()
        assert one.tally is not None
        assert one.tally.winners == (2,)
        assert one.tally.taken[0] == Taken(1, "55", 7)
        assert other.tally == tally_of(log.replay([other.header, *journal.reader.steps(2)]))


def test_a_journal_is_brought_up_once_and_two_copies_know_their_matches_by_the_same_identities(
    tmp_path: Path,
) -> None:
    found = []
    for name in ("one", "two", "two"):
        path = tmp_path / name / "journal.sqlite"
        if not path.exists():
            path.parent.mkdir()
            shutil.copyfile(OLD, path)
        with closing(Journal.open(path, wall=wall)[0]) as journal:
            found.append([entry.uid for entry in journal.reader.matches()])
        assert len(list(path.parent.glob("*.bak"))) == 1
    assert found[0] == found[1] == found[2]
    assert len(set(found[0])) == 4


def test_the_identity_of_a_match_tells_nothing_about_its_people(old: Path) -> None:
    header = json.dumps({**logged("match-corrected")[0], "badges": [9, 8, 2]}, separators=(",", ":"))
    with closing(sqlite3.connect(old, isolation_level=None)) as db:
        started_at = db.execute('SELECT started_at FROM "match" WHERE id = 1').fetchone()[0]
        seal = zlib.crc32(f"1\n{header}\n{started_at}".encode())
        db.execute('UPDATE "match" SET header = ?, seal = ? WHERE id = 1', (header, seal))
    with closing(Journal.read(OLD)) as first, closing(Journal.read(old)) as second:
        assert first.matches()[0].header != second.matches()[0].header
        assert first.matches()[0].uid == second.matches()[0].uid


def test_an_older_journal_can_be_read_without_being_changed(old: Path) -> None:
    before = old.read_bytes()
    with closing(Journal.read(old)) as reader:
        assert told(reader) == expected()
        assert len(list(reader.timed_steps(1))) == 13
    assert old.read_bytes() == before
    assert [file.name for file in old.parent.iterdir()] == [old.name]


def test_the_newest_steps_of_an_older_journal_come_along_from_its_log(old: Path, tmp_path: Path) -> None:
    died = tmp_path / "died" / "journal.sqlite"
    died.parent.mkdir()
    with closing(sqlite3.connect(old, isolation_level=None)) as device:
        device.execute("PRAGMA journal_mode = WAL")
        device.execute(
            "UPDATE note SET value = 'null', seal = ? WHERE key = 'open'", (zlib.crc32(b"open\nnull"),)
        )
        for end in ("", "-wal"):
            shutil.copyfile(old.with_name(old.name + end), died.with_name(died.name + end))
    journal, report = Journal.open(died, wall=wall)
    with closing(journal):
        assert report.fault is None
        assert journal.recall("open") is None
        assert told(journal.reader) == expected()


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (
            "UPDATE \"match\" SET header = replace(header, '[3', '[4') WHERE id = 2",
            "header of match 2 is damaged",
        ),
        ("DELETE FROM step WHERE match_id = 3 AND number = 2", "steps of match 3 are missing"),
        ("UPDATE note SET value = '3' WHERE key = 'open'", "the notes are damaged"),
        ("CREATE TABLE recipes (name TEXT)", "its tables are not those of a journal"),
    ],
)
def test_a_damaged_older_journal_is_put_aside_as_it_is(old: Path, damage: str, fault: str) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as other:
        other.execute(damage)
        rows = list(other.iterdump())
    with pytest.raises(JournalError, match=f"cannot be read: .*{fault}"):
        Journal.read(old)
    journal, report = Journal.open(old, wall=wall)
    with closing(journal):
        assert journal.reader.matches() == []
    assert fault in (report.fault or "")
    assert not list(old.parent.glob("*.bak"))
    with closing(sqlite3.connect(old.with_name("journal.sqlite.damaged-1"))) as aside:
        assert list(aside.iterdump()) == rows
        assert aside.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_migration_that_cannot_be_finished_leaves_the_journal_as_it_was(old: Path) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as db:
        db.execute("PRAGMA max_page_count = 12")  # as many as it has: there is no room for the new table
        rows = list(db.iterdump())
        with pytest.raises(sqlite3.OperationalError, match="full"):
            migrations.migrate(db, 1)
        assert list(db.iterdump()) == rows
        assert db.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.fixture
def of_shapes(tmp_path: Path) -> Path:
    """A journal of version 3: what records have in common is in a table of its own."""
    path = tmp_path / "journal.sqlite"
    shutil.copyfile(OLD.with_name("journal-v3.sqlite"), path)
    return path


def test_records_that_were_written_by_shapes_are_read_once_and_the_notes_come_along(of_shapes: Path) -> None:
    journal, report = Journal.open(of_shapes, wall=wall)
    with closing(journal):
        assert report.fault is None
        assert told(journal.reader) == expected()
        assert [journal.recall(key) for key in ("open", "players", "names")] == [4, None, {"1": "Ada"}]
        assert journal.reader.fault_of_count() is None
        assert journal.begin({"game": "six"}) == 6  # match 5 was removed


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("DELETE FROM note WHERE key = 'open'", "the notes are damaged"),
        ("DELETE FROM note WHERE key = 'journal'", "the notes are damaged"),
        ("DELETE FROM note", "match 4 does not belong to the journal"),
        ("UPDATE note SET value = '3' WHERE key = 'open'", "the notes are damaged"),
        ("INSERT INTO note VALUES ('away', '[]', 1441609917)", "the notes are damaged"),
        ("DELETE FROM shape", "step 1 of match 4 is damaged"),
        ("UPDATE shape SET names = replace(names, 'card', 'cars')", "of match 4 is damaged"),
        ("UPDATE step SET record = '[99]' WHERE number = 40", "step 40 of match 4 is damaged"),
        ("UPDATE step SET record = '[1]' WHERE number = 40", "step 40 of match 4 is damaged"),
    ],
)
def test_what_is_damaged_in_a_journal_of_shapes_is_named(of_shapes: Path, damage: str, fault: str) -> None:
    with closing(sqlite3.connect(of_shapes, isolation_level=None)) as other:
        other.execute(damage)
    journal, report = Journal.open(of_shapes, wall=wall)
    journal.close()
    assert fault in (report.fault or "")


def test_a_damaged_step_of_an_old_match_stays_damaged(of_shapes: Path) -> None:
    with closing(sqlite3.connect(of_shapes, isolation_level=None)) as other:
        other.execute("UPDATE step SET record = '[' WHERE match_id = 2 AND number = 3")
    journal, report = Journal.open(of_shapes, wall=wall)
    with closing(journal):
        assert report.fault is None
        assert len(list(journal.reader.steps(1))) == 13
        with pytest.raises(JournalError, match="step 3 of match 2 is damaged"):
            list(journal.reader.steps(2))


def test_every_version_up_to_todays_has_its_migration() -> None:
    assert sorted(migrations.MIGRATIONS) == list(range(1, migrations.VERSION))
