"""A match of 6 nimmt! by camera alone, whatever happens to cards, light and cable: no card is scanned."""

import queue
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from companion.core.ask import AskKind
from firmware.config.configuration import load
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.camera import Camera, CardsLie
from firmware.extensions.camera.config import CameraOptions
from firmware.extensions.camera.faces import Deck
from firmware.extensions.camera.service import CameraService
from firmware.extensions.camera.table import CameraTable
from firmware.play.runtime import Runtime
from firmware.scripted.script import perform
from hardware.ports import DeviceFault, DeviceRecovered, Message, Scanned
from hardware.simulation.camera import SimulatedCamera
from tests.firmware.evening import FOUR as PLAYERS
from tests.firmware.extensions.camera.tables import Place, before, deck, in_row, jpeg, table
from tests.patience import comes

ROWS = {in_row(row, 0): number for row, number in enumerate((12, 37, 43, 58))}
CONFIG = """
[display]
driver = "simulated"
[buzzer]
driver = "simulated"
[journal]
path = "{folder}/journal.sqlite"
[camera]
driver = "v4l2"
device = "{folder}/camera.mjpeg"
[table]
ruling_s = 0
missing_card_s = 600
"""


@cache
def taught() -> Deck:
    return deck((12, 37, 43, 58, 14, 44, 61, 15, 35, 21, 36, 26, 30))


class Evening:
    """A box with a simulated camera, and people at it. The test is the thread of the game."""

    def __init__(self, folder: Path) -> None:
        file = folder / "nimmt.toml"
        file.write_text(CONFIG.format(folder=folder))
        config = load(file)
        deck_files.save(folder / "decks", taught())
        self.camera = SimulatedCamera(folder, jpeg(table({})))
        self.runtime = Runtime(config, folder / "journal.sqlite", in_threads=False)
        self.controller = self.runtime.app.controller
        self.posted: list[Message] = []
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.eye = Camera(config.section(CameraOptions), folder / "decks", between_s=0.03)
        service = CameraService(self.eye, folder / "decks", "", 1, self._inbox.put)
        self.controller.extension(CameraTable).service = service
        self.eye.start(self._inbox.put)

    # ------------------------------------------------------------------------------------- what people do

    def press(self, script: str) -> None:
        """Press keys, show badges."""
        perform(script, self.controller)
        self._listen()

    def lay(self, cards: Mapping[Place, int], *, light: float = 1.0, hand: Place | None = None) -> None:
        """What the camera sees from now on."""
        self.camera.show(jpeg(table(cards, light=light, hand=hand, noise=len(self.posted))))

    def move(self, cards: Mapping[Place, int]) -> None:
        """Change the table, and wait until the camera has read it."""
        self.lay(cards)
        before = self.count(CardsLie)
        self.until(lambda: self.count(CardsLie) > before)

    # ------------------------------------------------------------------------------------- what it does

    def until(self, holds: Callable[[], bool]) -> None:
        def looked() -> bool:
            self._listen()
            return holds()

        assert comes(looked)

    def have(self, *cards: int) -> bool:
        """Whether these are the cards of the turn so far."""
        match = self.runtime.session.match
        return match is not None and bool(match.asks) and match.asks[0].have == tuple(map(str, cards))

    def count(self, kind: type[Message]) -> int:
        return sum(isinstance(one, kind) for one in self.posted)

    @property
    def page(self) -> str:
        return self.controller.front.NAME

    def _listen(self) -> None:
        while not self._inbox.empty():
            message = self._inbox.get()
            self.posted.append(message)
            self.controller.tick(self.controller.now_s + 0.2)
            self.controller.hear(message, self.controller.now_s)
            self.runtime.app.picture()
        self.controller.tick(self.controller.now_s)

    def close(self) -> None:
        self.eye.close()
        self.camera.close()
        self.runtime.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
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
    assert [one.text[2:5] for one in evening.posted if isinstance(one, Scanned)] == [
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
