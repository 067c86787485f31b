"""Which GPIO each chosen driver takes, and which are taken twice. Pins are BCM numbers.

A driver need not declare its pins: an option named `pin`, `pins`, `pin_...`, `..._pins` and so on
holds them, whatever its shape, and so do the two contacts of an encoder. The pins of a display's
bus and of the serial port are no options; the header decides them (https://pinout.xyz/pinout/i2c,
.../spi and .../uart).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import fields

from companion.values import Value

_NAME: Final = re.compile(r"(?:.*_)?pins?(?:_.*)?|encoder_[ab]")
_I2C: Final[Mapping[int, tuple[int, int]]] = {0: (0, 1), 1: (2, 3)}
_SPI: Final[Mapping[int, tuple[int, int]]] = {0: (10, 11), 1: (20, 21)}
_SERIAL: Final = (14, 15)
_SPI_SELECT: Final[Mapping[tuple[int, int], int]] = {(0, 0): 8, (0, 1): 7, (1, 0): 18, (1, 1): 17, (1, 2): 16}


class PinUse(Value):
    """A GPIO that is used by the key `path`; `purpose` ("I2C data") if a bus needs exactly this pin."""

    path: str
    gpio: int
    purpose: str = ""

    def __str__(self) -> str:
        """The key and the purpose: "display.bus (I2C data)"."""
        return f"{self.path} ({self.purpose})" if self.purpose else self.path


def claims(section: str, options: Any) -> Iterator[PinUse]:  # noqa: ANN401 - any driver's options
    """The pins that a driver with these options uses."""
    if getattr(options, "port", "") in {"/dev/ttyAMA0", "/dev/ttyS0"}:  # serial0 is another plug on a Pi 5
        yield from _named(f"{section}.port", _SERIAL, ("serial TXD", "serial RXD"))
    bus = getattr(options, "bus", "")
    if bus == "i2c":
        yield from _named(f"{section}.bus", _I2C.get(options.port, ()), ("I2C data", "I2C clock"))
        return  # the pins of the other bus are set, but not used
    if bus == "spi":
        yield from _named(f"{section}.bus", _SPI.get(options.spi_port, ()), ("SPI data", "SPI clock"))
        select = _SPI_SELECT.get((options.spi_port, options.spi_device))
        yield from _named(f"{section}.bus", () if select is None else (select,), ("SPI chip select",))
    for one in fields(options):
        if _NAME.fullmatch(one.name):
            yield from _held(f"{section}.{one.name}", getattr(options, one.name))


def conflicts(all_claims: Iterable[PinUse]) -> list[tuple[PinUse, PinUse]]:
    """Each pair of claims to one pin: the one to move, then the one that stays.

    The later of the two moves, unless its wire belongs to a bus.
    """
    first: dict[int, PinUse] = {}
    twice = []
    for claim in all_claims:
        earlier = first.setdefault(claim.gpio, claim)
        if earlier is claim:
            continue
        fixed = claim.purpose and not earlier.purpose
        twice.append((earlier, claim) if fixed else (claim, earlier))
    return twice


def _named(path: str, gpios: Iterable[int], purposes: Iterable[str]) -> Iterator[PinUse]:
    return (PinUse(path, gpio, purpose) for gpio, purpose in zip(gpios, purposes, strict=False))


def _held(path: str, value: object) -> Iterator[PinUse]:
    match value:
        case bool():
            return
        case int():
            yield PinUse(path, value)
        case tuple():
            for number, item in enumerate(value):
                yield from _held(f"{path}[{number}]", item)
        case dict():
            for name, item in value.items():
                yield from _held(f"{path}.{name}", item)
