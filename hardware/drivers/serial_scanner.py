"""A barcode scanner on a serial port, by pyserial; where a code ends, `framing` knows.

One thread reads. It blocks in the kernel until a byte comes, hands a code on in the same moment its end
character arrives, and outlives everything: a pulled plug, a port of another program, a post that raises.
"""

from __future__ import annotations

import errno
import termios
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hardware.errors import HardwareError
from hardware.framing import SILENCE_S, Code, End, Framer
from hardware.options import option
from hardware.ports import DeviceFault, DeviceMended, Scanned
from hardware.posting import to_nobody, unharmed

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import Message

FIRST_RETRY_S: Final = 0.05
LAST_RETRY_S: Final = 1.0
STEADY_S: Final = 1.0
"""A port that served for so long is worth a quick retry; one that flaps is not."""

SETTLE_S: Final = 0.05
"""After opening, the line must have been silent for so long: what comes before that was read by the scanner
while nobody looked, or is the rear half of a code. `LONGEST_SETTLE_S` ends it on a line that babbles."""
LONGEST_SETTLE_S: Final = 1.0

REJECTS_TOLD: Final = 3
"""So many lines in a row that are no code: not dirt on a card but a wrong setting, and worth a fault."""

_DEVICE: Final = "scanner"
_CHUNK: Final = 4096
_LEAVE_S: Final = 2.0

# pyserial's own SerialException is an OSError. termios.error is none (reset_input_buffer on a pulled plug);
# TypeError comes from list_ports when a device vanishes during a hwgrep:// search, and from a port that was
# closed under a read (https://github.com/pyserial/pyserial/issues/341). ValueError: a URL it cannot read.
_LOST: Final = (OSError, termios.error, TypeError, ValueError)


