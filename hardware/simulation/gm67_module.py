"""The firmware of a GM67, after the documents named in `hardware.scanner.ssi`.

It shares no code with the driver. A packet that is not acknowledged is sent again, with the bit that says so,
at most twice; the next one waits for that.
"""

from typing import Final

_TRIGGER, _PACKETS, _FORMAT, _BAUD = 0x8A, 0xEE, 0xEB, 0x9C
_SPEEDS: Final = {0x05: 4800, 0x06: 9600, 0x07: 19_200, 0x08: 38_400, 0x09: 57_600, 0x0A: 115_200}
_DATA_MATRIX: Final = 0xF2
_REPEAT_S: Final = 0.15
_REPEATS: Final = 2
_LONGEST: Final = 240
_DEFAULTS: Final = {_TRIGGER: 0x00, _PACKETS: 0x00, _FORMAT: 0x00, _BAUD: 0x06}


class SimulatedGm67:
    """The firmware. `writes` records what wears out its memory: each change of a parameter.

    `tells` is False for a module that refuses to tell its parameters and its version.
    """

    def __init__(self, *, tells: bool = True) -> None:
        self.writes: list[tuple[int, int]] = []
        self.deaf = False  # the module is busy and does not answer
        self.asleep = False  # it loses the first byte
        self.spoil = 0  # so many of the next packets have a wrong checksum
        self.repeats = 0  # packets that it sent again because no acknowledge came
        self.refusals = 0  # packets that the program refused
        self.repeat_s = _REPEAT_S  # how long it waits for an acknowledge
        self.lose_acks = 0  # so many of the program's acknowledges do not arrive
        self.around = (b"", b"")  # what it sends before and after the next answer, as one piece with it
        self.parameters = dict(_DEFAULTS)
        self._tells = tells
        self._came = bytearray()
        self._waiting: list[bytes] = []  # scans as data of a packet; the first is under way
        self._sent_s = 0.0
        self._sent = 0  # how often the first was sent

    @property
    def baud(self) -> int:
        return _SPEEDS[self.parameters[_BAUD]]

    def set_baud(self, baud: int) -> None:
        """What a setup code for a speed does."""
        self.parameters[_BAUD] = next(value for value, speed in _SPEEDS.items() if speed == baud)

    def power_on(self) -> None:
        """Start; parameters were saved, scans that were not acknowledged are lost."""
        self._came.clear()
        self._waiting.clear()
        self._sent = 0

    def reset(self) -> None:
        self.parameters = dict(_DEFAULTS)
        self.power_on()

    def scan(self, text: str, now_s: float) -> bytes:
        if not self.parameters[_PACKETS]:
            return text.encode("ascii") + b"\r\n"
        self._waiting.append(bytes((_DATA_MATRIX,)) + text.encode("ascii"))
        return self._next(now_s) if len(self._waiting) == 1 else b""

    def late(self, now_s: float) -> bytes:
        if not self._waiting or now_s - self._sent_s < self.repeat_s:
            return b""
        if self._sent > _REPEATS:
            return self._acknowledged(now_s)  # given up
        self.repeats += 1
        return self._next(now_s)

    def hear(self, data: bytes, now_s: float) -> bytes:
        if self.asleep:
            self.asleep, data = False, data[1:]
        self._came += data
        answers = b""
        while self._came:
            size = self._came[0] + 2
            if size < 6:  # noqa: PLR2004 - the wake-up byte, or noise
                del self._came[0]
                continue
            if len(self._came) < size:
                break
            command = bytes(self._came[:size])
            del self._came[:size]
            if not self.deaf:
                answers += self._answer(command, now_s)
        return answers

    def _answer(self, command: bytes, now_s: float) -> bytes:
        opcode, data = command[1], command[4:-2]
        if sum(command[:-2]) + int.from_bytes(command[-2:], "big") & 0xFFFF:
            return _packet(0xD1, b"\x01")
        if opcode == 0xD0:  # noqa: PLR2004 - acknowledged
            self.lose_acks -= 1
            return self._acknowledged(now_s) if self.lose_acks < 0 else b""
        if opcode == 0xD1:  # noqa: PLR2004 - refused
            self.refusals += 1
            return self._next(now_s) if self._waiting else b""
        (before, after), self.around = self.around, (b"", b"")
        return before + self._obeyed(opcode, data) + after

    def _obeyed(self, opcode: int, data: bytes) -> bytes:
        if opcode == 0xC6 and len(data) == 3:  # noqa: PLR2004 - set a parameter
            self.parameters[data[1]] = data[2]
            self.writes.append((data[1], data[2]))
            return _packet(0xD0)
        if opcode == 0xC7 and self._tells:  # noqa: PLR2004 - tell parameters
            pairs = b"".join(bytes((one, self.parameters[one])) for one in data if one in self.parameters)
            return _packet(0xC6, b"\xff" + pairs)
        if opcode == 0xA3 and self._tells:  # noqa: PLR2004 - tell the version
            return _packet(0xA4, b"V1.3.05")
        return _packet(0xD1, b"\x06")

    def _acknowledged(self, now_s: float) -> bytes:
        self._sent = 0
        del self._waiting[:1]
        return self._next(now_s) if self._waiting else b""

    def _next(self, now_s: float) -> bytes:
        data = self._waiting[0]
        status = 0x01 if self._sent else 0x00
        self._sent += 1
        self._sent_s = now_s
        if len(data) <= _LONGEST:
            sent = _packet(0xF3, data, status)
        else:
            body = b"\xff\xf4" + (len(data) + 7).to_bytes(2, "big") + bytes((0xF4, 0x00, status)) + data
            sent = body + _sum(body)
        self.spoil -= 1
        return sent if self.spoil < 0 else sent[:-1] + bytes((sent[-1] ^ 0x01,))


def _packet(opcode: int, data: bytes = b"", status: int = 0x00) -> bytes:
    body = bytes((4 + len(data), opcode, 0x00, status)) + data
    return body + _sum(body)


def _sum(body: bytes) -> bytes:
    return (0x10000 - sum(body) & 0xFFFF).to_bytes(2, "big")
