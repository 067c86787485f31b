"""What happens at the table, from scans and keys to the page that people see."""

from itertools import groupby
from pathlib import Path

import pytest
from PIL.Image import Image

from firmware.config.sections import ScreenOptions
from firmware.screens.before.set_up_table import SetUpTable
from firmware.screens.count import AuditPage
from firmware.screens.turn.refusal import RefusalPage
from tests.firmware.evening import FOUR, PLACED, ROWS, device
from tests.firmware.telling import told


def test_only_the_taker_is_asked_for(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + "36 26 21 30") as at:
        assert at.page == "choose_player"
        at.people("b3")
        assert at.page == "taken"
        assert at.match.points == (0, 0, 6, 0)
        assert at.signals[-1] == "taking"


def test_the_device_never_chooses_a_row_for_anybody(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + "3 9 68 93 OK") as at:
        assert at.page == "choose_stack"
        assert "refused" in at.signals
        at.people("R2")
        assert at.page == "choose_player"
        at.people("b1")
        assert at.view["rows"][1] == [3, 9]


@pytest.mark.slow
@pytest.mark.parametrize("cut", range(1, 22))
def test_switched_off_at_any_moment_the_device_is_at_the_same_question(tmp_path: Path, cut: int) -> None:
    words = (PLACED + "21 36 26 30 b3").split()
    cut += len(FOUR.split()) - 1
    with device(tmp_path, " ".join(words[:cut])) as at:
        asks, table, page = at.match.asks, at.match.position.table, at.page
    with device(tmp_path) as at:
        assert at.match.asks == asks
        assert at.match.position.table == table
        # What was only shown, a taking or a ruling, is shown once more.
        assert at.page == page or (page in ("taken", "home") and at.page == "ruling")


def test_a_card_twice_in_a_turn_is_a_neutral_signal_and_changes_nothing(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS + "14 44 14") as at:
        assert at.signals[-1] == "duplicate"
        assert (at.page, at.have, at.table.notice) == ("collecting", "14 44", "14 ALREADY SCANNED")
        at.people("44 61")
        assert at.have == "14 44 61"
        at.people("61 UNDO")
        assert at.have == "14 44"


@pytest.mark.parametrize("code", ["44", "105", ":4007396032", ":6N044A", ":6NC-FLY", "999"])
def test_what_cannot_be_played_is_refused_with_a_reason_and_changes_nothing(
    tmp_path: Path, code: str
) -> None:
    with device(tmp_path, PLACED) as at:
        steps = at.match.steps
        at.people(code)
        assert at.match.steps == steps
        assert at.signals[-1] == "refused"
        assert (at.page, bool(at.refused)) == ("home", True)
        at.people("WHY")
        assert at.page == "refusal"
        at.people("OK")
        assert (at.page, at.refused) == ("home", None)


