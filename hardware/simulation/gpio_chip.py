"""A simulated GPIO chip under the real lgpio.py and the real gpiozero; `gpiod_chip` puts gpiod on it.

lgpio is a C module, `_lgpio`, and a Python module on top of it with a thread that reads a FIFO. `installed`
puts a Python `_lgpio` in the place of the C one *before* lgpio is imported. So our drivers run over the real
gpiozero `LGPIOFactory`: pins, claims, the notification thread, time stamps.

Its behaviour is that of the sources of lg 0.2.2 (https://github.com/joan2937/lg):
- a report is the 16 bytes "QBBBBI": ns, chip, gpio, level, flags, padding (lgpio.h, lgGpioReport_t);
- edges are held for 500 us and reported in the order of their time stamps (lgPthAlerts.c);
- with a debounce time only an edge whose level stays is reported, if that is not the level reported last,
  and its time stamp is that of the edge plus the debounce time (lgPthAlerts.c, xDebWatEvt);
- claiming a line that another handle or another program holds gives -79, GPIO_BUSY (lgGpio.c);
- `LG_WD` names the folder of the FIFO, and becomes the working directory of the process (lgUtil.c,
lguGetWorkDir).
"""

import contextlib
import heapq
import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from msgspec import Struct, field

PI_5: Final = 0xD04170
"""The revision of the board, as /proc/cpuinfo shows it."""

SORT_WINDOW_NS: Final = 500_000
ELSEWHERE: Final = -1
"""Marks a line that another program has claimed."""

_REPORT: Final = struct.Struct("QBBBBI")
_RISING, _FALLING = 1, 2
_OUTPUT = 2
PULL_UP, PULL_DOWN, NO_PULL = 32, 64, 128
"""Flags of a line, with lgpio's numbers."""
_OKAY, _BAD_HANDLE, _BAD_GPIO, _BUSY = 0, -25, -73, -79
_WORDS: Final = {
    _BAD_HANDLE: "unknown handle",
    _BAD_GPIO: "GPIO not in the range 0-53",
    _BUSY: "GPIO busy",
}


class ChipLine(Struct):
    """One line of the chip: how lgpio has set it, and what drives it from outside."""

    holder: int | None = None  # a handle, or ELSEWHERE; None: free
    flags: int = 0
    output: bool = False
    driven: int | None = None  # the level from outside; None: that of the pull resistor
    edges: int = 0  # which edges are reported; 0: none
    debounce_ns: int = 0
    last_report: int | None = None
    written: int = 0
    was_read: bool = False  # since it was claimed like this
    pwm: tuple[float, float] = (0.0, 0.0)  # hertz and percent; (0, 0) is off
    report: Callable[[int, int, int], None] | None = None  # (ns, gpio, level); None: into lgpio's FIFO

    @property
    def level(self) -> int:
        if self.output:
            return self.written
        if self.driven is not None:
            return self.driven
        return 1 if self.flags & PULL_UP else 0


class _Due(Struct, frozen=True, order=True):
    at_ns: int  # the time it is stamped with
    gpio: int
    level: int


class Written(Struct, frozen=True):
    """Something that lgpio did to an output: a level, or PWM as hertz and percent."""

    gpio: int
    level: int | None = None
    pwm: tuple[float, float] | None = None


