"""A device on a laptop for tests: the real desk, journal and pages, with time in the test's hands."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from firmware.config.configuration import choose, load
from firmware.play.runtime import Runtime
from firmware.scripted.script import perform

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.match import Match
    from firmware.play.controller import Controller

FOUR = "R1 b1 b2 b3 b4 OK R1 R1 "
ROWS = "12 37 43 58 "
EXAMPLE_1 = FOUR + ROWS + "14 44 61 15 "
"""The first worked example of the booklets."""


class Device:
    """A device that is on; `rig.app.desk` is its desk."""

    def __init__(self, folder: Path) -> None:
        config = replace(
            load(None), display=choose("display", "simulated"), buzzer=choose("buzzer", "simulated")
        )
        self.runtime = Runtime(config, folder / "journal.sqlite")

    @property
    def controller(self) -> Controller:
        """The desk."""
        return self.runtime.app.controller

    @property
    def match(self) -> Match:
        """The match in play."""
        return self.runtime.session.playing

    @property
    def page(self) -> str:
        """The name of the page in front."""
        return self.controller.front.NAME

    @property
    def signals(self) -> list[str]:
        """The sounds so far."""
        return [signal.value for signal in self.runtime.devices["buzzer"].given]

    def people(self, script: str) -> None:
        """Let people do what a script says, drawing after every word as the loop does."""
        for word in script.split():
            perform(word, self.controller)
            self.runtime.app.picture()


@contextmanager
def device(folder: Path, script: str = "") -> Iterator[Device]:
    """A device that people have used as the script says; switched off at the end."""
    made = Device(folder)
    try:
        made.people(script)
        yield made
    finally:
        made.runtime.close()
