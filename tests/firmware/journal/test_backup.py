"""A backup is whole and checked, also from under a running device; what is put back is sound."""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware.journal.store import Journal
from firmware.journal.writes import Append, Note
from tests.firmware.journal.journal_device import DeviceProcess
from tests.firmware.past_evenings import Evenings


@pytest.fixture
def evenings(tmp_path: Path) -> Evenings:
    folder = tmp_path / "device"
    folder.mkdir()
    return Evenings(folder, ("match-of-four", "score-put-right"))


def told(path: Path) -> list[object]:
    with closing(Journal.read(path)) as journal:
        return [(entry, list(journal.timed_steps(entry.id))) for entry in journal.matches()]


def test_a_backup_is_one_file_with_everything(evenings: Evenings, tmp_path: Path) -> None:
    to = tmp_path / "copy.sqlite"
    said = evenings.said("backup", str(to))
    assert said == f"{to}: 2 matches, 226 steps, all of them read back and replayed\n"
    assert told(to) == told(evenings.path)
    with closing(sqlite3.connect(to)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.sqlite", "device"]


def test_a_backup_in_a_folder_is_named_by_its_time_and_one_replaces_nothing(
    evenings: Evenings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (("backup",), ("backup", str(tmp_path / "device"))):
        said = evenings.said(*words)
        assert re.search(r"nimmt-journal-\d{8}T\d{6}Z\.sqlite: 2 matches", said)
    to = tmp_path / "copy.sqlite"
    to.write_text("mine")
    assert "already exists" in evenings.refused("backup", str(to))
    assert to.read_text() == "mine"


def test_a_running_device_is_backed_up_as_it_is_at_one_moment(evenings: Evenings, tmp_path: Path) -> None:
    evenings.path.unlink()
    with closing(Journal.open(evenings.path, wall=lambda: "")[0]) as journal:
        journal.begin({"log": 1, "game": "six", "seats": 2, "options": {}, "first": 0})
        for number, card in enumerate((12, 37, 43), start=1):
            lay = {"kind": "row_begun", "card": card, "row": number - 1}
            journal.write([Append(1, number, {"step": number, "events": [lay], "because": []})])
            to = tmp_path / f"after-{number}.sqlite"
            assert f"1 match, {number} steps" in evenings.said("backup", str(to))
            assert len(told(to)[0][1]) == number  # type: ignore[index]
            assert journal.writable()


def died(evenings: Evenings, folder: Path) -> Evenings:
    """The journal of a device that was killed after the first step of a third match."""
    with closing(Journal.open(evenings.path, wall=lambda: "")[0]) as journal:
        number = journal.begin({"log": 1, "game": "six", "seats": 2, "options": {}, "first": 0})
        lay = {"kind": "row_begun", "card": 12, "row": 0}
        journal.write([Append(number, 1, {"step": 1, "events": [lay], "because": []})])
        for end in ("", "-wal"):
            file = evenings.path.with_name(evenings.path.name + end)
            (folder / f"died.sqlite{end}").write_bytes(file.read_bytes())
    evenings.path = folder / "died.sqlite"
    return evenings


def test_a_backup_from_under_a_killed_device_has_all_that_was_acknowledged(
    evenings: Evenings, tmp_path: Path
) -> None:
    said = died(evenings, tmp_path).said("backup", str(tmp_path / "copy.sqlite"))
    assert "3 matches, 227 steps" in said


def test_what_is_in_the_way_of_a_backup_is_said(evenings: Evenings) -> None:
    assert "no USB drive is plugged in" in evenings.refused("backup", "--usb")
    assert "was not written" in evenings.refused("backup", "/proc/copy.sqlite")
    evenings.path.unlink()
    assert "there is no journal at" in evenings.refused("backup", "/tmp/never.sqlite")  # noqa: S108


# --- restoring


@pytest.fixture
def backup(evenings: Evenings, tmp_path: Path) -> Path:
    """A backup; one more match was played since."""
    to = tmp_path / "copy.sqlite"
    evenings.said("backup", str(to))
    with closing(Journal.open(evenings.path, wall=lambda: "")[0]) as journal:
        journal.begin({"log": 1, "game": "six", "seats": 2, "options": {}, "first": 0})
    return to


def test_a_backup_comes_back_and_the_journal_that_was_there_is_kept(evenings: Evenings, backup: Path) -> None:
    before = told(evenings.path)
    said = evenings.said("restore", str(backup))
    aside = evenings.path.with_name("journal.sqlite.before-restore-1")
    assert said == (
        f"{evenings.path} now has 2 matches, 226 steps, as in {backup}\nthe old journal is kept as {aside}\n"
    )
    assert told(evenings.path) == told(backup)
    assert told(aside) == before
    with closing(Journal.open(evenings.path, wall=lambda: "")[0]) as journal:
        assert journal.begin({"log": 1}) == 3
    evenings.said("restore", str(aside))  # and the other way round
    assert told(evenings.path) == before
    assert evenings.path.with_name("journal.sqlite.before-restore-2").exists()
    evenings.path.unlink()
    assert "kept as" not in evenings.said("restore", str(backup))
    assert told(evenings.path) == told(backup)


def test_a_log_whose_journal_is_gone_is_not_taken_for_that_of_the_backup(
    evenings: Evenings, backup: Path
) -> None:
    before = told(backup)
    log = evenings.path.with_name("journal.sqlite-wal")
    with closing(Journal.open(evenings.path, wall=lambda: "")[0]) as journal:
        journal.write([Note("players", ["Ada"])])
        left = log.read_bytes()
    evenings.path.unlink()
    log.write_bytes(left)
    evenings.said("restore", str(backup))
    assert told(evenings.path) == before
    assert evenings.path.with_name("journal.sqlite.damaged-1-wal").read_bytes() == left


def test_the_newest_plays_of_a_killed_device_are_kept_aside_too(
    evenings: Evenings, backup: Path, tmp_path: Path
) -> None:
    killed = died(evenings, tmp_path)
    killed.said("restore", str(backup))
    assert told(killed.path) == told(backup)
    assert len(told(tmp_path / "died.sqlite.before-restore-1")) == 4


def test_a_backup_helps_where_the_journal_is_beyond_use(evenings: Evenings, backup: Path) -> None:
    evenings.path.write_bytes(b"garbage" * 1000)
    log = evenings.path.with_name("journal.sqlite-wal")
    log.write_bytes(b"a log that belongs to it")
    evenings.said("restore", str(backup))
    assert told(evenings.path) == told(backup)
    aside = evenings.path.with_name("journal.sqlite.before-restore-1")
    assert aside.read_bytes() == b"garbage" * 1000
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"a log that belongs to it"


def test_nothing_is_restored_under_a_running_device(evenings: Evenings, backup: Path) -> None:
    with DeviceProcess(evenings.path) as device:
        device.ask("open")
        assert "is in use by process" in evenings.refused("restore", str(backup))
        assert device.ask("append") == 1


def refused(evenings: Evenings, file: Path) -> str:
    before = evenings.path.read_bytes(), sorted(os.listdir(evenings.path.parent))  # noqa: PTH208 - names only
    said = evenings.refused("restore", str(file))
    assert (evenings.path.read_bytes(), sorted(os.listdir(evenings.path.parent))) == before  # noqa: PTH208
    return said


def test_a_damaged_backup_replaces_nothing(evenings: Evenings, backup: Path) -> None:
    with closing(sqlite3.connect(backup, isolation_level=None)) as db:
        db.execute("UPDATE step SET record = x'00' WHERE match_id = 1 AND number = 1")
    assert "step 1 of match 1 is damaged" in refused(evenings, backup)


def test_a_backup_whose_matches_cannot_be_replayed_replaces_nothing(evenings: Evenings, backup: Path) -> None:
    other = Evenings(backup.parent, ())
    with closing(Journal.open(other.path, wall=lambda: "")[0]) as journal:
        journal.begin({"log": 1, "game": "chess", "seats": 2, "options": {}, "first": 0})
        journal.begin({"log": 1, "game": "six", "seats": 2, "options": {}, "first": 0})
    assert "there is no game 'chess'" in refused(evenings, other.path)
    assert evenings.path.exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "there is no journal at"),
        (b"SQLite format 3\0" + bytes(4096), "choose a file made by nimmt backup"),
        (b"something else" * 100, "not a database"),
    ],
)
def test_what_is_no_backup_replaces_nothing(
    evenings: Evenings, tmp_path: Path, content: bytes, told: str
) -> None:
    file = tmp_path / "some.file"
    file.write_bytes(content)
    evenings.path.with_name("journal.sqlite.lock").touch()
    assert told in refused(evenings, file)


def test_neither_the_journal_itself_nor_one_of_a_newer_nimmt_replaces_anything(
    evenings: Evenings, backup: Path
) -> None:
    assert "is the journal itself" in refused(evenings, evenings.path)
    with closing(sqlite3.connect(backup)) as db:
        db.execute("PRAGMA user_version = 99")
    assert "has version 99" in refused(evenings, backup)


def test_what_root_restores_still_belongs_to_the_device(evenings: Evenings, backup: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can restore for somebody else")
    os.chown(evenings.path.parent, 65534, 65534)
    evenings.path.with_name("journal.sqlite.lock").unlink()
    evenings.said("restore", str(backup))
    for name in ("journal.sqlite", "journal.sqlite.lock"):
        assert evenings.path.with_name(name).stat().st_uid == 65534
