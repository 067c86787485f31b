"""Every step is sealed over the steps before it: what is missing, swapped or from elsewhere is named."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from companion.match import log
from firmware.journal import store
from firmware.journal.errors import DamagedMatch, JournalError
from firmware.journal.store import Journal
from firmware.journal.writes import Append, Begin, Note, Remove, Withdraw
from tests.firmware.past_evenings import LOGS, Evenings, logged, tampered


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of three matches of six steps."""
    path = tmp_path / "journal.sqlite"
    with closing(Journal.open(path)[0]) as journal:
        for _ in range(3):
            match_id = journal.begin({"game": "six"})
            for number in range(1, 7):
                journal.write(
                    [Append(match_id, number, {"step": number, "do": {"kind": "play", "card": number}})]
                )
    return path


def looked_at(path: Path) -> str | None:
    """What a start finds wrong."""
    journal, report = Journal.open(path)
    journal.close()
    return report.fault


@pytest.mark.parametrize(
    ("statements", "good", "fault"),
    [
        (["DELETE FROM step WHERE match_id = 2 AND number = 6"], 5, "step 6 of match 2 is missing"),
        (["DELETE FROM step WHERE match_id = 2 AND number > 3"], 3, "step 4 of match 2 is missing"),
        (["DELETE FROM step WHERE match_id = 2"], 0, "step 1 of match 2 is missing"),
        (["DELETE FROM step WHERE match_id = 2 AND number = 3"], 2, "step 3 of match 2 is missing"),
        (
            [
                "UPDATE step SET number = 99 WHERE match_id = 2 AND number = 3",
                "UPDATE step SET number = 3 WHERE match_id = 2 AND number = 4",
                "UPDATE step SET number = 4 WHERE match_id = 2 AND number = 99",
            ],
            2,
            "step 3 of match 2 is damaged",
        ),
        (
            [
                "DELETE FROM step WHERE match_id = 2 AND number = 3",
                "UPDATE step SET number = 99 WHERE match_id = 1 AND number = 3",
                "INSERT INTO step SELECT 2, 3, record, at, chain FROM step WHERE number = 99",
                "UPDATE step SET number = 3 WHERE number = 99",
            ],
            2,
            "step 3 of match 2 is damaged",
        ),
        (
            ["INSERT INTO step SELECT 2, 7, record, at, chain FROM step WHERE match_id = 1 AND number = 6"],
            6,
            "step 7 does not belong to match 2",
        ),
        (["UPDATE step SET at = 'now' WHERE match_id = 2 AND number = 2"], 1, "step 2 of match 2 is damaged"),
        (
            ["UPDATE step SET record = x'00' WHERE match_id = 2 AND number = 2"],
            1,
            "step 2 of match 2 is damaged",
        ),
        (
            [
                "DELETE FROM step WHERE match_id = 2",
                "INSERT INTO step SELECT 2, number, record, at, chain FROM step WHERE match_id = 1",
            ],
            0,
            "step 1 of match 2 is damaged",
        ),
    ],
)
def test_a_step_that_is_not_as_it_was_is_named_and_those_before_it_are_read(
    path: Path, statements: list[str], good: int, fault: str
) -> None:
    tampered(path, *statements)
    journal, report = Journal.open(path)
    with closing(journal), closing(Journal.read(path)) as reader:
        assert report.fault is None  # the past is not read at the start
        for one in (journal.reader, reader):
            with pytest.raises(DamagedMatch, match=fault) as told:
                list(one.steps(2))
            assert told.value.match_id == 2
            assert "nimmt restore" in told.value.fix
            read = one.steps(2)
            assert [next(read)["step"] for _ in range(good)] == list(range(1, good + 1))
            assert [len(list(one.steps(number))) for number in (1, 3)] == [6, 6]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE match SET steps = 5 WHERE id = 2",
        "UPDATE match SET steps = 7 WHERE id = 2",
        "UPDATE match SET chain = chain + 1 WHERE id = 2",
        "UPDATE match SET uid = 'another' WHERE id = 2",
        "UPDATE match SET last_at = 'now' WHERE id = 2",
    ],
)
def test_a_match_whose_own_line_is_damaged_is_listed_as_that(path: Path, statement: str) -> None:
    tampered(path, statement)
    with closing(Journal.read(path)) as reader:
        entries = reader.matches()
        assert [entry.fault for entry in entries] == [None, "the header of match 2 is damaged", None]
        with pytest.raises(DamagedMatch, match="the header of match 2 is damaged"):
            reader.steps(2)
        with pytest.raises(DamagedMatch, match="the header of match 2 is damaged"):
            reader.entry(2)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM note",
        "UPDATE note SET content = replace(content, '3', '4')",
        "UPDATE note SET seal = seal + 1",
        "INSERT INTO note SELECT * FROM note",
        "INSERT INTO note VALUES ('{}', 2745614147)",
    ],
)
def test_notes_that_are_lost_or_changed_are_named_at_the_start(path: Path, statement: str) -> None:
    with closing(Journal.open(path)[0]) as journal:
        journal.write([Note("open", 3)])
        journal.write([Note("joining", None)])
    assert looked_at(path) is None
    tampered(path, statement)
    assert "the notes are damaged" in str(looked_at(path))


