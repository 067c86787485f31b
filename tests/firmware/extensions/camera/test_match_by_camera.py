"""A match of 6 nimmt! by camera alone, whatever happens to cards, light and cable: no card is scanned."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.core.ask import AskKind
from firmware.extensions.camera.faces import TaughtDeck
from hardware.ports import DeviceFault, DeviceRecovered, Scanned
from tests.firmware.evening import FOUR as PLAYERS
from tests.firmware.extensions.camera.evening_by_camera import Evening
from tests.firmware.extensions.camera.tables import Place, before, deck, in_row

ROWS = {in_row(row, 0): number for row, number in enumerate((12, 37, 43, 58))}


@cache
def taught() -> TaughtDeck:
    return deck((12, 37, 43, 58, 14, 44, 61, 15, 35, 21, 36, 26, 30))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path, taught())
    yield made
    made.close()


@pytest.mark.slow
def test_a_match_of_four_by_camera_alone(evening: Evening) -> None:
    rows: dict[Place, int] = {}
    evening.press(PLAYERS)
    evening.move(rows)  # the empty table
    evening.lay(ROWS)
    evening.until(lambda: evening.runtime.session.playing.asks[0].kind is AskKind.PLAY)
    assert evening.runtime.session.playing.board.stacks[3].cards == ("58",)

    # Four players lay their cards, one after the other; the third one takes a wrong one.
    turn = {**ROWS, before(0): 14}
    evening.lay(turn, hand=Place(960, 300))
    evening.move(turn)
    assert evening.have(14)
    turn[before(1)] = 44
    evening.move(turn)
    evening.move({**turn, before(2): 35})
    assert evening.have(14, 44, 35)
    evening.press("UNDO")
    assert evening.have(14, 44)
    evening.move(turn)
    # A card that is lifted and laid again counts once.
    evening.move({place: card for place, card in turn.items() if card != 44})
    evening.move(turn)
    assert evening.have(14, 44)
    turn[before(2)] = 61
    evening.move(turn)
    # The light goes out and on again.
    evening.lay(turn, light=0.03)
    evening.until(lambda: evening.count(DeviceFault) == 1)
    evening.lay(turn)
    evening.until(lambda: evening.count(DeviceRecovered) == 1)
    assert evening.have(14, 44, 61)
    turn[before(3)] = 15
    evening.move(turn)
    assert evening.page == "ruling"
    assert [posted.text[2:5] for posted in evening.posted if isinstance(posted, Scanned)] == [
        *("012", "037", "043", "058"),
        *("014", "044", "035", "061", "015"),
    ]

    # They place the cards: 14 and 15 go to row 1, 44 to row 3, 61 to row 4.
    evening.press("OK OK OK OK")
    rows = {**ROWS, in_row(0, 1): 14, in_row(0, 2): 15, in_row(2, 1): 44, in_row(3, 1): 61}
    evening.move(rows)
    scanned = evening.count(Scanned)

    # In the second turn somebody pulls the cable, and a card is laid meanwhile.
    evening.move({**rows, before(0): 21})
    evening.camera.unplug()
    evening.until(lambda: evening.count(DeviceFault) == 2)
    evening.lay({**rows, before(0): 21, before(1): 36})
    evening.camera.plug()
    evening.until(lambda: evening.have(21, 36))
    assert evening.count(DeviceRecovered) == 2
    evening.move({**rows, before(0): 21, before(1): 36, before(2): 26, before(3): 30})
    assert evening.count(Scanned) == scanned + 4
    assert evening.page == "choose_player"
    evening.press("b3 OK OK OK menu:END_THIS_DEAL OK OK menu:END_THE_MATCH OK")
    assert evening.runtime.session.playing.position.over
    assert evening.count(DeviceFault) == 2
