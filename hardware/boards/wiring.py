"""Which wire of a board goes to which pin of the 40-pin header; how it is drawn is `wiring_picture`.

What the drivers take comes from the board's options. Added here is what no option can change: the pins of the
buses, and where each part of the hand-wired table gets its power and its ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hardware.boards.boards import Board


class Duty(Enum):
    """What a wire is for; it decides the colour."""

    POWER_3V3 = "3.3 V"
    POWER_5V = "5 V"
    GROUND = "ground"
    PANEL = "display"
    KEY = "key"
    KNOB = "knob"
    SOUND = "buzzer"
    SCANNER = "scanner"


# https://raspi.muth.org/pins.html: the same on every Raspberry Pi with 40 pins.
HEADER: Final[Mapping[int, int]] = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""The GPIO (BCM number) of each pin of the header that has one."""

SUPPLIES: Final[Mapping[int, Duty]] = {
    1: Duty.POWER_3V3, 17: Duty.POWER_3V3, 2: Duty.POWER_5V, 4: Duty.POWER_5V,
} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), Duty.GROUND)  # fmt: skip
"""The other pins."""

PIN_OF: Final[Mapping[int, int]] = {gpio: pin for pin, gpio in HEADER.items()}
"""The header's pin of each GPIO."""

_I2C: Final = {"SDA": 2, "SCL": 3}
_SPI: Final = {"DIN": 10, "CLK": 11, "CS": 8}
_SERIAL: Final = {"RX": 14, "TX": 15}
"""The contacts of the scanner's module: what it receives is what the Pi sends on GPIO 14."""

HAND_WIRED: Final = "hand-wired"
_EXTRA: Final[Mapping[str, tuple[tuple[int, str], ...]]] = {
    "display": ((1, "VCC"), (9, "GND")),
    "knob": ((17, "+"), (25, "GND")),
    "keys": ((39, "common"),),
    "UNDO": ((34, "other side"),),
    "buzzer": ((14, "other side"),),
    "scanner": ((2, "5V"), (6, "GND")),
}


@dataclass(frozen=True, slots=True)
class Contact:
    """One end of a wire at a part, and the header's pin at its other end.

    `key` is the configuration's key that names the GPIO, empty for a supply.
    """

    name: str
    pin: int
    duty: Duty
    key: str = ""

    @property
    def gpio(self) -> int | None:
        """The GPIO at that pin."""
        return HEADER.get(self.pin)


@dataclass(frozen=True, slots=True)
class Part:
    """What is wired as one thing; contacts by rising pin."""

    name: str
    contacts: tuple[Contact, ...]


def parts(board: Board) -> tuple[Part, ...]:
    """The parts of a board in the order of their first pins. A board that is bought has no supplies here."""
    found: dict[str, list[Contact]] = {}
    for part, contact in _contacts(board):
        found.setdefault(part, []).append(contact)
    if board.name == HAND_WIRED:
        for part, supplies in _EXTRA.items():
            found[part] += [Contact(name, pin, SUPPLIES[pin]) for pin, name in supplies]
    made = [Part(name, tuple(sorted(wires, key=lambda one: one.pin))) for name, wires in found.items()]
    return tuple(sorted(made, key=lambda one: one.contacts[0].pin))


def _contacts(board: Board) -> Iterator[tuple[str, Contact]]:
    display, buttons = board.display, board.buttons
    bus = _I2C if display["bus"] == "i2c" else _SPI
    yield from _all("display", bus, Duty.PANEL, lambda _: "display.bus")
    if display["bus"] == "spi":
        lines = {"DC": "pin_dc", "RES": "pin_reset"}
        yield from _all("display", {name: display[key] for name, key in lines.items()}, Duty.PANEL,
                        lambda name: f"display.{lines[name]}")  # fmt: skip
    for table in ("pins", "also_pins"):
        for key, gpio in buttons.get(table, {}).items():
            part, duty = _place_of(key, board)
            name = "SW" if part == "knob" else key.replace("_", " ").upper()
            yield part, Contact(name, PIN_OF[gpio], duty, f"buttons.{table}.{key}")
    for key, name in (("encoder_a", "CLK (A)"), ("encoder_b", "DT (B)")):
        if key in buttons:
            yield "knob", Contact(name, PIN_OF[buttons[key]], Duty.KNOB, f"buttons.{key}")
    if board.buzzer:
        yield "buzzer", Contact("piezo", PIN_OF[board.buzzer["pin"]], Duty.SOUND, "buzzer.pin")
    if board.name == HAND_WIRED:
        yield from _all("scanner", _SERIAL, Duty.SCANNER, lambda _: "scanner.port")


def _all(part: str, gpios: Mapping[str, int], duty: Duty, key: Any) -> Iterable[tuple[str, Contact]]:  # noqa: ANN401 - a function of the name
    return ((part, Contact(name, PIN_OF[gpio], duty, key(name))) for name, gpio in gpios.items())


def _place_of(key: str, board: Board) -> tuple[str, Duty]:
    """The part that a key belongs to: by hand, WHY is the push of the knob and UNDO lies apart."""
    if board.name != HAND_WIRED:
        return "keys", Duty.KEY
    return {"why": ("knob", Duty.KNOB), "undo": ("UNDO", Duty.KEY)}.get(key, ("keys", Duty.KEY))
