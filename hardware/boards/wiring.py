"""Which wire of a board goes to which pin of the 40-pin header; `wiring_picture` draws it.

The pins that a driver uses come from the board's options. Added here are those that no option can change: the
pins of the buses, and where each part of the hand-wired board gets its power and its ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

if TYPE_CHECKING:
    from hardware.boards.boards import Board


class Purpose(Enum):
    """What a wire is for; decides its colour."""

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

SUPPLIES: Final[Mapping[int, Purpose]] = {
    1: Purpose.POWER_3V3, 17: Purpose.POWER_3V3, 2: Purpose.POWER_5V, 4: Purpose.POWER_5V,
} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), Purpose.GROUND)  # fmt: skip
"""The other pins."""

PIN_OF: Final[Mapping[int, int]] = {gpio: pin for pin, gpio in HEADER.items()}
"""The header's pin of each GPIO."""

_I2C: Final = {"SDA": 2, "SCL": 3}
_SPI: Final = {"DIN": 10, "CLK": 11, "CS": 8}
_SERIAL: Final = {"RX": 14, "TX": 15}
"""The contacts of the scanner module: its RX is where the Pi sends, GPIO 14."""

HAND_WIRED: Final = "hand-wired"
_EXTRA: Final[Mapping[str, tuple[tuple[int, str], ...]]] = {
    "display": ((1, "VCC"), (9, "GND")),
    "knob": ((17, "+"), (25, "GND")),
    "keys": ((39, "common"),),
    "UNDO": ((34, "other side"),),
    "buzzer": ((14, "other side"),),
    "scanner": ((2, "5V"), (6, "GND")),
}


class Contact(Struct, frozen=True):
    """One end of a wire at a part, and the pin of the header at its other end.

    `key` is the configuration key that names the GPIO; empty for power and ground.
    """

    name: str
    pin: int
    purpose: Purpose
    key: str = ""

    @property
    def gpio(self) -> int | None:
        return HEADER.get(self.pin)


class Part(Struct, frozen=True):
    """A part that is wired as a whole; its contacts by rising pin."""

    name: str
    contacts: tuple[Contact, ...]


def parts(board: Board) -> tuple[Part, ...]:
    """The parts of a board, by their first pins; power and ground only for the hand-wired one."""
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
    yield from _all("display", bus, Purpose.PANEL, lambda _: "display.bus")
    if display["bus"] == "spi":
        lines = {"DC": "pin_dc", "RES": "pin_reset"}
        yield from _all("display", {name: display[key] for name, key in lines.items()}, Purpose.PANEL,
                        lambda name: f"display.{lines[name]}")  # fmt: skip
    for table in ("pins", "also_pins"):
        for key, gpio in buttons.get(table, {}).items():
            part, purpose = _part_of(key, board)
            name = "SW" if part == "knob" else key.replace("_", " ").upper()
            yield part, Contact(name, PIN_OF[gpio], purpose, f"buttons.{table}.{key}")
    for key, name in (("encoder_a", "CLK (A)"), ("encoder_b", "DT (B)")):
        if key in buttons:
            yield "knob", Contact(name, PIN_OF[buttons[key]], Purpose.KNOB, f"buttons.{key}")
    if board.buzzer:
        yield "buzzer", Contact("piezo", PIN_OF[board.buzzer["pin"]], Purpose.SOUND, "buzzer.pin")
    if board.name == HAND_WIRED:
        yield from _all("scanner", _SERIAL, Purpose.SCANNER, lambda _: "scanner.port")


def _all(part: str, gpios: Mapping[str, int], purpose: Purpose, key: Any) -> Iterable[tuple[str, Contact]]:  # noqa: ANN401 - a function of the name
    return ((part, Contact(name, PIN_OF[gpio], purpose, key(name))) for name, gpio in gpios.items())


def _part_of(key: str, board: Board) -> tuple[str, Purpose]:
    """The part that a key belongs to. Hand-wired, WHY is the push of the knob, and UNDO a part of its own."""
    if board.name != HAND_WIRED:
        return "keys", Purpose.KEY
    return {"why": ("knob", Purpose.KNOB), "undo": ("UNDO", Purpose.KEY)}.get(key, ("keys", Purpose.KEY))
