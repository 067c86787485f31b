"""A barcode scanner that acts as a keyboard, by the kernel's input events. A serial scanner is always better.

The keyboard is taken for this program alone: otherwise every card would be typed into the console as well.
The keys are read, not the characters, so the layout of the console does not matter (see `UsKeyboard`).
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from hardware.errors import sentence
from hardware.options import option
from hardware.scanner.framing import SILENCE_S, End, Framer
from hardware.scanner.input_devices import AUTO, check_device
from hardware.scanner.keyboard_line import KeyboardSource
from hardware.scanner.source import SourceScanner


class HidScanner(SourceScanner):
    """A scanner that types its codes as a keyboard does. Wiring: its USB plug.

    The keyboard is taken for this program alone, so nothing is typed into a console. It may be set
    to the layout of any country with letters as in the US, Germany or France.

    ```toml
    [scanner]
    driver = "hid"
    device = "auto"
    ```

    ```python
    from hardware.drivers.hid_scanner import HidScanner

    scanner = HidScanner(HidScanner.Options())
    print(scanner.check())  # USB Barcode Scanner at /dev/input/event7; scan a code to see what it types
    scanner.start(print)
    ```
    """

    class Options(Struct, frozen=True):
        """Which keyboard is the scanner, and what it types after a code."""

        device: Annotated[
            str,
            option(
                "auto uses the only keyboard with a scanner's name; name:<part of the name> or "
                "usb:<vendor>:<product> selects one (`nimmt doctor` lists them); or give its file, "
                "preferably in /dev/input/by-id"
            ),
        ] = AUTO
        end: Annotated[
            str,
            option(
                "the key after a code: cr is Enter; auto accepts any of them",
                among=tuple(end.value for end in (End.AUTO, End.CR, End.TAB, End.SILENCE)),
            ),
        ] = "auto"
        silence_s: Annotated[
            float,
            option(
                "seconds without a key after which a code is complete (or broken off, if its end is missing)",
                low=0.02,
                high=2.0,
            ),
        ] = SILENCE_S

        def __post_init__(self) -> None:
            check_device(self.device)

    def __init__(
        self,
        options: Options,
        now_s: Callable[[], float] = time.monotonic,
        *,
        root: Path = Path("/"),
        ioctl: Callable[[int, int, int], Any] = fcntl.ioctl,
    ) -> None:
        """`root` is where the kernel's file system begins, `ioctl` how it is asked; tests have their own."""
        advice = sentence(
            "set the scanner to a US keyboard layout, and set device under [scanner] to the scanner"
        )
        framer = Framer(End(options.end), silence_s=options.silence_s)
        super().__init__(KeyboardSource(options.device, framer, advice, now_s, root, ioctl), now_s)


Options = HidScanner.Options
