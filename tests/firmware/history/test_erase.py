"""A person is forgotten: no badge, no byte, no change in any total; at the device and by command."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.match import log
from firmware.config.configuration import choose, load
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.journal.writes import Note, Rewrite
from firmware.loop.runtime import Runtime
from tests.firmware.evening import FOUR, choose_in_menu, device
from tests.firmware.past_evenings import Evenings, with_a_match_in_play
from tests.gallery.script import perform

OVER = (
    "R1 b1 b2 b3 b4 OK R4 R2 R2 R2 R2 R2 R1 R1 R1 R1 R1 R1 OK R1 "
    "12 37 43 58 21 26 27 28 OK 29 30 31 32 b3 OK OK :6NC-NEXTK OK R1 OK OK "
)
"""A short match from the first key to the last."""


@pytest.fixture
def evenings(tmp_path: Path) -> Evenings:
    made = Evenings(tmp_path)
    with closing(Journal.open(made.path, wall=lambda: "")[0]) as journal:
        journal.write([Note("group", {"game": "six", "badges": [3, 1, 7, 2], "options": {}})])
        journal.write([Note("joining", {"game": "six", "badges": [1, 2]})])
    return made


def told(path: Path) -> list[tuple[dict[str, Any], list[Any], tuple[int, ...]]]:
    with closing(Journal.read(path)) as journal:
        matches = [(entry.header, list(journal.steps(entry.id))) for entry in journal.matches()]
    return [(header, steps, log.replay([header, *steps]).totals) for header, steps in matches]


def bytes_on_disk(path: Path) -> bytes:
    """The journal's file and everything that SQLite keeps beside it."""
    names = (path.name, f"{path.name}-wal")
    return b"".join(file.read_bytes() for file in path.parent.iterdir() if file.name in names)


def badges_in(raw: bytes) -> set[bytes]:
    """Every list of badges in the raw bytes, also in pages that no table uses any more."""
    return set(re.findall(rb'"badges":\[[0-9, ]*\]', raw))


@pytest.mark.slow
def test_the_badge_is_nobodys_in_every_match_and_every_total_stays(evenings: Evenings) -> None:
    before = told(evenings.path)
    said = evenings.said("erase", "3", "3")
    assert said.splitlines()[0] == "badge 3 is now anonymous, in 5 matches; all totals stay"
    after = told(evenings.path)
    for (was, steps, totals), (header, steps_now, totals_now) in zip(before, after, strict=True):
        assert header == {**was, "badges": [0 if badge == 3 else badge for badge in was["badges"]]}
        assert (steps_now, totals_now) == (steps, totals)
    with closing(Journal.read(evenings.path)) as journal:
        assert journal.recall("group") is None
        assert journal.recall("joining") == {"game": "six", "badges": [1, 2]}
    assert "in 0 matches" in evenings.said("erase", "3", "3")


def test_no_byte_of_the_badge_is_left_in_the_file_not_even_of_earlier_days(evenings: Evenings) -> None:
    with closing(sqlite3.connect(evenings.path, isolation_level=None)) as careless:
        careless.execute("PRAGMA secure_delete = OFF")
        careless.execute("CREATE TABLE old (header TEXT)")
        careless.executemany("INSERT INTO old VALUES (?)", [(f"{[333] * 20}".replace(" ", ""),)] * 200)
        careless.execute("DROP TABLE old")
    before = bytes_on_disk(evenings.path)
    assert b",333,333,333" in before
    assert any(b"3" in found for found in badges_in(before))
    evenings.said("erase", "3", "3")
    after = bytes_on_disk(evenings.path)
    assert b",333,333,333" not in after
    assert badges_in(after)
    assert not any(b"3" in found for found in badges_in(after))
    with closing(sqlite3.connect(evenings.path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA freelist_count").fetchone() == (0,)


@pytest.mark.slow
def test_who_was_erased_has_no_name_and_no_numbers_any_more(evenings: Evenings) -> None:
    evenings.said("erase", "1", "1")
    matches = evenings.said("matches")
    assert "Max" not in matches
    assert "guest 2 74" in matches
    assert not any(one["badge"] == 1 for one in json.loads(evenings.said("stats", "--json")))
    for number in ("1", "6"):
        assert "Max" not in evenings.said("show", number)
        assert "Max" not in evenings.said("export", number, "--format", "html")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "guest", "nameless"), [("de", "Gast 2", "Spieler 7"), ("fa", "مهمان ۲", "بازیکن ۷")]
)
def test_players_without_a_name_are_called_in_the_language_of_the_reader(
    evenings: Evenings, language: str, guest: str, nameless: str
) -> None:
    evenings.config.write_text(f'[screen]\nlanguage = "{language}"\n', encoding="utf-8")
    evenings.said("erase", "1", "1")
    for words in ("matches", "show 1", "export 1 --format html"):
        text = re.sub(r"base64,[^\"]*", "", evenings.said(*words.split()))  # without the letters of a page
        assert guest in text
        assert nameless in text
        assert "guest" not in text
        assert "P7" not in text
    assert nameless in evenings.said("stats")
    assert "guest 2" in evenings.said("export", "1", "--format", "csv")


def test_named_once_it_is_only_said_what_would_go_and_in_the_end_what_people_have_to_do_themselves(
    evenings: Evenings,
) -> None:
    before = evenings.path.read_bytes()
    said = evenings.said("erase", "7")
    assert "badge 7 would become anonymous, in 3 matches" in said
    assert "type its number twice: nimmt erase 7 7" in said
    assert evenings.path.read_bytes() == before
    assert len(evenings.said("erase", "7", "7").splitlines()) == 1
    copy = evenings.path.with_name("journal.sqlite.v1-1.bak")
    copy.touch()
    said = evenings.said("erase", "2", "2")
    assert f"'Alí' is still in {evenings.config}, in the list names under [table]" in said
    assert f"  {copy}\n" in said


