"""A simulated GPIO chip under the real `gpiod` package, and so under the real gpiozero.

gpiod is a C module, `gpiod._ext`, and Python classes on top of it. `installed` replaces what of the C module
opens a chip. So our pins run over the real classes: chips, requests, line settings, edge events.

Its behaviour is that of libgpiod 2.3 and of the kernel's gpiolib-cdev.c:
- a line that another request or program holds gives EBUSY, one that the chip does not have EINVAL;
- a request keeps as many edges as its buffer holds, 16 where nothing else is asked for, and drops the oldest;
- with a debounce time only an edge whose level stays is reported, if that is not the level reported last, and
  its time stamp is that of the edge plus the debounce time.
"""

import errno
import heapq
import os
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Final

from gpiod import _ext
from gpiod.chip_info import ChipInfo
from gpiod.edge_event import EdgeEvent
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero.pins import local
from msgspec import Struct, field

PI_5: Final = 0xD04170
"""The revision of the board, as /proc/cpuinfo shows it."""

PATH: Final = "/dev/gpiochip0"
LABEL: Final = "pinctrl-rp1"
ELSEWHERE: Final = -1
"""Marks a line that another program has claimed."""

_KERNEL_BUFFER: Final = 16
_REPORTED: Final = {
    Edge.NONE.value: (),
    Edge.RISING.value: (1,),
    Edge.FALLING.value: (0,),
    Edge.BOTH.value: (0, 1),
}
"""The levels whose edges are reported."""
_EVENTS: Final = (EdgeEvent.Type.FALLING_EDGE.value, EdgeEvent.Type.RISING_EDGE.value)
"""By the level after the edge."""


class ChipLine(Struct):
    """One line of the chip: how a request has set it, and what drives it from outside."""

    holder: int | None = None  # a request, or ELSEWHERE; None: free
    pulled_up: bool = False
    output: bool = False
    driven: int | None = None  # the level from outside; None: that of the pull resistor
    reported: tuple[int, ...] = ()  # the levels whose edges are reported
    debounce_ns: int = 0
    last_report: int | None = None
    written: int = 0
    report: Callable[[int, int, int], None] = lambda *_: None  # (ns, gpio, level)

    @property
    def level(self) -> int:
        if self.output:
            return self.written
        return int(self.pulled_up) if self.driven is None else self.driven


class _Due(Struct, frozen=True, order=True):
    at_ns: int  # the time it is stamped with
    gpio: int
    level: int


class Written(Struct, frozen=True):
    """A level that was written to an output."""

    gpio: int
    level: int


