"""A scanner module that answers commands: it is found, set up, read, and asked whether it is still there.

Answers and scans share one line. A driver derives from `AnsweringModule` for what its module is asked, and
has a stream that divides the bytes of the line; `ModuleSource` does the rest.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from math import inf
from typing import Annotated, Any, ClassVar, Final, Generic, Protocol, TypeVar

from msgspec import Struct

from hardware.errors import HardwareError, Sentence, sentence
from hardware.options import option
from hardware.ports import Scanned
from hardware.scanner.serial_line import (
    LONGEST_SETTLE_S,
    PORT,
    SETTLE_S,
    Port,
    SerialSource,
    check_port,
    read_some,
    settle,
)
from hardware.scanner.source import UNREADABLE_LIMIT, Receiver

BAUDS: Final = (9600, 115_200)
"""9600 is the factory setting of both families; others have found modules at 115200."""

PROBE_S: Final = 0.4
"""How long to wait at a speed that may not be the module's. A reply of one byte takes 7 ms at 9600 baud."""
ANSWER_S: Final = 1.0
"""How long to wait for a module that has answered before; it may be busy with a code."""

_DEVICE: Final = "scanner"

Answer = TypeVar("Answer")


class ModuleOptions(Struct, frozen=True):
    """What can be configured of every module."""

    port: Annotated[str, PORT] = "/dev/ttyAMA0"
    bauds: Annotated[
        tuple[int, ...],
        option("baud rates at which the module is searched for, in this order", low=1200, high=115_200),
    ] = BAUDS
    look_every_s: Annotated[
        float,
        option("seconds between two checks that the module is connected; 0 means never", low=0.0, high=600.0),
    ] = 5.0

    def __post_init__(self) -> None:
        check_port(self.port)
        if not self.bauds:
            raise ValueError(sentence("bauds is empty: give at least one baud rate, such as 9600"))


class Stream(Protocol):
    """Divides the bytes of a line. Not thread-safe; times as in `Framer`."""

    @property
    def due_s(self) -> float | None:
        """When `feed` has something to do if no bytes come before."""

    def feed(self, data: bytes, now_s: float) -> Sequence[Any]:
        """Take the bytes that were read at `now_s`, if any; gives what ends in them or in the silence."""

    def forget(self) -> None:
        """Start again, as on a line that has just been opened."""


class AnsweringModule(ABC, Generic[Answer]):
    """A module on an open port. Its scans are passed to what `listen` was given, and dropped before that."""

    NAME: ClassVar[str]

    def __init__(
        self,
        port: Port,
        place: str,
        options: Any,  # noqa: ANN401 - those of the driver
        stopping: threading.Event,
        now_s: Callable[[], float],
    ) -> None:
        self.rejected = 0  # what was invalid since the last code
        self.codes = 0  # codes that were sent on
        self.port = port
        self._place = place
        self._options = options
        self._stopping = stopping
        self._now_s = now_s
        self._received_s = 0.0
        self._stream = self._new_stream()
        self._scanned: Callable[[Scanned], None] | None = None

    # ----------------------------------------------------------------------------- what a driver writes

    @abstractmethod
    def _new_stream(self) -> Stream:
        """What divides its bytes."""

    @abstractmethod
    def _take(self, one: Any) -> Answer | None:  # noqa: ANN401 - what the stream gives
        """Deal with what came; gives it if it is the answer to a command."""

    @abstractmethod
    def answers(self, within_s: float = ANSWER_S) -> bool:
        """Whether it answers at this speed."""

    @abstractmethod
    def set_up(self) -> None:
        """Write the settings that differ, and nothing else: its memory wears out. Raises `HardwareError`."""

    @abstractmethod
    def verify(self) -> bool:
        """Whether it is still set up; if not, it is set up again. Raises `HardwareError`."""

    @abstractmethod
    def described(self) -> tuple[str, str]:
        """Its name with its version, and how it is set up, for people. Nothing is changed."""

    def attend(self) -> bool:
        """Do what has to be done before all else, after each read; whether that was anything."""
        return False

    # ----------------------------------------------------------------------------- what it has

    def listen(self, scanned: Callable[[Scanned], None]) -> None:
        """From now on scans count, and are passed to `scanned`; what came before is forgotten."""
        self.wait_quiet(SETTLE_S)
        self._stream.forget()
        self.rejected = 0
        self._scanned = scanned

    def receive(self, wait_s: float) -> list[Answer]:
        """Read what comes first within `wait_s`; gives the answers in it."""
        if (due_s := self._stream.due_s) is not None:
            wait_s = min(wait_s, due_s - self._now_s())
        data = read_some(self.port, None if wait_s == inf else max(0.0, wait_s))
        if data:
            self._received_s = self._now_s()
        found = self._stream.feed(data, self._now_s())
        return [answer for one in found if (answer := self._take(one)) is not None]

    def ask(self, command: bytes, within_s: float = ANSWER_S) -> Answer | None:
        """Send a command; gives its answer, or None if none came. The line is quiet then."""
        self.port.write(command)
        until_s = self._now_s() + within_s
        while (left_s := until_s - self._now_s()) > 0 and not self._stopping.is_set():
            for answer in self.receive(left_s):
                return answer
        self.wait_quiet(SETTLE_S)  # an answer that is late must not be taken for that of the next command
        return None

    def wait_quiet(self, for_s: float) -> None:
        """Receive until the line has been silent for `for_s`; at most `LONGEST_SETTLE_S`."""
        until_s = self._now_s() + LONGEST_SETTLE_S
        self._received_s = self._now_s()
        while self._received_s + for_s > self._now_s() < until_s and not self._stopping.is_set():
            self.receive(self._received_s + for_s - self._now_s())

    def _send_on(self, code: Scanned) -> None:
        if self._scanned is not None:
            self.rejected = 0
            self.codes += 1
            self._scanned(code)

    def _silent(self) -> HardwareError:
        return HardwareError(
            _DEVICE,
            sentence("the {module} at {place} no longer answers", module=self.NAME, place=self._place),
            sentence("check its plug and its power; the program keeps trying every baud rate"),
        )

    def _refused(self, setting: Sentence) -> HardwareError:
        return HardwareError(
            _DEVICE,
            sentence(
                "the {module} at {place} does not accept the setting: {setting}",
                module=self.NAME,
                place=self._place,
                setting=setting,
            ),
            sentence(
                "switch it off and on; if that does not help, please report it with the output of "
                "`nimmt doctor`"
            ),
        )