def test_everything_can_be_done_with_a_joystick_and_two_keys(tmp_path: Path) -> None:
    with device(tmp_path, "OK OK UP UP OK OK OK") as at:
        for card in (12, 37, 43, 58, 13, 59):
            at.people("UP")
            presses = card - 52
            keys = ["RIGHT"] * (presses // 10) if presses > 0 else ["LEFT"] * (-presses // 10)
            left = presses - 10 * len(keys) if presses > 0 else presses + 10 * len(keys)
            at.people(" ".join([*keys, *(["UP"] * left if left > 0 else ["DOWN"] * -left), "OK OK"]))
        assert at.view["rows"] == [[12, 13], [37], [43], [58, 59]]


def test_everything_can_be_done_with_the_scanner_alone(tmp_path: Path) -> None:
    with device(tmp_path, ":6NC-R1U b1 b2 :6NC-OKB :6NC-R1U :6NC-R1U 12 37 43 58 3 4") as at:
        assert at.page == "choose_stack"
        at.people(":6NC-R2A b2")
        assert at.view["rows"] == [[12], [3, 4], [43], [58]]
        at.people(":6NC-UNDOL :6NC-UNDOL :6NC-R1U b1")
        assert at.view["rows"] == [[3, 4], [37], [43], [58]]


def test_a_wrong_card_is_replaced_and_two_owners_are_swapped(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + ":6NC-WRONGE 61 62") as at:
        assert at.view["rows"][3] == [58, 62]
        at.people("OK 21 36 26 30 b3 OK :6NC-SWAPV b3 b1")
        assert at.page == "swap_preview"
        at.people("OK")
        assert at.match.points == (6, 0, 0, 0)


def test_a_table_that_differs_goes_back_to_where_both_agree(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + ":6NC-AUDITE 12 37 43 58 R1") as at:
        assert at.match.asks[0].have == ("14", "44", "61")


@pytest.mark.parametrize("no_card", ["999", "0", "105", ":CI055V", ":11055R"])
def test_checking_the_table_takes_no_card_that_the_game_does_not_have(tmp_path: Path, no_card: str) -> None:
    with device(tmp_path, PLACED + f":6NC-AUDITE 15 {no_card}") as at:
        assert at.table.front == AuditPage(("15",))
        assert at.signals[-1] == "refused"
        assert at.table.notice in (f"UNKNOWN CARD {no_card}", "CARD OF ANOTHER GAME")
        at.people("37 44 61 OK")
        assert at.page == "home"


def test_rows_in_another_order_are_no_fault_and_it_is_said_since_when_the_table_differs(
    tmp_path: Path,
) -> None:
    with device(tmp_path, PLACED + ":6NC-AUDITE 37 15 44 61") as at:
        assert "ROWS 1 AND 2 SWAPPED" in told(at)
        assert "OK=ALL CORRECT" in told(at)
        assert "refused" not in at.signals
        at.people("OK 60 70 80 90 OK OK OK OK :6NC-AUDITE 44 15 61 37")
        assert "CHANGED SINCE TURN 2" in told(at)
        at.people("R1")
        assert at.match.position.table.turn == 1
    with device(tmp_path / "three", PLACED + ":6NC-AUDITE 15 44 61 37") as at:
        assert "ROWS IN ANOTHER ORDER" in told(at)


@pytest.mark.parametrize("order", [":6NC-WRONGE 999 61 62", ":6NC-WRONGE 61 999 62"])
def test_putting_a_card_right_takes_no_number_that_no_card_has(tmp_path: Path, order: str) -> None:
    with device(tmp_path, PLACED + order) as at:
        assert at.match.position.table.rows[3][-1] == 62


def test_taking_over_a_table_takes_no_number_that_no_card_has(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + "menu:SET_UP_THE_TABLE 999 12 14") as at:
        assert isinstance(at.table.front, SetUpTable)
        assert at.table.front.rows[0] == ("12", "14")


SIX_TAKES = "R1 b1 b2 OK R1 R1 12 37 43 58 3 60 R4 b1 OK OK "
"""In the first turn the first player takes 58."""


def test_who_sets_up_the_rows_again_keeps_what_was_taken_and_is_asked_the_right_number(
    tmp_path: Path,
) -> None:
    with device(tmp_path, SIX_TAKES + "61 62 OK menu:SET_UP_THE_TABLE") as at:
        points = at.match.points
        assert at.match.position.table.taken == ((58,), ())
        at.people("12 OK 37 OK 43 60 61 62 OK 3 OK")
        assert at.page == "dial"
        at.people("OK")
        assert (at.match.position.table.turn, at.match.points) == (2, points)
        assert at.page == "table_is_set_up"
        at.people("OK OK")
        assert at.page == "home"


def test_the_tops_of_the_piles_are_enough_to_set_up_11_nimmt_again(tmp_path: Path) -> None:
    with device(tmp_path, "R2 b1 b2 b3 OK OK R2 31 R1 23 87 88 24 menu:SET_UP_THE_TABLE") as at:
        before = at.match.position.table
        at.people("24 OK 88 OK")
        after = at.match.position.table
        assert (after.piles, after.turn, after.moves) == (before.piles, before.turn, before.moves)
        assert (after.deck, after.known) == (before.deck, before.known)
        assert at.page == "table_is_set_up"
        at.people("UNDO")
        assert at.match.position.table == before


@pytest.mark.parametrize("size", ["normal", "large"])
def test_a_missing_card_is_asked_for_after_a_while_beside_the_rows(tmp_path: Path, size: str) -> None:
    rows = (0, 10, 67, 64)
    with device(tmp_path, FOUR + ROWS + "14 44 61", screen=ScreenOptions(size=size)) as at:
        before = at.runtime.app.picture().crop(rows).tobytes()
        at.people("+21")
        assert at.page == "missing_cards"
        assert at.runtime.app.picture().crop(rows).tobytes() == before


def test_a_player_who_has_left_is_no_longer_waited_for(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS + "14 44 61 +21 R2 b4 OK") as at:
        assert at.view["rows"] == [[12, 14], [37], [43, 44], [58, 61]]
        assert at.match.players == (0, 1, 2)


def test_a_card_that_was_booked_by_mistake_leads_back_to_the_moment_before_it(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + "21 44 WHY R1") as at:
        assert told(at)[0] == "UNDO 4 STEPS?"
        at.people("OK")
        assert at.page == "collecting"
        assert at.match.asks[0].have == ("14",)
        at.people("90 61 15")
        assert at.view["rows"] == [[12, 14, 15], [37], [43], [58, 61, 90]]


def test_a_card_that_was_refused_for_another_reason_offers_no_way_back(tmp_path: Path) -> None:
    with device(tmp_path, "R1 b1 b2 b3 b4 OK R1 R2 " + ROWS + "99") as at:
        steps = at.match.steps
        at.people("WHY R1")
        assert (at.page, at.match.steps) == ("refusal", steps)


def test_the_referee_calls_people_as_the_table_does(tmp_path: Path) -> None:
    with device(tmp_path, "R1 b7 b3 b5 OK R1 R1 " + ROWS + "b3 44 3 61 R1 b3") as at:
        refusal = at.refused
        assert isinstance(refusal, RefusalPage)
        said = at.table.session.translate.say(refusal.fault)
        assert said == "P3 has already played 44 in this turn"


BADGES = " ".join(f"b{badge}" for badge in range(1, 11))
NINE = f"R1 {BADGES} OK R1 R1 12 37 43 58 99 104 100 101 102 103 98 97 96"
LEFT_PX = 76
"""Right of the rows and of the line that parts them from the cards."""


def lines_beside_rows(picture: Image) -> list[int]:
    """The heights of what stands below each other right of the rows, with dark between."""
    lit = [
        any(picture.getpixel((x, y)) for x in range(LEFT_PX, picture.width))
        for y in range(16, picture.height)
    ]
    return [len(list(run)) for is_lit, run in groupby(lit) if is_lit]


@pytest.mark.parametrize("size", ["normal", "large"])
@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_the_lines_of_cards_do_not_touch(tmp_path: Path, language: str, size: str) -> None:
    with device(tmp_path, NINE, screen=ScreenOptions(language=language, size=size)) as at:
        assert at.page == "collecting"
        lines = lines_beside_rows(at.runtime.app.picture().convert("1"))
        assert len(lines) >= 4, lines
        assert lines[-3:] == [7, 7, 7], lines


@pytest.mark.parametrize("size", ["normal", "large"])
@pytest.mark.parametrize("cards", ["69 95 72", "12 18 72", "24 102 72", "102 104 103", "99 100 101 102"])
def test_the_newest_card_and_those_before_it_touch_neither_each_other_nor_the_edge(
    tmp_path: Path, cards: str, size: str
) -> None:
    before, _ = NINE.split(" 99 ")
    with device(tmp_path, f"{before} {cards}", screen=ScreenOptions(size=size)) as at:
        picture = at.runtime.app.picture().convert("1")
        assert not any(picture.getpixel((picture.width - 1, y)) for y in range(16, picture.height))
        assert lines_beside_rows(picture)[-2:] == [24, 12 if len(cards.split()) == 3 else 7]


def test_between_turns_the_page_says_what_to_do_and_who_leads(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS) as at:
        assert {"CHOOSE, REVEAL, SCAN", "1"} <= set(told(at))
        at.people("3 90 91 92 R2 b3 OK OK OK OK OK")
        assert at.page == "home"
        assert "LEADS" not in told(at)  # three have no point, and are told by their badges
        assert {"CHOOSE, REVEAL, SCAN", "LEAD", "0"} <= set(told(at))
        at.people("2 44 45 46 R1 b1 OK OK OK OK OK 1 4 5 6 R1 b4 OK OK OK OK OK")
        assert at.match.points == (1, 0, 1, 1)
        assert {"LEADS", "P2", "0"} <= set(told(at))
