"""From a configuration to a running device: which drivers, and the order in which they start and stop."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from firmware.config.configuration import Config
from firmware.journal.store import Journal, wall
from firmware.loop.app import App
from firmware.loop.react import do
from firmware.play.table import Table
from firmware.screens import flow
from firmware.screens.before.start import interrupted_setup
from firmware.session.language import translator
from firmware.session.session import Session
from hardware.ports import DeviceFault, Signal
from hardware.registry import driver


def open_table(
    session: Session, config: Config, signal: Callable[[Signal], None], now_s: float = 0.0
) -> Table:
    """A table with the pages of this program, as it is after a start; see `Table`."""
    table = Table(session, config, signal, flow, now_s)
    do(table, lambda table: table.set_up(interrupted_setup(session)))
    return table


class Runtime:
    """The devices of one configuration, started together and closed in the opposite order.

    `now_s` is the monotonic clock of loop and table, in seconds; devices have their own. `time_of_day`
    is what the journal notes (see `wall`). Without `in_threads` optional parts do all in the thread of the
    loop: nobody waits, and every run is the same.
    """

    def __init__(
        self,
        config: Config,
        journal_path: Path,
        now_s: Callable[[], float] = time.monotonic,
        time_of_day: Callable[[], str] = wall,
        *,
        in_threads: bool = True,
    ) -> None:
        self.config = config
        self.journal, report = Journal.open(journal_path, wall=time_of_day)
        with ExitStack() as stack:  # if a device cannot be made, the journal is not left locked
            stack.callback(self.journal.close)
            self.session = Session(self.journal, config, translator(config, self.journal.recall))
            fault = self.session.resume()
            self.devices: dict[str, Any] = {
                port: driver(port, getattr(config, port).driver)(getattr(config, port).options)
                for port in ("display", "buzzer", "buttons", "scanner")
            }
            table = open_table(self.session, config, self.devices["buzzer"].give, now_s())
            self.app = App(table, self.devices["display"], now_s)
            for extension in table.extensions if in_threads else ():
                extension.start(self.app.post)
                stack.callback(extension.close)
            self._stack = stack.pop_all()
        if report.fault:
            self.app.post(DeviceFault("journal", report.fault, report.fix))
        if fault is not None:
            self.app.post(fault)

    def start(self) -> None:
        """Start the devices, the display first; one that does not answer is a fault, not an error."""
        for device in self.devices.values():
            self._stack.callback(device.close)
            device.start(self.app.post)

    def close(self) -> None:
        self._stack.close()
