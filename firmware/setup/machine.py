"""The machine in the set-up: where its files are, and how to make a device on it."""

import fcntl
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from companion.values import Value
from firmware.config.configuration import choose
from firmware.setup.answers import BoardSeen
from hardware.errors import HardwareError
from hardware.ports import DeviceFault
from hardware.registry import driver

ADDRESSES: Final = (0x3C, 0x3D)
"""The possible I2C addresses of these panels."""

KEYBOARD: Final = "hid"
ANY_SCANNER: Final = "auto"
"""Drivers that are made to use the files of this machine."""

MODULES: Final = ("gm67", "gm65")
"""Drivers of scanners that can be queried. A GM67 takes the first byte of a query for a GM65 as the length of
a packet and waits for the rest of it, so it is queried first."""


class Machine(Value):
    """`root` is the root of the file system, `ioctl` the call that grabs a keyboard.

    `now_s` is the clock by which a scanner module answers in time or does not.
    """

    root: Path = Path("/")
    ioctl: Callable[[int, int, int], Any] = fcntl.ioctl
    now_s: Callable[[], float] = time.monotonic

    def make(self, port: str, name: str, options: Mapping[str, object]) -> Any:  # noqa: ANN401 - any driver
        """A device that is not yet started. Raises `ConfigError`, `HardwareError`."""
        made = driver(port, name)
        chosen = choose(port, name, options).options
        if port == "scanner" and name in (KEYBOARD, ANY_SCANNER):
            return made(chosen, root=self.root, ioctl=self.ioctl)
        return made(chosen, self.now_s) if name in MODULES else made(chosen)

    def check(self, port: str, name: str, options: Mapping[str, object]) -> str | DeviceFault:
        """The device's own report, or what is wrong with it."""
        try:
            said: str = self.make(port, name, options).check()
        except HardwareError as bad:
            return DeviceFault(port, bad.fault, bad.check)
        return said

    def scanner_by_itself(self) -> Path | None:
        """The file of the device that the driver for any scanner would read now; None if it reads none."""
        try:
            found: Path | None = self.make("scanner", ANY_SCANNER, {}).would_read()
        except HardwareError:
            return None
        return found and found.resolve()

    def only_a_scan_tells(self) -> bool:
        """Whether that driver would listen to the keyboards until one of them types a code."""
        try:
            return self.make("scanner", ANY_SCANNER, {}).would_read() is None
        except HardwareError:
            return False

    def look(self) -> BoardSeen:
        """What answers on the pins. SPI is not tried: nothing answers there, and a panel would go dark."""
        said = {one: self.check("display", "oled", {"bus": "i2c", "address": one}) for one in ADDRESSES}
        silent = [one for one in said.values() if isinstance(one, DeviceFault)]
        return BoardSeen(
            answering=tuple(one for one, what in said.items() if isinstance(what, str)),
            spi=(self.root / "dev/spidev0.0").exists(),
            silence=silent[0] if len(silent) == len(ADDRESSES) else None,
        )
