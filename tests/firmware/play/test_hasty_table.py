"""Whatever the hurry: every card ends where it was shown, and nothing happens that nobody ordered."""

from pathlib import Path
from random import Random

import pytest

from hardware.ports import DeviceFault, Scanned
from tests.firmware.evening import EXAMPLE_1, FOUR, PLACED, ROWS, device
from tests.firmware.play.hasty_table import People

TWO = "R1 b1 b2 OK R1 R1 30 50 70 90 "


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "hurry"), [(2, 0.1), (3, 0.9), (5, 0.1), (10, 0.9)])
def test_every_card_ends_where_it_was_shown_however_fast_or_slow_people_are(
    tmp_path: Path, seats: int, hurry: float
) -> None:
    badges = " ".join(f"b{badge}" for badge in range(1, seats + 1))
    with device(tmp_path, f"R1 {badges} OK R1 R1") as at:
        people = People(at.table, Random(100 * seats + int(10 * hurry)), seats, hurry)
        for _ in range(2):
            people.lay_rows()
            for _ in range(10):
                people.play_turn()
                people.check_agreement()
            if at.match.position.over:
                break
            people.cards.deal()


def test_the_first_scan_after_the_display_went_dark_counts(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + "+301") as at:
        assert at.table.state.light.value == "off"
        at.people("21")
        assert at.table.state.light.value == "full"
        assert at.have == "21"
        at.people("OK +301 b2 26")
        assert dict(at.match.position.table.newest) == {21: None, 26: 1}


def test_a_key_only_lights_the_dark_display_up(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + "21 +301 UNDO") as at:
        assert at.table.state.light.value == "full"
        assert at.have == "21"
        at.people("OK UNDO")  # OK closes the page about missing cards
        assert at.match.asks[0].have == ()


def test_the_same_number_typed_twice_is_two_numbers(tmp_path: Path) -> None:
    with device(tmp_path, "R4 b1 b2 OK R4 R1 R1 R1") as at:
        for _ in range(2):
            at.give(Scanned("12", typed=True))
        assert at.match.points == (12, 12)


def test_a_card_right_after_a_ruling_begins_the_next_turn_and_says_so(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + "90") as at:
        assert (at.page, at.have, at.table.notice) == ("collecting", "90", "90 BEGINS TURN 2")
        assert "refused" not in at.signals
        at.people("WHY OK")
        assert at.page == "ruling"
        at.people("38 70 24")
        assert at.view["rows"] == [[12, 14, 15, 24], [37, 38], [43, 44], [58, 61, 70, 90]]


def test_one_key_makes_it_the_extra_card_of_the_turn_before(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + "90 WHY R4") as at:
        assert at.page == "extra_card"
        at.people("61")
        assert at.view["rows"] == [[12, 14, 15], [37], [43, 44], [58, 90]]
        at.people("+5 61")
        assert at.have == "61"


def test_the_extra_card_can_be_removed_itself_or_the_turn_be_scanned_again(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + "90 WHY R4 90") as at:
        assert at.page == "ruling"
        assert at.view["rows"] == [[12, 14, 15], [37], [43, 44], [58, 61]]
    with device(tmp_path / "other", EXAMPLE_1 + "90 WHY R4 R1 14") as at:
        assert at.have == "14"


@pytest.mark.parametrize("back", ["UNDO", "R2", "UNDO OK", ""])
def test_the_extra_card_stays_in_the_next_turn_where_nothing_else_is_said(tmp_path: Path, back: str) -> None:
    with device(tmp_path, EXAMPLE_1 + "90 WHY R4 " + back) as at:
        at.people("91")
        assert at.have == "90 91"


def test_a_card_of_the_turn_that_is_scanned_again_after_its_ruling_changes_nothing(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + "44") as at:
        assert (at.page, at.table.notice) == ("ruling", "44 ALREADY SCANNED")


def test_a_lonely_early_card_that_nothing_follows_can_still_be_one_too_many(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + "90 +21") as at:
        assert at.page == "missing_cards"
        at.people("R4 90")
        assert at.match.asks[0].have == ()


LIMIT_OF_ONE = "R1 b1 b2 OK R4 R2 R2 R2 R2 R2 R1 R1 R1 R1 R1 R1 OK R1 30 50 70 90 "
LAST_DEAL = (
    "91 92 OK 93 94 OK 95 96 b1 OK OK 97 98 OK 99 100 b2 OK OK 51 52 OK 53 54 OK 71 72 OK 73 74 OK 31 32 "
)


def test_after_the_last_turn_of_a_match_an_extra_card_is_asked_about(tmp_path: Path) -> None:
    with device(tmp_path, LIMIT_OF_ONE + LAST_DEAL + "60") as at:
        assert at.match.position.over
        assert at.page == "extra_card"
        at.people("61")
        assert at.table.notice == "SCAN ONE OF THESE"
        at.people("31")
        assert {card for card, _ in at.match.position.table.newest} == {32, 60}


def test_a_card_right_after_the_last_turn_of_a_deal_begins_the_next_deal(tmp_path: Path) -> None:
    with device(tmp_path, TWO + LAST_DEAL + "60") as at:
        assert at.have == "60"
        at.people("WHY R4 32")
        assert {card for card, _ in at.match.position.table.newest} == {31, 60}
        assert at.match.position.deal == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("2 95 ", "choose_stack"),
        ("2 95 R1 ", "choose_player"),
        ("hold-OK DOWN ", "menu"),
        ("R3 R3 ", "dial"),
        (":6NC-SWAPV ", "pick_players"),
        (":6NC-AUDITE ", "audit"),
        ("31 ", "collecting"),
    ],
)
@pytest.mark.parametrize(("view", "back"), [("standings", "OK"), ("standings", "same"), ("rows", "UNDO")])
def test_codes_for_totals_and_rows_open_a_view_on_every_page_and_touch_nothing(
    tmp_path: Path, before: str, question: str, back: str, view: str
) -> None:
    code = {"standings": ":6NC-TOTALSX", "rows": ":6NC-ROWSF"}[view]
    with device(tmp_path, TWO + before) as at:
        front, asks = at.table.front, at.match.asks
        assert at.page == question
        at.people(code)
        assert at.page == view
        at.people(code if back == "same" else back)
        assert (at.table.front, at.match.asks) == (front, asks)


