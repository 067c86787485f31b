"""Whether the buses that the configuration needs are on: I2C, its speed, SPI, the UART.

The owner of the machine enables them in the firmware's `config.txt`. This module reads the file, lists the
missing lines and asks the device tree what is really on; only `nimmt overlays --write` writes the file, never
a start or an installation. With Raspberry Pi's kernel the lines are parameters (`dtparam=`), with Debian's
they name overlays of our own.
Source: Raspberry Pi documentation, config.txt and "Device Trees, overlays, and parameters".
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from pathlib import Path
from typing import Final

from companion.values import Value
from firmware.bounded_file import keep, read_bounded
from firmware.config.configuration import Config
from firmware.flashed.slots import BOOT

PLACE: Final = Path("/proc/device-tree")
_USUAL_HZ: Final = 100_000
_SPIDEV: Final = frozenset({b"spidev", b"rohm,dh2228fv"})
"""What the nodes are called for which the kernel makes /dev/spidev*."""


class DeviceTree(Value):
    """What is really on: the device tree that the running kernel was given, as it shows it below `root`.

    config.txt says what somebody wants. Whether it has an effect depends on the kernel: the device trees of
    Raspberry Pi's kernel have parameters (`dtparam=`), those of Debian's kernel have none. Source: Devicetree
    Specification 0.4, 2.3 "status", 3.3 "aliases"; addresses from bcm283x.dtsi, bcm2711.dtsi.
    """

    root: Path = PLACE

    @property
    def there(self) -> bool:
        """Whether this machine has one; a PC has none."""
        return (self.root / "compatible").is_file()

    @property
    def has_parameters(self) -> bool:
        """Whether `dtparam=` in config.txt has an effect on it; without a tree it is said to have one."""
        return (self.root / "__overrides__").is_dir() or not self.there

    def i2c_hz(self) -> int:
        """The speed of I2C bus 1 in Hz; 0 if it is off."""
        node = self._on("i2c1", "soc/i2c@7e804000")
        if node is None:
            return 0
        return int.from_bytes(self._property(node, "clock-frequency"), "big") or _USUAL_HZ

    def spi(self) -> bool:
        """Whether programs can use SPI bus 0."""
        node = self._on("spi0", "soc/spi@7e204000")
        return node is not None and any(
            self._is_on(child) and not _SPIDEV.isdisjoint(self._property(child, "compatible").split(b"\0"))
            for child in node.glob("*@0")
        )

    def uart(self) -> bool:
        """Whether the PL011 is a port for programs: it is on, and Bluetooth or another device has it not."""
        node = self._on("uart0", "soc/serial@7e201000")
        return node is not None and not any(self._is_on(child) for child in node.iterdir() if child.is_dir())

    def _on(self, alias: str, usual: str) -> Path | None:
        """The node with this alias or label, else the one at the usual place; None if it is not on."""
        said = (self._property(self.root / names, alias) for names in ("aliases", "__symbols__"))
        places = (*(text.partition(b"\0")[0].decode(errors="replace") for text in said), usual)
        nodes = (self.root / place.lstrip("/") for place in places if place)
        node = next(filter(Path.is_dir, nodes), None)
        return node if node is not None and self._is_on(node) else None

    def _is_on(self, node: Path) -> bool:
        return self._property(node, "status").rstrip(b"\0") in {b"", b"okay", b"ok"}

    @staticmethod
    def _property(node: Path, name: str) -> bytes:
        try:
            return read_bounded(node / name)
        except OSError:
            return b""


PLACES: Final = (BOOT / "config.txt", Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
OURS: Final = Path("/usr/share/nimmt-companion/overlays")
"""Our overlays, for a kernel whose device tree has no parameters."""
I2C_HZ: Final = 400_000
"""A whole picture takes 93 ms at the default 100 kHz and 23 ms at this; all supported panels can do it."""

_OURS: Final = "# nimmt-companion"
_TODAY: Final = {"i2c": "i2c_arm", "i2c1": "i2c_arm", "i2c_baudrate": "i2c_arm_baudrate"}
"""The names that the documentation uses today, by older ones."""
_SERIAL_PORTS: Final = frozenset({"/dev/ttyAMA0", "/dev/ttyS0", "/dev/serial0"})


class OverlayLine(Value):
    """A setting that the configuration needs: `dtparam=<name>=<value>`, or a plain one.

    `overlay` is the one that does the same where there are no parameters, `on` whether it is on now; None if
    that cannot be seen.
    """

    name: str
    value: str
    why: str
    overlay: str = ""
    on: Callable[[DeviceTree], bool | None] = lambda _: None
    tree: bool = True

    def line(self, *, parameters: bool = True) -> str:
        """The line for config.txt, for a kernel that has parameters or not."""
        if self.overlay and not parameters:
            return f"dtoverlay={self.overlay}"
        return f"{'dtparam=' if self.tree else ''}{self.name}={self.value}"


def wanted(config: Config) -> tuple[OverlayLine, ...]:
    """The settings that the devices of this configuration need."""
    found = []
    bus = getattr(config.display.options, "bus", "")
    if bus == "i2c" and getattr(config.display.options, "port", 1) == 1:
        why, fast = "the display is on I2C", "pictures are sent four times as fast"
        found += [
            OverlayLine("i2c_arm", "on", why, "nimmt-i2c", lambda tree: tree.i2c_hz() > 0),
            OverlayLine(
                "i2c_arm_baudrate", str(I2C_HZ), fast, "nimmt-i2c", lambda tree: tree.i2c_hz() >= I2C_HZ
            ),
        ]
    if bus == "spi":
        found.append(OverlayLine("spi", "on", "the display is on SPI", "nimmt-spi", DeviceTree.spi))
    if getattr(config.scanner.options, "port", "") in _SERIAL_PORTS:
        why = "the scanner is on the pins of the serial port"
        found.append(OverlayLine("enable_uart", "1", why, "nimmt-uart", _has_uart, tree=False))
    return tuple(found)


def _has_uart(tree: DeviceTree) -> bool | None:
    """With Raspberry Pi's kernel the port may be another UART: it cannot be seen."""
    return None if tree.has_parameters else tree.uart()


