"""UNDO does what the page says, says what it has undone, and leads back to a result."""

from pathlib import Path

import pytest

from companion.core.codes import card_code
from firmware.loop.react import FAULT_S, handle_message, tick
from firmware.play.pages import LATE_S, UNSEEN_S
from firmware.play.table import BAND_S, Table
from firmware.screens.parts.kinds import Menu
from firmware.screens.result.results import MatchResult, show_results
from hardware.ports import DeviceFault, Key, KeyPressed, Scanned
from tests.firmware.evening import EXAMPLE_1, FOUR, PLACED, ROWS, Device, choose_in_menu, device
from tests.firmware.telling import told
from tests.gallery.pictures import SCREENS
from tests.whole.retelling import SIZES_OF, tell

OVER = (
    FOUR
    + ROWS
    + "21 26 27 28 OK 29 30 31 32 b3 OK OK 33 34 38 44 b4 OK OK OK 2 59 60 61 R4 b2 OK OK OK :6NC-NEXTK OK "
    + "menu:END_THE_MATCH OK OK OK +1 "
)
"""A match that players have ended after one deal."""


def press(at: Device, key: Key, after_s: float) -> None:
    """Press a key so long after now; the loop has looked at the time meanwhile."""
    table = at.table
    now_s = table.now_s + after_s
    tick(table, now_s)
    handle_message(table, KeyPressed(key, at_s=now_s), now_s)


CIAO = "R3 b1 b2 b3 OK OK R1 R1 55 "


@pytest.mark.parametrize(("late_s", "draws"), [(-7.9, 0), (0.1, 0), (LATE_S - 0.1, 0), (LATE_S + 0.1, 1)])
def test_ok_while_a_band_is_there_and_just_after_it_has_gone_does_nothing_else(
    tmp_path: Path, late_s: float, draws: int
) -> None:
    with device(tmp_path, CIAO + ":zz1 :zz2 :zz3") as at:
        steps = at.match.steps
        press(at, Key.OK, BAND_S + late_s)
        assert (at.match.steps, at.refused, at.table.pages.opened) == (steps + draws, None, ())
        press(at, Key.OK, 0.5)
        assert at.match.steps == steps + draws + 1


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        (FOUR + ROWS + "3 90 91 92 43", "R2"),  # which row, and a card that lies there
        (PLACED + "21 36 26 30 :zz1", "b2"),  # who played it
        ("R2 b1 b2 b3 OK OK R2 23 87 1", "R1"),  # a card that fits nowhere: take a pile
        ("R2 b1 b2 b3 OK OK R2 31 R1 23 27 30 5", "R2"),  # which pile
        (CIAO + "82 37", "R3"),  # the symbol of a joker
    ],
)
def test_a_refusal_leaves_the_question_its_text_and_its_keys(
    tmp_path: Path, script: str, answer: str
) -> None:
    *before, refused = script.split()
    with device(tmp_path, " ".join(before)) as at:
        page, steps = at.table.front, at.match.steps
        at.people(f"{refused} {refused}")
        assert (at.table.front, at.match.steps, bool(at.refused)) == (page, steps, True)
        at.people(answer)
        assert (at.match.steps, at.refused) == (steps + 1, None)


def test_a_late_ok_for_a_message_about_a_device_does_not_draw_a_card(tmp_path: Path) -> None:
    with device(tmp_path, CIAO) as at:
        steps = at.match.steps
        at.give(DeviceFault("buzzer", "it is gone", "look"))
        press(at, Key.OK, FAULT_S + 0.5)
        assert at.match.steps == steps


@pytest.mark.parametrize("key", [Key.UNDO, Key.OK])
def test_a_key_just_after_a_message_has_closed_leaves_the_refusal_below_it(tmp_path: Path, key: Key) -> None:
    with device(tmp_path, FOUR + ROWS + "14 44 12") as at:
        at.people("WHY")
        refusal = at.table.front
        at.give(DeviceFault("buzzer", "it is gone", "look"))
        press(at, key, FAULT_S + 0.5)
        assert at.table.front is refusal
        press(at, Key.OK, 0.5)
        assert not at.table.pages.opened
        assert at.match.asks[0].have == ("14", "44")


