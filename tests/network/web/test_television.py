"""The television with as many players as there can be: nothing of it is cut off."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.network.web.browser import LARGEST, TELEVISION, Browser, needed
from tests.network.web.served import QUICK, served

pytestmark = [needed, pytest.mark.slow]

NAMES = (
    *("Alexandra", "Maximilian", "Leila", "Ben", "Ayşe"),
    *("Wolfgang-Amadeus", "Sara", "Konstantin", "Ida", "Friederike"),
)
CUT = """[...document.querySelectorAll('.side, .rulings, .board, main')]
    .filter((one) => one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2)
    .map((one) => one.className)"""


def test_ten_players_and_the_rulings_of_their_turn_have_room(tmp_path: Path, chromium: Browser) -> None:
    with served(tmp_path, table=replace(QUICK, names=NAMES)) as at:
        players = at.begin("six", 10)
        turns = 0
        while turns < 3 or sum(line.taker is not None for line in at.match.board.newest) < 2:
            at.next(players)
            match = at.session.match
            turns = match.board.turn if match is not None and len(match.board.newest) == len(NAMES) else 0
        for language, look in (("en", TELEVISION), ("de", LARGEST), ("fa", TELEVISION)):
            chromium.open(f"http://127.0.0.1:{at.port}/tv?language={language}", look)
            assert chromium.is_true("document.querySelectorAll('.standing').length === 10")
            assert chromium.is_true("document.querySelectorAll('.ruling').length === 10")
            assert chromium.run(CUT) == []
