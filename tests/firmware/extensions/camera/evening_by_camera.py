"""A box with a simulated camera, and people at it. The test is the thread of the game."""

from __future__ import annotations

import fcntl
import os
import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.config.configuration import load
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.camera import Camera
from firmware.extensions.camera.config import CameraOptions
from firmware.extensions.camera.deck_menus import Decks
from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.seen import CardsLie
from firmware.extensions.camera.service import CameraService
from firmware.extensions.camera.table import CameraTable
from firmware.loop.react import handle_message, tick
from firmware.loop.runtime import Runtime
from hardware.ports import Message
from tests.firmware.extensions.camera.tables import Place, jpeg, table
from tests.gallery.script import perform
from tests.patience import comes

_BETWEEN_S: Final = 1 / 30
_PIPE_BYTES: Final = 4096
"""What waits in the pipe at most: an old picture tells what the table was."""


class SimulatedCamera:
    """A camera that is plugged in from the start. Any thread may call its methods.

    `node` is its file, a pipe that OpenCV opens as a film. While it is plugged in, it gives the picture that
    is before it some thirty times a second: at first `picture`, the bytes of a JPEG file.
    """

    def __init__(self, folder: Path, picture: bytes) -> None:
        self.node: Final = folder / "camera.mjpeg"
        self._picture = picture
        self._unplugged = threading.Event()
        self._thread: threading.Thread | None = None
        self.plug()

    def plug(self) -> None:
        """Plug it in again."""
        os.mkfifo(self.node)
        self._unplugged.clear()
        self._thread = threading.Thread(target=self._run, name="simulated camera", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Unplug it, even in the middle of a picture."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._unplugged.set()
        # The thread may wait for somebody who opens the pipe, or who reads it.
        file = os.open(self.node, os.O_RDONLY | os.O_NONBLOCK)
        self.node.unlink()
        while thread.is_alive():
            with suppress(BlockingIOError):
                os.read(file, _PIPE_BYTES)
            thread.join(0.001)
        os.close(file)

    def show(self, picture: bytes) -> None:
        """From now on it sees this: the bytes of a JPEG file."""
        self._picture = picture

    close = unplug

    def _run(self) -> None:
        while not self._unplugged.is_set():
            try:
                file = os.open(self.node, os.O_WRONLY)  # waits for somebody who opens it for reading
            except FileNotFoundError:
                return  # it was unplugged since
            fcntl.fcntl(file, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            with suppress(BrokenPipeError):  # it was closed
                while not self._unplugged.wait(_BETWEEN_S):
                    self._give(file)
            os.close(file)

    def _give(self, file: int) -> None:
        """One picture, as far as it is plugged in."""
        left = memoryview(self._picture)
        while left and not self._unplugged.is_set():
            left = left[os.write(file, left) :]


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

    def lay(self, cards: Mapping[Place, int], *, light: float = 1.0) -> None:
        """What the camera sees from now on."""
        self.camera.show(jpeg(table(cards, light=light, noise=len(self.posted))))

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
