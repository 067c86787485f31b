"""A box with a simulated camera, and people at it. The test is the thread of the game."""

import queue
from collections.abc import Callable, Mapping
from pathlib import Path

from firmware.config.configuration import load
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.camera import Camera, CardsLie
from firmware.extensions.camera.config import CameraOptions
from firmware.extensions.camera.decks import Decks
from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.service import CameraService
from firmware.extensions.camera.table import CameraTable
from firmware.loop.react import handle_message, tick
from firmware.loop.runtime import Runtime
from hardware.ports import Message
from tests.firmware.extensions.camera.simulated_camera import SimulatedCamera
from tests.firmware.extensions.camera.tables import Place, jpeg, table
from tests.gallery.script import perform
from tests.patience import comes

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


class Evening:
    """A box with the camera of its configuration. `deck` is the one it was taught, if any."""

    def __init__(self, folder: Path, deck: TaughtDeck | None) -> None:
        file = folder / "nimmt.toml"
        file.write_text(CONFIG.format(folder=folder))
        config = load(file)
        if deck is not None:
            deck_files.save(folder / "decks", deck)
        self.camera = SimulatedCamera(folder, jpeg(table({})))
        self.runtime = Runtime(config, folder / "journal.sqlite", in_threads=False)
        self.table = self.runtime.app.table
        self.posted: list[Message] = []
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.eye = Camera(config.section(CameraOptions), folder / "decks", between_s=0.03)
        self.service = CameraService(self.eye, Decks(folder / "decks", box=1), self._inbox.put)
        self.table.extension(CameraTable).service = self.service
        self.eye.start(self._inbox.put)

    # ------------------------------------------------------------------------------------- what people do

    def press(self, script: str) -> None:
        """Press keys, show badges."""
        perform(script, self.table)
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
        return sum(isinstance(message, kind) for message in self.posted)

    @property
    def page(self) -> str:
        return self.table.front.NAME

    def _listen(self) -> None:
        while not self._inbox.empty():
            message = self._inbox.get()
            self.posted.append(message)
            tick(self.table, self.table.now_s + 0.2)
            handle_message(self.table, message, self.table.now_s)
            self.runtime.app.picture()
        tick(self.table, self.table.now_s)

    def close(self) -> None:
        self.eye.close()
        self.camera.close()
        self.runtime.close()