class ModuleSource(SerialSource):
    """Finds a module, sets it up, reads its scans, and checks regularly that it is still there."""

    def __init__(
        self, kind: type[AnsweringModule[Any]], options: ModuleOptions, now_s: Callable[[], float]
    ) -> None:
        super().__init__(options.port, options.bauds[0], now_s)
        self._kind = kind
        self._options = options
        self._bauds = options.bauds  # the speed that worked last comes first
        self._verify_at_s = inf  # when to verify next
        self._module: AnsweringModule[Any]  # since `open`

    def open(self, receiver: Receiver) -> None:
        self._module = self._found(receiver.stopping)
        self._module.set_up()
        self._module.listen(receiver.scanned)
        self._plan()

    def read(self, receiver: Receiver) -> None:
        """Read what comes next, and verify the module when that is due."""
        module = self._module
        module.receive(self._verify_at_s - self._now_s())
        if module.attend():
            return
        if module.rejected >= UNREADABLE_LIMIT:
            module.rejected, codes = 0, module.codes
            if module.verify() and module.codes == codes:  # else a good code has come meanwhile
                receiver.unreadable(
                    sentence("data arrives at {baud} baud, but no readable code", baud=module.port.baudrate),
                    sentence("check the wires of the scanner, especially ground"),
                )
        elif self._now_s() >= self._verify_at_s:
            module.verify()
            self._plan()

    def check(self) -> str:
        """Find the module; gives its speed and what would be changed. Nothing is changed."""
        try:
            module = self._found(threading.Event())
            name, state = module.described()
            baud = module.port.baudrate
        finally:
            self.close()
        return sentence(
            "a {module} at {place}, {baud} baud; {state}",
            module=name,
            place=self._place,
            baud=baud,
            state=state,
        )

    def _plan(self) -> None:
        self._verify_at_s = self._now_s() + (self._options.look_every_s or inf)

    def _found(self, stopping: threading.Event) -> AnsweringModule[Any]:
        """The module, with the port at its speed; raises `HardwareError` if none answers."""
        self._place, port = self.connect()
        for baud in self._bauds:
            port.baudrate = baud
            settle(port, self._now_s)
            module = self._kind(port, self._place, self._options, stopping, self._now_s)
            if module.answers(PROBE_S):
                self._bauds = (baud, *(one for one in self._bauds if one != baud))
                return module
        tried = " and ".join(str(baud) for baud in self._options.bauds)
        raise HardwareError(
            _DEVICE,
            sentence(
                "no {module} answers at {place}, tried at {tried} baud",
                module=self._kind.NAME,
                place=self._place,
                tried=tried,
            ),
            sentence(
                "connect its TX to the RX of the Pi, and its RX to the TX; another kind of scanner needs "
                'driver = "serial"'
            ),
        )
