"""The plugs of the display and of the scanner are pulled at every step of a game; the game does not mind."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.config.configuration import choose
from firmware.config.sections import CodesOptions, ScreenOptions, TableOptions
from firmware.play.table import Table
from hardware.panel import display
from hardware.ports import Scanned
from hardware.scanner import source
from hardware.simulation.buses import SimulatedI2cBus
from hardware.simulation.panels import SimulatedPanel
from hardware.simulation.scanner_line import ScannerLine
from tests.firmware.evening import Device, device
from tests.hardware.device_setup import SOON_S
from tests.patience import comes

CODES = (
    *("6NC-R1U", "6NC-P01J", "6NC-P02S", "6NC-P03Z", "6NC-P04G", "6NC-OKB", "6NC-R1U", "6NC-R1U"),
    *("12", "37", "43", "58"),
    *("14", "44", "61", "15"),
    *("6NC-OKB", "36", "26", "21", "30", "6NC-P03Z"),
)
"""Four people begin a match and play the first two turns of the rulebook's example."""
SECTIONS: dict[str, Any] = {
    "codes": CodesOptions(plain_numbers=True),
    "table": TableOptions(duplicate_s=0.0, take_shown_s=0.0, ruling_s=0.0),
    "screen": ScreenOptions(heartbeat_s=0.0, shift_every_s=0.0, dim_after_s=0.0, hide_after_s=0.0),
}


def shown(at: Device) -> tuple[str, int, bytes]:
    """The page, the steps and the picture that belong to a device now."""
    match = at.runtime.session.match
    return at.page, match.steps if match else 0, at.runtime.app.picture().tobytes()


@pytest.fixture(autouse=True)
def _retried_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The drivers look for what is away twenty times a second, for it is away fifty times in this file."""
    monkeypatch.setattr(source, "LAST_RETRY_S", source.FIRST_RETRY_S)
    monkeypatch.setattr(display, "FIRST_RETRY_S", source.FIRST_RETRY_S)
    monkeypatch.setattr(display, "LAST_RETRY_S", source.FIRST_RETRY_S)


def test_display_and_scanner_pulled_at_every_step_cost_neither_a_card_nor_a_pixel(tmp_path: Path) -> None:
    """A real panel and a real scanner, as far as the kernel, and an undisturbed twin to compare with."""
    panel = SimulatedPanel("ssd1306", address=0x3C)
    (tmp_path / "twin").mkdir()
    with (
        SimulatedI2cBus(panel),
        closing(ScannerLine(tmp_path)) as line,
        device(tmp_path / "twin", **SECTIONS) as twin,
        device(
            tmp_path,
            display=choose("display", "oled"),
            scanner=choose("scanner", "serial", {"port": line.path}),
            **SECTIONS,
        ) as at,
    ):
        runtime, told = at.runtime, set[str]()

        def until(seen: Callable[[], bool]) -> None:
            """Let the loop turn until something is seen; somebody presses OK on what is told meanwhile."""

            def seen_after_a_turn() -> bool:
                runtime.app.stop()
                runtime.app.run()
                told.update(runtime.session.faults)
                while at.page == "device_away":
                    at.do(Table.close)
                return seen()

            assert comes(seen_after_a_turn), (shown(at)[:2], shown(twin)[:2])

        def notices_fade() -> None:
            for each in (at, twin):
                each.wait(5.0)

        runtime.start()
        for code in CODES:
            line.unplug()
            until(lambda: "scanner" in runtime.session.faults)
            panel.unplug()
            line.plug()
            assert runtime.devices["scanner"].wait_listening(SOON_S)
            until(lambda: "scanner" not in runtime.session.faults)
            notices_fade()
            twin.give(Scanned(code))
            line.scan(code)
            until(lambda: shown(at) == shown(twin))
            # It is told that the display is away, or nothing is to be drawn that would tell it.
            until(lambda: "display" in runtime.session.faults or bool(runtime.devices["display"].settle(0.0)))
            panel.plug()
            until(lambda: "display" not in runtime.session.faults)
            notices_fade()
            until(lambda: panel.seen().tobytes() == shown(twin)[2])
        assert told == {"scanner", "display"}
        assert at.match.points == (0, 0, 6, 0)