def test_one_view_follows_the_other_and_a_scan_is_for_the_page_below(tmp_path: Path) -> None:
    with device(tmp_path, TWO + "31 :6NC-WRONGE :6NC-TOTALSX :6NC-ROWSF 31") as at:
        assert at.page == "wrong_card"
        at.people(":6NC-ROWSF 32")
        assert at.have == "32"


def test_left_and_right_show_the_views_where_a_row_or_a_player_is_chosen(tmp_path: Path) -> None:
    with device(tmp_path, TWO + "2 95 LEFT") as at:
        assert at.page == "standings"
        at.people("OK RIGHT")
        assert at.page == "rows"
        at.people("OK R1 RIGHT")
        assert at.page == "rows"
        at.people("b1")
        assert at.match.points[0] > 0


def test_a_scan_under_a_page_about_a_device_is_for_the_page_that_asked_for_it(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS + "14 :6NC-WRONGE") as at:
        at.give(DeviceFault("buzzer", "it is gone", "look"))
        assert at.page == "device_away"
        at.people("14 15")
        assert at.have == "15"


WHO_PLAYED_2 = TWO + "2 95 R1 "
AFTER_IT = [[2], [50], [70], [90, 95]]


@pytest.mark.parametrize("question", ["2 95 ", "2 95 R1 "])
def test_a_card_that_comes_while_a_question_is_open_is_kept_for_the_next_turn_and_that_is_said(
    tmp_path: Path, question: str
) -> None:
    with device(tmp_path, TWO + question) as at:
        asks, refused, page = at.match.asks, at.signals.count("refused"), at.page
        at.people("31")
        assert (at.page, at.match.asks, at.table.notice) == (page, asks, "31: KEPT FOR NEXT TURN")
        assert at.signals.count("refused") == refused
        at.people("b1" if page == "choose_player" else "R1 b1")
        assert (at.view["rows"], at.have) == (AFTER_IT, "31")
        assert at.page == "taken"
        at.people("+3 WHY OK")
        assert at.page == "ruling"


def test_a_whole_turn_that_comes_while_a_question_is_open_is_played_after_it(tmp_path: Path) -> None:
    with device(tmp_path, WHO_PLAYED_2 + "3 96 4 b1") as at:
        assert at.view["rows"] == [[2, 3], [50], [70], [90, 95, 96]]
        assert at.have == "4"
        at.people("UNDO")
        assert (at.table.notice, at.have) == ("UNDONE: 4", "")


def test_undo_takes_a_kept_card_back_before_anything_else(tmp_path: Path) -> None:
    with device(tmp_path, WHO_PLAYED_2 + "31 32 OK UNDO") as at:
        assert at.table.notice == "UNDONE: 32"
        at.people("UNDO")
        assert (at.table.notice, at.page) == ("UNDONE: 31", "choose_player")
        at.people("UNDO")
        assert at.page == "choose_stack"


def test_one_key_puts_a_kept_card_back_into_the_turn_in_which_it_was_too_many(tmp_path: Path) -> None:
    with device(tmp_path, WHO_PLAYED_2 + "31 WHY R4 95 b1") as at:
        assert at.view["rows"] == [[2, 31], [50], [70], [90]]
        assert at.have == ""
    with device(tmp_path / "itself", WHO_PLAYED_2 + "31 WHY R4 31 b1") as at:
        assert (at.view["rows"], at.have) == (AFTER_IT, "")
    with device(tmp_path / "again", WHO_PLAYED_2 + "31 WHY R4 R1 60 61") as at:
        assert at.view["rows"] == [[30], [50, 60, 61], [70], [90]]


def test_a_card_that_lies_on_the_table_is_not_kept(tmp_path: Path) -> None:
    with device(tmp_path, WHO_PLAYED_2 + "50") as at:
        assert at.refused is not None
        at.people("31 31")
        assert at.table.notice == "31 ALREADY SCANNED"
        at.people("b1")
        assert at.have == "31"


def test_a_kept_card_survives_a_power_cut_and_a_break(tmp_path: Path) -> None:
    with device(tmp_path, WHO_PLAYED_2 + "31"):
        pass
    with device(tmp_path, "b1") as at:
        assert (at.view["rows"], at.have) == (AFTER_IT, "31")


def test_after_the_last_turn_of_a_match_a_kept_card_is_asked_about(tmp_path: Path) -> None:
    last = LIMIT_OF_ONE + LAST_DEAL.removesuffix("31 32 ") + "2 32 60 R1 b1 +3"
    with device(tmp_path, last) as at:
        assert at.match.position.over
        assert at.page == "extra_card"


def test_the_way_back_to_where_a_card_was_played_takes_kept_cards_back_as_well(tmp_path: Path) -> None:
    with device(tmp_path, WHO_PLAYED_2 + "31 95 WHY R1 OK") as at:
        assert at.have == "2"


def test_no_line_about_the_step_before_hides_a_question(tmp_path: Path) -> None:
    with device(tmp_path, "R2 b1 b2 b3 OK OK R2 31 R1 23 27 30") as at:
        assert at.page == "choose_stack"
        assert at.table.notice == ""
