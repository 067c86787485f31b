"""Large orders are asked about once, and a suspended match is resumed."""

from pathlib import Path

import pytest

from companion.values import replace
from firmware.config.configuration import load
from firmware.history.stored_time import local_time
from firmware.screens.before.start import suspend
from tests.firmware.evening import EXAMPLE_1, FOUR, PLACED, ROWS, choose_in_menu, device
from tests.firmware.telling import told
from tests.whole.reading import alike, body

AWAY = PLACED + "menu:SUSPEND_THE_MATCH OK "
"""A turn of a first match, and the match suspended."""


@pytest.mark.parametrize("row", ["END THIS DEAL", "END THE MATCH", "SUSPEND THE MATCH"])
def test_a_row_of_the_menu_that_ends_something_asks_once_and_undo_says_no(tmp_path: Path, row: str) -> None:
    with device(tmp_path, PLACED + ":6NC-NEXTK OK OK " + ROWS) as at:
        steps = at.match.steps
        choose_in_menu(at, row)
        assert at.page == "confirm"
        assert at.match.steps == steps
        at.people("UNDO")
        assert at.page == "home"
        assert at.match.steps == steps
        choose_in_menu(at, row)
        at.people("OK")
        assert at.runtime.session.match is None or at.match.steps == steps + 1


@pytest.mark.parametrize(
    ("script", "follows"),
    [
        (PLACED, "SCORED AS IT STANDS"),
        ("R2 b1 b2 b3 OK OK R2 31 36 46 ", "THE HANDS ARE COUNTED NEXT"),
        ("R3 b1 b2 b3 OK OK R1 R1 55 1 ", "THE HANDS ARE COUNTED NEXT"),
    ],
    ids=["6 nimmt!", "11 nimmt!", "Ciao!"],
)
def test_before_a_deal_is_ended_it_is_told_what_becomes_of_it(
    tmp_path: Path, script: str, follows: str
) -> None:
    with device(tmp_path, script) as at:
        choose_in_menu(at, "END THIS DEAL")
        told = " ".join(body(at.runtime.app.picture()).split())
        assert told.startswith(follows)
        assert told.endswith("YOU CAN UNDO THIS.")


def test_a_match_that_was_suspended_is_resumed_where_it_was(tmp_path: Path) -> None:
    with device(tmp_path, PLACED) as at:
        before = at.view["rows"]
        choose_in_menu(at, "SUSPEND THE MATCH")
        assert "OK ON THE START PAGE CONTINUES IT" in " ".join(body(at.runtime.app.picture()).split())
        at.people("OK")
        assert {"SUSPENDED", "OK=CONTINUE", "R4=NEW"} <= set(told(at))
    with device(tmp_path) as at:
        at.people("UNDO OK")
        assert at.view["rows"] == before
        at.people("16 38 45 62")
        assert at.match.position.table.turn == 2


def test_of_several_matches_that_were_suspended_one_is_chosen(tmp_path: Path) -> None:
    with device(tmp_path, AWAY + "R4 R1 OK R1 R1 " + ROWS) as at:
        choose_in_menu(at, "SUSPEND THE MATCH")
        at.people("OK")
        for number, place in ((2, "1/2"), (1, "2/2")):
            begun = local_time(at.runtime.journal.reader.entry(number).started_at)
            assert {f"{begun:%m-%d %H:%M}", place} <= set(told(at))
            at.people("DOWN")
        at.people("DOWN R1")
        assert at.runtime.session.match_id == 1


def test_only_of_a_match_that_can_be_resumed_it_is_said_that_it_can(tmp_path: Path) -> None:
    with device(tmp_path, FOUR) as at:
        choose_in_menu(at, "SUSPEND THE MATCH")
        assert body(at.runtime.app.picture()) == alike("NO CARD WAS PLAYED, SO NOTHING IS KEPT.")
        at.people("OK")
        assert not at.runtime.session.has_suspended


