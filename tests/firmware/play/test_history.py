"""The history: back to any step, and to what was there before, also after something else was done since."""

from pathlib import Path

import pytest

from tests.firmware.evening import PLACED, Device, choose_in_menu, device
from tests.firmware.telling import told

BEGUN = PLACED + "31 32 "
FIVE_BACK = "hold-UNDO " + "DOWN " * 5 + "OK OK "


def lines(at: Device) -> list[str]:
    """What the list says, with the steps to undo where that is what a line does."""
    at.people("hold-UNDO")
    entries = at.table.front.entries  # type: ignore[attr-defined]
    at.people("UNDO")
    return [f"{entry.says} {entry.distance}".strip() for entry in entries]


def test_the_newest_steps_are_listed_and_a_few_are_undone_at_once(tmp_path: Path) -> None:
    with device(tmp_path, BEGUN) as at:
        assert lines(at)[:3] == ["32 -1", "31 -2", "15 -3"]
        choose_in_menu(at, "HISTORY")
        at.people("R3")
        assert at.have == "14 44 61"
        assert at.table.notice == "3 STEPS UNDONE"


def test_more_than_three_steps_ask_and_come_back_with_one_press_also_after_another_card_and_a_power_cut(
    tmp_path: Path,
) -> None:
    with device(tmp_path, BEGUN) as at:
        before = at.match.position
        at.people(FIVE_BACK.removesuffix("OK "))
        assert told(at)[0] == "UNDO 5 STEPS?"
        at.people("UNDO")
        assert at.match.position == before
        at.people("UNDO " + FIVE_BACK)
        assert (at.have, lines(at)[0]) == ("14", "RESTORE 5 STEPS")
        at.people("77 78")
        other = at.match.position
        assert lines(at)[:4] == ["78 -1", "77 -2", "RESTORE 5 STEPS", "14 -3"]
    with device(tmp_path) as at:  # as after kill -9
        at.people("OK hold-UNDO R3")
        assert at.match.position == before
        assert at.table.notice == "5 STEPS RESTORED"
        assert lines(at)[5:7] == ["RESTORE 2 STEPS", "14 -6"]
        at.people("hold-UNDO " + "DOWN " * 6 + "OK OK")
        assert at.match.position == other


def test_a_scan_jumps_to_the_step_of_that_card(tmp_path: Path) -> None:
    with device(tmp_path, BEGUN + "hold-UNDO 44") as at:
        assert at.table.front.cursor == 4  # type: ignore[attr-defined]
        at.people("5")
        assert at.table.notice == "5 IS NOT IN THIS LIST"
        at.people("OK OK")
        assert at.have == "14"


@pytest.mark.parametrize(
    ("script", "marked"),
    [
        (PLACED + ":6NC-NEXTK OK b9", ["P9 JOINED -1", "END OF DEAL 1 -2", "15 -3"]),
        ("R2 b1 b2 b3 OK OK R2 31 36 46 R1", ["PILE WITH 46 -1", "46 -2"]),
        ("R3 b1 b2 b3 OK OK R1 R1 55 menu:GIVE_A_PENALTY b2", ["PENALTY OF P2 -1"]),
    ],
)
def test_ends_of_deals_and_who_joins_are_marked_and_no_step_is_without_a_name(
    tmp_path: Path, script: str, marked: list[str]
) -> None:
    with device(tmp_path, script) as at:
        assert lines(at)[: len(marked)] == marked


def test_undo_at_the_beginning_leaves_no_match_that_history_can_bring_back(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + "UNDO " * 9) as at:
        assert at.match.newest is None
        assert at.table.notice == "THERE IS NOTHING TO UNDO"
        at.people("hold-UNDO R1")
        assert len(at.match.board.newest) == 4
