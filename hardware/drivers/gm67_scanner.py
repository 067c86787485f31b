"""A scanner module of the GM67 family on a serial port, by pyserial. Its packets: `hardware.scanner.ssi`.

The module sends each code in a packet with a checksum and waits for an acknowledge; without one it sends the
packet again. So a bad wire loses no card and plays none twice. The driver looks for the module at each of its
speeds, and sets it up to send packets. It writes to the module's memory only what differs, or, where the
module does not tell its settings, after bare text has come.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from math import inf
from typing import Annotated, Final

from msgspec import Struct

from hardware.errors import HardwareError, sentence
from hardware.options import option
from hardware.scanner import ssi
from hardware.scanner.framing import ScannedCode
from hardware.scanner.serial_line import LONGEST_SETTLE_S, SETTLE_S, Port, SerialSource, read_some, settle
from hardware.scanner.serial_ports import PORT, check_port
from hardware.scanner.source import UNREADABLE_LIMIT, Receiver, SourceScanner

KEEP: Final = "keep"

SELDOM_S: Final = 5.0
"""The pause between two times of setting a module up again, where `look_every_s` does not say one."""

_DEVICE: Final = "scanner"
_TRIES: Final = 3
_NAMES: Final = {
    ssi.PACKETS: sentence("packets"),
    ssi.DATA_FORMAT: sentence("the bare code"),
    ssi.TRIGGER: sentence("the trigger"),
}


class Gm67Scanner(SourceScanner):
    """A module of the GM67 family.

    Wiring of a module on the header: TX to GPIO 15 (pin 10), RX to GPIO 14 (pin 8), 5 V to pin 2, ground to
    pin 6. Its signals must be 3.3 V.

    ```toml
    [scanner]
    driver = "gm67"
    port = "/dev/ttyAMA0"
    ```

    ```python
    from hardware.drivers.gm67_scanner import Gm67Scanner

    scanner = Gm67Scanner(Gm67Scanner.Options(port="/dev/ttyAMA0"))
    print(scanner.check())  # a GM67 (V1.3.05) at /dev/ttyAMA0, 9600 baud; set up
    scanner.start(print)  # Scanned(text='42', at_s=81203.114)
    ```
    """

    class Options(Struct, frozen=True):
        """The port of the module, and its settings."""

        port: Annotated[str, PORT] = "/dev/ttyAMA0"
        bauds: Annotated[
            tuple[int, ...],
            option("baud rates at which the module is searched for, in this order", low=1200, high=115_200),
        ] = ssi.BAUDS
        trigger: Annotated[
            str,
            option(
                "when it reads: sensor after a change in front of its window, continuous all the time, "
                "manual and pulse when its key is pressed; keep leaves the setting unchanged; any other "
                "value is written at each start to a module that does not report its settings",
                among=(KEEP, *ssi.TRIGGERS),
            ),
        ] = KEEP
        look_every_s: Annotated[
            float,
            option(
                "seconds between two checks that the module is connected; 0 means never", low=0.0, high=600.0
            ),
        ] = 5.0

        def __post_init__(self) -> None:
            check_port(self.port)
            if not self.bauds:
                raise ValueError(sentence("bauds is empty: give at least one baud rate, such as 9600"))

    def __init__(self, options: Options, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(_Gm67Source(options, now_s), now_s)


Options = Gm67Scanner.Options


class _Gm67Source(SerialSource):
    """Finds the module, sets it up, reads its scans, and checks regularly that it is still there."""

    def __init__(self, options: Options, now_s: Callable[[], float]) -> None:
        super().__init__(options.port, options.bauds[0], now_s)
        self._options = options
        self._bauds = options.bauds  # the speed that worked last comes first
        self._every_s = options.look_every_s or inf
        self._verify_at_s = inf  # when to verify next
        self._set_up_at_s = -inf  # not before this time is a module set up again
        self._module: _Module  # since `open`
        self._wanted = {ssi.PACKETS: 1, ssi.DATA_FORMAT: 0}
        if options.trigger != KEEP:
            self._wanted[ssi.TRIGGER] = ssi.TRIGGERS[options.trigger]

    def open(self, receiver: Receiver) -> None:
        place, port = self.connect()
        module = self._found(port, place, receiver.stopping)
        trigger = {key: value for key, value in self._wanted.items() if key == ssi.TRIGGER}
        module.set_up(self._wanted, unless_known=trigger)
        module.wait_quiet(SETTLE_S)
        module.listen(receiver.scanned)
        self._module = module
        self._verify_at_s = self._now_s() + self._every_s
        self._set_up_at_s = -inf

    def read(self, receiver: Receiver) -> None:
        module = self._module
        module.receive(self._verify_at_s - self._now_s())
        if module.bare_text and self._now_s() >= self._set_up_at_s:
            # Not for all noise that looks like a code: this may write to the module's memory.
            self._set_up_at_s = self._now_s() + (self._options.look_every_s or SELDOM_S)
            module.bare_text = False
            module.set_up(self._wanted, unless_known=self._wanted)
        elif module.rejected >= UNREADABLE_LIMIT:
            module.rejected, codes = 0, module.codes
            module.verify()
            if module.codes == codes:  # else a good code has come meanwhile
                receiver.unreadable(
                    sentence("data arrives at {baud} baud, but no readable code", baud=module.baud),
                    sentence("check the wires of the scanner, especially ground"),
                )
        elif self._now_s() >= self._verify_at_s:
            module.verify()
            self._verify_at_s = self._now_s() + self._every_s

    def check(self) -> str:
        """Find the module; gives its speed and what would be changed. Nothing is changed."""
        try:
            place, port = self.connect()
            module = self._found(port, place, threading.Event())
            found = module.parameters(self._wanted)
            baud = port.baudrate
        finally:
            self.close()
        wrong = [_NAMES[key] for key, value in self._wanted.items() if key in found and found[key] != value]
        state = sentence("set up" if found else "does not report its settings")
        if wrong:
            state = sentence("still to be set: {what}", what=tuple(wrong))
        version = f" ({module.version})" if module.version else ""
        return sentence(
            "a {module} at {place}, {baud} baud; {state}",
            module=f"GM67{version}",
            place=place,
            baud=baud,
            state=state,
        )

    def _found(self, port: Port, place: str, stopping: threading.Event) -> _Module:
        """The module, with the port at its speed; raises `HardwareError` if none answers."""
        for baud in self._bauds:
            port.baudrate = baud
            settle(port, self._now_s)
            module = _Module(port, place, stopping, self._now_s)
            if module.answers(ssi.PROBE_S):
                self._bauds = (baud, *(one for one in self._bauds if one != baud))
                return module
        tried = " and ".join(str(baud) for baud in self._options.bauds)
        raise HardwareError(
            _DEVICE,
            sentence("no GM67 answers at {place}, tried at {tried} baud", place=place, tried=tried),
            sentence(
                "connect its TX to the RX of the Pi, and its RX to the TX; another kind of scanner needs "
                'driver = "serial"'
            ),
        )


class _Module:
    """A module on an open port. Its scans are acknowledged, and passed to what `listen` was given."""

    def __init__(self, port: Port, place: str, stopping: threading.Event, now_s: Callable[[], float]) -> None:
        self.rejected = 0  # broken packets and noise since the last code
        self.codes = 0  # codes that were sent on
        self.bare_text = False  # something came that may be a code outside of a packet
        self.version = ""
        self._port = port
        self._place = place
        self._stopping = stopping
        self._now_s = now_s
        self._received_s = 0.0
        self._stream = ssi.SsiStream()
        self._scanned: Callable[[ScannedCode], None] | None = None  # None: scans are dropped
        self._owed = False  # a packet was refused, and will be sent again

    @property
    def baud(self) -> int:
        return self._port.baudrate

    def listen(self, scanned: Callable[[ScannedCode], None]) -> None:
        """From now on scans count, and are passed to `scanned`."""
        self._owed = self.bare_text = False
        self._scanned = scanned

    def receive(self, wait_s: float) -> list[ssi.Packet]:
        """Read what comes first within `wait_s`; scans are acknowledged and passed on, answers returned."""
        if (due_s := self._stream.due_s) is not None:
            wait_s = min(wait_s, due_s - self._now_s())
        data = read_some(self._port, None if wait_s == inf else max(0.0, wait_s))
        if data:
            self._received_s = self._now_s()
        answers = []
        for one in self._stream.feed(data, self._now_s()) if data else self._stream.silent(self._now_s()):
            match one:
                case ssi.Packet(ssi.DECODE_DATA | ssi.LONG_DECODE_DATA):
                    self._take_scan(one)
                case ssi.Packet():
                    answers.append(one)
                case ssi.Broken():
                    self.rejected += 1
                    self._owed = True
                    self._port.write(ssi.packet(ssi.NAK, bytes((ssi.RESEND,))))
                case ssi.UnframedBytes(text):
                    self.bare_text = self.bare_text or text
                    self.rejected += not text
        return answers

    def _take_scan(self, scan: ssi.Packet) -> None:
        self._port.write(ssi.packet(ssi.ACK))
        owed, self._owed = self._owed, False
        # Sent again, and not because we refused it: either our acknowledge got lost, and the card was played
        # already, or it was scanned before this program listened.
        if self._scanned is None or (scan.status & ssi.SENT_AGAIN and not owed):
            return
        if text := ssi.text_of(scan):
            self.rejected = 0
            self.codes += 1
            self._scanned(ScannedCode(text, scan.at_s))
        else:
            self.rejected += 1

    def ask(self, command: bytes, within_s: float = ssi.ANSWER_S) -> ssi.Packet | None:
        """Send a command; gives its answer, or None if none came. The line is quiet then."""
        self._port.write(ssi.WAKE)
        self.wait_quiet(ssi.WAKE_S)
        for _ in range(_TRIES):
            answer = self._answer(command, within_s)
            if answer is None or (answer.opcode, answer.data) != (ssi.NAK, bytes((ssi.RESEND,))):
                return answer
        return None

    def _answer(self, command: bytes, within_s: float) -> ssi.Packet | None:
        self._port.write(command)
        until_s = self._now_s() + within_s
        while (left_s := until_s - self._now_s()) > 0 and not self._stopping.is_set():
            for answer in self.receive(left_s):
                return answer
        self.wait_quiet(
            SETTLE_S
        )  # an answer that comes too late must not be taken for that of the next command
        return None

    def wait_quiet(self, for_s: float) -> None:
        """Receive until the line has been silent for `for_s`; at most `LONGEST_SETTLE_S`."""
        until_s = self._now_s() + LONGEST_SETTLE_S
        self._received_s = self._now_s()
        while self._received_s + for_s > self._now_s() < until_s and not self._stopping.is_set():
            self.receive(self._received_s + for_s - self._now_s())

    def answers(self, within_s: float = ssi.ANSWER_S) -> bool:
        """Whether it answers; a refusal is an answer as well."""
        answer = self.ask(ssi.packet(ssi.REVISION), within_s)
        if answer is not None and answer.opcode == ssi.REPLY_REVISION:
            text = bytes(one for one in answer.data if 0x20 <= one <= 0x7E)  # noqa: PLR2004 - printable ASCII
            self.version = text.decode("ascii").strip()
        return answer is not None

    def verify(self) -> None:
        """Raise `HardwareError` if it no longer answers."""
        if not self.answers() and not self.answers():  # once more: it may have been busy with a code
            raise self._silent()

    def parameters(self, numbers: Mapping[int, int]) -> Mapping[int, int]:
        """The values of these parameters; empty where it does not tell, which not every module does."""
        answer = self.ask(ssi.packet(ssi.PARAM_REQUEST, bytes(numbers)))
        known = answer is not None and answer.opcode == ssi.PARAM_SEND
        return ssi.parameters_of(answer) if answer is not None and known else {}

    def set_up(self, wanted: Mapping[int, int], unless_known: Mapping[int, int]) -> None:
        """Write the parameters that differ; of those whose value is unknown, `unless_known`."""
        found = self.parameters(wanted)
        wrong = {key: value for key, value in wanted.items() if key in found and found[key] != value}
        wrong |= {key: value for key, value in unless_known.items() if key not in found}
        for key, value in wrong.items():
            answer = self.ask(ssi.parameter(key, value))
            if answer is None:
                raise self._silent()
            if answer.opcode != ssi.ACK:
                raise HardwareError(
                    _DEVICE,
                    sentence(
                        "the GM67 at {place} does not accept the setting: {setting}",
                        place=self._place,
                        setting=_NAMES[key],
                    ),
                    sentence(
                        "switch it off and on; if that does not help, please report it with the output of "
                        "`nimmt doctor`"
                    ),
                )

    def _silent(self) -> HardwareError:
        return HardwareError(
            _DEVICE,
            sentence("the GM67 at {place} no longer answers", place=self._place),
            sentence("check its plug and its power; the program keeps trying every baud rate"),
        )
