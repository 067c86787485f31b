"""A newer version of the journal, made up: it is reached with a copy kept, whole or not at all."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from firmware.journal import migrations, opening, rows
from firmware.journal.copies import restore
from firmware.journal.errors import JournalError
from firmware.journal.opening import is_older
from firmware.journal.store import Journal
from firmware.journal.writes import Append
from tests.firmware.journal.journal_device import opened
from tests.firmware.past_evenings import tampered


def headers(path: Path) -> list[object]:
    with closing(Journal.read(path)) as reader:
        return [entry.header for entry in reader.matches()]


def with_new_headers(db: sqlite3.Connection) -> None:
    for head, _ in rows.heads(db, "ORDER BY id"):
        rows.rewrite(db, head._replace(header='{"game":"new"}'))


def without_room(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM step")
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise full


def become_newer(
    monkeypatch: pytest.MonkeyPatch, how: Callable[[sqlite3.Connection], None] = with_new_headers
) -> None:
    """Be a program of the next version."""
    monkeypatch.setitem(migrations.MIGRATIONS, migrations.VERSION, how)
    for module in (migrations, opening):
        monkeypatch.setattr(module, "VERSION", module.VERSION + 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of one match of two steps, of which the last is still in the log."""
    made = tmp_path / "journal.sqlite"
    with closing(Journal.open(tmp_path / "open.sqlite")[0]) as journal:
        journal.begin({"game": "six"})
        journal.write([Append(1, 1, {"step": 1})])
        journal.write([Append(1, 2, {"step": 2})])
        for end in ("", "-wal"):
            (tmp_path / f"journal.sqlite{end}").write_bytes((tmp_path / f"open.sqlite{end}").read_bytes())
    return made


def test_an_older_journal_is_migrated_with_a_copy_with_which_the_older_program_can_go_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, newer = (path.with_name(f"journal.sqlite{end}") for end in (".v1-1.bak", ".newer-v2-1"))
    with monkeypatch.context() as future:
        become_newer(future)
        assert is_older(path)
        assert headers(path) == [{"game": "new"}]  # read without being changed
        assert not copy.exists()
        journal, report = Journal.open(path)
        with closing(journal):
            assert report.fault is None
            assert journal.begin({"game": "newer"}) == 2
        assert not is_older(path)
        with closing(Journal.read(path)) as reader:
            assert [record["step"] for record in reader.steps(1)] == [1, 2]
    assert headers(copy) == [{"game": "six"}]
    with pytest.raises(JournalError, match="has version 2, but this nimmt reads versions up to 1") as refused:
        Journal.read(path)
    assert "install the newer nimmt" in refused.value.fix
    journal, report = Journal.open(path)  # as after an update that was not confirmed
    with closing(journal):
        assert "has version 2" in str(report.fault)
        assert f"nimmt restore {newer}" in report.fix
        assert [record["step"] for record in journal.reader.steps(1)] == [1, 2]
        assert journal.begin({"game": "eleven"}) == 2
    opened(path).close()  # it is told once
    with monkeypatch.context() as future:
        become_newer(future)
        journal, report = Journal.open(path)
        journal.close()
        assert f"nimmt restore {newer}" in report.fix  # and again by who can read it
        assert len(list(path.parent.glob("*.bak"))) == 2
        restore(path, newer, lambda _reader: None)
        assert headers(path) == [{"game": "new"}, {"game": "newer"}]
        assert not newer.exists()


def test_a_migration_that_cannot_be_finished_leaves_the_journal_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as future:
        become_newer(future, without_room)
        with pytest.raises(JournalError, match="cannot be opened: the disk is full"):
            Journal.open(path)
    assert headers(path) == [{"game": "six"}]
    tampered(path, "DELETE FROM step WHERE number = 1")
    with monkeypatch.context() as future:
        become_newer(future)
        with pytest.raises(JournalError, match="cannot be read: step 1 of match 1 is missing"):
            Journal.read(path)
        journal, report = Journal.open(path)
        journal.close()
    assert "step 1 of match 1 is missing" in str(report.fault)
    with closing(sqlite3.connect(path.with_name("journal.sqlite.damaged-1"))) as aside:
        assert aside.execute("PRAGMA user_version").fetchone() == (1,)
