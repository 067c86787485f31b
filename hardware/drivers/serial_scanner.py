"""A barcode scanner on a serial port, by pyserial; where a code ends, `framing` knows.

One thread reads. It blocks in the kernel until a byte comes, hands a code on in the same moment its end
character arrives, and outlives everything: a pulled plug, a port of another program, a post that raises.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.options import option
from hardware.scanner.framing import SILENCE_S, End, Framer
from hardware.scanner.reading import REJECTS_TOLD, Reading
from hardware.scanner.serial_line import SETTLE_S, explained, read_some, settle, told
from hardware.scanner.serial_places import LINK, PORT_ABOUT, check_place, place_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import Message
    from hardware.scanner.serial_line import Port


class SerialScanner:
    """The scanner port over a serial line.

    It posts `Scanned`, and `DeviceFault` and `DeviceRecovered` of "scanner".

    Each fault is posted once, and again only when its text changes.
    """

    @dataclass(frozen=True, slots=True)
    class Options:
        """Where the scanner is, and what it sends."""

        port: str = option(PORT_ABOUT, LINK)
        baud: int = option(
            "baud rate; a scanner with its own USB port ignores it", 9600, low=300, high=4_000_000
        )
        end: str = option(
            "what follows a code; auto accepts any of them",
            "auto",
            among=tuple(end.value for end in End),
        )
        silence_s: float = option(
            "seconds without a byte after which a code is complete (or broken off, if its end is missing)",
            SILENCE_S,
            low=0.02,
            high=2.0,
        )

        def __post_init__(self) -> None:
            check_place(self.port)

    def __init__(self, options: Options, now_s: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._now_s = now_s
        self._reading = Reading(self._serve, lambda lost: explained(options.port, lost), now_s)

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
        """Open the port and close it again. A scanner that is not asked to scan says nothing of itself."""
        with told(self._options.port):
            place, port = _opened(self._options)
            with closing(port):
                port.reset_input_buffer()
        return f"{place} opens at {self._options.baud} baud; scan a code to see what it sends"

    def close(self) -> None:
        """Stop the thread and free the port. More than once does no harm."""
        self._reading.close()

    # ----------------------------------------------------------------------------- the thread

    def _serve(self) -> None:
        """Open the port and read until it is lost or closed."""
        _, port = _opened(self._options)
        with closing(port), self._reading.interrupted_by(port.cancel_read):
            settle(port, self._now_s)
            if not self._reading.leaving.is_set():
                self._reading.listens()
                self._listen(port)

    def _listen(self, port: Port) -> None:
        framer = Framer(End(self._options.end), silence_s=self._options.silence_s)
        rejected_before = 0
        while not self._reading.leaving.is_set():
            due_s = framer.due_s
            data = read_some(port, None if due_s is None else max(0.0, due_s - self._now_s()))
            codes = framer.feed(data, self._now_s()) if data else framer.silent(self._now_s())
            for code in codes:
                self._reading.hand_on(code)
                rejected_before = framer.rejected
            if framer.rejected - rejected_before >= REJECTS_TOLD:
                self._reading.ill(
                    "data arrives, but no readable code",
                    f"set baud and end under [scanner] to what the scanner sends (now {self._options.baud}, "
                    f"{self._options.end!r})",
                )


Options = SerialScanner.Options


def _opened(options: Options) -> tuple[str, Port]:
    """Its place, and the open port, locked against other programs that ask (flock).

    Raises one of `LOST`, `ImportError`.
    """
    import serial
    from serial.tools.list_ports import comports

    place = place_of(options.port, comports)
    port: Port = serial.serial_for_url(place, baudrate=options.baud, timeout=SETTLE_S, exclusive=True)
    return place, port
