"""The packets of the GM67 family, a dialect of the Simple Serial Interface (SSI).

The sources:

- [ssi] Zebra, Simple Serial Interface Programmer's Guide, 72E-40451-03, May 2015: the packet (length, opcode,
  source, status, data, two's complement sum), the opcodes, the bit for "sent again", what is acknowledged.
- [gm72] Hangzhou Grow, GM72 User Manual, chapter 9 "Serial Port Instruction", page 27 (the GM67 has the same
  chapter): the wake-up byte and the 50 ms, the acknowledge 04 D0 00 00 FF 2C, the refusal
  05 D1 00 00 06 FF 24, "check software version", the trigger modes and the speeds.
- [doridian] https://github.com/Doridian/GM67: the packet of a scan as a GM67 sends it, the long packet, and
  parameter 0xEE, which has the module send packets.

The length of a packet is followed by an opcode of 0x80 or more, and no character of a code is that big. This
tells a packet from bare text, which a module sends after it was reset. Bare text is never a scan: it has no
checksum.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from hardware.scanner.framing import LONGEST, SILENCE_S

WAKE: Final = b"\x00"
WAKE_S: Final = 0.05
"""A module that sleeps loses the first byte and needs so long until it receives the next ([gm72])."""

REVISION, REPLY_REVISION = 0xA3, 0xA4
PARAM_SEND, PARAM_REQUEST = 0xC6, 0xC7
ACK, NAK = 0xD0, 0xD1
DECODE_DATA, LONG_DECODE_DATA = 0xF3, 0xF4

SENT_AGAIN: Final = 0x01
"""Bit of the status: this packet was sent before, or a copy of it that got lost ([ssi])."""
_PERMANENT: Final = 0x08
"""Bit of the status: store a parameter permanently ([ssi]); all commands in [gm72] do so."""
RESEND: Final = 0x01
"""Why a packet was refused: its checksum is wrong ([ssi])."""

PACKETS: Final = 0xEE
DATA_FORMAT: Final = 0xEB
TRIGGER: Final = 0x8A
TRIGGERS: Final = {"manual": 0x00, "pulse": 0x02, "continuous": 0x04, "sensor": 0x09}
"""Values of parameter 0x8A ([gm72]); 0x08 waits for a command for each scan."""

_HOST: Final = 0x04
_SHORTEST: Final = 4
_LONG: Final = 0xFF
_OPCODES: Final = frozenset(
    (REVISION, REPLY_REVISION, PARAM_SEND, PARAM_REQUEST, ACK, NAK, DECODE_DATA, LONG_DECODE_DATA)
)
_ENDS: Final = b"\r\n\t"


class Packet(Struct, frozen=True):
    """A complete packet with a correct checksum; `data` is what follows the status."""

    opcode: int
    status: int
    data: bytes
    at_s: float = 0.0


class Broken(Struct, frozen=True):
    """A packet with a wrong checksum, or one that was cut off."""


def packet(opcode: int, data: bytes = b"", status: int = 0x00) -> bytes:
    body = bytes((_SHORTEST + len(data), opcode, _HOST, status)) + data
    return body + checksum(body)


def parameter(number: int, value: int) -> bytes:
    """Set a parameter, and save it. The byte before the number says that there is no beep, as in [gm72]."""
    return packet(PARAM_SEND, bytes((0x00, number, value)), _PERMANENT)


def parameters_of(reply: Packet) -> Mapping[int, int]:
    """The parameters in the answer to a `PARAM_REQUEST`: pairs after a byte for the beep ([ssi])."""
    pairs = reply.data[1:]
    return dict(zip(pairs[::2], pairs[1::2], strict=False))


def checksum(body: bytes) -> bytes:
    """The two's complement of the sum of all bytes before it, high byte first."""
    return (-sum(body) & 0xFFFF).to_bytes(2, "big")


def text_of(scan: Packet) -> str:
    """What was scanned; empty where it is not printable text. The first byte of the data is the symbology."""
    text = scan.data[1:].rstrip(_ENDS)
    fits = len(text) <= LONGEST and text.isascii() and text.decode("ascii").isprintable()
    return text.decode("ascii") if fits else ""


class UnframedBytes(Struct, frozen=True):
    """Bytes outside packets; `text` if they could be a code that was sent as plain text."""

    text: bool


class SsiStream:
    """Divides the bytes of one line into packets. Not thread-safe; times as in `Framer`."""

    def __init__(self) -> None:
        self._packet = bytearray()
        self._unframed = bytearray()
        self._last_s = 0.0

    @property
    def due_s(self) -> float | None:
        """When `silent` has something to do if no bytes come before; None: not before bytes come."""
        return self._last_s + SILENCE_S if self._packet or self._unframed else None

    def feed(self, data: bytes, now_s: float) -> list[Packet | Broken | UnframedBytes]:
        """Take the bytes that were read at `now_s`; gives the packets that end in them, in order."""
        found = self.silent(now_s)
        for byte in data:
            if not self._packet and byte in _OPCODES and self._unframed and self._unframed[-1] >= _SHORTEST:
                self._packet.append(self._unframed.pop())
                found += self._take_unframed()
            (self._packet or self._unframed).append(byte)
            if self._packet and len(self._packet) >= self._size():
                found.append(self._read(now_s))
            elif byte in _ENDS and not self._packet and self._is_text():
                found.append(UnframedBytes(text=True))
                del self._unframed[:-1]  # the last byte may be the length of a packet
            del self._unframed[:-_LONG]
        if data:
            self._last_s = now_s
        return found

    def silent(self, now_s: float) -> list[Packet | Broken | UnframedBytes]:
        """Nothing came until `now_s`; gives what is cut off by that."""
        if self.due_s is None or now_s < self.due_s:
            return []
        found = self._take_unframed()
        if self._packet:
            found.append(Broken())
        self.forget()
        return found

    def forget(self) -> None:
        """Start again, as on a line that has just been opened."""
        self._packet.clear()
        self._unframed.clear()

    def _take_unframed(self) -> list[Packet | Broken | UnframedBytes]:
        found: list[Packet | Broken | UnframedBytes] = (
            [UnframedBytes(self._is_text())] if self._unframed.strip(_ENDS) else []
        )
        self._unframed.clear()
        return found

    def _is_text(self) -> bool:
        line = self._unframed.strip(_ENDS)
        return bool(line) and line.isascii() and line.decode("ascii").isprintable()

    def _size(self) -> int:
        """How many bytes the packet has with its checksum; the maximum until its length has come."""
        if not self._is_long():
            return self._packet[0] + 2
        return int.from_bytes(self._packet[2:4], "big") + 2 if len(self._packet) > _SHORTEST else _LONG

    def _is_long(self) -> bool:
        # FF F4, the length in two bytes, F4 once more ([doridian]).
        return self._packet[0] == _LONG and self._packet[1:2] == bytes((LONG_DECODE_DATA,))

    def _read(self, now_s: float) -> Packet | Broken:
        head = 5 if self._is_long() else 2
        came = bytes(self._packet)
        self._packet.clear()
        if len(came) < head + 4 or came[-2:] != checksum(came[:-2]):
            return Broken()
        return Packet(came[1], came[head + 1], came[head + 2 : -2], now_s)
