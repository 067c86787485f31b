"""From what is typed in a terminal to scans and presses; `LEGEND` says in three lines what to type.

- A digit begins a number; all characters up to Enter belong to it. So a barcode scanner that acts as a
  keyboard works as well, as long as its codes begin with a digit.
- `b3` and Enter is the badge of player 3, `b3r2` and Enter its back: row 2; `:` begins any other code.
- With nothing typed, one character is one key of the device. A minus with a digit behind it begins a number.
- A terminal does not tell when a key goes up. A key that is typed as held stays down until something else is
  typed, but not until another one is held: so `m`, `U` hold OK and UNDO together.
"""

import re
import unicodedata
from codecs import IncrementalDecoder, getincrementaldecoder
from enum import Enum
from typing import Final

from msgspec import Struct, field

from hardware.ports import Key, KeyPressed, KeyReleased, Press, Scanned
from hardware.scanner.framing import LONGEST

ESCAPE_S: Final = 0.05
"""A terminal sends the rest of an arrow key's sequence at once; an Esc with nothing after it was typed."""

MINUS_S: Final = 0.5
"""A minus is the knob, unless a digit follows so soon: then it is a number below zero."""

_GAP: Final = "   "

LEGEND: Final = (
    "42 Enter: scan 42   b3 Enter: badge 3   :text Enter: any code   Esc: clear the line",
    "Enter OK   Backspace/u UNDO   ? WHY   q w e r ROW 1-4   arrows   - + KNOB   x Ctrl-C quit",
    "m OK   U UNDO   Q W E R ROW: held until another key   d OK twice   Ctrl-L redraw",
)


def legend_lines(columns: int) -> list[str]:
    """The legend in lines of up to so many columns; what belongs together stays on one line if it fits."""
    lines: list[str] = []
    for part in LEGEND:
        begun = ""
        for item in part.split(_GAP):
            longer = f"{begun}{_GAP}{item}" if begun else item
            if begun and len(longer) > columns:
                lines.append(begun)
                longer = item
            begun = longer
        lines.append(begun)
    return [line[:columns] for line in lines]


class ProgramRequest(Enum):
    """A request to the program itself, not an input of the device."""

    QUIT = "quit"
    REDRAW = "redraw"


Typed = KeyPressed | KeyReleased | Scanned | ProgramRequest

_KEYS: Final = {
    "u": (Key.UNDO, Press.SHORT),
    "U": (Key.UNDO, Press.LONG),
    "m": (Key.OK, Press.LONG),
    "M": (Key.OK, Press.LONG),
    "d": (Key.OK, Press.DOUBLE),
    "?": (Key.WHY, Press.SHORT),
    "q": (Key.ROW_1, Press.SHORT),
    "w": (Key.ROW_2, Press.SHORT),
    "e": (Key.ROW_3, Press.SHORT),
    "r": (Key.ROW_4, Press.SHORT),
    "Q": (Key.ROW_1, Press.LONG),
    "W": (Key.ROW_2, Press.LONG),
    "E": (Key.ROW_3, Press.LONG),
    "R": (Key.ROW_4, Press.LONG),
    "-": (Key.TURN_LEFT, Press.SHORT),
    "+": (Key.TURN_RIGHT, Press.SHORT),
}
_ARROWS: Final = {"A": Key.UP, "B": Key.DOWN, "C": Key.RIGHT, "D": Key.LEFT}
_BADGE: Final = re.compile(r"b(?:[0-9]+(?:r[1-4]?)?)?")
"""What is typed of a badge, also of one that is not complete."""
_ENTER: Final = frozenset("\r\n")
_BACKSPACE: Final = frozenset("\x7f\x08")
_ESCAPE: Final = "\x1b"
_QUIT: Final = frozenset("\x04\x03")  # Ctrl-D; Ctrl-C where the terminal makes no signal of it
_REDRAW: Final = "\x0c"  # Ctrl-L


