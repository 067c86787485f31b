"""While an update is on trial, the journal of the version before stays as it is; nothing played is lost."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware.journal import migrations, opening
from firmware.journal.store import Journal
from tests.firmware.past_evenings import OLD


def wall() -> str:
    return "2026-05-01T20:15:00Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of an older format, with four matches."""
    made = tmp_path / "journal.sqlite"
    shutil.copyfile(OLD, made)
    return made


def play(path: Path, *, on_trial: bool) -> list[int]:
    """Start the program, begin a match, lose the power; gives the matches before."""
    journal, report = Journal.open(path, wall=wall, on_trial=on_trial)
    with closing(journal):
        assert report.fault is None
        found = [entry.id for entry in journal.reader.matches()]
        journal.begin({"game": "six"})
    return found


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def names(path: Path) -> set[str]:
    return {one.name for one in path.parent.iterdir() if not one.name.endswith(".lock")}


def test_the_trial_writes_no_newer_format_and_what_it_played_is_kept_when_it_is_confirmed(path: Path) -> None:
    before = path.read_bytes()
    assert play(path, on_trial=True) == [1, 2, 3, 4]
    assert play(path, on_trial=True) == [1, 2, 3, 4, 5]  # it was restarted
    assert path.read_bytes() == before
    assert play(path, on_trial=False) == [1, 2, 3, 4, 5, 6]
    assert version(path) == migrations.VERSION
    assert names(path) == {path.name, "journal.sqlite.v1-20260501T201500Z-1.bak"}
    assert path.with_name("journal.sqlite.v1-20260501T201500Z-1.bak").read_bytes() == before


def become(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Be a program with another newest format, whose tables are those of today."""
    for module, name in ((migrations, "VERSION"), (opening, "VERSION")):
        monkeypatch.setattr(module, name, number)
    known = {one: how for one, how in migrations.MIGRATIONS.items() if one < number}
    if number - 1 not in known:
        known[number - 1] = lambda _: None
    for module in (migrations, opening):
        monkeypatch.setattr(module, "MIGRATIONS", known)


def test_the_version_before_goes_on_with_its_own_journal_and_the_other_one_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = migrations.VERSION
    play(path, on_trial=False)
    with monkeypatch.context() as future:
        become(future, today + 1)
        assert play(path, on_trial=True) == [1, 2, 3, 4, 5]
    assert version(path) == today
    assert play(path, on_trial=False) == [1, 2, 3, 4, 5]  # back on the version before
    aside = path.with_name(f"journal.sqlite.newer-v{today + 1}-1")
    assert version(aside) == today + 1
    with monkeypatch.context() as future:  # the same update once more, and now it is confirmed
        become(future, today + 1)
        assert play(path, on_trial=True) == [1, 2, 3, 4, 5, 6]
        journal, report = Journal.open(path, wall=wall)
        journal.close()
        assert version(path) == today + 1
        assert aside.name in str(report.fault)  # and it is told how to get the match of the first trial


def test_an_older_version_on_trial_leaves_the_newer_journal_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = migrations.VERSION
    with monkeypatch.context() as future:
        become(future, today + 1)
        play(path, on_trial=False)
    before = path.read_bytes()
    assert play(path, on_trial=True) == []
    assert path.read_bytes() == before
    with monkeypatch.context() as future:
        become(future, today + 1)
        assert play(path, on_trial=False) == [1, 2, 3, 4, 5]


def test_a_power_cut_while_the_copy_takes_its_place_loses_nothing(path: Path) -> None:
    play(path, on_trial=True)
    kept = path.with_name("journal.sqlite.v1-20260501T201500Z-1.bak")
    path.rename(kept)  # the first of the two renames was done
    path.with_name(f"{path.name}-wal").write_bytes(b"a log that lost its file")
    assert play(path, on_trial=False) == [1, 2, 3, 4, 5]
    assert kept.exists()


def test_on_trial_with_the_same_format_the_journal_itself_is_used(path: Path) -> None:
    play(path, on_trial=False)
    assert play(path, on_trial=True) == [1, 2, 3, 4, 5]
    assert not path.with_name("journal.sqlite.trial").exists()
    assert play(path, on_trial=False) == [1, 2, 3, 4, 5, 6]
