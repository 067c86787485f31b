"""Nobody knows who played a card: play goes on, the deal is marked, and the owner can be named later."""

from pathlib import Path

from firmware.scripted.gallery import SCREENS
from tests.firmware.evening import device

ASKED = SCREENS["who-played"]


def test_ok_asks_whether_to_play_on_and_undo_goes_back_to_the_question(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK") as at:
        assert at.page == "confirm"
        at.people("UNDO")
        assert at.page == "choose_player"
        at.people("OK OK")
        assert at.match.position.table.unclaimed == ((30, (12, 14, 15, 21, 26)),)
        assert at.match.asks[0].need == 4


def test_the_owner_is_named_later_from_the_menu(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK OK OK 60 hold-OK R1 b3") as at:
        assert at.match.points == (0, 0, 6, 0)
        assert at.match.position.table.unclaimed == ()


def test_a_deal_that_ended_without_the_owner_is_put_right_before_the_next_card(tmp_path: Path) -> None:
    with device(tmp_path, ASKED + " OK OK OK :6NC-NEXT OK") as at:
        assert at.match.totals == (0, 0, 0, 0)
        at.people("hold-OK R1 b3")
        assert at.match.totals == (0, 0, 6, 0)
