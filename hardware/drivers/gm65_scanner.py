"""A scanner module of the GM65 family on a serial port, by pyserial; its language is `hardware.scanner.gm65`.

The module is found at whichever speed it listens, asked for its settings, and told only what is different; it
is saved only when something was. Every few seconds it is asked whether it is still there and still set up: a
module that was reset or set to another speed in the middle of a match is found again and set up again.
"""

from __future__ import annotations

import threading
import time
from contextlib import closing
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.errors import HardwareError
from hardware.options import option
from hardware.scanner.gm65 import (
    ANSWER_S,
    BAUDS,
    OUTPUT,
    PROBE_S,
    SAVE,
    SETUP_CODES,
    SOFTWARE,
    TRIGGERS,
    Gm65Stream,
    Reply,
    Setting,
    read_command,
    settings,
    write_command,
)
from hardware.scanner.reading import REJECTS_TOLD, Reading
from hardware.scanner.serial_line import LONGEST_SETTLE_S, SETTLE_S, explained, read_some, settle, told
from hardware.scanner.serial_places import PORT_ABOUT, check_place, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hardware.ports import Message
    from hardware.scanner.framing import Code
    from hardware.scanner.serial_line import Port

_DEVICE: Final = "scanner"


class Gm65Scanner:
    """The scanner port over a GM65. It posts `Scanned`, and `DeviceFault`/`DeviceRecovered` of "scanner"."""

    @dataclass(frozen=True, slots=True)
    class Options:
        """Where the module is, and how it should be set."""

        port: str = option(PORT_ABOUT, "/dev/ttyAMA0")
        bauds: tuple[int, ...] = option(
            "baud rates at which the module is searched for, in this order", BAUDS, low=1200, high=115_200
        )
        trigger: str = option(
            (
                "when it reads: sensor after a change in front of its window, continuous all the time, "
                "manual when its key is pressed"
            ),
            "sensor",
            among=tuple(TRIGGERS),
        )
        same_code_s: float = option(
            (
                "seconds for which the module does not repeat a code that stays in front of it; 0 repeats "
                "at once; keep this below duplicate_s of [table]"
            ),
            0.5,
            low=0.0,
            high=12.7,
        )
        setup_codes: bool = option(
            (
                "whether the module obeys printed setup codes; such a code could change its settings "
                "during a match"
            ),
            default=False,
        )
        look_every_s: float = option(
            "seconds between two checks that the module is connected and set up; 0 means never",
            5.0,
            low=0.0,
            high=600.0,
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
                version = module.ask(read_command(SOFTWARE))
                wrong = [one.about for one, found in module.read(self._wanted(place)) if not one.right(found)]
        name = "a GM65" if version is None else f"a GM65 (software {version[0]:#04x})"
        state = f"still to be set: {', '.join(wrong)}" if wrong else "set up"
        return f"{name} at {place}, {port.baudrate} baud; {state}"

    def close(self) -> None:
        """Stop the thread and free the port. More than once does no harm."""
        self._reading.close()

    # ----------------------------------------------------------------------------- the thread

    def _serve(self) -> None:
        """Find the module, set it up, and read until it is lost or the driver is closed."""
        place, port = _opened(self._options)
        with closing(port), self._reading.interrupted_by(port.cancel_read):
            module = self._found(port, place, self._reading.leaving)
            wanted = self._wanted(place)
            module.set_up(wanted)
            settle(port, self._now_s)
            module.listen(self._reading.hand_on)
            if not self._reading.leaving.is_set():
                self._reading.listens()
                self._listen(module, wanted)

    def _found(self, port: Port, place: str, leaving: threading.Event) -> _Module:
        """The module, with the port at its speed; raises `HardwareError` where none answers."""
        for baud in self._bauds:
            port.baudrate = baud
            settle(port, self._now_s)
            module = _Module(port, place, leaving, self._now_s)
            if module.ask(read_command(OUTPUT), PROBE_S) is not None:
                self._bauds = (baud, *(one for one in self._bauds if one != baud))
                return module
        tried = " and ".join(str(baud) for baud in self._options.bauds)
        raise HardwareError(
            _DEVICE,
            f"no GM65 answers at {place}, tried at {tried} baud",
            (
                "connect its TX to the RX of the Pi, and its RX to the TX; another kind of scanner needs "
                'driver = "serial"'
            ),
        )

    def _listen(self, module: _Module, wanted: tuple[Setting, ...]) -> None:
        every_s = self._options.look_every_s or inf
        look_s = self._now_s() + every_s
        while not self._reading.leaving.is_set():
            module.hear(look_s - self._now_s())
            if module.refused >= REJECTS_TOLD:
                module.refused, heard = 0, module.heard
                if module.look(wanted) and module.heard == heard:  # else a good code has come meanwhile
                    self._reading.ill(
                        f"data arrives at {module.baud} baud, but no readable code",
                        "check the wires of the scanner, especially ground",
                    )
            elif self._now_s() >= look_s:
                module.look(wanted)
                look_s = self._now_s() + every_s

    def _wanted(self, place: str) -> tuple[Setting, ...]:
        return settings(
            trigger=self._options.trigger,
            same_code_s=self._options.same_code_s,
            setup_codes=self._options.setup_codes,
            # /dev/ttyACM0 is the module's own USB plug; an adapter on its serial wires is /dev/ttyUSB0.
            over_usb=any(path.name.startswith("ttyACM") for path in (Path(place), Path(place).resolve())),
        )


Options = Gm65Scanner.Options


class _Module:
    """A module that answers on an open port; scans between the answers go where `listen` says."""

    def __init__(self, port: Port, place: str, leaving: threading.Event, now_s: Callable[[], float]) -> None:
        self.refused = 0  # lines since the last code that were none
        self.heard = 0  # codes that were handed on
        self._port = port
        self._place = place
        self._leaving = leaving
        self._now_s = now_s
        self._heard_s = 0.0
        self._stream = Gm65Stream()
        self._hand_on: Callable[[Code], None] | None = None  # until then nobody has looked

    @property
    def baud(self) -> int:
        """The speed of the line."""
        return self._port.baudrate

    def listen(self, hand_on: Callable[[Code], None]) -> None:
        """From now on scans count."""
        self._stream.forget()
        self._hand_on = hand_on

    def hear(self, wait_s: float) -> list[Reply]:
        """Read what comes first within `wait_s`, hand the scans on, and give the replies."""
        if (due_s := self._stream.due_s) is not None:
            wait_s = min(wait_s, due_s - self._now_s())
        data = read_some(self._port, None if wait_s == inf else max(0.0, wait_s))
        if data:
            self._heard_s = self._now_s()
        before = self._stream.rejected
        found = self._stream.feed(data, self._now_s()) if data else self._stream.silent(self._now_s())
        self.refused += self._stream.rejected - before
        replies = []
        for one in found:
            if isinstance(one, Reply):
                replies.append(one)
            elif self._hand_on is not None:
                self.refused = 0
                self.heard += 1
                self._hand_on(one)
        return replies

    def ask(self, command: bytes, within_s: float = ANSWER_S) -> bytes | None:
        """Send a command; the data of its reply, or None where none came and the line has become quiet."""
        self._port.write(command)
        until_s = self._now_s() + within_s
        while (left_s := until_s - self._now_s()) > 0 and not self._leaving.is_set():
            for reply in self.hear(left_s):
                return reply.data
        # A reply that comes too late must not be taken for that of the next command.
        until_s = self._now_s() + LONGEST_SETTLE_S
        self._heard_s = self._now_s()
        while self._heard_s + SETTLE_S > self._now_s() < until_s and not self._leaving.is_set():
            self.hear(self._heard_s + SETTLE_S - self._now_s())
        return None

    def read(self, wanted: Iterable[Setting]) -> list[tuple[Setting, int]]:
        """Each setting with what its register holds; one that not every module has may be left out.

        Raises `HardwareError` where a register is not answered for.
        """
        found = []
        for setting in wanted:
            data = self.ask(read_command(setting.register))
            if data is not None:
                found.append((setting, data[0]))
            elif setting.sure:
                raise self._silent()
        return found

    def set_up(self, wanted: Iterable[Setting]) -> None:
        """Write the registers that differ, look whether they stay, and save them; nothing if none differs."""
        wrong = [(setting, found) for setting, found in self.read(wanted) if not setting.right(found)]
        for setting, found in wrong:
            self.ask(write_command(setting.register, setting.recovered(found)))
        for setting, found in self.read(setting for setting, _ in wrong):
            if not setting.right(found):
                raise HardwareError(
                    _DEVICE,
                    f"the GM65 at {self._place} does not accept the setting: {setting.about}",
                    (
                        "switch it off and on; if that does not help, please report it with the output of "
                        "`nimmt doctor`"
                    ),
                )
        if wrong:
            self.ask(SAVE)  # a module that does not save is set up again at the next start

    def look(self, wanted: tuple[Setting, ...]) -> bool:
        """Whether it is there and set up as it was; if not, it is set up again. Raises `HardwareError`."""
        telling = [setting for setting in wanted if setting.register in (OUTPUT, SETUP_CODES)]
        try:
            found = self.read(telling)
        except HardwareError:
            found = self.read(telling)  # once more: it may have been busy with a code
        if all(setting.right(value) for setting, value in found):
            return True
        self.set_up(wanted)
        return False

    def _silent(self) -> HardwareError:
        return HardwareError(
            _DEVICE,
            f"the GM65 at {self._place} no longer answers",
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
