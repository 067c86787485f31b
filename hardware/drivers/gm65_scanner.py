"""A scanner module of the GM65 family on a serial port, by pyserial. Its protocol: `hardware.scanner.gm65`.

The driver looks for the module at each of its speeds, reads its settings and writes only those that differ.
They are saved only when something was written, because the module's memory wears out. Every few seconds the
driver asks whether the module is still there and still set up: one that was reset or set to another speed in
the middle of a match is found and set up again.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

from hardware.errors import HardwareError, sentence
from hardware.options import option
from hardware.ports import Scanned
from hardware.scanner.gm65 import (
    OUTPUT,
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
from hardware.scanner.module import ANSWER_S, AnsweringModule, ModuleOptions, ModuleSource
from hardware.scanner.source import SourceScanner


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

    class Options(ModuleOptions, frozen=True):
        """The port of the module, and its settings."""

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

    def __init__(self, options: Options, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(ModuleSource(_Gm65, options, now_s), now_s)


Options = Gm65Scanner.Options


class _Gm65(AnsweringModule[Reply]):
    NAME = "GM65"

    _stream: Gm65Stream

    def _new_stream(self) -> Gm65Stream:
        return Gm65Stream()

    def receive(self, wait_s: float) -> list[Reply]:
        before, codes = self._stream.rejected, self.codes
        replies = super().receive(wait_s)
        if self.codes == codes:  # else the line is good
            self.rejected += self._stream.rejected - before
        return replies

    def _take(self, one: Reply | Scanned) -> Reply | None:
        if isinstance(one, Reply):
            return one
        self._send_on(one)
        return None

    def answers(self, within_s: float = ANSWER_S) -> bool:
        return self.ask(read_command(OUTPUT), within_s) is not None

    def described(self) -> tuple[str, str]:
        version = self.ask(read_command(SOFTWARE))
        wrong = tuple(one.about for one, found in self._read(self._wanted()) if not one.right(found))
        name: str = self.NAME
        if version is not None:
            name = sentence("GM65 (software {version})", version=f"{version.data[0]:#04x}")
        return name, sentence("still to be set: {what}", what=wrong) if wrong else sentence("set up")

    def set_up(self) -> None:
        """Write the registers that differ, read them back, and save them; nothing if none differs."""
        wrong = [
            (setting, found) for setting, found in self._read(self._wanted()) if not setting.right(found)
        ]
        for setting, found in wrong:
            self.ask(write_command(setting.register, setting.corrected(found)))
        for setting, found in self._read(setting for setting, _ in wrong):
            if not setting.right(found):
                raise self._refused(setting.about)
        if wrong:
            self.ask(SAVE)  # a module that does not save is set up again at the next start

    def verify(self) -> bool:
        # Two registers show that it was reset: what it sends its codes to, and whether it obeys setup codes.
        signs = [setting for setting in self._wanted() if setting.register in (OUTPUT, SETUP_CODES)]
        try:
            found = self._read(signs)
        except HardwareError:
            found = self._read(signs)  # once more: it may have been busy with a code
        if all(setting.right(value) for setting, value in found):
            return True
        self.set_up()
        return False

    def _read(self, wanted: Iterable[RegisterBits]) -> list[tuple[RegisterBits, int]]:
        """Each setting with what its register holds. Registers that not every module has may be missing.

        Raises `HardwareError` where there is no answer for a required register.
        """
        found = []
        for setting in wanted:
            reply = self.ask(read_command(setting.register))
            if reply is not None:
                found.append((setting, reply.data[0]))
            elif setting.required:
                raise self._silent()
        return found

    def _wanted(self) -> tuple[RegisterBits, ...]:
        return settings(
            trigger=self._options.trigger,
            same_code_s=self._options.same_code_s,
            setup_codes=self._options.setup_codes,
            # /dev/ttyACM0 is the module's own USB plug; an adapter on its serial wires is /dev/ttyUSB0.
            over_usb=any(
                path.name.startswith("ttyACM") for path in (Path(self._place), Path(self._place).resolve())
            ),
        )