def test_a_card_that_was_taken_back_can_be_scanned_again_at_once(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS + "14") as at:

        def scan(after_s: float) -> bool:
            return at.give(Scanned(card_code("6N", 44)), after_s)

        assert scan(5.0)
        assert not scan(0.2)  # it is still held before the scanner
        press(at, Key.UNDO, 0.2)
        assert at.have == "14"
        assert scan(0.2)
        assert at.have == "14 44"


def test_a_key_just_when_a_message_comes_means_the_page_below_and_the_message_stays(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS + "14 44") as at:
        for gone in ("buzzer", "scanner"):
            at.give(DeviceFault(gone, "it is gone", "look"))
        press(at, Key.UNDO, UNSEEN_S - 0.1)
        assert at.match.asks[0].have == ("14",)
        assert [page.NAME for page, _ in at.table.pages.opened] == ["device_away"] * 2
        press(at, Key.OK, 0.2)
        press(at, Key.OK, 0.2)
        assert not at.table.pages.opened
        assert at.match.asks[0].have == ("14",)


def test_undo_on_the_page_of_a_taking_takes_it_back_early_and_late(tmp_path: Path) -> None:
    for late_s in (0.5, 3.0, 6.0):
        with device(tmp_path / str(late_s), PLACED + "36 26 21 30 b3") as at:
            press(at, Key.UNDO, late_s)
            assert at.page == "choose_player"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "said"),
    [
        (EXAMPLE_1, "15"),
        (FOUR + ROWS + "b3 44", "44 OF P3"),
        (FOUR + "12", "12"),
        (PLACED + "36 26 21 30 b3", "OWNER OF 30"),
        (PLACED + "3 9 68 93 R2", "ROW 2"),
        (PLACED + ":6NC-WRONGE 61 62", "CORRECTION"),
        (PLACED + ":6NC-ABSENTS b4 OK", "P4 IS OUT"),
        (PLACED + ":6NC-NEXTK", "END OF DEAL"),
        ("R2 b1 b2 b3 OK OK R2 31 36 46 R1", "PILE WITH 46"),
        ("R2 b1 b2 b3 OK OK R2 31 36 46 R1 20", "20"),
        ("R3 b1 b2 b3 OK OK R1 R1 55 84 R2", "THE SYMBOL"),
        ("R4 b1 b2 OK R4 R1 R1 R1 12", "SUM 12"),
        (SCREENS["tie"] + "R2 OK OK", "THE CHOICE"),
    ],
)
def test_undo_and_redo_say_what_was_undone_and_redone(tmp_path: Path, script: str, said: str) -> None:
    with device(tmp_path, script) as at:
        at.table.home()
        at.do(Table.undo)
        assert at.table.notice == f"UNDONE: {said}"
        at.runtime.app.picture()
        at.people(":6NC-REDOL")
        assert at.table.notice == f"REDONE: {said}"


def matches(at: Device) -> list[int]:
    """The numbers of the matches in the journal."""
    return at.runtime.journal.reader.numbers(0, 100)


def test_undo_before_the_first_card_of_the_next_match_goes_back_to_the_result(tmp_path: Path) -> None:
    with device(tmp_path, OVER) as at:
        assert at.page == "match_end"
        before = at.match.position
        at.people("OK")
        assert (at.page, matches(at)) == ("deal", [1, 2])
        at.people("UNDO")
        assert (at.page, matches(at)) == ("match_end", [1])
        assert at.match.position == before
        at.people("UNDO")
        assert not at.match.position.over
        assert at.table.notice == "UNDONE: END OF MATCH"


def test_the_way_back_to_the_result_survives_a_power_cut(tmp_path: Path) -> None:
    with device(tmp_path, OVER + "OK") as at:
        assert at.page == "deal"
    with device(tmp_path) as at:
        at.people("UNDO")
        assert at.match.position.over
    with device(tmp_path) as at:
        assert at.match.position.over


def test_undo_before_the_first_card_leads_back_question_by_question_to_the_choice_of_the_game(
    tmp_path: Path,
) -> None:
    with device(tmp_path, OVER + "R2 R3 R2 b1 b2 b3 OK OK R2") as at:
        assert at.match.terms.game == "eleven"
        pages = []
        for _ in range(4):
            at.people("UNDO")
            pages.append(at.page)
        assert (pages, matches(at)) == (["agree", "beginner", "players", "players"], [1])