@pytest.mark.parametrize(
    ("words", "fault"),
    [(("0", "0"), "no badge 0"), (("11", "11"), "no badge 11"), (("3", "4"), "3 and 4 are different badges")],
)
def test_a_badge_that_will_not_do_is_refused(evenings: Evenings, words: tuple[str, ...], fault: str) -> None:
    assert fault in evenings.refused("erase", *words)


def test_who_is_playing_is_not_erased_by_command(tmp_path: Path) -> None:
    evenings = with_a_match_in_play(tmp_path)
    said = evenings.refused("erase", "7", "7")
    assert "badge 7 plays in match 4, which is not over" in said
    assert "end or suspend the match first" in said
    assert evenings.said("erase", "8", "8").startswith("badge 8 is now anonymous, in 1 match;")


def test_while_somebody_reads_the_erased_is_gone_but_traces_are_said_to_be_left(evenings: Evenings) -> None:
    with closing(Journal.open(evenings.path, wall=lambda: "")[0]) as journal:
        header = {**journal.reader.matches()[0].header, "badges": [0, 1, 7, 2]}
        with closing(sqlite3.connect(evenings.path, isolation_level=None)) as reading:
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM step").fetchone()
            with pytest.raises(JournalError, match="traces of the removed data") as refused:
                journal.write([Rewrite({1: header}, {})])
            assert "then try again" in refused.value.fix
        assert journal.reader.matches()[0].header == header
        journal.write([Rewrite({}, {})])
        assert b'"badges":[3,1,7,2]' not in bytes_on_disk(evenings.path).replace(b" ", b"").replace(
            b'"game":"six","badges":[3,1,7,2]', b""
        )


# --- at the device


def test_scanning_erase_and_the_badge_twice_erases(tmp_path: Path) -> None:
    with device(tmp_path, OVER) as at:
        totals = at.match.totals
        at.people(":6NC-ERASEZ")
        assert at.page == "erase"
        at.people("b3")
        assert at.page == "erase"
        assert b'"badges":[1,2,3,4]' in bytes_on_disk(tmp_path / "journal.sqlite")
        at.people("b3")
        assert at.page == "start"
        assert at.table.notice == "BADGE 3 IS ERASED"
        assert at.runtime.session.match is None
        assert at.runtime.session.notes.group() is None
        raw = bytes_on_disk(tmp_path / "journal.sqlite")
        assert b'"badges":[1,2,0,4]' in raw
        assert not any(b"3" in found for found in badges_in(raw))
    assert [told_totals for _, _, told_totals in told(tmp_path / "journal.sqlite")] == [totals]


def test_another_badge_in_between_is_asked_for_twice_itself(tmp_path: Path) -> None:
    with device(tmp_path, OVER + ":6NC-ERASEZ b3 b2 b3") as at:
        assert at.page == "erase"
        assert at.runtime.session.matches_of(3) == at.runtime.session.matches_of(2) == 1
        at.people("UNDO")
        assert at.page == "match_end"
        assert at.runtime.session.matches_of(3) == 1


def test_it_works_with_keys_only(tmp_path: Path) -> None:
    with device(tmp_path, OVER + "R2 R3 menu:ERASE_A_PLAYER") as at:
        assert at.page == "erase"
        at.people("OK")
        assert at.page == "erase"
        at.people("DOWN DOWN DOWN OK OK")
        assert at.page == "start"
        assert at.runtime.session.matches_of(3) == 0
        assert at.runtime.session.matches_of(4) == 1


def test_the_menu_of_a_match_leads_there(tmp_path: Path) -> None:
    with device(tmp_path, FOUR) as at:
        choose_in_menu(at, "ERASE A PLAYER")
        assert at.page == "erase"


def test_who_is_playing_is_not_erased_at_the_device(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + "12 37 :6NC-ERASEZ b3") as at:
        assert str(at.table.refusal[0]) == "badge 3 plays in match 1, which is not over"
        at.people("UNDO UNDO")
        assert at.page == "deal"
        at.people(":6NC-ERASEZ b9 b9")
        assert at.table.notice == "BADGE 9 IS ERASED"
        assert at.page == "deal"


def test_who_had_only_joined_is_forgotten_too(tmp_path: Path) -> None:
    with device(tmp_path, "R1 b4 b7 :6NC-ERASEZ b7 b7") as at:
        assert at.page == "start"
        assert at.runtime.session.notes.joining() == ("", ())
    with device(tmp_path) as at:
        assert at.page == "start"


def test_a_name_in_the_configuration_is_pointed_at(tmp_path: Path) -> None:
    config = replace(load(None), display=choose("display", "simulated"), buzzer=choose("buzzer", "simulated"))
    config = replace(config, table=replace(config.table, names=("Max", "Ali")))
    runtime = Runtime(config, tmp_path / "journal.sqlite")
    try:
        perform(":6NC-ERASEZ b2 b2", runtime.app.table)
        page: Any = runtime.app.table.front
        assert (page.NAME, page.name) == ("name_stays", "ALI")
        assert runtime.app.picture().getbbox() is not None
        perform("OK", runtime.app.table)
        assert runtime.app.table.front.NAME == "start"
    finally:
        runtime.close()
