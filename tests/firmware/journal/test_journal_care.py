"""What the journal does for itself while nobody plays, and what lists make of it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.core.tally import read_tally
from companion.match.tally import tally_of
from firmware.journal.rows import head, rewrite
from firmware.journal.store import Journal
from firmware.journal.writes import Remove
from firmware.loop import app as app_module
from firmware.session.journal_care import JournalCare
from tests.firmware.past_evenings import Evenings, logged, stored, tampered


def looked_after(path: Path, keep_matches: int = 0, in_play: int | None = None) -> dict[str, str]:
    """Give the journal all that it needs; what was found damaged."""
    with closing(Journal.open(path, wall=str)[0]) as journal:
        care = JournalCare(journal, lambda: in_play, keep_matches)
        while care.portion(lambda: False):
            pass
        assert not care.portion(lambda: False)
        state = care.state()
        assert state is not None
        assert state["all_checked"]
        assert state["damaged"] == len(care.damages)
    return care.damages


@pytest.fixture
def evenings(tmp_path: Path) -> Evenings:
    return Evenings(tmp_path)


@pytest.mark.slow
def test_lists_and_statistics_are_those_of_the_steps_and_read_no_step(
    evenings: Evenings, tmp_path: Path
) -> None:
    bare = Evenings(tmp_path / "bare", tallies=False)  # who lists these has to replay them
    commands = (["matches"], ["stats"], ["stats", "--json"])
    replayed = [bare.said(*words) for words in commands]
    with closing(sqlite3.connect(evenings.path)) as db:
        db.execute("DELETE FROM step")
        db.commit()
    assert [evenings.said(*words) for words in commands] == replayed


@pytest.mark.slow
def test_a_device_stores_the_tally_with_each_step_that_changes_it(tmp_path: Path) -> None:
    from random import Random

    from firmware.commands.players import SimulatedGroup
    from tests.firmware.evening import device

    with device(tmp_path) as on:
        players = SimulatedGroup("six", 3, Random(1))
        journal = on.table.session._journal
        while (action := players.next(on.table)) is not None:
            on.give(action, 2)
        assert on.match.position.over
        assert journal.reader.matches()[-1].tally == tally_of(on.match)
        on.table.session.undo()
        undone = tally_of(on.match)
        assert not undone.over
        assert journal.reader.matches()[-1].tally == undone


def test_what_is_damaged_in_the_past_is_found_and_named(evenings: Evenings) -> None:
    tampered(
        evenings.path,
        "DELETE FROM step WHERE match_id = 2 AND number = 5",
        "UPDATE match SET tally = replace(tally, '1', '2') WHERE id = 4",
        "DELETE FROM step WHERE match_id = 5",
        "DELETE FROM match WHERE id = 5",
    )
    assert "the header of match 4 is damaged" in evenings.told("matches")[1].splitlines()[3]
    damages = looked_after(evenings.path)
    assert list(damages) == [
        "step 5 of match 2 is missing",
        "the header of match 4 is damaged",
        "only 5 of 6 matches are there",
    ]
    assert all(damages.values())


@pytest.mark.slow
def test_readers_name_what_is_damaged_and_give_what_comes_before(tmp_path: Path) -> None:
    evenings = Evenings(tmp_path, tallies=False)
    tampered(evenings.path, "DELETE FROM step WHERE match_id = 1 AND number > 100")
    fault = "step 101 of match 1 is missing"
    run = evenings.told
    _, listed, _ = run("matches")
    first, *others = listed.splitlines()
    assert f"({fault})" in first
    assert len(others) == 5
    status, story, told = run("show", "1")
    assert (status, fault in told) == (1, True)
    assert "steps 1 to 100 can be read" in told
    assert "Deal 1" in story or "deal 1" in story.lower()
    status, steps, told = run("show", "1", "--steps")
    assert (status, fault in told) == (1, True)
    assert "\n 100  " in steps
    status, lines, told = run("export", "--all")
    assert (status, fault in told) == (1, True)
    assert lines.count('"log"') == 6
    assert sum('"step"' in line for line in lines.split('"log"')[1].splitlines()) == 100
    for form in ("csv", "html"):
        status, text, told = run("export", "1", "--format", form)
        assert (status, fault in told, bool(text)) == (1, True, True)
    assert f"{fault.capitalize()}. " in run("export", "1", "--format", "html")[1]
    status, counted, told = run("stats")
    assert (status, f"not counted: {fault}" in told) == (1, True)
    assert len(counted.splitlines()) > 3
    status, _, told = run("backup", str(tmp_path / "copy.sqlite"))
    assert (status, fault in told) == (1, True)
    assert [*tmp_path.glob("*copy*")] == []


def test_a_tally_that_is_wrong_is_found_by_a_backup(evenings: Evenings, tmp_path: Path) -> None:
    with closing(sqlite3.connect(evenings.path)) as db:
        right = head(db, 2)
        wrong = right._replace(tally=json.dumps({**json.loads(right.tally), "winners": [0, 1, 2]}))
        assert read_tally(wrong.tally).winners == (0, 1, 2)
        rewrite(db, wrong)
        db.commit()
    said = evenings.refused("backup", str(tmp_path / "copy.sqlite"))
    assert "the summary of match 2 is not what its steps amount to" in said


def test_a_list_shows_the_newest_twenty_matches_and_says_how_to_see_all(evenings: Evenings) -> None:
    with closing(Journal.open(evenings.path, wall=str)[0]) as journal:
        header, *records = logged("match-of-four")
        while len(journal.reader.matches()) < 20:
            stored(journal, header, records[:1])
        _, few, complaints = evenings.told("matches")
        assert ([int(line[:4]) for line in few.splitlines()], complaints) == ([*range(1, 21)], "")
        for _ in range(7):
            stored(journal, header, records[:1])
        journal.write([Remove(26)])  # what counts are the matches that are there, not their numbers
    _, newest, complaints = evenings.told("matches")
    assert [int(line[:4]) for line in newest.splitlines()] == [*range(6, 26), 27][1:]
    assert complaints == "the newest 20 of 26 matches; to list all, type: nimmt matches --all\n"
    _, every, complaints = evenings.told("matches", "--all")
    assert [int(line[:4]) for line in every.splitlines()] == [*range(1, 26), 27]
    assert every.endswith(newest)
    assert complaints == ""


def test_only_as_many_matches_are_kept_as_are_wanted_and_never_fewer_than_are_not_over(
    evenings: Evenings,
) -> None:
    with closing(Journal.open(evenings.path, wall=str)[0]) as journal:
        header, *records = logged("match-of-four")
        assert stored(journal, header, records[:30]) == 7
        for name in ("match-corrected", "score-put-right"):
            header, *records = logged(name)
            stored(journal, header, records)
    looked_after(evenings.path, keep_matches=3)
    with closing(Journal.read(evenings.path)) as reader:
        assert [entry.id for entry in reader.matches()] == [7, 8, 9]
        assert reader.fault_of_count() is None
        assert len(list(reader.steps(7))) == 30
    looked_after(evenings.path, keep_matches=1, in_play=8)
    with closing(Journal.read(evenings.path)) as reader:
        assert [entry.id for entry in reader.matches()] == [7, 8]
    assert evenings.said("matches").count("\n") == 2
    assert "use a match" not in evenings.said("export", "8")
    assert "no match 3" in evenings.refused("export", "3")


def test_the_past_is_looked_after_in_the_pauses_and_only_then(tmp_path: Path, evenings: Evenings) -> None:
    from tests.firmware.evening import device

    with device(tmp_path) as on:
        session = on.table.session
        assert session.journal_care.state() is not None
        state: Any = session.journal_care.state()
        assert (state["matches"], state["checked"], state["all_checked"]) == (6, 0, False)
        while session.journal_care.portion(lambda: False):
            pass
        state = session.journal_care.state()
        assert (state["checked"], state["all_checked"], state["damaged"]) == (6, True, 0)
    assert app_module.CARE_S < app_module.CARE_PAUSE_S


def test_a_check_of_the_pages_that_a_scan_interrupts_is_made_again_before_all_is_checked(
    evenings: Evenings,
) -> None:
    scanned = ["6N-012"]
    with closing(Journal.open(evenings.path, wall=str)[0]) as journal:
        care = JournalCare(journal, lambda: None)

        def state(name: str) -> object:
            return (care.state() or {})[name]

        while state("checked") != 6:
            assert care.portion(lambda: bool(scanned))
        for _ in range(5):
            assert care.portion(lambda: bool(scanned))
            assert not state("all_checked")
        scanned.clear()
        while care.portion(lambda: bool(scanned)):
            pass
        assert state("all_checked")
        assert journal.reader.check_pages(lambda: False) == (True, None)
        assert journal.reader.check_pages(lambda: True) == (False, None)