class TerminalInput(Struct):
    """Parses what is typed. `line` is what is typed but not yet entered, for display. For one thread."""

    line: str = ""
    _sequence: str = ""  # an escape sequence that is not complete
    _since_s: float = 0.0
    _held: list[Key] = field(default_factory=list)
    _decoder: IncrementalDecoder = field(default_factory=lambda: getincrementaldecoder("utf-8")("ignore"))

    @property
    def due_s(self) -> float | None:
        """When `until` has something to do unless a byte comes before."""
        if self.line == "-":
            return self._since_s + MINUS_S
        return self._since_s + ESCAPE_S if self._sequence else None

    def feed(self, data: bytes, now_s: float) -> list[Typed]:
        """Bytes came from the terminal at `now_s` (monotonic); gives what they mean, oldest first.

        They are UTF-8. Digits of any script are those of a code, letters are ignored before a colon.
        """
        typed: list[Typed] = self.until(now_s)
        for came in self._decoder.decode(data):
            character = str(unicodedata.decimal(came, came))
            if not character.isascii() and self.line[:1] != ":":
                continue
            if self._held and not self._holds_more(character):
                typed += [KeyReleased(key, now_s) for key in self._held]
                self._held.clear()
            if self.line == "-" and not character.isdigit():
                typed += self._knob(now_s)
            if self._sequence or character == _ESCAPE:
                typed += self._escaped(character, now_s)
            elif character in _ENTER:
                typed += self._entered(now_s)
            elif character in _QUIT:
                typed.append(ProgramRequest.QUIT)
            elif character == _REDRAW:
                typed.append(ProgramRequest.REDRAW)
            elif self.line:
                self._edit(character)
            else:
                typed += self._first(character, now_s)
        return typed

    def until(self, now_s: float) -> list[Typed]:
        """Nothing came until `now_s`: an Esc alone clears the line, a minus alone turns the knob."""
        due_s = self.due_s
        if due_s is None or now_s < due_s:
            return []
        if self.line == "-":
            return self._knob(now_s)
        self._sequence = self.line = ""
        return []

    def _holds_more(self, character: str) -> bool:
        key, press = _KEYS.get(character, (None, Press.SHORT))
        return press is Press.LONG and key not in self._held

    def _knob(self, now_s: float) -> list[Typed]:
        self.line = ""
        return [KeyPressed(*_KEYS["-"], now_s)]

    def _first(self, character: str, now_s: float) -> list[Typed]:
        """A character with nothing typed before it."""
        if character.isdigit() or character in "b:-":
            self.line, self._since_s = character, now_s
            return []
        if character in _BACKSPACE:
            return [KeyPressed(Key.UNDO, Press.SHORT, now_s)]
        if character == "x":
            return [ProgramRequest.QUIT]
        if character in _KEYS:
            key, press = _KEYS[character]
            if press is Press.LONG:
                self._held.append(key)
            return [KeyPressed(key, press, now_s)]
        return []

    def _edit(self, character: str) -> None:
        if character in _BACKSPACE:
            self.line = self.line[:-1]
        elif (character.isprintable() or character == "\u200c") and (  # between letters of Persian names
            self.line[0] != "b" or _BADGE.fullmatch(self.line + character)
        ):
            self.line = (self.line + character)[:LONGEST]

    def _entered(self, now_s: float) -> list[Typed]:
        line, self.line = self.line, ""
        if not line:
            return [KeyPressed(Key.OK, Press.SHORT, now_s)]
        if line[0] == ":":
            code = line[1:]
        elif line[0] == "b":
            number, _, row = line[1:].partition("r")
            whole = number and ("r" not in line or row)
            code = f"6NC-P{int(number):02d}{'R' if row else ''}{row}" if whole else ""
        else:
            code = line
        return [Scanned(code, now_s, typed=True)] if code else []

    def _escaped(self, character: str, now_s: float) -> list[Typed]:
        """A character of an escape sequence: Esc, "[" or "O", parameters, a letter (ECMA-48, 5.4)."""
        if character == _ESCAPE:
            self._sequence = character
            self._since_s = now_s
            return []
        begun = len(self._sequence) > 1
        if not begun and character in "[O":
            self._sequence += character
            return []
        if begun and not "@" <= character <= "~" and len(self._sequence) < 16:  # noqa: PLR2004 - junk
            self._sequence += character
            return []
        self._sequence = ""
        arrow = _ARROWS.get(character) if begun else None
        return [KeyPressed(arrow, Press.SHORT, now_s)] if arrow else []
