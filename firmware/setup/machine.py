"""The machine in the set-up: where its files are, and how to make a device on it."""

import fcntl
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from companion.values import Value
from firmware.config.configuration import choose
from firmware.setup.conclusions import BoardSeen
from hardware.errors import HardwareError
from hardware.ports import DeviceFault
from hardware.registry import driver

ADDRESSES: Final = (0x3C, 0x3D)
"""The possible I2C addresses of these panels."""


class System(Value):
    """`root` is the root of the file system, `ioctl` the call that grabs a keyboard."""

    root: Path = Path("/")
    ioctl: Callable[[int, int, int], Any] = fcntl.ioctl

    def make(self, port: str, name: str, options: Mapping[str, object]) -> Any:  # noqa: ANN401 - any driver
        """A device that is not yet started. Raises `ConfigError`, `HardwareError`."""
        made = driver(port, name)
        chosen = choose(port, name, options).options
        if (port, name) == ("scanner", "auto"):
            return made(chosen, root=self.root, ioctl=self.ioctl)
        return made(chosen)

    def check(self, port: str, name: str, options: Mapping[str, object]) -> str | DeviceFault:
        """The device's own report, or what is wrong with it."""
        try:
            said: str = self.make(port, name, options).check()
        except HardwareError as bad:
            return DeviceFault(port, bad.fault, bad.check)
        return said

    def look(self) -> BoardSeen:
        """What answers on the pins. SPI is not tried: nothing answers there, and a panel would go dark."""
        said = {at: self.check("display", "oled", {"bus": "i2c", "address": at}) for at in ADDRESSES}
        silent = [answer for answer in said.values() if isinstance(answer, DeviceFault)]
        return BoardSeen(
            answering=tuple(at for at, answer in said.items() if isinstance(answer, str)),
            spi=(self.root / "dev/spidev0.0").exists(),
            silence=silent[0] if len(silent) == len(ADDRESSES) else None,
        )
