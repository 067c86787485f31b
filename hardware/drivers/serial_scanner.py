"""A barcode scanner on a serial port, by pyserial: any scanner that sends its codes as text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from hardware.errors import sentence
from hardware.options import option
from hardware.scanner.framing import SILENCE_S, End, Framer
from hardware.scanner.serial_line import LINK, PORT, TextSource, check_port
from hardware.scanner.source import SourceScanner


class SerialScanner(SourceScanner):
    """A scanner that sends each code as text over a serial line, with or without an end character.

    Wiring: a USB scanner set to "USB serial" (also called USB-COM or USB-CDC) needs its plug only. A module
    on the header: TX to GPIO 15 (pin 10), RX to GPIO 14 (pin 8), 5 V to pin 2, ground to pin 6; its signals
    must be 3.3 V.

    ```toml
    [scanner]
    driver = "serial"
    port = "auto"
    ```

    ```python
    from hardware.drivers.serial_scanner import SerialScanner

    scanner = SerialScanner(SerialScanner.Options(port="auto"))
    print(scanner.check())
    scanner.start(print)  # Scanned(text='42', at_s=81203.114)
    ```
    """

    class Options(Struct, frozen=True):
        """The port of the scanner, and what it sends."""

        port: Annotated[str, PORT] = LINK
        baud: Annotated[
            int, option("baud rate; a scanner with its own USB port ignores it", low=300, high=4_000_000)
        ] = 9600
        end: Annotated[
            str,
            option("what follows a code; auto accepts any of them", among=tuple(end.value for end in End)),
        ] = "auto"
        silence_s: Annotated[
            float,
            option(
                "seconds without a byte after which a code is complete (or broken off, if its end is "
                "missing)",
                low=0.02,
                high=2.0,
            ),
        ] = SILENCE_S

        def __post_init__(self) -> None:
            check_port(self.port)

    def __init__(self, options: Options, now_s: Callable[[], float] = time.monotonic) -> None:
        advice = sentence(
            "set baud and end under [scanner] to what the scanner sends (now {baud}, {end})",
            baud=options.baud,
            end=repr(options.end),
        )
        framer = Framer(End(options.end), silence_s=options.silence_s)
        super().__init__(TextSource(options.port, options.baud, framer, advice, now_s), now_s)


Options = SerialScanner.Options
