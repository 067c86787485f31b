"""Two players who take a row in one turn: neither waits for the device to be ready with the other."""

from pathlib import Path

from tests.firmware.evening import FOUR, ROWS, device


def test_a_second_taker_scans_while_the_first_taking_is_still_shown(tmp_path: Path) -> None:
    full_rows = "99 100 101 102 OK 13 14 15 16 OK "
    with device(tmp_path, FOUR + ROWS + full_rows + "103 104 17 18 b1") as at:
        assert at.page == "taken"
        at.people("b2")
        assert "refused" not in at.signals
        assert all(at.match.points[:2])
        assert at.match.asks[0].kind.value == "play a card"


def test_a_badge_that_nobody_asked_for_is_still_refused_on_top_of_a_page(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS + "14 44 61 15 OK LEFT b9") as at:
        assert at.signals[-1] == "refused"
