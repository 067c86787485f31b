"""A scanner module of the GM67 family on a serial port, by pyserial; its packets are `hardware.scanner.ssi`.

The module sends each code in a packet with a sum, waits for our acknowledge and else sends it again: nothing
is lost on a bad wire, and nothing is played twice. It is found at whichever speed it listens. It is told to
send packets where it does not; its memory is written only where it holds something else, or where it does not
tell what it holds and bare text came.
"""

from __future__ import annotations

import threading
import time
from contextlib import closing
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from hardware.errors import HardwareError
from hardware.options import option
from hardware.scanner import ssi
from hardware.scanner.framing import Code
from hardware.scanner.reading import REJECTS_TOLD, Reading
from hardware.scanner.serial_line import LONGEST_SETTLE_S, SETTLE_S, explained, read_some, settle, told
from hardware.scanner.serial_places import PORT_ABOUT, check_place, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.ports import Message
    from hardware.scanner.serial_line import Port

KEEP: Final = "keep"

SELDOM_S: Final = 5.0

_DEVICE: Final = "scanner"
_TRIES: Final = 3
_NAMES: Final = {ssi.PACKETS: "packets", ssi.DATA_FORMAT: "the bare code", ssi.TRIGGER: "the trigger"}


class Gm67Scanner:
    """The scanner port over a GM67. It posts `Scanned`, and `DeviceFault`/`DeviceRecovered` of "scanner"."""

    @dataclass(frozen=True, slots=True)
    class Options:
        """Where the module is, and how it should be set."""

        port: str = option(PORT_ABOUT, "/dev/ttyAMA0")
        bauds: tuple[int, ...] = option(
            "baud rates at which the module is searched for, in this order",
            ssi.BAUDS,
            low=1200,
            high=115_200,
        )
        trigger: str = option(
            (
                "when it reads: sensor after a change in front of its window, continuous all the time, "
                "manual and pulse when its key is pressed; keep leaves the setting unchanged; any other "
                "value is written at each start to a module that does not report its settings"
            ),
            KEEP,
            among=(KEEP, *ssi.TRIGGERS),
        )
        look_every_s: float = option(
            "seconds between two checks that the module is connected; 0 means never", 5.0, low=0.0, high=600.0
        )

        def __post_init__(self) -> None:
            check_place(self.port)
            if not self.bauds:
                raise ValueError("bauds is empty: give at least one baud rate, such as 9600")

    def __init__(self, options: Options, now_s: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._now_s = now_s
        self._reading = Reading(self._serve, lambda lost: explained(options.port, lost), now_s)
        self._bauds = options.bauds
        self._wanted = {ssi.PACKETS: 1, ssi.DATA_FORMAT: 0}
        if options.trigger != KEEP:
            self._wanted[ssi.TRIGGER] = ssi.TRIGGERS[options.trigger]

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; the port is opened in the thread. A second start without a close is a `RuntimeError`."""
        self._reading.start(post)

    def wait_listening(self, timeout_s: float) -> bool:
        """Wait until a scan would be heard; False if it is not in time."""
        return self._reading.wait_listening(timeout_s)

    def alive(self) -> bool:
        """Whether the reading thread lives."""
        return self._reading.alive()

    def check(self) -> str:
        """Find the module, and say its speed and what will be set otherwise; nothing is changed."""
        with told(self._options.port):
            place, port = _opened(self._options)
            with closing(port):
                module = self._found(port, place, threading.Event())
                found = module.parameters(self._wanted)
        wrong = [_NAMES[key] for key, value in self._wanted.items() if key in found and found[key] != value]
        state = "set up" if found else "does not report its settings"
        state = f"still to be set: {', '.join(wrong)}" if wrong else state
        version = f" ({module.version})" if module.version else ""
        return f"a GM67{version} at {place}, {port.baudrate} baud; {state}"

    def close(self) -> None:
        """Stop the thread and free the port. More than once does no harm."""
        self._reading.close()

    # ----------------------------------------------------------------------------- the thread

    def _serve(self) -> None:
        """Find the module, set it up, and read until it is lost or the driver is closed."""
        place, port = _opened(self._options)
        with closing(port), self._reading.interrupted_by(port.cancel_read):
            module = self._found(port, place, self._reading.leaving)
            trigger = {key: value for key, value in self._wanted.items() if key == ssi.TRIGGER}
            module.set_up(self._wanted, unless_told=trigger)
            module.quiet(SETTLE_S)
            if not self._reading.leaving.is_set():
                module.listen(self._reading.hand_on)
                self._reading.listens()
                self._listen(module)

    def _found(self, port: Port, place: str, leaving: threading.Event) -> _Module:
        """The module, with the port at its speed; raises `HardwareError` where none answers."""
        for baud in self._bauds:
            port.baudrate = baud
            settle(port, self._now_s)
            module = _Module(port, place, leaving, self._now_s)
            if module.there(ssi.PROBE_S):
                self._bauds = (baud, *(one for one in self._bauds if one != baud))
                return module
        tried = " and ".join(str(baud) for baud in self._options.bauds)
        raise HardwareError(
            _DEVICE,
            f"no GM67 answers at {place}, tried at {tried} baud",
            (
                "connect its TX to the RX of the Pi, and its RX to the TX; another kind of scanner needs "
                'driver = "serial"'
            ),
        )

    def _listen(self, module: _Module) -> None:
        every_s = self._options.look_every_s or inf
        look_s = self._now_s() + every_s
        mend_s = -inf
        while not self._reading.leaving.is_set():
            module.hear(look_s - self._now_s())
            if module.bare_text and self._now_s() >= mend_s:
                # Not for every noise that looks like a code: this may write to the module's memory.
                mend_s = self._now_s() + (self._options.look_every_s or SELDOM_S)
                module.bare_text = False
                module.set_up(self._wanted, unless_told=self._wanted)
            elif module.refused >= REJECTS_TOLD:
                module.refused, heard = 0, module.heard
                module.look()
                if module.heard == heard:  # else a good code has come meanwhile
                    self._reading.ill(
                        f"data arrives at {module.baud} baud, but no readable code",
                        "check the wires of the scanner, especially ground",
                    )
            elif self._now_s() >= look_s:
                module.look()
                look_s = self._now_s() + every_s


Options = Gm67Scanner.Options


class _Module:
    """A module that answers on an open port; it acknowledges scans, which go where `listen` says."""

    def __init__(self, port: Port, place: str, leaving: threading.Event, now_s: Callable[[], float]) -> None:
        self.refused = 0  # packets and noise since the last code that were none
        self.heard = 0  # codes that were handed on
        self.bare_text = False  # that something came which may be a code outside of a packet
        self.version = ""
        self._port = port
        self._place = place
        self._leaving = leaving
        self._now_s = now_s
        self._heard_s = 0.0
        self._stream = ssi.SsiStream()
        self._hand_on: Callable[[Code], None] | None = None  # until then nobody has looked
        self._owed = False  # that a packet was refused, and will be sent again

    @property
    def baud(self) -> int:
        """The speed of the line."""
        return self._port.baudrate

    def listen(self, hand_on: Callable[[Code], None]) -> None:
        """From now on scans count."""
        self._owed = self.bare_text = False
        self._hand_on = hand_on

    def hear(self, wait_s: float) -> list[ssi.Packet]:
        """Read what comes first within `wait_s`; scans are acknowledged and handed on, the rest is given."""
        if (due_s := self._stream.due_s) is not None:
            wait_s = min(wait_s, due_s - self._now_s())
        data = read_some(self._port, None if wait_s == inf else max(0.0, wait_s))
        if data:
            self._heard_s = self._now_s()
        answers = []
        for one in self._stream.feed(data, self._now_s()) if data else self._stream.silent(self._now_s()):
            match one:
                case ssi.Packet(ssi.DECODE_DATA | ssi.LONG_DECODE_DATA):
                    self._scanned(one)
                case ssi.Packet():
                    answers.append(one)
                case ssi.Broken():
                    self.refused += 1
                    self._owed = True
                    self._port.write(ssi.packet(ssi.NAK, bytes((ssi.RESEND,))))
                case ssi.Stray(text):
                    self.bare_text = self.bare_text or text
                    self.refused += not text
        return answers

    def _scanned(self, scan: ssi.Packet) -> None:
        self._port.write(ssi.packet(ssi.ACK))
        owed, self._owed = self._owed, False
        # Sent again, and not because we refused it: either our acknowledge got lost, and the code is played
        # already, or it was scanned before anybody listened.
        if self._hand_on is None or (scan.status & ssi.SENT_AGAIN and not owed):
            return
        if text := ssi.text_of(scan):
            self.refused = 0
            self.heard += 1
            self._hand_on(Code(text, scan.at_s))
        else:
            self.refused += 1

    def ask(self, command: bytes, within_s: float = ssi.ANSWER_S) -> ssi.Packet | None:
        """Send a command; its answer, or None where none came and the line has become quiet."""
        self._port.write(ssi.WAKE)
        self.quiet(ssi.WAKE_S)
        for _ in range(_TRIES):
            answer = self._answer(command, within_s)
            if answer is None or (answer.opcode, answer.data) != (ssi.NAK, bytes((ssi.RESEND,))):
                return answer
        return None

    def _answer(self, command: bytes, within_s: float) -> ssi.Packet | None:
        self._port.write(command)
        until_s = self._now_s() + within_s
        while (left_s := until_s - self._now_s()) > 0 and not self._leaving.is_set():
            for answer in self.hear(left_s):
                return answer
        self.quiet(SETTLE_S)  # an answer that comes too late must not be taken for that of the next command
        return None

    def quiet(self, for_s: float) -> None:
        """Hear until the line has been silent for so long, or it babbles."""
        until_s = self._now_s() + LONGEST_SETTLE_S
        self._heard_s = self._now_s()
        while self._heard_s + for_s > self._now_s() < until_s and not self._leaving.is_set():
            self.hear(self._heard_s + for_s - self._now_s())

    def there(self, within_s: float = ssi.ANSWER_S) -> bool:
        """Whether it answers; a refusal is an answer, too."""
        answer = self.ask(ssi.packet(ssi.REVISION), within_s)
        if answer is not None and answer.opcode == ssi.REPLY_REVISION:
            text = bytes(one for one in answer.data if 0x20 <= one <= 0x7E)  # noqa: PLR2004 - printable ASCII
            self.version = text.decode("ascii").strip()
        return answer is not None

    def look(self) -> None:
        """Raise `HardwareError` where it does not answer any more."""
        if not self.there() and not self.there():  # once more: it may have been busy with a code
            raise self._silent()

    def parameters(self, numbers: Mapping[int, int]) -> Mapping[int, int]:
        """What it tells of these parameters; empty where it does not tell, which the family need not."""
        answer = self.ask(ssi.packet(ssi.PARAM_REQUEST, bytes(numbers)))
        told = answer is not None and answer.opcode == ssi.PARAM_SEND
        return ssi.parameters_of(answer) if answer is not None and told else {}

    def set_up(self, wanted: Mapping[int, int], unless_told: Mapping[int, int]) -> None:
        """Write the parameters that differ; of those that it does not tell, `unless_told`."""
        found = self.parameters(wanted)
        wrong = {key: value for key, value in wanted.items() if key in found and found[key] != value}
        wrong |= {key: value for key, value in unless_told.items() if key not in found}
        for key, value in wrong.items():
            answer = self.ask(ssi.parameter(key, value))
            if answer is None:
                raise self._silent()
            if answer.opcode != ssi.ACK:
                raise HardwareError(
                    _DEVICE,
                    f"the GM67 at {self._place} does not accept the setting: {_NAMES[key]}",
                    (
                        "switch it off and on; if that does not help, please report it with the output of "
                        "`nimmt doctor`"
                    ),
                )

    def _silent(self) -> HardwareError:
        return HardwareError(
            _DEVICE,
            f"the GM67 at {self._place} no longer answers",
            "check its plug and its power; the program keeps trying every baud rate",
        )


def _opened(options: Options) -> tuple[str, Port]:
    """Its place, and the open port, locked against other programs that ask (flock).

    Raises one of `LOST`, `ImportError`.
    """
    import serial
    from serial.tools.list_ports import comports

    place = place_of(options.port, comports)
    port: Port = serial.serial_for_url(place, baudrate=options.bauds[0], timeout=SETTLE_S, exclusive=True)
    return place, port
