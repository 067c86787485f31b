"""A device on a laptop for tests: real table, journal and pages; the test says what time it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.core.codec import encode
from companion.match.match import Match
from firmware.config.configuration import choose, load
from firmware.loop.react import do, handle_message, tick
from firmware.loop.runtime import Runtime
from firmware.play.effects import Effect
from firmware.play.page import AnyPage
from firmware.play.table import Table
from hardware.ports import Message
from tests.gallery.script import perform

FOUR = "R1 b1 b2 b3 b4 OK R1 R1 "
ROWS = "12 37 43 58 "
EXAMPLE_1 = FOUR + ROWS + "14 44 61 15 "
"""The first worked example of the rulebook."""
PLACED = EXAMPLE_1 + "OK OK OK OK "
"""The same, and OK after each card that was placed."""


class SimulatedPower:
    """A switch without a machine: `asked` lists what it was asked, `off` or `restart`."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def off(self) -> None:
        self.asked.append("off")

    def restart(self) -> None:
        self.asked.append("restart")


class _Forgotten(Exception):
    pass


@contextmanager
def trial(table: Table) -> Iterator[list[Effect]]:
    """Forget at the end all that is done within; gives what it would lead to."""
    with suppress(_Forgotten), table.transaction() as effects:
        yield effects
        raise _Forgotten


class Device:
    """A device that is on, with the usual configuration but for these sections of it."""

    def __init__(self, folder: Path, **sections: Any) -> None:
        devices = {name: choose(name, "simulated") for name in ("display", "buzzer")}
        config = replace(load(None), **{**devices, **sections})
        self.runtime = Runtime(config, folder / "journal.sqlite")

    @property
    def table(self) -> Table:
        """The table of its screens."""
        return self.runtime.app.table

    @property
    def match(self) -> Match:
        """The match in play."""
        return self.runtime.session.playing

    @property
    def view(self) -> dict[str, Any]:
        """What the referee knows of the table, as a state of the protocol has it."""
        view: dict[str, Any] = encode(self.match.game.view(self.match.position.table))
        return view

    @property
    def have(self) -> str:
        """The cards that were given to the open question so far, such as those of the turn."""
        return " ".join(self.match.asks[0].have)

    @property
    def page(self) -> str:
        """The name of the page in front."""
        return self.table.front.NAME

    @property
    def refused(self) -> AnyPage | None:
        """What the band over the page is about; None where there is none."""
        return self.table.state.refused

    @property
    def signals(self) -> list[str]:
        """The sounds so far."""
        return [signal.value for signal in self.runtime.devices["buzzer"].given]

    def propose(self, command: object) -> bool:
        """Propose a command as a page does; whether it stands."""
        before = self.match.steps
        self.do(lambda table: table.propose(command))
        return self.match.steps > before

    def give(self, message: Message, after_s: float = 0.0) -> bool:
        """Give a message of a device to the table, after so many seconds; whether it counts."""
        return handle_message(self.table, message, self.table.now_s + after_s)

    def wait(self, for_s: float) -> None:
        """Let so many seconds pass."""
        tick(self.table, self.table.now_s + for_s)

    def do(self, change: Callable[[Table], object]) -> None:
        """Let the program itself do something at the table."""
        do(self.table, change)

    def people(self, script: str) -> None:
        """Let people do what a script says, drawing after every word as the loop does."""
        for word in script.split():
            perform(word, self.table)
            self.runtime.app.picture()


def choose_in_menu(at: Device, label: str) -> None:
    """Open the menu with keys alone and choose what stands there by this name."""
    at.people("hold-OK")
    menu: Any = at.table.front
    below = menu.labels(at.table.session).index(label) - (menu.cursor or 0)
    at.people("DOWN " * below + "OK")


@contextmanager
def device(folder: Path, script: str = "", **sections: Any) -> Iterator[Device]:
    """A device that people have used as the script says; switched off at the end."""
    made = Device(folder, **sections)
    try:
        made.people(script)
        yield made
    finally:
        made.runtime.close()
