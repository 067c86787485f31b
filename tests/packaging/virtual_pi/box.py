"""The box in the virtual Pi as the people at the table have it: power, scanner, keys, display, and its card.

It can be used as a `tests.whole.table.Device`. What is done with it is the matter of the runs.
"""

import random
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from PIL import Image

from firmware.config.configuration import Config, load
from firmware.display import status_pictures
from firmware.display.canvas import Canvas
from firmware.display.layout import Layout
from firmware.display.plan import plan_for
from firmware.display.status_pictures import Notice
from firmware.text.translation import Translator
from hardware.boards import board
from hardware.simulation.panels import SimulatedPanel
from tests.packaging.virtual_pi.card import GUEST
from tests.packaging.virtual_pi.i2c_wire import I2cWire
from tests.packaging.virtual_pi.kernel import Kernel
from tests.packaging.virtual_pi.lossy_card import Cut, LossyCard
from tests.packaging.virtual_pi.machine import Machine, NotUp
from tests.patience import watch
from tests.systemd.trial import PACE
from tests.whole.scripted import NOTICE_PX, Evening, Shown, shown

PATIENCE_S: Final = 90.0
STATE: Final = "/var/lib/nimmt"
_LOOK_S: Final = 0.01
_HEARD_S: Final = 1.0
"""A code that shows nothing within this time was scanned before anybody listened."""

_QUIET_S: Final = 1.0
_KNOWN_QUIET_S: Final = 0.08
"""A picture counts when the wire is quiet for so long: before, it may be half old and half new. Of one that
can be expected that is known sooner."""

_KEYS: Final = {
    "6NC-OK": "ok",
    "6NC-UNDO": "undo",
    "6NC-R1": "row_1",
    "6NC-R2": "row_2",
    "6NC-R3": "row_3",
    "6NC-R4": "row_4",
}
"""Codes for which there is a key as well."""


def _bar(picture: Image.Image) -> bytes:
    """The part of a picture in which a notice stands."""
    return picture.crop((0, 0, picture.width, NOTICE_PX)).tobytes()


def _noticed(text: str) -> bytes:
    """The bar of a page with a title, with this notice."""
    canvas = Canvas()
    Layout(canvas, plan_for("en")).notice(text)
    return _bar(canvas.image())


_BACK: Final = {_noticed(f"{device} IS BACK") for device in ("DISPLAY", "BUTTONS", "SCANNER", "BUZZER")}
"""Notices that come by themselves, after a device was away at the start: they answer no scan."""