class GpioChip(Struct):
    """The chip. Get it with `installed`; every method may be called by any thread.

    GPIO numbers are BCM numbers; levels are 0 and 1; times are nanoseconds of `time.monotonic_ns`.
    """

    line_count: int = 54
    lines: dict[int, ChipLine] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    working: bool = True  # False: there is no chip, gpiochip_open fails
    news: threading.Condition = field(default_factory=threading.Condition)
    """Hold it to look at several things at once; the same thread may take it again."""
    handles: Iterator[int] = field(default_factory=count)
    """Numbers for those who claim lines."""
    _planned: list[_Due] = field(default_factory=list)  # changes from outside that are still to come
    _queue: list[_Due] = field(default_factory=list)  # edges that lgpio has seen and not yet reported
    _unsettled: dict[int, _Due] = field(default_factory=dict)  # edges that may still bounce
    _fifo: int = -1

    # ------------------------------------------------------------------------- what tests do

    def reset(self) -> None:
        """Nothing drives a line any more, other programs free theirs, `written` is empty. Claims stay."""
        with self.news:
            self._planned.clear()
            self._queue.clear()
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
        """Another program claims the line. Raises `RuntimeError` for one of ours: gpiozero keeps it."""
        with self.news:
            if self.line(gpio).holder not in (None, ELSEWHERE):
                raise RuntimeError(f"GPIO {gpio} is claimed by this process until it ends")
            self.line(gpio).holder = ELSEWHERE

    def give_back(self, gpio: int) -> None:
        with self.news:
            if self.line(gpio).holder == ELSEWHERE:
                self.line(gpio).holder = None

    def wait_until(self, ready: Callable[[], bool], timeout_s: float) -> bool:
        """Wait until `ready` holds; checked whenever lgpio did something. False if that takes too long."""
        with self.news:
            return self.news.wait_for(ready, timeout_s)

    def wait_watched(self, *gpios: int, timeout_s: float = 5.0) -> bool:
        """Wait until the edges of all these lines are watched, and their first levels were read."""

        def ready() -> bool:
            return all(self.line(gpio).edges and self.line(gpio).was_read for gpio in gpios)

        return self.wait_until(ready, timeout_s)

    def watched(self, gpio: int) -> bool:
        return bool(self.line(gpio).edges)

    def line(self, gpio: int) -> ChipLine:
        return self.lines.setdefault(gpio, ChipLine())

    # ------------------------------------------------------------------------- what libraries do

    def claim(self, gpio: int, handle: int, **settings: Any) -> int:  # noqa: ANN401 - fields of ChipLine
        """Claim a line, or change the settings of a claimed one; 0, or the fault with lgpio's number."""
        if not 0 <= gpio < self.line_count:
            return _BAD_GPIO
        with self.news:
            line = self.line(gpio)
            if line.holder is not None and line.holder != handle:
                return _BUSY
            fresh = ChipLine(handle, driven=line.driven, written=line.written, debounce_ns=line.debounce_ns)
            for name, value in settings.items():
                setattr(fresh, name, value)
            fresh.last_report = fresh.level
            self.lines[gpio] = fresh
            self._unsettled.pop(gpio, None)
            self.news.notify_all()
        return _OKAY

    def free(self, gpio: int) -> int:
        with self.news:
            self.lines[gpio] = ChipLine(driven=self.line(gpio).driven)
            self.news.notify_all()
        return _OKAY

    def read(self, gpio: int) -> int:
        with self.news:
            self._catch_up(time.monotonic_ns())
            line = self.line(gpio)
            if not line.was_read:
                line.was_read = True
                self.news.notify_all()
            return line.level

    def write(self, gpio: int, level: int) -> int:
        with self.news:
            self.written.append(Written(gpio, level))
            self.line(gpio).written = level
            self.news.notify_all()
        return _OKAY

    # --------------------------------------------------------------------------- the C module

    def _happen(self, edge: _Due) -> None:
        line = self.line(edge.gpio)
        before = line.level
        line.driven = edge.level
        if line.level == before or not line.edges:
            return
        if line.debounce_ns:
            self._unsettled[edge.gpio] = edge
        elif line.edges & (_RISING if edge.level else _FALLING):
            heapq.heappush(self._queue, edge)
        self.news.notify_all()

    def _run(self) -> None:
        """What lgpio's alert thread does, but woken by each change instead of every half millisecond."""
        while True:
            with self.news:
                now_ns = time.monotonic_ns()
                self._catch_up(now_ns)
                ripe = []
                while self._queue and self._queue[0].at_ns + SORT_WINDOW_NS <= now_ns:
                    ripe.append(heapq.heappop(self._queue))
                if not ripe:
                    self.news.wait(self._pause_s(now_ns))
                    continue
            self._emit(ripe)

    def _catch_up(self, now_ns: int) -> None:
        """Everything that was due by then happens, each at its time, however late this is called."""
        while self._planned and self._planned[0].at_ns <= now_ns:
            change = heapq.heappop(self._planned)
            self._settle(change.at_ns)
            self._happen(change)
        self._settle(now_ns)

    def _settle(self, now_ns: int) -> None:
        for gpio, edge in list(self._unsettled.items()):
            line = self.line(gpio)
            if now_ns - edge.at_ns > line.debounce_ns:
                del self._unsettled[gpio]
                if line.last_report != edge.level and line.edges & (_RISING if edge.level else _FALLING):
                    line.last_report = edge.level
                    heapq.heappush(self._queue, _Due(edge.at_ns + line.debounce_ns, gpio, edge.level))

    def _pause_s(self, now_ns: int) -> float | None:
        dues = [edge.at_ns + self.line(gpio).debounce_ns for gpio, edge in self._unsettled.items()]
        if self._queue:
            dues.append(self._queue[0].at_ns + SORT_WINDOW_NS)
        if self._planned:
            dues.append(self._planned[0].at_ns)
        return max(1, min(dues) - now_ns + 1) / 1e9 if dues else None

    def _emit(self, edges: list[_Due]) -> None:
        for edge in edges:
            report = self.line(edge.gpio).report
            if report is not None:
                report(edge.at_ns, edge.gpio, edge.level)
                continue
            # A full FIFO loses the report, as in lgpio (lgPthAlerts.c, emitNotifications).
            with contextlib.suppress(BlockingIOError):
                os.write(self._fifo, _REPORT.pack(edge.at_ns, 0, edge.gpio, edge.level, 0, 0))

    def _notify_open(self) -> int:
        folder = os.environ.get("LG_WD")
        if folder:
            os.chdir(folder)
        name = Path(".lgd-nfy0")
        name.unlink(missing_ok=True)
        os.mkfifo(name, 0o664)
        self._fifo = os.open(name, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        return 0

    def _gpiochip_open(self, number: int) -> int:
        if number or not self.working:
            return -78  # CANNOT_OPEN_CHIP
        return next(self.handles)

    def _write_pwm(self, gpio: int, hertz: float, percent: float) -> int:
        with self.news:
            self.line(gpio).pwm = pwm = (float(hertz), float(percent))
            self.written.append(Written(gpio, pwm=pwm))
            self.news.notify_all()
        return _OKAY

    def _mode(self, gpio: int) -> int:
        line = self.line(gpio)
        return (_OUTPUT if line.output else 0) | line.flags & (PULL_UP | PULL_DOWN | NO_PULL)

    def _set_debounce(self, gpio: int, micros: int) -> int:
        with self.news:
            self.line(gpio).debounce_ns = micros * 1000
        return _OKAY

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What lgpio.py calls, by name. Anything else is an `AttributeError`, so it is noticed."""
        return {
            "_get_lg_version": lambda: 0x00000202,
            "_error_text": lambda code: _WORDS.get(code, f"error {code}"),
            "_notify_open": self._notify_open,
            "_gpiochip_open": self._gpiochip_open,
            "_gpiochip_close": lambda *_: _OKAY,
            "_gpio_get_chip_info": lambda *_: [_OKAY, self.line_count, "gpiochip0", "pinctrl-simulated"],
            "_gpio_claim_input": lambda handle, flags, gpio: self.claim(gpio, handle, flags=flags),
            "_gpio_claim_output": lambda handle, flags, gpio, level: self.claim(
                gpio, handle, flags=flags, output=True, written=level
            ),
            "_gpio_claim_alert": lambda handle, flags, edges, gpio, _notify: self.claim(
                gpio, handle, flags=flags, edges=edges
            ),
            "_gpio_free": lambda _, gpio: self.free(gpio),
            "_gpio_read": lambda _, gpio: self.read(gpio),
            "_gpio_write": lambda _, gpio, level: self.write(gpio, int(level)),
            "_gpio_get_mode": lambda _, gpio: self._mode(gpio),
            "_gpio_set_debounce_micros": lambda _, gpio, micros: self._set_debounce(gpio, micros),
            "_gpio_set_watchdog_micros": lambda *_: _OKAY,
            "_tx_pwm": lambda _, gpio, hertz, percent, *__: self._write_pwm(gpio, hertz, percent),
        }


def installed() -> GpioChip:
    """The chip of this process; the first call puts it under lgpio.

    Raises `RuntimeError` where lgpio was imported with its own C part before.
    """
    present = sys.modules.get("_lgpio")
    under = getattr(present, "chip", None)
    if isinstance(under, GpioChip):
        return under
    if present is not None or "lgpio" in sys.modules:
        raise RuntimeError("lgpio is loaded over the real chip; simulate in a process of its own")
    chip = GpioChip()
    module = ModuleType("_lgpio", "lgpio's C part, simulated")
    vars(module).update(chip.functions(), chip=chip)
    sys.modules["_lgpio"] = module
    # The one thing gpiozero does not ask lgpio for: it reads /proc for the board's model.
    from gpiozero.pins import local

    local.get_pi_revision = lambda: PI_5
    threading.Thread(target=chip._run, name="simulated-gpio-chip", daemon=True).start()  # noqa: SLF001
    return chip
