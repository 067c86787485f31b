"""A device for tests: the real runtime with its watchdog, a machine in a folder, and a service manager."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from msgspec.structs import replace

from firmware.config.configuration import choose, parse
from firmware.loop.runtime import Runtime
from firmware.service.clock import KNOWN_PAST_S, Clock
from firmware.service.machine import Machine, Sources
from firmware.service.sd_notify import Notifier
from firmware.service.status import StatusFile
from firmware.service.watchdog import BEAT_S, Watchdog
from hardware.ports import DeviceFault
from tests.gallery.script import perform
from tests.patience import PATIENCE_S

ENOUGH = 300  # lines: the watchdog is fed every two seconds


class Manager:
    """Listens at `address`; close it, or use it in a `with`."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._wire.bind(self.address)
        self._wire.settimeout(PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wire.close()
        Path(self.address).unlink()

    def next(self) -> str:
        return self._wire.recv(4096).decode()

    def wait_for(self, line: str) -> list[str]:
        """Read until a line comes that begins so; gives all that came."""
        came: list[str] = []
        while not came or not came[-1].startswith(line):
            assert len(came) < ENOUGH, came
            came.append(self.next())
        return came

    def waiting(self) -> list[str]:
        came = []
        self._wire.setblocking(False)
        try:
            while True:
                came.append(self.next())
        except BlockingIOError:
            return came
        finally:
            self._wire.settimeout(PATIENCE_S)


def calm(folder: Path) -> Sources:
    """A machine that is well, whatever the one is like on which the test runs."""
    folder.joinpath("synchronized").touch()
    nowhere = folder / "absent"
    return Sources(
        hwmon=folder / "hwmon",
        thermal=nowhere,
        ext4=nowhere,
        watchdog_wanted=nowhere,
        clock=Clock(nowhere, folder / "synchronized", nowhere, lambda: KNOWN_PAST_S + 1.0),
    )


_CONFIG = """\
[table]
names = ["Ana", "Bo"]
[screen]
heartbeat_s = {heartbeat_s}
[codes]
plain_numbers = true
"""


class Box:
    """A device whose time is in the test's hands; `beat` lets the loop turn once, as it does every second."""

    def __init__(
        self, folder: Path, manager: Manager, *, safe: bool = False, heartbeat_s: float = 1.0, **devices: Any
    ) -> None:
        config = replace(
            parse(_CONFIG.format(heartbeat_s=heartbeat_s), "the test"),
            **{"display": choose("display", "simulated"), "buzzer": choose("buzzer", "simulated"), **devices},
        )
        self.journal = folder / "state" / "journal.sqlite"
        self.status = folder / "run" / "status.json"
        self.now_s = 1000.0
        self.runtime = Runtime(config, self.journal, lambda: self.now_s)
        self.manager = manager
        machine = Machine(folder, calm(folder))
        self.pulse = Watchdog(
            self.runtime, Notifier(manager.address), machine, StatusFile(self.status), safe=safe
        )

    def beat(self, seconds: float = BEAT_S) -> list[str]:
        """Let time pass, look once, hear what was posted; gives what the manager was told."""
        self.now_s += seconds
        self.pulse.turn(self.now_s)
        self.runtime.app.stop()
        self.runtime.app.run()
        return self.manager.waiting()

    def people(self, script: str) -> None:
        for word in script.split():
            perform(word, self.runtime.app.table)

    def fed(self) -> bool:
        return "WATCHDOG=1" in self.beat()

    @property
    def faults(self) -> Mapping[str, DeviceFault]:
        """What the table is told of."""
        return self.runtime.session.faults


@contextmanager
def box(folder: Path, *, safe: bool = False, heartbeat_s: float = 1.0, **devices: Any) -> Iterator[Box]:
    """A box that is on; switched off at the end."""
    with Manager(folder) as manager:
        made = Box(folder, manager, safe=safe, heartbeat_s=heartbeat_s, **devices)
        try:
            yield made
        finally:
            made.runtime.close()
