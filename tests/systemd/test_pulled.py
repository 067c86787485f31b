"""The plugs of the display and of the scanner are pulled at every step of a game; the game does not mind."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.config.configuration import Config, choose, parse
from firmware.loop.react import do, handle_message, tick
from firmware.loop.runtime import Runtime
from firmware.play.table import Table
from hardware.panel import display
from hardware.ports import Scanned
from hardware.scanner import source
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from hardware.simulation.scanner_line import ScannerLine
from tests.hardware.device_setup import SOON_S
from tests.patience import comes

CODES = (
    *("6NC-R1U", "6NC-P01J", "6NC-P02S", "6NC-P03Z", "6NC-P04G", "6NC-OKB", "6NC-R1U", "6NC-R1U"),
    *("12", "37", "43", "58"),
    *("14", "44", "61", "15"),
    *("6NC-OKB", "36", "26", "21", "30", "6NC-P03Z"),
)
"""Four people begin a match and play the first two turns of the rulebook's example."""

CONFIG = """
[codes]
plain_numbers = true

[table]
duplicate_s = 0
take_shown_s = 0
ruling_s = 0
[screen]
heartbeat_s = 0
shift_every_s = 0
dim_after_s = 0
hide_after_s = 0
"""


def config(**devices: object) -> Config:
    return replace(parse(CONFIG, "the test"), **devices)


class PulledTable:
    """A real panel and a real scanner, as far as the kernel, and an undisturbed twin to compare with."""

    def __init__(self, folder: Path, panel: SimulatedPanel, line: ScannerLine) -> None:
        self.panel = panel
        self.line = line
        self.now_s = 1000.0
        scanner = choose("scanner", "serial", {"port": line.path})
        self.runtime = Runtime(
            config(display=choose("display", "oled"), scanner=scanner),
            folder / "journal.sqlite",
            lambda: self.now_s,
        )
        self.twin = Runtime(
            config(display=choose("display", "simulated")), folder / "twin.sqlite", lambda: self.now_s
        )
        self.told: set[str] = set()

    def close(self) -> None:
        self.runtime.close()
        self.twin.close()

    def time_passes(self, seconds: float) -> None:
        """Every notice fades."""
        self.now_s += seconds
        tick(self.twin.app.table, self.now_s)

    def scan(self, code: str) -> None:
        handle_message(self.twin.app.table, Scanned(code), self.now_s)
        self.line.scan(code)
        self.until(lambda: self.shown(self.runtime) == self.shown(self.twin))

    def until(self, seen: Callable[[], bool]) -> None:
        """Let the loop turn until something is seen; somebody presses OK on what is told meanwhile."""

        def seen_after_a_turn() -> bool:
            self.runtime.app.stop()
            self.runtime.app.run()
            self.told |= self.runtime.session.faults.keys()
            while self.runtime.app.table.front.NAME == "device_away":
                do(self.runtime.app.table, Table.close)
            return seen()

        assert comes(seen_after_a_turn), (self.shown(self.runtime)[:2], self.shown(self.twin)[:2])

    def display_is_away(self) -> bool:
        """Whether it is told that the display is away, or nothing is to be drawn that would tell it."""
        return "display" in self.runtime.session.faults or bool(self.runtime.devices["display"].settle(0.0))

    @staticmethod
    def shown(runtime: Runtime) -> tuple[str, int, bytes]:
        """The page, the steps and the picture that belong to a device now."""
        match = runtime.session.match
        return runtime.app.table.front.NAME, match.steps if match else 0, runtime.app.picture().tobytes()


@pytest.fixture(autouse=True)
def _retried_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The drivers look for what is away twenty times a second, for it is away fifty times in this file."""
    monkeypatch.setattr(source, "LAST_RETRY_S", source.FIRST_RETRY_S)
    monkeypatch.setattr(display, "FIRST_RETRY_S", source.FIRST_RETRY_S)
    monkeypatch.setattr(display, "LAST_RETRY_S", source.FIRST_RETRY_S)


def test_display_and_scanner_pulled_at_every_step_cost_neither_a_card_nor_a_pixel(tmp_path: Path) -> None:
    panel, line = SimulatedPanel("ssd1306", address=0x3C), ScannerLine(tmp_path)
    with SimulatedI2cBus(panel):
        table = PulledTable(tmp_path, panel, line)
        try:
            table.runtime.start()
            for code in CODES:
                line.unplug()
                table.until(lambda: "scanner" in table.runtime.session.faults)
                panel.unplug()
                line.plug()
                assert table.runtime.devices["scanner"].wait_listening(SOON_S)
                table.until(lambda: "scanner" not in table.runtime.session.faults)
                table.time_passes(5.0)
                table.scan(code)
                table.until(table.display_is_away)
                panel.plug()
                table.until(lambda: "display" not in table.runtime.session.faults)
                table.time_passes(5.0)
                table.until(lambda: panel.seen().tobytes() == table.shown(table.twin)[2])
            assert table.told == {"scanner", "display"}
            assert table.runtime.session.playing.points == (0, 0, 6, 0)
        finally:
            table.close()
            line.unplug()
