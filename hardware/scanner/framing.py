"""From the bytes of a scanner to codes: where a code ends, and what is no code.

- An end character ends the code at once. Which one it is can be configured (`End`); other line ends are
  ignored before a code, and make it invalid inside.
- A line whose end does not come within `silence_s` is torn (a loose plug, a scanner that lost power) and is
  dropped: half of "104" is a card too. Only where silence *is* the end, it ends the code: with
  `End.SILENCE`, and with `End.AUTO` as long as no end character was seen on this line.
- What scanners put around a code (STX, ETX, GS, NUL and the like) is left out; inside it is a blank. Alone
  it is noise.
- After another byte that is not printable ASCII (a wrong baud rate, a supply voltage that drops, a Data
  Matrix with binary data) or a line of more than `LONGEST` characters, everything is dropped until the line
  has been silent. To drop only that byte would make cards by luck: in a megabyte of noise some fifty single
  characters stand between two line ends.
- An empty line is ignored.
"""

from enum import Enum
from typing import Final

from hardware.ports import Scanned

LONGEST: Final = 128
"""The maximum length of a code. Ours have 6 to 8 characters; a QR code with a web address has 60."""

SILENCE_S: Final = 0.1
"""Longer than any pause inside a code: a byte takes 1.04 ms at 9600 baud, and USB adapters hold bytes back
for up to 16 ms. Shorter than a hand needs to bring the next card."""

_CR: Final = 0x0D
_LF: Final = 0x0A
_TAB: Final = 0x09
_ETX: Final = 0x03


class End(Enum):
    """What a scanner sends after a code."""

    AUTO = "auto"  # CR, LF, CR LF, TAB or ETX; silence as long as none of them was seen
    CR = "cr"
    LF = "lf"  # a CR directly before it belongs to it
    CRLF = "crlf"
    TAB = "tab"
    SILENCE = "silence"  # silence, or what comes first of CR, LF, TAB and ETX


_ENDS: Final = {
    End.AUTO: frozenset((_CR, _LF, _TAB, _ETX)),
    End.CR: frozenset((_CR,)),
    End.LF: frozenset((_LF,)),
    End.CRLF: frozenset((_LF,)),
    End.TAB: frozenset((_TAB,)),
    End.SILENCE: frozenset((_CR, _LF, _TAB, _ETX)),
}
_SEPARATORS: Final = frozenset((0x00, 0x01, 0x02, _ETX, 0x04, 0x0B, 0x0C, 0x17, *range(0x1B, 0x20)))
"""NUL, the ends of headings, texts and transmissions, new pages, ESC, and the four separators of ASCII."""
_SEPARATOR: Final = b"\x00"
_BLANKS: Final = frozenset((_CR, _LF, _TAB))


class Framer:
    """Splits the bytes of one line into codes of at most `LONGEST` characters. Not thread-safe.

    Times are seconds of any monotonic clock; the caller passes them in.
    """

    def __init__(self, end: End = End.AUTO, *, silence_s: float = SILENCE_S) -> None:
        self._end = end
        self._silence_s = silence_s
        self.forget()

    def forget(self) -> None:
        """Start again, as on a line that has just been opened."""
        self.rejected = 0  # lines since the last code that were torn, too long or no text
        self._line = bytearray()
        self._half_end = False  # a CR that is the first half of a CR LF
        self._dropping = False
        self._has_ends = False  # an end character was seen on this line
        self._last_s: float | None = None

    @property
    def due_s(self) -> float | None:
        """When `silent` has something to do if no bytes come before; None: not before bytes come."""
        if self._last_s is None or not (self._line or self._dropping or self._half_end):
            return None
        return self._last_s + self._silence_s

    def feed(self, data: bytes, now_s: float) -> list[Scanned]:
        """Take the bytes that were read at `now_s`; gives the codes that end in them, oldest first.

        How the bytes are divided into calls makes no difference, except that a pause of `silence_s`
        between two calls is a silence.
        """
        codes = self.silent(now_s)
        if data:
            self._last_s = now_s
        for byte in data:
            if self._dropping:
                break  # until the line has been silent
            if self._ends_with(byte):
                self._has_ends = True
                self._half_end = False
                if self._line.strip(_SEPARATOR):
                    codes.append(self._cut(now_s))
                self._line.clear()
            else:
                self._grow(byte)
        return codes

    def silent(self, now_s: float) -> list[Scanned]:
        """Nothing came until `now_s`; gives the code that this silence ends, if any."""
        due_s = self.due_s
        if due_s is None or now_s < due_s or self._last_s is None:
            return []
        codes = []
        if self._line.strip(_SEPARATOR) and self._silence_ends():
            codes.append(self._cut(self._last_s))
        elif self._line:
            self.rejected += 1
        self._line.clear()
        self._half_end = self._dropping = False
        return codes

    def _silence_ends(self) -> bool:
        return self._end is End.SILENCE or (self._end is End.AUTO and not self._has_ends)

    def _ends_with(self, byte: int) -> bool:
        if byte not in _ENDS[self._end]:
            return False
        return self._end is not End.CRLF or self._half_end

    def _grow(self, byte: int) -> None:
        half_end, self._half_end = self._half_end, False
        if byte == _CR and self._end in (End.LF, End.CRLF) and not half_end:
            self._half_end = True
        elif byte in _BLANKS and not self._line:
            pass
        elif half_end and self._line:
            self._drop_line()  # the CR was inside the code
        elif byte in _SEPARATORS and len(self._line) < LONGEST:
            self._line += _SEPARATOR
        elif 0x20 <= byte <= 0x7E and len(self._line) < LONGEST:  # noqa: PLR2004 - printable ASCII
            self._line.append(byte)
        else:
            self._drop_line()

    def _drop_line(self) -> None:
        self.rejected += 1
        self._line.clear()
        self._dropping = True

    def _cut(self, at_s: float) -> Scanned:
        line = self._line.strip(_SEPARATOR).replace(_SEPARATOR, b" ")
        code = Scanned(line.decode("ascii"), at_s)
        self._line.clear()
        self.rejected = 0
        return code
