"""The serial protocol of the GM65 family: its commands, its settings, and what is a reply and what a scan.

GM65, GM65-S, GM805, GM812 and the Waveshare Barcode Scanner Module speak it. The sources:

- [manual] Hangzhou Grow, GM65 Bar Code Reader Module User Manual, V1.3, September 2016, chapter 8 "Serial
  Port Instruction": formats of commands and replies (8.2 to 8.4), CRC (8.1), and the list of "zone bits"
  (8.5), which are registers of one byte.
- [manual-S] The same maker's GM65-S manual: register 0x0013 in units of 100 ms; a picture of its page is in
  https://github.com/Niich/esphome-gm65.
- [specter] https://github.com/cryptoadvance/specter-diy, src/hosts/qr.py, which runs these modules: scans
  and replies share one line; read, compare, write only the difference, save only what changed; the module
  may be at 9600 or at 115200 baud.

A reply does not name the register that was asked for. So one command is sent at a time, and after one that
was not answered in time the line must be quiet before the next: a late reply would be taken for the wrong
one.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from hardware.errors import Sentence, sentence
from hardware.ports import Scanned
from hardware.scanner.framing import SILENCE_S, End, Framer

OUTPUT: Final = 0x000D
SETUP_CODES: Final = 0x0003
SOFTWARE: Final = 0x00E2

_HEAD: Final = bytes((0x7E, 0x00))
_READ, _WRITE, _SAVE = 0x07, 0x08, 0x09
_REPLY: Final = bytes((0x02, 0x00, 0x00))
_UNCHECKED: Final = bytes((0x33, 0x31))
"""What some modules send as the CRC of every reply; it is the correct one for the byte 0 only."""
_LONGEST_REPLY: Final = 2

TRIGGERS: Final = {"manual": 0b00, "continuous": 0b10, "sensor": 0b11}
"""Bits 1 and 0 of register 0x0000 ([manual] 8.5). The fourth, 0b01, waits for a command for each scan."""


class RegisterBits(Struct, frozen=True):
    """What some bits of a register should be. `required`: every module of the family has this register."""

    about: Sentence
    register: int
    mask: int
    value: int
    required: bool = True

    def right(self, found: int) -> bool:
        """Whether a register that holds `found` needs no write."""
        return found & self.mask == self.value

    def corrected(self, found: int) -> int:
        """What to write into a register that holds `found`: the other bits stay."""
        return found & ~self.mask & 0xFF | self.value


def settings(
    *, trigger: str, same_code_s: float, setup_codes: bool, over_usb: bool
) -> tuple[RegisterBits, ...]:
    """How the module should be set, by rising register; after [manual] 8.5 where nothing else is said."""
    tenths = round(10 * same_code_s)
    return (
        RegisterBits(sentence("the trigger"), 0x0000, 0x03, TRIGGERS[trigger]),
        RegisterBits(sentence("no marks between the codes"), 0x0002, 0x40, 0x00),
        # Bit 1 switches the setup codes off, bit 0 would send their content as a scan.
        RegisterBits(sentence("the setup codes"), SETUP_CODES, 0x03, 0x00 if setup_codes else 0x02),
        RegisterBits(sentence("the pause between two reads"), 0x0005, 0xFF, 1),
        # 0b00 is the serial wires, 0b11 the virtual serial port on USB; 0b01 would be a keyboard.
        RegisterBits(sentence("the output"), OUTPUT, 0x03, 0b11 if over_usb else 0b00),
        # [manual-S]; it is not in the older [manual].
        RegisterBits(
            sentence("the same-code delay"), 0x0013, 0xFF, 0x80 | tenths if tenths else 0x00, required=False
        ),
        # Tail on (bit 0), CR (bits 6, 5); no prefix, suffix, code id. Bit 7 is not used in [manual]; newer
        # modules put a binary head before each code with it.
        RegisterBits(sentence("the end of a code"), 0x0060, 0xFF, 0x01),
        RegisterBits(sentence("the whole code"), 0x00B0, 0x03, 0x00),
    )


def crc(data: bytes) -> bytes:
    """CRC-CCITT from 0 over types, length, address and data, high byte first ([manual] 8.1)."""
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value.to_bytes(2, "big")


def read_command(register: int) -> bytes:
    """Ask for one register ([manual] 8.2)."""
    return _command(_READ, 1, register, b"\x01")


def write_command(register: int, value: int) -> bytes:
    """Set a register until the power is switched off ([manual] 8.3)."""
    return _command(_WRITE, 1, register, bytes((value,)))


SAVE: Final = _HEAD + bytes((_SAVE, 1, 0, 0, 0)) + bytes((0xDE, 0xC8))
"""Write all registers to the module's EEPROM ([manual] 8.4), which wears out with each write."""


def _command(kind: int, length: int, register: int, data: bytes) -> bytes:
    body = bytes((kind, length)) + register.to_bytes(2, "big") + data
    return _HEAD + body + crc(body)


class Reply(Struct, frozen=True):
    """The module's answer to the newest command; a write or a save is answered with one 0."""

    data: bytes


class Gm65Stream:
    """Separates replies from scans on one line. Not thread-safe; times as in `Framer`.

    A reply begins with a byte that no code has (0x02), so it may come before, after and inside of a code.
    """

    def __init__(self) -> None:
        self._text = Framer(End.CR)
        self._reply = bytearray()
        self._reply_s = 0.0
        self._broken = 0

    @property
    def rejected(self) -> int:
        """How many lines and replies were torn or invalid."""
        return self._broken + self._text.rejected

    @property
    def due_s(self) -> float | None:
        """When `silent` has something to do if no bytes come before; None: not before bytes come."""
        if self._reply:
            return self._reply_s + SILENCE_S
        return self._text.due_s

    def feed(self, data: bytes, now_s: float) -> list[Reply | Scanned]:
        """Take the bytes that were read at `now_s`; gives the replies and codes that end in them."""
        found: list[Reply | Scanned] = list(self.silent(now_s))
        text = bytearray()
        for byte in data:
            if not self._reply and byte != _REPLY[0]:
                text.append(byte)
                continue
            self._reply.append(byte)
            if not self._may_be_reply():
                text += self._reply  # noise, which the framer rejects
                self._reply.clear()
            elif self._is_complete():
                found += self._text.feed(bytes(text), now_s)
                text.clear()
                found += self._read()
        found += self._text.feed(bytes(text), now_s)
        if data:
            self._reply_s = now_s
        return found

    def silent(self, now_s: float) -> list[Scanned]:
        """Nothing came until `now_s`; gives the code that this silence ends, if any."""
        if self._reply and now_s >= self._reply_s + SILENCE_S:
            self._reply.clear()
            self._broken += 1
        return self._text.silent(now_s)

    def forget(self) -> None:
        """Start again, as on a line that has just been opened."""
        self._text.forget()
        self._reply.clear()

    def _may_be_reply(self) -> bool:
        head = bytes(self._reply[:3])
        return _REPLY.startswith(head) and (len(self._reply) <= 3 or 1 <= self._reply[3] <= _LONGEST_REPLY)  # noqa: PLR2004 - the head

    def _is_complete(self) -> bool:
        return len(self._reply) > 3 and len(self._reply) == 4 + self._reply[3] + 2  # noqa: PLR2004 - the head

    def _read(self) -> Iterable[Reply]:
        reply = bytes(self._reply)
        self._reply.clear()
        if reply[-2:] in (crc(reply[2:-2]), _UNCHECKED):
            return (Reply(reply[4:-2]),)
        self._broken += 1
        return ()
