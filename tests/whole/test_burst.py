"""Ten cards in two tenths of a second, while display, sound and disk are busy: none is lost, none is late.

The whole program with real drivers: pyserial on a tty, luma and smbus2 on a bus so slow that a picture takes
half a second, gpiozero and gpiod under the buzzer, and the journal on a disk that stands still while the
cards come.
"""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from companion.core.codes import card_code
from firmware.config.configuration import choose, load
from firmware.journal import file as journal_file
from firmware.journal.store import Journal
from firmware.loop.runtime import Runtime
from firmware.play.table import Table
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.gpio_chip import GpioChip
from hardware.simulation.panels import SimulatedPanel
from hardware.simulation.scanner_line import ScannerLine
from tests.gallery.script import perform
from tests.hardware.gpio_setup import fresh_chip
from tests.patience import PATIENCE_S

SLOW_HZ: Final = 20_000  # of the bus: twenty times slower than it should be
GAP_S: Final = 0.02
SOON_S: Final = PATIENCE_S
BEGIN: Final = "R1 " + " ".join(f"b{badge}" for badge in range(1, 11)) + " OK R1 R1 12 37 43 58"
CARDS: Final = (90, 13, 61, 44, 15, 70, 38, 14, 45, 39)  # of ten players, none of whom takes a row
PIEZO: Final = 18


class BusyDevice:
    """A device whose outputs are slow; `ruled` is set when it shows the ruling of the turn."""

    def __init__(self, folder: Path, panel: SimulatedPanel, line: ScannerLine) -> None:
        config = load(None)
        config = replace(
            config,
            display=choose("display", "oled"),
            buzzer=choose("buzzer", "gpio", {"pin": PIEZO}),
            scanner=choose("scanner", "serial", {"port": line.path}),
            screen=replace(config.screen, heartbeat_s=0.0),
            codes=replace(config.codes, plain_numbers=True),
        )
        self.panel = panel
        self.line = line
        self.journal_path = folder / "journal.sqlite"
        self.runtime = Runtime(config, self.journal_path)
        self.ruled = threading.Event()
        self.runtime.app.drawn = self._drawn

    def _drawn(self, table: Table) -> None:
        if table.front.NAME == "ruling":
            self.ruled.set()

    @contextmanager
    def disk_stands_still(self) -> Iterator[None]:
        """Nothing can be written to the journal meanwhile; another writer waits."""
        with closing(sqlite3.connect(self.journal_path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")


@pytest.fixture
def chip() -> GpioChip:
    return fresh_chip()


@pytest.fixture
def device(tmp_path: Path, chip: GpioChip, monkeypatch: pytest.MonkeyPatch) -> Iterator[BusyDevice]:
    monkeypatch.setattr(journal_file, "BUSY_TIMEOUT_S", PATIENCE_S)  # people may take their time
    panel, line = SimulatedPanel("ssd1306"), ScannerLine(tmp_path, sends_at=9600)
    with SimulatedI2cBus(panel, bus_hz=SLOW_HZ, real_time=True):
        made = BusyDevice(tmp_path, panel, line)
        yield made
        made.runtime.close()
    line.close()


def deal_ten_cards(device: BusyDevice) -> None:
    """Ten people put their cards under the scanner, one after the other and all at once."""
    gap = threading.Event()
    try:
        assert device.runtime.devices["scanner"].wait_listening(SOON_S)
        with device.disk_stands_still():
            for card in CARDS:
                device.line.scan(card_code("6N", card))
                gap.wait(GAP_S)
        assert device.ruled.wait(SOON_S)
    finally:
        device.runtime.app.stop()


def test_ten_cards_in_a_burst_are_all_played_in_the_order_they_came(
    device: BusyDevice, chip: GpioChip
) -> None:
    perform(BEGIN, device.runtime.app.table)
    device.runtime.start()
    with ThreadPoolExecutor(1) as people:
        dealt = people.submit(deal_ten_cards, device)
        device.runtime.app.run()
        dealt.result()
    match_id = device.runtime.session.match_id
    assert match_id is not None
    with closing(Journal.read(device.journal_path)) as journal:
        orders = [step["do"] for step in journal.steps(match_id)]
    assert [order["card"] for order in orders if order["kind"] == "play"] == list(CARDS)
    assert device.runtime.app.table.front.NAME == "ruling"
    assert device.runtime.devices["display"].settle(SOON_S)
    assert device.panel.held() == device.runtime.app.picture()
    assert any(done.level for done in chip.written)  # and it was heard
    assert not device.runtime.session.faults
