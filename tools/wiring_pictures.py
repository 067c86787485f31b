"""The drawings of docs/wiring.md, made from the boards: which wire goes to which pin of the 40-pin header.

The pins that a driver uses come from the board's options. Added here are those that no option can change: the
pins of the buses, and where each part of the hand-wired board gets its power and its ground. The header is
drawn as on a Raspberry Pi with the SD card at the top, and each contact is at the height of its pin, so no
two wires cross.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Final
from xml.sax.saxutils import escape

from companion.values import Value
from hardware.boards import HEADER, PIN_OF, Board, board


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


SUPPLIES: Final[Mapping[int, Purpose]] = {
    1: Purpose.POWER_3V3, 17: Purpose.POWER_3V3, 2: Purpose.POWER_5V, 4: Purpose.POWER_5V,
} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), Purpose.GROUND)  # fmt: skip
"""The other pins."""

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


_KEYS: Final = ("keys", Purpose.KEY)
_OF_KEY: Final = {"why": ("knob", Purpose.KNOB), "undo": ("UNDO", Purpose.KEY)}
"""The part that a key belongs to: hand-wired, WHY is the push of the knob, and UNDO a part of its own."""


class Contact(Value):
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


class Part(Value):
    """A part that is wired as a whole; its contacts by rising pin."""

    name: str
    contacts: tuple[Contact, ...]


def parts(board: Board) -> tuple[Part, ...]:
    """The parts of a board, by their first pins; power and ground only for the hand-wired one."""
    found: dict[str, list[Contact]] = {}
    for part, name, gpio, purpose, key in _wires(board):
        found.setdefault(part, []).append(Contact(name, PIN_OF[gpio], purpose, key))
    if board.name == HAND_WIRED:
        for part, supplies in _EXTRA.items():
            found[part] += [Contact(name, pin, SUPPLIES[pin]) for pin, name in supplies]
    made = [Part(name, tuple(sorted(wires, key=lambda one: one.pin))) for name, wires in found.items()]
    return tuple(sorted(made, key=lambda one: one.contacts[0].pin))


def _wires(board: Board) -> Iterator[tuple[str, str, int, Purpose, str]]:
    """Each wire of a GPIO: part, name of the contact, GPIO, what it is for, the key that names it."""
    display, buttons, by_hand = board.display, board.buttons, board.name == HAND_WIRED
    for name, gpio in (_I2C if display["bus"] == "i2c" else _SPI).items():
        yield "display", name, gpio, Purpose.PANEL, "display.bus"
    if display["bus"] == "spi":
        for name, option in (("DC", "pin_dc"), ("RES", "pin_reset")):
            yield "display", name, display[option], Purpose.PANEL, f"display.{option}"
    for table in ("pins", "also_pins"):
        for key, gpio in buttons.get(table, {}).items():
            part, purpose = _OF_KEY.get(key, _KEYS) if by_hand else _KEYS
            name = "SW" if part == "knob" else key.replace("_", " ").upper()
            yield part, name, gpio, purpose, f"buttons.{table}.{key}"
    for key, name in (("encoder_a", "CLK (A)"), ("encoder_b", "DT (B)")):
        if key in buttons:
            yield "knob", name, buttons[key], Purpose.KNOB, f"buttons.{key}"
    if board.buzzer:
        yield "buzzer", "piezo", board.buzzer["pin"], Purpose.SOUND, "buzzer.pin"
    if by_hand:
        for name, gpio in _SERIAL.items():
            yield "scanner", name, gpio, Purpose.SCANNER, "scanner.port"


# ------------------------------------------------------------------------------------------- the drawing

_WIDTH: Final = 1000
_TOP: Final = 118
_PITCH: Final = 34
_ROWS: Final = 20
_BOTTOM: Final = _TOP + _ROWS * _PITCH
_HEIGHT: Final = _BOTTOM + 74
_MIDDLE: Final = _WIDTH // 2
_COLUMN: Final = 17  # of the pins, from the middle
_PILL: Final = (46, 66, 20)  # from the middle of a pin's column to its near end; width, height
_PART_X: Final = 168  # from the middle of a pin's column to a part's near edge
_PART_W: Final = 252

_COLOURS: Final[Mapping[Purpose, str]] = {
    Purpose.POWER_3V3: "#c46a00",
    Purpose.POWER_5V: "#c0271b",
    Purpose.GROUND: "#3a3a3a",
    Purpose.PANEL: "#1565a8",
    Purpose.KEY: "#1d7a3e",
    Purpose.KNOB: "#00747c",
    Purpose.SOUND: "#a2338f",
    Purpose.SCANNER: "#6a4fb3",
}
_TITLES: Final[Mapping[str, tuple[str, str]]] = {
    "display": ("2.42″ display", "SSD1309 on I2C"),
    "knob": ("knob", "rotary encoder with push"),
    "keys": ("row keys and OK", ""),
    "UNDO": ("UNDO key", ""),
    "buzzer": ("piezo", "bare disc"),
    "scanner": ("scanner module", "serial, 3.3 V signals"),
}
_TITLE_ABOVE: Final = frozenset(("keys", "UNDO"))
"""Parts whose picture needs the whole box; the rows of pins above them are free."""
_INK: Final = "#1c1c1c"
_FAINT: Final = "#8a8a8a"
_FONT: Final = "font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\""


def draw_board(name: str) -> str:
    """The drawing of the board `name` as SVG. Raises `KeyError` for a board that does not exist."""
    chosen = board(name)
    by_hand = chosen.name == HAND_WIRED
    about = chosen.about[0].upper() + chosen.about[1:]
    bought, _, what = about.partition(": ")
    said = "The wiring of the hand-wired board" if by_hand else f"The pins of the {bought}"
    what = about if by_hand else f"{what}; the coloured pins are in use"
    taken = parts(chosen)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" {_FONT}>',
        f"<title>{escape(said)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="14" fill="#fdfcf8"/>',
        _text(_MIDDLE, 40, said, 22, weight="bold", anchor="middle"),
        _text(_MIDDLE, 64, what, 14, anchor="middle", fill="#555555"),
        *(line for part in taken for line in (_part(part) if by_hand else _taken(part))),
        *_header({contact.pin: contact for part in taken for contact in part.contacts}),
        *_legend({contact.purpose for part in taken for contact in part.contacts}),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------- the header


def _header(taken: Mapping[int, Contact]) -> Iterator[str]:
    half, top = _COLUMN + 19, _TOP - _PITCH // 2 - 6
    height = _ROWS * _PITCH + 12
    yield (
        f'<rect x="{_MIDDLE - half}" y="{top}" width="{2 * half}" height="{height}" rx="7" '
        f'fill="#26282b" stroke="#000000"/>'
    )
    yield _text(_MIDDLE, top - 8, "▲ SD card", 12, anchor="middle", fill=_FAINT)
    for pin in range(1, 2 * _ROWS + 1):
        yield from _pin(pin, taken.get(pin))


def _pin(pin: int, contact: Contact | None) -> Iterator[str]:
    x, y, away = _place(pin)
    fill = _COLOURS[contact.purpose] if contact else "#6d6f72"
    if pin == 1:  # as on the circuit board: the pad of pin 1 is square
        yield f'<rect x="{x - 12}" y="{y - 12}" width="24" height="24" fill="{fill}" stroke="#ffffff"/>'
    else:
        yield f'<circle cx="{x}" cy="{y}" r="12" fill="{fill}" stroke="#ffffff"/>'
    yield _text(x, y + 4, str(pin), 11, anchor="middle", fill="#ffffff", weight="bold")
    near, width, height = _PILL
    middle = x + away * (near + width / 2)
    label = f"GPIO {HEADER[pin]}" if pin in HEADER else SUPPLIES[pin].value
    if contact is None:
        yield _text(middle, y + 4, label, 11, anchor="middle", fill="#b5b2aa")
        return
    yield (
        f'<rect x="{middle - width / 2}" y="{y - height / 2}" width="{width}" height="{height}" rx="10" '
        f'fill="#ffffff" stroke="{fill}" stroke-width="1.5"/>'
    )
    yield _text(middle, y + 4, label, 11, anchor="middle", fill=fill, weight="bold")


def _place(pin: int) -> tuple[float, float, int]:
    """Where a pin is, and which direction leads away from the header: odd pins are on the left."""
    away = -1 if pin % 2 else 1
    return _MIDDLE + away * _COLUMN, _TOP + (pin - 1) // 2 * _PITCH, away


# ------------------------------------------------------------------------------------------- the parts


def _taken(part: Part) -> Iterator[str]:
    """The pins that a bought board uses: each with what it is for."""
    for contact in part.contacts:
        x, y, away = _place(contact.pin)
        colour = _COLOURS[contact.purpose]
        far = x + away * _PART_X
        yield _line(x, y, far, y, colour)
        yield _text(far + away * 10, y + 5, _meaning(part, contact), 14, fill=colour, weight="bold",
                    anchor="start" if away > 0 else "end")  # fmt: skip


def _meaning(part: Part, contact: Contact) -> str:
    if part.name == "display":
        return f"display {contact.name}"
    also = " (second key)" if "also_pins" in contact.key else ""
    return f"key {contact.name}{also}"


def _part(part: Part) -> Iterator[str]:
    """A part of the hand-wired board: its box, its wires, and a drawing of it inside the box."""
    first, last = part.contacts[0], part.contacts[-1]
    x, top, away = _place(first.pin)
    bottom = _place(last.pin)[1]
    near = x + away * _PART_X
    left = near if away > 0 else near - _PART_W
    main = next(contact.purpose for contact in part.contacts if contact.gpio is not None)
    colour = _COLOURS[main]
    head = 34 if part.name in _TITLE_ABOVE else 15
    yield (
        f'<rect x="{left}" y="{top - head}" width="{_PART_W}" height="{bottom - top + head + 15}" rx="9" '
        f'fill="#ffffff" stroke="{colour}" stroke-width="2"/>'
    )
    title, below = _TITLES[part.name]
    if part.name in _TITLE_ABOVE:
        yield _text(left + _PART_W / 2, top - 16, title, 12, anchor="middle", fill=colour, weight="bold")
    else:
        far, anchor = (near + away * (_PART_W - 12), "end" if away > 0 else "start")
        yield _text(far, top + 4, title, 12, anchor=anchor, fill=colour, weight="bold")
        yield _text(far, top + 20, below, 11, anchor=anchor, fill="#666666")
    for contact in part.contacts:
        here_x, y, _ = _place(contact.pin)
        wire = _COLOURS[contact.purpose]
        yield _line(here_x, y, near, y, wire)
        yield f'<circle cx="{near}" cy="{y}" r="4.5" fill="{wire}"/>'
        yield _text(near + away * 12, y + 4, contact.name, 12, anchor="start" if away > 0 else "end")
    if part.name in _INSIDE:
        yield from _INSIDE[part.name](part, near, away)


def _keys(part: Part, near: float, away: int) -> Iterator[str]:
    """Each key connects its wire to the ground that they share."""
    rail = near + away * (_PART_W - 34)
    ground = _COLOURS[Purpose.GROUND]
    ys = {contact.pin: _place(contact.pin)[1] for contact in part.contacts}
    yield _line(rail, min(ys.values()), rail, max(ys.values()), ground)
    for contact in part.contacts:
        y = ys[contact.pin]
        if contact.purpose is Purpose.GROUND:
            yield _line(near + away * 90, y, rail, y, ground)
            continue
        middle = near + away * 150
        yield _line(near + away * 74, y, middle, y, _COLOURS[contact.purpose])
        yield _line(middle, y, rail, y, ground)
        yield _button(middle, y, _COLOURS[contact.purpose])


def _one_key(part: Part, near: float, away: int) -> Iterator[str]:
    heights = {one.purpose: _place(one.pin)[1] for one in part.contacts}
    ground, key = heights[Purpose.GROUND], heights[Purpose.KEY]
    x = near + away * 190
    yield _line(near + away * 100, ground, x, ground, _COLOURS[Purpose.GROUND])
    yield _line(x, ground, x, key, _COLOURS[Purpose.GROUND])
    yield _line(near + away * 74, key, x, key, _COLOURS[Purpose.KEY])
    yield _button(x, key, _COLOURS[Purpose.KEY])


def _screen(part: Part, near: float, away: int) -> Iterator[str]:
    """Four rows of cards on the display."""
    top, bottom = _span(part)
    left = near + away * (_PART_W / 2 + 34) - 74
    yield f'<rect x="{left}" y="{top + 32}" width="148" height="{bottom - top - 26}" rx="4" fill="#101418"/>'
    for row, cards in enumerate((3, 1, 4, 2)):
        for card in range(cards):
            fill = "#e8f4ff" if card == cards - 1 else "none"
            yield (
                f'<rect x="{left + 14 + 25 * card}" y="{top + 39 + 25 * row}" width="20" height="19" rx="2" '
                f'fill="{fill}" stroke="#e8f4ff" stroke-width="1.3"/>'
            )


def _wheel(part: Part, near: float, away: int) -> Iterator[str]:
    top, bottom = _span(part)
    x, y = near + away * (_PART_W - 86), (top + bottom) / 2 + 14
    colour = _COLOURS[Purpose.KNOB]
    yield f'<circle cx="{x}" cy="{y}" r="58" fill="#e6f0f0" stroke="{colour}" stroke-width="2"/>'
    yield f'<circle cx="{x}" cy="{y}" r="41" fill="#c7dddd" stroke="{colour}"/>'
    yield _line(x, y - 38, x, y - 18, colour)
    yield _text(x, y + 5, "push: WHY", 11, anchor="middle")


def _disc(part: Part, near: float, away: int) -> Iterator[str]:
    top, bottom = _span(part)
    x, y = near + away * 118, (top + bottom) / 2
    for radius, fill in ((22, "#d8b25c"), (14, "#efe9dc"), (3, _INK)):
        yield f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="#7a6431"/>'


def _window(part: Part, near: float, away: int) -> Iterator[str]:
    top, bottom = _span(part)
    x, y = near + away * (_PART_W - 104), (top + bottom) / 2 + 18
    yield f'<rect x="{x - 36}" y="{y - 28}" width="72" height="56" rx="6" fill="#2b2b33"/>'
    yield f'<circle cx="{x}" cy="{y}" r="18" fill="#55556a" stroke="#a9a9c4" stroke-width="2"/>'
    yield f'<circle cx="{x}" cy="{y}" r="8" fill="#c9c9ee"/>'
    for shift in (-16, 0, 16):
        yield _line(x + away * 44, y + shift / 2, x + away * 72, y + shift, "#c0271b")


def _span(part: Part) -> tuple[float, float]:
    """The heights of its first and its last contact."""
    return _place(part.contacts[0].pin)[1], _place(part.contacts[-1].pin)[1]


_INSIDE: Final = {
    "display": _screen,
    "knob": _wheel,
    "keys": _keys,
    "UNDO": _one_key,
    "buzzer": _disc,
    "scanner": _window,
}


# ------------------------------------------------------------------------------------------- strokes


def _legend(purposes: Iterable[Purpose]) -> Iterator[str]:
    shown = [purpose for purpose in Purpose if purpose in set(purposes)]
    step = 116
    x = _MIDDLE - step * len(shown) / 2
    for purpose in shown:
        yield _line(x, _HEIGHT - 36, x + 26, _HEIGHT - 36, _COLOURS[purpose])
        yield _text(x + 34, _HEIGHT - 32, purpose.value, 12, fill=_INK)
        x += step


def _button(x: float, y: float, colour: str) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="12" fill="#e4efe6" stroke="{colour}" stroke-width="2"/>'
        f'<circle cx="{x}" cy="{y}" r="8" fill="{colour}"/>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" stroke-width="3" '
        f'stroke-linecap="round"/>'
    )


def _text(x: float, y: float, text: str, size: int, **style: str) -> str:
    """Style: `fill`, `anchor` (start) and `weight` (normal)."""
    chosen = {"anchor": "start", "fill": _INK, "weight": "normal"} | style
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{chosen["weight"]}" '
        f'text-anchor="{chosen["anchor"]}" fill="{chosen["fill"]}">{escape(text)}</text>'
    )