def test_a_match_that_is_over_or_never_began_is_not_offered_again(tmp_path: Path) -> None:
    with device(tmp_path, AWAY + "OK :6NC-NEXTK OK OK") as at:
        choose_in_menu(at, "END THE MATCH")
        at.people("OK OK OK OK +1 OK")
        assert at.page == "deal"
        choose_in_menu(at, "SUSPEND THE MATCH")
        at.people("OK")
        assert not at.runtime.session.has_suspended
        at.people("UNDO")
        assert at.page == "start"


def test_a_match_that_was_resumed_to_its_end_is_not_offered_again(tmp_path: Path) -> None:
    with device(tmp_path, AWAY + "OK :6NC-NEXTK OK OK") as at:
        choose_in_menu(at, "END THE MATCH")
        at.people("OK R1 R2 R3")
        assert at.page == "start"
        assert not at.runtime.session.has_suspended


def test_a_match_that_was_resumed_and_taken_back_whole_is_not_offered_again(tmp_path: Path) -> None:
    with device(tmp_path, AWAY + "OK") as at:
        while at.match.newest:
            at.people("UNDO")
        choose_in_menu(at, "SUSPEND THE MATCH")
        assert body(at.runtime.app.picture()) == alike("IT STAYS IN THE JOURNAL.")
        at.people("OK")
        assert not at.runtime.session.has_suspended


def test_of_a_match_in_which_somebody_was_erased_nobody_is_asked_to_go_on(tmp_path: Path) -> None:
    with device(tmp_path, AWAY + "R4 R2 b5 b6 OK OK R1 5") as at:
        choose_in_menu(at, "SUSPEND THE MATCH")
        at.people("OK")
        assert [entry.id for entry in at.runtime.session.suspended()] == [2, 1]
        at.runtime.session.erase(2)
        assert [entry.id for entry in at.runtime.session.suspended()] == [2]
        at.people("R4 OK OK")
        assert at.runtime.session.match_id == 2


def test_who_had_joined_before_a_match_was_resumed_is_forgotten(tmp_path: Path) -> None:
    with device(tmp_path, AWAY + "R4 R2 b1 b2") as at:
        choose_in_menu(at, "RESUME A MATCH")
        at.people("OK")
    with device(tmp_path) as at:
        choose_in_menu(at, "SUSPEND THE MATCH")
        at.people("OK R4")
        assert at.page == "start"


def test_the_menu_of_the_start_page_resumes_a_match_if_one_was_suspended(tmp_path: Path) -> None:
    with device(tmp_path, "menu:RESUME_A_MATCH") as at:
        assert at.page == "menu"
        at.people("UNDO " + AWAY + "R4 menu:RESUME_A_MATCH OK")
        assert at.match.totals


def test_a_start_page_whose_journal_can_no_longer_be_read_is_drawn_as_it_was(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        at.do(suspend)
        before = at.runtime.app.picture().tobytes()
        for file in tmp_path.glob("journal.sqlite*"):
            file.write_bytes(b"\xff" * 8192)
        assert at.page == "start"
        assert at.runtime.app.picture().tobytes() == before


def test_after_the_plug_was_pulled_undo_does_not_show_a_ruling_again_that_was_played_past(
    tmp_path: Path,
) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        assert at.page == "ruling"
        at.people("OK OK OK OK")
        question = at.page
        at.people("77")
    with device(tmp_path) as at:
        at.people("UNDO")
        assert at.page == question
        at.people("UNDO 15")  # another step, so another ruling
        assert at.page == "ruling"
    with device(tmp_path) as at:  # nobody has played past it
        assert at.page == "ruling"


def test_matches_to_resume_are_told_by_date_players_and_deal(tmp_path: Path) -> None:
    table = replace(load(None).table, names=("Ana", "Bo", "Cem", "Di"))
    other = "R4 R2 b1 b3 OK OK R1 5 menu:SUSPEND_THE_MATCH OK "
    with device(tmp_path, AWAY + other, table=table) as at:
        match = at.runtime.session.suspended()[0]
        assert {match.at, "1/2", "11 NIMMT!", "DEAL 1", "ANA, CEM"} <= set(told(at))
        at.people("DOWN")
        assert {"2/2", "6 NIMMT!", "ANA, BO, CEM, DI"} <= set(told(at))
        at.people("OK")
        at.people("21")
        assert at.have == "21"
