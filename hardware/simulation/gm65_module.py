"""The firmware of a GM65, as its maker's manual describes it. `scanner_module` connects it to a serial line.

Hangzhou Grow, GM65 Bar Code Reader Module User Manual V1.3, chapter 8: commands with a wrong CRC and commands
that are cut off get no answer, 0xAB 0xCD means "do not check", settings are lost without power unless they
were saved.
"""

from typing import Final

_SET_UP: Final = 0x0003
_OUTPUT: Final = 0x000D
_BAUD: Final = 0x002A
_TAIL: Final = 0x0060
_ORDERS: Final = 0x00D9
_TAILS: Final = (b"\r", b"\r\n", b"\t", b"")
_UNCHECKED: Final = b"\xab\xcd"
_CUT_SHORT_S: Final = 0.4
_DONE: Final = b"\x00"
_SPEEDS: Final = {0x0139: 9600, 0x009C: 19_200, 0x004E: 38_400, 0x0034: 57_600, 0x001A: 115_200}


class SimulatedGm65:
    """The firmware. `saves` and `writes` record what wears out its memory.

    `output_here` is the output that is connected: 0b00 the serial wires, 0b11 the virtual serial port on USB.
    `knows_delay` is False for the older modules, which have no same-code delay.
    """

    def __init__(self, *, output_here: int = 0b00, knows_delay: bool = True) -> None:
        self.saves = 0
        self.writes: list[tuple[int, int]] = []
        self.deaf = False  # the module is busy and does not answer
        self.around = (b"", b"")  # what it sends before and after the next reply, as one piece with it
        self._output_here = output_here
        self._knows_delay = knows_delay
        self._came = bytearray()
        self._came_s = 0.0
        self._saved = _defaults()
        self.registers = bytearray(self._saved)

    @property
    def baud(self) -> int:
        return _SPEEDS[int.from_bytes(self.registers[_BAUD : _BAUD + 2], "little") & 0x1FFF]

    def set_baud(self, baud: int) -> None:
        """What a setup code for a speed does."""
        value = next(value for value, speed in _SPEEDS.items() if speed == baud)
        self.registers[_BAUD : _BAUD + 2] = value.to_bytes(2, "little")

    def power_on(self) -> None:
        self.registers = bytearray(self._saved)
        self._came.clear()

    def reset(self) -> None:
        self._saved = _defaults()
        self.power_on()

    def see_reset_code(self) -> bool:
        """Scan the manual's setup code "Reset"; gives whether the module obeyed."""
        obeyed = not self.registers[_SET_UP] & 0x02
        if obeyed:
            self.reset()
        return obeyed

    def scan(self, text: str, now_s: float) -> bytes:
        """What is sent for a code; nothing where its output is set to another one."""
        tail = self.registers[_TAIL]
        if self.registers[_OUTPUT] & 0x03 != self._output_here:
            return b""
        return text.encode("ascii") + (_TAILS[tail >> 5 & 0x03] if tail & 0x01 else b"")

    def late(self, now_s: float) -> bytes:
        return b""

    def hear(self, data: bytes, now_s: float) -> bytes:
        """Take bytes from the program; gives the answers to the commands in them."""
        if now_s - self._came_s > _CUT_SHORT_S:
            self._came.clear()
        self._came += data
        self._came_s = now_s
        answers = b""
        while (begin := self._came.find(b"\x7e\x00")) >= 0:
            del self._came[:begin]
            size = 6 + (self._came[3] or 256) + 2 if len(self._came) > 3 else 9  # noqa: PLR2004 - the head
            if len(self._came) < size:
                break
            command = bytes(self._came[:size])
            del self._came[:size]
            if not self.deaf and command[-2:] in (_crc(command[2:-2]), _UNCHECKED):
                answers += self._answer(command[2], int.from_bytes(command[4:6], "big"), command[6:-2])
        return answers

    def _answer(self, kind: int, register: int, data: bytes) -> bytes:
        if register == 0x0013 and not self._knows_delay:  # noqa: PLR2004 - the same-code delay
            return b""
        found = _DONE
        if kind == 0x07:  # noqa: PLR2004 - read
            found = bytes(self.registers[register : register + data[0]])
        elif kind == 0x08:  # noqa: PLR2004 - write
            self.writes.append((register, data[0]))
            self.registers[register : register + len(data)] = data
            if (register, data) == (_ORDERS, b"\x55"):
                self.reset()
        elif kind == 0x09:  # noqa: PLR2004 - save
            self.saves += 1
            self._saved = bytes(self.registers)
        body = bytes((0, len(found))) + found
        (before, after), self.around = self.around, (b"", b"")
        return before + b"\x02\x00" + body + _crc(body) + after


def _defaults() -> bytes:
    registers = bytearray(256)
    registers[0x00] = 0xD4  # success light, sound, aim and light as usual; manual
    registers[0x05] = 10  # tenths of a second between two reads
    registers[0x06] = 50  # tenths of a second for one read
    registers[_OUTPUT] = 0b01  # a USB keyboard
    registers[_BAUD : _BAUD + 2] = (0x0139).to_bytes(2, "little")  # 9600
    registers[_TAIL] = 0x00  # the manual does not say; without a tail is the more difficult case
    registers[0xE2] = 0x87
    return bytes(registers)


def _crc(data: bytes) -> bytes:
    """The manual's `crc_cal_by_bit`, bit by bit as it is printed there."""
    crc = 0
    for byte in data:
        bit = 0x80
        while bit:
            crc *= 2
            if crc & 0x10000:
                crc ^= 0x11021
            if byte & bit:
                crc ^= 0x1021
            bit //= 2
    return crc.to_bytes(2, "big")