def text_of(file: Path) -> str:
    """The text of a config.txt. Raises `OSError` and `UnicodeDecodeError`."""
    return read_bounded(file).decode()


class State(Enum):
    """What is to be said of a setting."""

    ON = auto()
    MISSING = auto()
    RESTART = auto()
    """It is in the file, but the kernel has not seen it."""


def states(needs: Iterable[OverlayLine], text: str, tree: DeviceTree) -> list[tuple[OverlayLine, State]]:
    """The state of each setting, by a config.txt with this text and by what is on now."""
    found, parameters, settings = [], tree.has_parameters, tuple(_settings(text))
    set_to = dict(settings)
    loaded = {value.partition(",")[0] for name, value in settings if name == "dtoverlay"}
    for need in needs:
        on = need.on(tree) if tree.there else None
        by_overlay = need.overlay and not parameters
        if not (need.overlay in loaded if by_overlay else _grants(set_to.get(need.name), need)):
            # Debian's tree may have it on without a line; Raspberry Pi's parameters are gone after a restart.
            found.append((need, State.ON if on and not parameters else State.MISSING))
        else:
            found.append((need, State.RESTART if on is False else State.ON))
    return found


def found(places: Iterable[Path] = PLACES) -> Path | None:
    """The config.txt of this machine; None if it is not a Raspberry Pi."""
    return next((place for place in places if place.is_file()), None)


def add(lines: Iterable[OverlayLine], file: Path, *, parameters: bool = True, overlays: Path = OURS) -> Path:
    """Append the lines to `file`, for all models; gives the backup of the old file.

    Overlays that are named and do not lie beside `file` are copied there from the folder `overlays`.

    If the power fails, the file is the old one or the new one, as far as its disk can guarantee that. Raises
    `OSError`.
    """
    lines, mode = tuple(lines), file.stat().st_mode & 0o777
    backup = file.with_name(f"{file.name}.before-nimmt")
    if not backup.exists():
        keep(file.read_bytes(), backup, mode)
    text = text_of(file)
    ours = "".join(f"{line}\n" for line in dict.fromkeys(need.line(parameters=parameters) for need in lines))
    for name in () if parameters else sorted({need.overlay for need in lines} - {""}):
        overlay = file.parent / "overlays" / f"{name}.dtbo"
        if not overlay.exists():
            keep((overlays / overlay.name).read_bytes(), overlay)
    keep(f"{text.rstrip()}\n\n{_OURS}\n[all]\n{ours}".encode(), file, mode)
    return backup


def _settings(text: str) -> Iterator[tuple[str, str]]:
    """The settings for every model: a filter such as [pi4] ends at the next [all]."""
    for_all = True
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            for_all = line == "[all]"
        elif for_all and "=" in line:
            name, _, value = line.partition("=")
            if name.strip() in {"dtparam", "device_tree_param"}:
                for part in value.split(","):
                    key, _, given = part.partition("=")
                    yield _TODAY.get(key.strip(), key.strip()), given.strip() or "on"
            else:
                yield name.strip(), value.strip()


def _grants(value: str | None, need: OverlayLine) -> bool:
    if value is None:
        return False
    if need.name == "i2c_arm_baudrate":
        return value.isdecimal() and int(value) >= I2C_HZ
    return value in ({"on", "true", "yes", "1"} if need.value in {"on", "1"} else {need.value})
