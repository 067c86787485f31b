"""A barcode scanner on a serial port, by pyserial: any scanner that sends its codes as text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from hardware.options import option
from hardware.scanner.framing import SILENCE_S, End, Framer
from hardware.scanner.serial_line import LINK, PORT, SerialSource, check_port
from hardware.scanner.source import SourceScanner
from hardware.scanner.speed import SpeedSearch


class SerialScanner(SourceScanner):
    """A scanner that sends each code as text over a serial line, with or without an end character.

    Wiring: a USB scanner set to "USB serial" (also called USB-COM or USB-CDC) needs its plug only. A module
    on the header: TX to GPIO 15 (pin 10), RX to GPIO 14 (pin 8), 5 V to pin 2, ground to pin 6; its signals
    must be 3.3 V, and its output must be set to the serial port if it is sold as a keyboard.

    The speed is found by scanning: what cannot be read is dropped, and the next usual speed is tried. A
    scanner at 9600 baud is understood from its first code on, one at another speed after one to five more.

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
            int | None,
            option(
                "baud rate; if not set, it is found from the first codes of six characters or more",
                low=300,
                high=4_000_000,
            ),
        ] = None
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
        framer = Framer(End(options.end), silence_s=options.silence_s)
        super().__init__(SerialSource(options.port, SpeedSearch(options.baud), framer, now_s), now_s)


Options = SerialScanner.Options
