"""The whole device in this process, and people who play on it by chance; nothing is measured here.

`wired` has the real drivers over simulated wires, `without_devices` none of them.
The panel hangs on a simulated I2C bus under the real smbus2 and luma, the scanner on a pseudo terminal under
the real pyserial. Loop, controller, pages and journal are those of the product.
"""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from companion.core import games
from companion.values import Value, replace
from firmware.config.configuration import Config, choose, load
from firmware.journal.store import Journal
from firmware.play.runtime import Runtime
from firmware.scripted.players import Act, Players
from firmware.scripted.script import perform
from firmware.table_socket.server import TableSocket
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from hardware.simulation.scanner_line import ScannerLine
from tools.bench.machine import BUS_HZ, fresh_folder

PATIENCE_S: Final = 10.0
"""How long to wait for what must happen before the measurement is given up."""

_STEPS_PATIENCE_S: Final = 60.0
_LOOK_S: Final = 0.05


class WiredDevice(Value):
    """A device that is made and not started, and the far ends of its wires."""

    runtime: Runtime
    bus: SimulatedI2cBus
    panel: SimulatedPanel
    line: ScannerLine


@contextmanager
def wired(
    place: Path,
    *,
    real_time: bool,
    still: bool,
) -> Iterator[WiredDevice]:
    """A device whose journal is in a new folder within `place`; closed at the end.

    `real_time`: a write to the panel lasts as long as the wire needs. `still`: without the dot that beats
    and the shift against burn-in.
    """
    with fresh_folder(place) as folder:
        line = ScannerLine(folder)
        panel = SimulatedPanel("ssd1306")
        with SimulatedI2cBus(panel, bus_hz=BUS_HZ, real_time=real_time) as bus:
            runtime = Runtime(_config(line.path, still=still), folder / "journal.sqlite")
            try:
                yield WiredDevice(runtime, bus, panel, line)
            finally:
                runtime.close()
                line.close()
        if panel.complaints:
            raise RuntimeError(f"the panel was sent wrong bytes: {panel.complaints[0]}")


@contextmanager
def without_devices(journal: Path) -> Iterator[Runtime]:
    """A device that is made and not started; its display takes no pictures; pages are drawn."""
    config = load(None)
    runtime = Runtime(
        replace(
            config,
            display=choose("display", "none"),
            table=replace(config.table, duplicate_s=0.0),
            screen=replace(config.screen, heartbeat_s=0.0),
        ),
        journal,
    )
    with closing(runtime):
        yield runtime


@contextmanager
def live_table(folder: Path, script: str = "", **sections: object) -> Iterator[Runtime]:
    """A device without hardware, after a script; its loop runs in a thread, its socket is `table.sock`.

    `sections` are those of the configuration that are not as usual.
    """
    made: list[Runtime] = []
    ready = threading.Event()

    def live() -> None:
        runtime = Runtime(
            replace(load(None), display=choose("display", "simulated"), **sections), folder / "journal.sqlite"
        )
        table = TableSocket(runtime.app, folder / "table.sock")
        try:
            perform(script, runtime.app.controller)
            table.start()
            made.append(runtime)
            ready.set()
            runtime.app.run()
        finally:
            table.close()
            runtime.close()

    thread = threading.Thread(target=live)
    thread.start()
    try:
        if not ready.wait(_STEPS_PATIENCE_S):
            raise TimeoutError("the table does not begin")
        yield made[0]
    finally:
        if made:
            made[0].app.stop()
        thread.join()


def players(seed: int) -> Players:
    """A group of four that plays the first game by chance; another seed, another match."""
    return Players(games.first(), 4, random.Random(seed))


def played(journal: Path) -> tuple[list[Act], int]:
    """Play a deal to its end and half a turn of the next one: what people did, and the steps of the match.

    The match stays in play in the journal.
    """
    actions = []
    with without_devices(journal) as runtime:
        controller, people = runtime.app.controller, players(6)
        while (action := people.next(controller)) is not None:
            actions.append(action)
            controller.hear(action, 0.0)
            match = controller.session.match
            if match is not None and match.position.deal > 1 and controller.front.NAME == "collecting":
                return actions, match.steps
    raise RuntimeError("the match is over before a second deal")


def wait_for_steps(journal: Path, steps: int) -> None:
    """Wait until the newest match has so many steps; another program writes it."""
    until_s, again = time.monotonic() + _STEPS_PATIENCE_S, threading.Event()
    while time.monotonic() < until_s:
        with closing(Journal.read(journal)) as reader:
            entries = reader.matches()
        if entries and entries[-1].steps >= steps:
            return
        again.wait(_LOOK_S)
    raise TimeoutError(f"the match does not come to {steps} steps")


def _config(scanner: str, *, still: bool) -> Config:
    config = load(None)
    return replace(
        config,
        display=choose("display", "oled"),
        scanner=choose("scanner", "serial", {"port": scanner}),
        buzzer=choose("buzzer", "simulated"),
        codes=replace(config.codes, plain_numbers=True),
        # Nobody shows a card twice here, and a new deal may begin with the card that ended the old one.
        table=replace(config.table, duplicate_s=0.0),
        screen=replace(config.screen, heartbeat_s=0.0, shift_every_s=0.0) if still else config.screen,
    )
