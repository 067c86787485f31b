"""What is really on: the device tree that the running kernel was given, as it shows it in /proc/device-tree.

config.txt says what somebody wants. Whether it has an effect depends on the kernel: the device trees of
Raspberry Pi's kernel have parameters (`dtparam=`), those of Debian's kernel have none.
Source: Devicetree Specification 0.4, 2.3 "status", 3.3 "aliases"; addresses from bcm283x.dtsi, bcm2711.dtsi.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.values import Value
from firmware.bounded_file import read_bounded

PLACE: Final = Path("/proc/device-tree")
_MOST_BYTES: Final = 4096
_USUAL_HZ: Final = 100_000
_SPIDEV: Final = (b"spidev", b"rohm,dh2228fv")
"""What the nodes are called for which the kernel makes /dev/spidev*."""


class DeviceTree(Value):
    """The tree below `root`."""

    root: Path = PLACE

    @property
    def there(self) -> bool:
        """Whether this machine has one; a PC has none."""
        return (self.root / "compatible").is_file()

    @property
    def has_parameters(self) -> bool:
        """Whether `dtparam=` in config.txt has an effect on it."""
        return (self.root / "__overrides__").is_dir()

    def i2c_hz(self) -> int | None:
        """The speed of I2C bus 1 in Hz; None if it is off."""
        node = self._node("i2c1", "soc/i2c@7e804000")
        if node is None or not self._is_on(node):
            return None
        return int.from_bytes(self._property(node, "clock-frequency"), "big") or _USUAL_HZ

    def spi(self) -> bool:
        """Whether programs can use SPI bus 0."""
        node = self._node("spi0", "soc/spi@7e204000")
        if node is None or not self._is_on(node):
            return False
        for child in node.glob("*@0"):
            names = self._property(child, "compatible").split(b"\0")
            if any(name in _SPIDEV for name in names) and self._is_on(child):
                return True
        return False

    def _node(self, alias: str, usual: str) -> Path | None:
        """The node with this alias or label, else the one at the usual place."""
        for names in ("aliases", "__symbols__"):
            said = self._property(self.root / names, alias).partition(b"\0")[0].decode(errors="replace")
            if said.startswith("/") and (self.root / said[1:]).is_dir():
                return self.root / said[1:]
        node = self.root / usual
        return node if node.is_dir() else None

    def _is_on(self, node: Path) -> bool:
        return self._property(node, "status").rstrip(b"\0") in {b"", b"okay", b"ok"}

    @staticmethod
    def _property(node: Path, name: str) -> bytes:
        try:
            return read_bounded(node / name, _MOST_BYTES)
        except OSError:
            return b""