class GpioChip(Struct):
    """The chip. Get it with `installed`; every method may be called by any thread.

    GPIO numbers are BCM numbers; levels are 0 and 1; times are nanoseconds of `time.monotonic_ns`.
    """

    line_count: int = 54
    lines: dict[int, ChipLine] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    working: bool = True  # False: there is no chip
    news: threading.Condition = field(default_factory=threading.Condition)
    """Hold it to look at several things at once; the same thread may take it again."""
    handles: Iterator[int] = field(default_factory=count)
    """Numbers for those who claim lines."""
    _planned: list[_Due] = field(default_factory=list)  # changes from outside that are still to come
    _unsettled: dict[int, _Due] = field(default_factory=dict)  # edges that may still bounce

    # ------------------------------------------------------------------------- what tests do

    def reset(self) -> None:
        """Nothing drives a line any more, other programs free theirs, `written` is empty. Claims stay."""
        with self.news:
            self._planned.clear()
            self._unsettled.clear()
            self.written.clear()
            self.working = True
            for line in self.lines.values():
                line.driven = None
                if line.holder == ELSEWHERE:
                    line.holder = None

    def drive(self, gpio: int, level: int, at_ns: int | None = None) -> None:
        """Put a level on a line at `at_ns` (default: now). A time in the past is only the time stamp."""
        now_ns = time.monotonic_ns()
        change = _Due(now_ns if at_ns is None else at_ns, gpio, level)
        with self.news:
            if change.at_ns <= now_ns:
                self._catch_up(change.at_ns)
                self._happen(change)
            else:
                heapq.heappush(self._planned, change)
                self.news.notify_all()

    def press(self, gpio: int, at_ns: int | None = None) -> None:
        """A key to ground is pressed: the level is 0."""
        self.drive(gpio, 0, at_ns)

    def release(self, gpio: int, at_ns: int | None = None) -> None:
        """A key to ground is released: the level is 1."""
        self.drive(gpio, 1, at_ns)

    def chatter(self, gpio: int, level: int, *, edges: int, gap_us: int, at_ns: int | None = None) -> None:
        """Go to `level` with bounces: an odd number of `edges`, `gap_us` apart, the first at `at_ns`."""
        gap_ns = gap_us * 1000
        first_ns = time.monotonic_ns() if at_ns is None else at_ns
        for number in range(edges):
            self.drive(gpio, level if number % 2 == 0 else 1 - level, first_ns + number * gap_ns)

    def noise(self, gpio: int, *, edges: int) -> None:
        """A floating wire: `edges` changes, 0.1 ms apart, from now on. An even number ends as it began."""
        self.chatter(gpio, 1 - self.read(gpio), edges=edges, gap_us=100)

    def take_elsewhere(self, gpio: int) -> None:
        """Another program claims the line, which must be free."""
        with self.news:
            self.lines[gpio] = ChipLine(ELSEWHERE)

    def wait_until(self, ready: Callable[[], bool], timeout_s: float) -> bool:
        """Wait until `ready` holds; checked whenever a request did something. False if it takes too long."""
        with self.news:
            return self.news.wait_for(ready, timeout_s)

    def wait_watched(self, *gpios: int, timeout_s: float = 5.0) -> bool:
        """Wait until the edges of all these lines are watched."""
        return self.wait_until(lambda: all(map(self.watched, gpios)), timeout_s)

    def watched(self, gpio: int) -> bool:
        return bool(self.line(gpio).reported)

    def line(self, gpio: int) -> ChipLine:
        return self.lines.setdefault(gpio, ChipLine())

    # ------------------------------------------------------------------------- what a request does

    def claim(
        self, gpio: int, holder: int, report: Callable[[int, int, int], None], wanted: dict[str, int]
    ) -> None:
        """Claim a line, or change the settings of a claimed one. Raises `OSError`."""
        if not 0 <= gpio < self.line_count:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        with self.news:
            before = self.line(gpio)
            if before.holder not in (None, holder):
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            line = ChipLine(
                holder,
                pulled_up=wanted["bias"] == Bias.PULL_UP.value,
                output=wanted["direction"] == Direction.OUTPUT.value,
                driven=before.driven,
                reported=_REPORTED[wanted["edge_detection"]],
                debounce_ns=wanted["debounce_period"] * 1000,
                report=report,
            )
            line.last_report = line.level
            self.lines[gpio] = line
            self._unsettled.pop(gpio, None)
            self.news.notify_all()
        if line.output:
            self.write(gpio, wanted["output_value"])

    def free(self, gpio: int) -> None:
        with self.news:
            self.lines[gpio] = ChipLine(driven=self.line(gpio).driven)
            self.news.notify_all()

    def read(self, gpio: int) -> int:
        with self.news:
            self._catch_up(time.monotonic_ns())
            return self.line(gpio).level

    def write(self, gpio: int, level: int) -> None:
        with self.news:
            self.written.append(Written(gpio, level))
            self.line(gpio).written = level
            self.news.notify_all()

    # ------------------------------------------------------------------------- the passing of time

    def run(self) -> None:
        """Let what is planned happen in time, for ever."""
        while True:
            with self.news:
                now_ns = time.monotonic_ns()
                self._catch_up(now_ns)
                dues = [edge.at_ns + self.line(gpio).debounce_ns for gpio, edge in self._unsettled.items()]
                dues += [change.at_ns for change in self._planned[:1]]
                self.news.wait(max(1, min(dues) - now_ns + 1) / 1e9 if dues else None)

    def _catch_up(self, now_ns: int) -> None:
        """Everything that was due by then happens, each at its time, however late this is called."""
        while self._planned and self._planned[0].at_ns <= now_ns:
            change = heapq.heappop(self._planned)
            self._settle(change.at_ns)
            self._happen(change)
        self._settle(now_ns)

    def _happen(self, edge: _Due) -> None:
        line = self.line(edge.gpio)
        before, line.driven = line.level, edge.level
        if line.level == before or not line.reported:
            return
        if line.debounce_ns:
            self._unsettled[edge.gpio] = edge
        elif edge.level in line.reported:
            line.report(edge.at_ns, edge.gpio, edge.level)
        self.news.notify_all()

    def _settle(self, now_ns: int) -> None:
        for gpio, edge in list(self._unsettled.items()):
            line = self.line(gpio)
            if now_ns - edge.at_ns > line.debounce_ns:
                del self._unsettled[gpio]
                if line.last_report != edge.level and edge.level in line.reported:
                    line.last_report = edge.level
                    line.report(edge.at_ns + line.debounce_ns, gpio, edge.level)