class Box:
    """A box that is off, with a card of its own over that image. For one thread.

    `seed` decides what a power cut leaves, and which codes are pressed and not scanned. `known` are the
    pictures that can be expected: of others it is not certain when they are complete.
    """

    def __init__(self, folder: Path, kernel: Kernel, image: Path, seed: int, accelerator: str) -> None:
        self._folder = folder
        self._image = image
        self._rng = random.Random(seed)
        self._panel = SimulatedPanel("ssd1309")
        self._lock = threading.Lock()
        self._lit: list[Shown] = []
        self._read = 0
        self._moved_s = 0.0
        self._card = LossyCard(image, folder / "card.socket", seed)
        self._wire = I2cWire(folder / "i2c.socket", self._panel, self._moved)
        self.machine: Final = Machine(folder, kernel, self._card, self._wire, accelerator)
        self.journal: Final = folder / "found" / "nimmt" / "journal.sqlite"
        self.known: set[Shown] = {self.notice(one) for one in Notice}
        self.newest = Shown()
        self.acts: list[str] = []
        """What was scanned and pressed since the power came, oldest first."""
        self.lost_blocks = 0
        """Blocks that the last cut found unflushed; how many of them are gone is chance."""
        self._pins = board("hand-wired").buttons["pins"]
        self._up = False
        self._pause = threading.Event()  # nobody sets it: waiting for it is looking again a little later

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.machine.off()
        self._wire.close()
        self._card.close()

    @property
    def config(self) -> Config:
        return load(GUEST / "nimmt.toml")

    def expect(self, plan: Evening) -> None:
        self.known |= {moment.live for moment in plan.moments}
        self.known |= {picture for back in plan.returns.values() for picture in (back.hello, back.question)}

    @staticmethod
    def notice(notice: Notice) -> Shown:
        """What the display shows of a notice, where the pages of the game are compared."""
        return shown(status_pictures.picture(notice, Translator()))

    # ------------------------------------------------------------------------------------- the switch

    def switch_on(self) -> None:
        """Give it power; returns at once, while it starts. The display is dark, the scanner is plugged in."""
        self._lit, self._read, self.newest, self._up = [], 0, Shown(), False
        self.acts = []
        self._panel.plug()
        self.machine.on()
        self.machine.plug_scanner()

    def kill(self, after_s: float = 0.0) -> Cut:
        """Pull the plug after a while; what the card has kept is found in `journal`."""
        self._pause.wait(after_s)
        self.machine.off()
        self._look(at_once=True)
        self._panel.unplug()
        left = self._rng.choice(tuple(Cut))
        self.lost_blocks = self._card.cut(left)
        self._find_journal()
        return left

    def _find_journal(self) -> None:
        """Read the state of the box from its card, as the kernel would when the machine starts again."""
        copy = self._folder / "copy.img"
        subprocess.run(["cp", "--sparse=always", str(self._image), str(copy)], check=True)
        self._card.write_to(copy)
        checked = subprocess.run(["e2fsck", "-fy", str(copy)], capture_output=True, text=True, check=False)
        if checked.returncode > 2:  # 1 and 2: the journal of the file system was replayed
            raise NotUp(f"the file system is beyond repair: {checked.stdout}")
        found = self._folder / "found"
        shutil.rmtree(found, ignore_errors=True)
        found.mkdir()
        subprocess.run(
            ["debugfs", "-R", f"rdump {STATE} {found}", str(copy)], capture_output=True, check=True
        )
        copy.unlink()

    # --------------------------------------------------------------------------- the scanner, the keys

    def scan(self, code: str) -> None:
        """Read a code, or press the key that is as good; nobody knows whether it is heard."""
        at_s = time.monotonic() - self.machine.on_at_s
        if (key := _KEYS.get(code)) and self._rng.random() < 0.5:
            self.wait_up()
            closed_s = self.machine.press(self._pins[key])
            self.acts.append(f"{at_s:.3f} s: {key} pressed for {closed_s} s")
        else:
            self.machine.scanned(f"{code}\r".encode())
            self.acts.append(f"{at_s:.3f} s: {code} scanned")

    def wait_up(self) -> None:
        if not self._up:
            self.machine.wait_up()
            self._up = True

    # -------------------------------------------------------------------------------------- the display

    def seen(self) -> Image.Image:
        return self._panel.seen()

    def new_pictures(self) -> list[Shown]:
        """What the display has shown since it was looked at last, above the notice; oldest first."""
        self._look()
        with self._lock:
            found = self._lit[self._read :]
            self._read = len(self._lit)
        found = [picture for picture in found if picture != self.notice(Notice.STARTING)]
        if found:
            self.newest = found[-1]
        return found

    def wait_for(self, seen: Callable[[Shown], bool], within_s: float = PATIENCE_S) -> bool:
        """Wait for a new picture of which `seen` is true; False if it is not in time."""
        return watch(self.new_pictures, seen, PACE.patient_s(within_s), _LOOK_S)

    def wait_listening(self, harmless: str) -> None:
        """Wait until scans are heard: `harmless` is a code that changes no more than a notice."""
        deadline_s = time.monotonic() + PACE.patient_s(PATIENCE_S)
        self._wait_still()
        silent = {self._notice(), *_BACK}
        while time.monotonic() < deadline_s:
            self.scan(harmless)
            heard_s = time.monotonic() + PACE.patient_s(_HEARD_S)
            while time.monotonic() < heard_s:
                if self._notice() not in silent:
                    # A badge also closes what lies on a question that badges answer: see what is left.
                    self._wait_still()
                    self.new_pictures()
                    return
                self._pause.wait(_LOOK_S)
        raise NotUp("the scanner was never heard")

    def _wait_still(self) -> None:
        """Wait until the display has not changed for so long that its picture is complete."""
        while time.monotonic() - self._moved_s < PACE.patient_s(_QUIET_S):
            self._pause.wait(_LOOK_S)

    def _notice(self) -> bytes:
        """What stands where a notice may."""
        return _bar(self._panel.held())

    def _moved(self) -> None:
        """A write has reached the panel, or has found none; called by the thread of its wire."""
        with self._lock:
            self._moved_s = time.monotonic()

    def _look(self, *, at_once: bool = False) -> None:
        """Note what is on the display, if it is complete; `at_once` where no more of it will come."""
        with self._lock:
            whole_s = PACE.patient_s(_QUIET_S)
            quiet_s = whole_s if at_once else time.monotonic() - self._moved_s
            if quiet_s < _KNOWN_QUIET_S or not self._panel.lit:
                return
            picture = shown(self._panel.held())
            if quiet_s < whole_s and picture not in self.known:
                return
            if not self._lit or self._lit[-1] != picture:
                self._lit.append(picture)