def test_a_match_in_which_nothing_was_done_is_taken_back_without_a_trace_and_no_other(path: Path) -> None:
    with closing(Journal.open(path)[0]) as journal:
        before, begun = journal.reader.matches(), journal.reader.next_number()
        for match_id in (1, 3):
            with pytest.raises(JournalError, match="is not a new one"):
                journal.write((Withdraw(match_id),))
        journal.write((Begin(begun, {"game": "six"}), Note("open", begun)))
        journal.write((Withdraw(begun), Note("open", 3)))
        assert (journal.recall("open"), journal.reader.matches()) == (3, before)
    with closing(Journal.open(path)[0]) as journal:
        assert journal.reader.fault_of_count() is None
        assert journal.begin({"game": "six"}) == begun


@pytest.mark.parametrize("gone", [(3,), (3, 2), (2, 3), (1, 2, 3), (1,)])
def test_a_journal_whose_newest_match_was_removed_is_used_at_the_next_start(
    path: Path, gone: tuple[int, ...]
) -> None:
    left = [number for number in (1, 2, 3) if number not in gone]
    with closing(Journal.open(path)[0]) as journal:
        for number in gone:
            journal.write([Remove(number)])
    journal, report = Journal.open(path)
    with closing(journal):
        assert report.fault is None
        assert [entry.id for entry in journal.reader.matches()] == left
        assert journal.reader.fault_of_count() is None
        assert journal.begin({"game": "six"}) == 4
    assert looked_at(path) is None


def test_the_number_of_a_match_that_is_gone_is_not_given_again_and_one_nobody_removed_is_missed(
    path: Path,
) -> None:
    with closing(Journal.open(path)[0]) as journal:
        journal.write([Remove(3)])
        assert journal.reader.fault_of_count() is None
        journal.write((Withdraw(journal.begin({"game": "six"})),))
        assert journal.begin({"game": "six"}) == 4
        assert [entry.id for entry in journal.reader.matches()] == [1, 2, 4]
        journal.write([Remove(4)])
    tampered(path, "DELETE FROM step WHERE match_id = 2", "DELETE FROM match WHERE id = 2")
    assert "match 2 is missing" in str(looked_at(path))


def test_a_backup_with_something_that_no_journal_has_is_refused(path: Path, tmp_path: Path) -> None:
    # What else no journal has: `test_a_journal_that_was_tampered_with_is_put_aside`.
    tampered(path, "CREATE TRIGGER t AFTER INSERT ON step BEGIN DELETE FROM step; END")
    folder = tmp_path / "device"
    folder.mkdir()
    evenings = Evenings(folder, ("match-corrected",))
    before = evenings.path.read_bytes()
    assert "cannot be read as a journal: it" in evenings.refused("restore", str(path))
    assert evenings.path.read_bytes() == before
    evenings.path = path
    for words in (("matches",), ("export",), ("backup", str(tmp_path / "copy"))):
        assert "cannot be read as a journal: it" in evenings.refused(*words)


def test_a_connection_does_not_trust_the_file(path: Path) -> None:
    with closing(Journal.open(path)[0]) as journal, closing(Journal.read(path)) as reader:
        for one in (journal.reader, reader):
            with one._reading("") as db:
                assert db.execute("PRAGMA trusted_schema").fetchone() == (0,)
                assert db.execute("PRAGMA cell_size_check").fetchone() == (1,)


def test_a_link_to_a_journal_in_use_is_in_use_too(path: Path, tmp_path: Path) -> None:
    alias = tmp_path / "alias.sqlite"
    alias.symlink_to(path)
    with closing(Journal.open(path)[0]), pytest.raises(JournalError, match="in use by process"):
        Journal.open(alias)
    with closing(Journal.open(alias)[0]) as journal:
        journal.write([Append(3, 7, {"step": 7})])
    assert alias.is_symlink()
    with closing(Journal.read(path)) as reader:
        assert len(list(reader.steps(3))) == 7


def test_the_log_stays_short_when_steps_come_without_a_pause(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LONGEST_LOG_BYTES", 1_000_000)
    log_file, longest = path.with_name(path.name + "-wal"), 0
    with closing(Journal.open(path)[0]) as journal:
        for number in range(7, 120):
            journal.write([Append(3, number, {"step": number, "pad": os.urandom(10000).hex()})])
            longest = max(longest, log_file.stat().st_size)
        assert len(list(journal.reader.steps(3))) == 119
    assert store.LONGEST_LOG_BYTES < longest < store.LONGEST_LOG_BYTES + 50_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sorted(file.stem for file in LOGS.glob("*.jsonl") if file.read_text().startswith('{"log"'))
)
def test_a_step_takes_at_most_400_bytes_of_the_disk(tmp_path: Path, name: str) -> None:
    header, *records = logged(name)
    steps = [log.without_sentences(record) for record in records]
    path = tmp_path / "journal.sqlite"
    copies = 1 + 100 // len(steps)  # a file grows by whole pages
    with closing(Journal.open(path)[0]) as journal:
        sizes = []
        for _ in range(1 + copies):
            match_id = journal.begin(header)
            for number, kept in enumerate(steps, start=1):
                journal.write([Append(match_id, number, kept)])
            assert list(journal.reader.steps(match_id)) == steps
            journal.close()
            sizes.append(path.stat().st_size)
            journal, _ = Journal.open(path)  # noqa: PLW2901
        journal.close()
    assert (sizes[-1] - sizes[0]) / (copies * len(steps)) <= 400
