"""The menu lists what can be done now, and nothing else."""

from pathlib import Path

import pytest

from tests.firmware.evening import EXAMPLE_1, FOUR, ROWS, Device, device

HEARTS = "R4 b1 b2 b3 OK R4 R1 R1 R1 "
ELEVEN = "R2 b1 b2 b3 OK OK R2 31 R1 23 "
CIAO = "R3 b1 b2 b3 OK OK R1 R1 55 1 "


def menu_of(at: Device) -> list[str]:
    """What the menu says."""
    at.people("hold-OK")
    labels: list[str] = at.table.front.labels(at.table.session)  # type: ignore[attr-defined]
    at.people("UNDO")
    return labels


def test_where_only_points_are_kept_the_menu_has_nothing_about_cards(tmp_path: Path) -> None:
    with device(tmp_path, HEARTS + "1 2") as at:
        assert menu_of(at)[:6] == [
            "STANDINGS",
            "SWAP TWO OWNERS",
            "NEW PLAYER",
            "SUSPEND THE MATCH",
            "NAMES",
            "SOUND OFF",
        ]
        at.people("RIGHT")
        assert at.page == "sums"
        at.people(":6NC-ROWSF :6NC-AUDITE")
        assert (at.page, at.table.notice) == ("sums", "NO CARDS ON THE TABLE")
        at.people("3 OK OK hold-OK")
        assert {"CORRECT A SCORE", "GRAPH", "END THE MATCH", "PLAYERS JOIN/LEAVE"} <= set(menu_of(at))


def test_a_redo_is_offered_first_and_only_while_something_is_undone(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + "OK 21") as at:
        assert "REDO" not in menu_of(at)
        at.people("UNDO")
        assert menu_of(at)[0] == "REDO"
        at.people("menu:REDO")
        assert at.have == "21"
        at.people(":6NC-REDOL")
        assert at.table.notice == "THERE IS NOTHING TO REDO"


def test_players_leave_and_come_back_where_that_is_possible(tmp_path: Path) -> None:
    with device(tmp_path, CIAO) as at:
        assert "PLAYERS JOIN/LEAVE" not in menu_of(at)
        at.people(":6NC-NEXTK")
        assert "PLAYERS JOIN/LEAVE" not in menu_of(at)


@pytest.mark.parametrize("begin", [FOUR, FOUR + ROWS, FOUR + ROWS + "14", EXAMPLE_1, ELEVEN, CIAO, HEARTS])
def test_whatever_the_menu_offers_is_not_refused(tmp_path: Path, begin: str) -> None:
    with device(tmp_path, begin) as at:
        here = at.match
        for label in menu_of(at):
            if label in ("LANGUAGE", "ERASE A PLAYER", "DEVICES", "NAMES"):
                continue
            before = len(at.signals)
            at.people("menu:" + label.replace(" ", "_"))
            assert "refused" not in at.signals[before:], label
            at.do(lambda table: table.home())
            if at.match.position != here.position or at.runtime.session.notes.joins_next:
                at.people("UNDO")
            assert at.match.position == here.position
