"""A scanner module of the GM65 family on a serial port, by pyserial. Its protocol: `hardware.scanner.gm65`.

The driver looks for the module at each of its speeds, reads its settings and writes only those that differ.
They are saved only when something was written, because the module's memory wears out. Every few seconds the
driver asks whether the module is still there and still set up: one that was reset or set to another speed in
the middle of a match is found and set up again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from math import inf
from pathlib import Path
from typing import Annotated, Final

from msgspec import Struct

from hardware.errors import HardwareError, sentence
from hardware.options import option
from hardware.scanner.framing import ScannedCode
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
    RegisterBits,
    Reply,
    read_command,
    settings,
    write_command,
)
from hardware.scanner.serial_line import LONGEST_SETTLE_S, SETTLE_S, Port, SerialSource, read_some, settle
from hardware.scanner.serial_ports import PORT, check_port
from hardware.scanner.source import UNREADABLE_LIMIT, Receiver, SourceScanner

_DEVICE: Final = "scanner"


class Gm65Scanner(SourceScanner):
    """A module of the GM65 family: GM65, GM65-S, GM805, GM812, Waveshare Barcode Scanner Module.

    Wiring of a module on the header: TX to GPIO 15 (pin 10), RX to GPIO 14 (pin 8), 5 V to pin 2, ground to
    pin 6. Its signals must be 3.3 V.

    ```toml
    [scanner]
    driver = "gm65"
    port = "/dev/ttyAMA0"
    trigger = "sensor"
    ```

    ```python
    from hardware.drivers.gm65_scanner import Gm65Scanner

    scanner = Gm65Scanner(Gm65Scanner.Options(port="/dev/ttyAMA0"))
    print(scanner.check())  # a GM65 (software 0x87) at /dev/ttyAMA0, 9600 baud; set up
    scanner.start(print)  # Scanned(text='42', at_s=81203.114)
    ```
    """

    class Options(Struct, frozen=True):
        """The port of the module, and its settings."""

        port: Annotated[str, PORT] = "/dev/ttyAMA0"
        bauds: Annotated[
            tuple[int, ...],
            option("baud rates at which the module is searched for, in this order", low=1200, high=115_200),
        ] = BAUDS
        trigger: Annotated[
            str,
            option(
                "when it reads: sensor after a change in front of its window, continuous all the time, "
                "manual when its key is pressed",
                among=tuple(TRIGGERS),
            ),
        ] = "sensor"
        same_code_s: Annotated[
            float,
            option(
                "seconds for which the module does not repeat a code that stays in front of it; 0 repeats "
                "at once; keep this below duplicate_s of [table]",
                low=0.0,
                high=12.7,
            ),
        ] = 0.5
        setup_codes: Annotated[
            bool,
            option(
                "whether the module obeys printed setup codes; such a code could change its settings "
                "during a match"
            ),
        ] = False
        look_every_s: Annotated[
            float,
            option(
                "seconds between two checks that the module is connected and set up; 0 means never",
                low=0.0,
                high=600.0,
            ),
        ] = 5.0

        def __post_init__(self) -> None:
            check_port(self.port)
            if not self.bauds:
                raise ValueError(sentence("bauds is empty: give at least one baud rate, such as 9600"))

    def __init__(self, options: Options, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(_Gm65Source(options, now_s), now_s)


Options = Gm65Scanner.Options


class _Gm65Source(SerialSource):
    """Finds the module, sets it up, reads its scans, and checks regularly that it is still there."""

    def __init__(self, options: Options, now_s: Callable[[], float]) -> None:
        super().__init__(options.port, options.bauds[0], now_s)
        self._options = options
        self._bauds = options.bauds  # the speed that worked last comes first
        self._every_s = options.look_every_s or inf
        self._verify_at_s = inf  # when to verify next
        self._wanted: tuple[RegisterBits, ...] = ()
        self._module: _Module  # since `open`

    def open(self, receiver: Receiver) -> None:
        place, port = self.connect()
        module = self._found(port, place, receiver.stopping)
        self._wanted = self._settings(place)
        module.set_up(self._wanted)
        settle(port, self._now_s)
        module.listen(receiver.scanned)
        self._module = module
        self._verify_at_s = self._now_s() + self._every_s

    def read(self, receiver: Receiver) -> None:
        module = self._module
        module.receive(self._verify_at_s - self._now_s())
        if module.rejected >= UNREADABLE_LIMIT:
            module.rejected, codes = 0, module.codes
            if module.verify(self._wanted) and module.codes == codes:  # else a good code has come meanwhile
                receiver.unreadable(
                    sentence("data arrives at {baud} baud, but no readable code", baud=module.baud),
                    sentence("check the wires of the scanner, especially ground"),
                )
        elif self._now_s() >= self._verify_at_s:
            module.verify(self._wanted)
            self._verify_at_s = self._now_s() + self._every_s

    def check(self) -> str:
        """Find the module; gives its speed and what would be changed. Nothing is changed."""
        try:
            place, port = self.connect()
            module = self._found(port, place, threading.Event())
            version = module.ask(read_command(SOFTWARE))
            wrong = [one.about for one, found in module.read(self._settings(place)) if not one.right(found)]
            baud = port.baudrate
        finally:
            self.close()
        name: str = "GM65"
        if version is not None:
            name = sentence("GM65 (software {version})", version=f"{version[0]:#04x}")
        state = sentence("still to be set: {what}", what=tuple(wrong)) if wrong else sentence("set up")
        return sentence(
            "a {module} at {place}, {baud} baud; {state}", module=name, place=place, baud=baud, state=state
        )

    def _found(self, port: Port, place: str, stopping: threading.Event) -> _Module:
        """The module, with the port at its speed; raises `HardwareError` if none answers."""
        for baud in self._bauds:
            port.baudrate = baud
            settle(port, self._now_s)
            module = _Module(port, place, stopping, self._now_s)
            if module.ask(read_command(OUTPUT), PROBE_S) is not None:
                self._bauds = (baud, *(one for one in self._bauds if one != baud))
                return module
        tried = " and ".join(str(baud) for baud in self._options.bauds)
        raise HardwareError(
            _DEVICE,
            sentence("no GM65 answers at {place}, tried at {tried} baud", place=place, tried=tried),
            sentence(
                "connect its TX to the RX of the Pi, and its RX to the TX; another kind of scanner needs "
                'driver = "serial"'
            ),
        )

    def _settings(self, place: str) -> tuple[RegisterBits, ...]:
        return settings(
            trigger=self._options.trigger,
            same_code_s=self._options.same_code_s,
            setup_codes=self._options.setup_codes,
            # /dev/ttyACM0 is the module's own USB plug; an adapter on its serial wires is /dev/ttyUSB0.
            over_usb=any(path.name.startswith("ttyACM") for path in (Path(place), Path(place).resolve())),
        )


class _Module:
    """A module on an open port. Scans between its answers are passed to what `listen` was given."""

    def __init__(self, port: Port, place: str, stopping: threading.Event, now_s: Callable[[], float]) -> None:
        self.rejected = 0  # invalid lines since the last code
        self.codes = 0  # codes that were sent on
        self._port = port
        self._place = place
        self._stopping = stopping
        self._now_s = now_s
        self._received_s = 0.0
        self._stream = Gm65Stream()
        self._scanned: Callable[[ScannedCode], None] | None = None  # None: scans are dropped

    @property
    def baud(self) -> int:
        return self._port.baudrate

    def listen(self, scanned: Callable[[ScannedCode], None]) -> None:
        """From now on scans count, and are passed to `scanned`."""
        self._stream.forget()
        self._scanned = scanned

    def receive(self, wait_s: float) -> list[Reply]:
        """Read what comes first within `wait_s`; scans are passed on, replies are returned."""
        if (due_s := self._stream.due_s) is not None:
            wait_s = min(wait_s, due_s - self._now_s())
        data = read_some(self._port, None if wait_s == inf else max(0.0, wait_s))
        if data:
            self._received_s = self._now_s()
        before = self._stream.rejected
        found = self._stream.feed(data, self._now_s()) if data else self._stream.silent(self._now_s())
        self.rejected += self._stream.rejected - before
        replies = []
        for one in found:
            if isinstance(one, Reply):
                replies.append(one)
            elif self._scanned is not None:
                self.rejected = 0
                self.codes += 1
                self._scanned(one)
        return replies

    def ask(self, command: bytes, within_s: float = ANSWER_S) -> bytes | None:
        """Send a command; gives the data of its reply, or None if none came. The line is quiet then."""
        self._port.write(command)
        until_s = self._now_s() + within_s
        while (left_s := until_s - self._now_s()) > 0 and not self._stopping.is_set():
            for reply in self.receive(left_s):
                return reply.data
        # A reply that comes too late must not be taken for that of the next command.
        until_s = self._now_s() + LONGEST_SETTLE_S
        self._received_s = self._now_s()
        while self._received_s + SETTLE_S > self._now_s() < until_s and not self._stopping.is_set():
            self.receive(self._received_s + SETTLE_S - self._now_s())
        return None

    def read(self, wanted: Iterable[RegisterBits]) -> list[tuple[RegisterBits, int]]:
        """Each setting with what its register holds. Registers that not every module has may be missing.

        Raises `HardwareError` where there is no answer for a required register.
        """
        found = []
        for setting in wanted:
            data = self.ask(read_command(setting.register))
            if data is not None:
                found.append((setting, data[0]))
            elif setting.required:
                raise self._silent()
        return found

    def set_up(self, wanted: Iterable[RegisterBits]) -> None:
        """Write the registers that differ, read them back, and save them; nothing if none differs."""
        wrong = [(setting, found) for setting, found in self.read(wanted) if not setting.right(found)]
        for setting, found in wrong:
            self.ask(write_command(setting.register, setting.corrected(found)))
        for setting, found in self.read(setting for setting, _ in wrong):
            if not setting.right(found):
                raise HardwareError(
                    _DEVICE,
                    sentence(
                        "the GM65 at {place} does not accept the setting: {about}",
                        place=self._place,
                        about=setting.about,
                    ),
                    sentence(
                        "switch it off and on; if that does not help, please report it with the output of "
                        "`nimmt doctor`"
                    ),
                )
        if wrong:
            self.ask(SAVE)  # a module that does not save is set up again at the next start

    def verify(self, wanted: tuple[RegisterBits, ...]) -> bool:
        """Whether it is still set up; if not, it is set up again. Raises `HardwareError` where it is silent.

        Two registers show that it was reset: what it sends its codes to, and whether it obeys setup codes.
        """
        signs = [setting for setting in wanted if setting.register in (OUTPUT, SETUP_CODES)]
        try:
            found = self.read(signs)
        except HardwareError:
            found = self.read(signs)  # once more: it may have been busy with a code
        if all(setting.right(value) for setting, value in found):
            return True
        self.set_up(wanted)
        return False

    def _silent(self) -> HardwareError:
        return HardwareError(
            _DEVICE,
            sentence("the GM65 at {place} no longer answers", place=self._place),
            sentence("check its plug and its power; the program keeps trying every baud rate"),
        )