class _LineSettings:
    def __init__(self, **fields: int) -> None:
        self.fields = fields


class _LineConfig:
    def __init__(self) -> None:
        self.lines: dict[int, _LineSettings] = {}

    def add_line_settings(self, offsets: list[int], settings: _LineSettings) -> None:
        self.lines.update(dict.fromkeys(offsets, settings))


class _Request:
    chip_name = "gpiochip0"

    def __init__(self, chip: GpioChip, config: _LineConfig, buffer_size: int | None) -> None:
        self._chip = chip
        self._handle = next(chip.handles)
        self._room = (buffer_size or _KERNEL_BUFFER) * len(config.lines)
        self._edges: list[tuple[int, int, int]] = []
        self._count = 0
        self.offsets = list(config.lines)
        self.fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        try:
            self.reconfigure_lines(config)
        except OSError:
            os.close(self.fd)
            raise

    def reconfigure_lines(self, config: _LineConfig) -> None:
        for offset, settings in config.lines.items():
            self._chip.claim(offset, self._handle, self._report, settings.fields)

    def release(self) -> None:
        for offset in self.offsets:
            self._chip.free(offset)
        os.close(self.fd)

    def get_values(self, offsets: list[int], values: list[Any]) -> None:
        values[:] = [Value(self._chip.read(offset)) for offset in offsets]

    def set_values(self, values: dict[int, Any]) -> None:
        for offset, value in values.items():
            self._chip.write(offset, value.value)

    def read_edge_events(self, max_events: int | None) -> list[EdgeEvent]:
        with self._chip.news:
            taken, self._edges = self._edges[:max_events], self._edges[max_events or len(self._edges) :]
            if not self._edges:
                os.eventfd_read(self.fd)
        events = []
        for at_ns, offset, level in taken:
            self._count += 1
            events.append(EdgeEvent(_EVENTS[level], at_ns, offset, self._count, self._count))
        return events

    def _report(self, at_ns: int, offset: int, level: int) -> None:
        with self._chip.news:
            self._edges = [*self._edges, (at_ns, offset, level)][-self._room :]
            os.eventfd_write(self.fd, 1)


def _chip_class(chip: GpioChip) -> type:
    class Chip:
        def __init__(self, path: str) -> None:
            if path != PATH or not chip.working:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            self.path, self.fd = path, -1

        def get_info(self) -> ChipInfo:
            return ChipInfo("gpiochip0", LABEL, chip.line_count)

        def get_line_name(self, offset: int) -> str:
            return f"GPIO{offset}"

        def request_lines(
            self, config: _LineConfig, _consumer: str | None, buffer_size: int | None
        ) -> _Request:
            return _Request(chip, config, buffer_size)

        def close(self) -> None:
            """The requests stay, as in the kernel."""

    return Chip


def installed() -> GpioChip:
    """The chip of this process, with gpiod on it, on a Raspberry Pi 5."""
    under = getattr(_ext, "chip", None)
    if isinstance(under, GpioChip):
        return under
    chip = GpioChip()
    vars(_ext).update(
        chip=chip,
        LineSettings=_LineSettings,
        LineConfig=_LineConfig,
        Chip=_chip_class(chip),
        is_gpiochip_device=lambda path: path == PATH and chip.working,
    )
    # The one thing gpiozero does not ask gpiod for: it reads /proc for the board's model.
    local.get_pi_revision = lambda: PI_5
    threading.Thread(target=chip.run, name="simulated-gpio-chip", daemon=True).start()
    return chip
