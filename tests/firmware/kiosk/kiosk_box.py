"""A kiosk on a laptop for tests: the test says what is done and what time it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from firmware.config.sections import KioskOptions
from firmware.extensions.robots.table import RobotsTable
from firmware.extensions.robots.thinking import Robots
from firmware.kiosk.kiosk import KioskState, install
from firmware.loop.react import tick
from hardware.ports import Light
from tests.firmware.evening import Device

MORNING = datetime(2026, 2, 21, 10, 0, tzinfo=UTC)


class KioskBox(Device):
    """A kiosk that was switched on in the morning; its counts are in its folder."""

    def __init__(self, folder: Path, *, knows_time: bool = True, seed: int = 6, **sections: Any) -> None:
        options = sections.pop("kiosk", KioskOptions())
        super().__init__(folder, kiosk=options, **sections)
        began_s = self.table.now_s

        def clock() -> datetime | None:
            return MORNING + timedelta(seconds=self.table.now_s - began_s) if knows_time else None

        self.table.extension(RobotsTable).thinkers = Robots()
        self.kiosk = install(self.runtime, folder, clock, rng=Random(seed))

    @property
    def state(self) -> KioskState:
        return self.table.kept(KioskState)

    @property
    def light(self) -> Light:
        """How bright the display is."""
        return self.table.state.light

    def wait(self, seconds: float, step_s: float = 1.0) -> None:
        """Let time pass as the loop does: a look every second."""
        end_s = self.table.now_s + seconds
        while self.table.now_s < end_s:
            tick(self.table, min(end_s, self.table.now_s + step_s))
            self.runtime.app.picture()


@contextmanager
def kiosk_box(folder: Path, script: str = "", **sections: Any) -> Iterator[KioskBox]:
    """A kiosk that visitors have used as the script says; switched off at the end."""
    made = KioskBox(folder, **sections)
    try:
        made.people(script)
        yield made
    finally:
        made.kiosk.save_counts()
        made.runtime.close()