class SerialScanner:
    """The scanner port over a serial line. It posts `Scanned`, and `DeviceFault`/`DeviceMended` of "scanner".

    Each fault is posted once, and again only when its text changes.
    """

    @dataclass(frozen=True, slots=True)
    class Options:
        """Where the scanner is, and what it sends."""

        port: str = option(
            "the device file, best the stable link of our udev rule or of /dev/serial/by-id; "
            "hwgrep://<vendor>:<product> looks for a USB id",
            "/dev/nimmt-scanner",
        )
        baud: int = option(
            "bits per second; a scanner that is USB itself does not mind", 9600, low=300, high=4_000_000
        )
        end: str = option(
            "what comes after a code; auto takes what comes",
            "auto",
            among=tuple(end.value for end in End),
        )
        silence_s: float = option(
            "seconds without a byte after which a code is over (torn, where it should have had an end)",
            SILENCE_S,
            low=0.02,
            high=2.0,
        )

    def __init__(self, options: Options, now_s: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._now_s = now_s
        self._post: Callable[[Message], None] = to_nobody
        self._leaving = threading.Event()
        self._listening = threading.Event()
        self._thread: threading.Thread | None = None
        self._port: Any = None  # guarded by the lock, because close() pokes it
        self._lock = threading.Lock()
        self._told: tuple[str, str] | None = None

    # ----------------------------------------------------------------------------- any thread

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; the port is opened in the thread. A second start without a close is a `RuntimeError`."""
        if self._thread is not None:
            raise RuntimeError("the scanner is already started; close it first")
        self._post = unharmed(post)
        self._leaving.clear()
        self._thread = threading.Thread(target=self._run, name=_DEVICE, daemon=True)
        self._thread.start()

    def wait_listening(self, timeout_s: float) -> bool:
        """Wait until a scan would be heard; False if it is not in time."""
        return self._listening.wait(timeout_s)

    def alive(self) -> bool:
        """Whether the reading thread lives."""
        return self._thread is not None and self._thread.is_alive()

    def check(self) -> str:
        """Open the port and close it again. A scanner that is not asked to scan says nothing of itself."""
        try:
            port = _opened(self._options)
            with port:
                port.reset_input_buffer()
        except _LOST as lost:
            raise HardwareError(_DEVICE, *_explained(self._options.port, lost)) from lost
        except ImportError as missing:
            raise HardwareError(_DEVICE, *_MISSING) from missing
        return f"{self._options.port} opens at {self._options.baud} baud; scan a code to see what it sends"

    def close(self) -> None:
        """Stop the thread and free the port. More than once does no harm."""
        self._leaving.set()
        with self._lock:
            if self._port is not None:
                self._port.cancel_read()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(_LEAVE_S)

    # ----------------------------------------------------------------------------- the thread

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self._leaving.is_set():
            opened_s = self._now_s()
            try:
                self._serve()
            except _LOST as lost:
                self._ill(*_explained(self._options.port, lost))
            except ImportError:
                self._ill(*_MISSING)
                return
            if self._now_s() - opened_s > STEADY_S:
                retry_s = FIRST_RETRY_S
            self._leaving.wait(retry_s)
            retry_s = min(2 * retry_s, LAST_RETRY_S)

    def _serve(self) -> None:
        """Open the port and read until it is lost or closed."""
        port = _opened(self._options)
        with self._lock:
            self._port = port
        try:
            self._settle(port)
            if not self._leaving.is_set():
                self._well()
                self._listening.set()
                self._listen(port)
        finally:
            self._listening.clear()
            with self._lock:
                self._port = None
            # pyserial leaves a lost port open; then the scanner would come back under another name.
            port.close()

    def _settle(self, port: Any) -> None:  # noqa: ANN401 - pyserial chooses the class by the URL
        port.timeout = SETTLE_S
        port.reset_input_buffer()
        until_s = self._now_s() + LONGEST_SETTLE_S
        while port.read(_CHUNK) and self._now_s() < until_s:
            pass

    def _listen(self, port: Any) -> None:  # noqa: ANN401
        framer = Framer(End(self._options.end), silence_s=self._options.silence_s)
        rejected_before = 0
        while not self._leaving.is_set():
            due_s = framer.due_s
            wait_s = None if due_s is None else max(0.0, due_s - self._now_s())
            if port.timeout != wait_s:
                port.timeout = wait_s
            data = port.read(1)
            if data:
                data += port.read(min(port.in_waiting, _CHUNK))
            codes = framer.feed(data, self._now_s()) if data else framer.silent(self._now_s())
            for code in codes:
                self._hand_on(code)
                rejected_before = framer.rejected
            if framer.rejected - rejected_before >= REJECTS_TOLD:
                self._ill(
                    "something arrives, but no readable code",
                    f"set baud and end under [scanner] to what the scanner sends (now {self._options.baud}, "
                    f"{self._options.end!r})",
                )

    def _hand_on(self, code: Code) -> None:
        self._well()
        self._post(Scanned(code.text, code.at_s))

    def _ill(self, fault: str, check: str) -> None:
        told = (fault, check)
        if self._told != told:
            self._told = told
            self._post(DeviceFault(_DEVICE, fault, check))

    def _well(self) -> None:
        if self._told is not None:
            self._told = None
            self._post(DeviceMended(_DEVICE))


Options = SerialScanner.Options

_MISSING: Final = ("the Python package pyserial is not installed", "install pyserial")


def _opened(options: Options) -> Any:  # noqa: ANN401 - pyserial chooses the class by the URL
    """The open port, locked against other programs that ask (flock). Raises one of `_LOST`, `ImportError`."""
    import serial

    return serial.serial_for_url(options.port, baudrate=options.baud, timeout=SETTLE_S, exclusive=True)


def _explained(port: str, lost: BaseException) -> tuple[str, str]:
    """The fault and what to check, for people."""
    # pyserial wraps termios.error and drops its number.
    cause = lost if isinstance(lost, OSError) and lost.errno is not None else lost.__context__ or lost
    number = next((value for value in cause.args[:1] if isinstance(value, int)), None)
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"another program uses {port}", f"close it; `fuser -v {port}` shows which one it is"
    if number in (errno.EACCES, errno.EPERM):
        return f"no permission to open {port}", "install our udev rule, or join the group dialout"
    if number in (errno.ENOTTY, errno.EINVAL, errno.EISDIR):
        return f"{port} is no serial port", "set port under [scanner]; `ls -l /dev/serial/by-id` shows them"
    if isinstance(lost, ValueError):
        return f"{port} cannot be opened: {lost}", "set port and baud under [scanner]"
    # Gone in the middle of a read, or not there at all: the same to people, and so told once.
    return f"no scanner at {port}", "plug it in; set port under [scanner] if it is at another one"