def test_a_match_with_its_first_card_is_undone_card_by_card_and_stays_in_the_journal(tmp_path: Path) -> None:
    with device(tmp_path, OVER + "OK 12 UNDO") as at:
        assert at.page == "deal"
        at.people("UNDO")
        assert (at.page, matches(at)) == ("match_end", [1, 2])


def test_an_empty_match_leaves_no_trace(tmp_path: Path) -> None:
    suspend = "menu:SUSPEND_THE_MATCH OK "
    with device(tmp_path, OVER + "OK " + suspend) as at:
        assert (at.page, matches(at)) == ("start", [1])
        at.people("OK " + suspend)
        assert (at.page, matches(at)) == ("start", [1])
        assert at.runtime.journal.reader.fault_of_count() is None


def test_a_wrong_target_is_changed_before_and_after_the_first_card_and_after_a_power_cut(
    tmp_path: Path,
) -> None:
    with device(tmp_path, FOUR + "12 UNDO UNDO UNDO R2 R1") as at:
        assert at.match.terms.options["end"] == {"target": 66, "when": "passed"}
        assert not at.runtime.session.has_suspended
    with device(tmp_path, "UNDO") as at:
        assert (at.page, at.runtime.session.match) == ("players", None)
        at.people("OK R1 R1")
        assert at.match.terms.options["end"] == {"target": 66, "when": "reached"}


@pytest.mark.parametrize("where", ["start", "match"])
def test_the_results_of_earlier_matches_are_shown_again(tmp_path: Path, where: str) -> None:
    with device(
        tmp_path, OVER + "OK 12 37 " + ("menu:SUSPEND_THE_MATCH OK" if where == "start" else "")
    ) as at:
        choose_in_menu(at, "EARLIER RESULTS")
        results = at.table.front
        assert isinstance(results, Menu)
        assert [label.split()[-2:] for label in results.labels(at.table.session)] == [["6", "NIMMT!"]]
        at.people("OK")
        assert isinstance(at.table.front, MatchResult)
        assert at.table.front.result.places == ((1, 0, (1,)), (2, 1, (2,)), (3, 5, (3,)), (4, 11, (4,)))
        assert "P3" in told(at)


def test_earlier_results_name_their_game_in_each_language(tmp_path: Path) -> None:
    titles = {"en": "KEEP SCORE", "de": "PUNKTE ZÄHLEN", "fa": "ثبت امتیاز"}
    with device(tmp_path, "R4 b1 b2 b3 b4 OK R4 R1 R1 R1 R1 100 3 0 9 OK OK OK OK") as at:
        assert at.page == "match_end"
        for language, size in SIZES_OF:
            tell(at.runtime, language, size)
            at.do(show_results)
            results = at.table.front
            assert isinstance(results, Menu)
            (label,) = results.labels(at.table.session)
            shown = label.split(" ", 2)[2]
            assert len(shown) > 6
            assert titles[language].startswith(shown.rstrip("…"))
            at.runtime.app.picture()
            at.people("OK")
            assert titles[language] in told(at)[0]
            at.people("OK")


def test_without_a_finished_match_there_is_no_result_to_show(tmp_path: Path) -> None:
    with device(tmp_path, "menu:EARLIER_RESULTS") as at:
        assert at.table.notice == "NO MATCH IS FINISHED"
        assert not at.runtime.session.has_finished


def test_a_result_with_an_erased_player_is_shown_with_a_guest_and_not_gone_back_to(tmp_path: Path) -> None:
    with device(tmp_path, OVER + "R2 R3") as at:
        at.runtime.session.erase(4)
        at.people("R1 b1 b2 OK R1 R1 UNDO")
        assert at.page == "agree"
        assert [badges for *_, badges in at.runtime.session.finished()[0].places][-1] == (0,)


def test_of_two_takers_in_one_turn_both_are_shown_one_after_the_other(tmp_path: Path) -> None:
    full_rows = "99 100 101 102 OK 13 14 15 16 OK "
    with device(tmp_path, FOUR + ROWS + full_rows + "b1 103 b2 17 104 18") as at:
        assert [page.NAME for page, _ in at.table.pages.opened] == ["taken", "taken"]
        first = at.table.front
        at.wait(3)
        assert at.page == "taken"
        assert at.table.front != first
        at.wait(3)
        assert at.page == "ruling"
