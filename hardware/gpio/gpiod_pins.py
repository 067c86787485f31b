"""Pins for gpiozero by libgpiod.

gpiozero has no factory of its own for libgpiod. This one uses the kernel's character device (uAPI v2, Linux
5.10 and newer) by the Python package `gpiod`, which the makers of libgpiod keep. It gives pulls, edges with
the kernel's time stamps (of the monotonic clock), debouncing by the kernel, outputs, and PWM. Our drivers ask
for nothing else, so nothing else is refused here.

Each pin is one request. So a pin that another program holds costs one key and not the others, and a closed
pin is free again. One thread waits for the edges of all pins.
"""

from __future__ import annotations

import contextlib
import ctypes
import select
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import exc
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware.background import WakePipe

if TYPE_CHECKING:
    from gpiod.line_request import LineRequest


HEADER_CHIPS: Final = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Labels of the chips whose lines are the header's: Raspberry Pi 0 to 3, 4, and 5. The number of the chip
differs between kernels: on a Raspberry Pi 5 the header was gpiochip4 and is gpiochip0."""

EVENT_BUFFER: Final = 256
"""Edges that the kernel keeps for a pin until they are read; with more it drops the oldest."""

_CHIPS: Final = 16
_ORDER_S: Final = 0.0005
"""For so long an edge waits for older ones of other pins, so that all are told in the order of the kernel's
stamps: the contacts of a knob are two pins."""
_NS: Final = 1_000_000_000
_DIRECTIONS: Final = {"input": Direction.INPUT, "output": Direction.OUTPUT}
_BIAS: Final = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES: Final = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}
_RISING: Final = gpiod.EdgeEvent.Type.RISING_EDGE


def header_chip() -> str:
    """The path of the chip with the pins of the header. Raises `OSError` where there is no chip at all."""
    paths = [path for path in (f"/dev/gpiochip{n}" for n in range(_CHIPS)) if gpiod.is_gpiochip_device(path)]
    for path in paths:
        with gpiod.Chip(path) as chip:
            if chip.get_info().label in HEADER_CHIPS:
                return path
    if not paths:
        raise OSError("there is no /dev/gpiochip on this machine")
    return paths[0]


class GpiodFactory(LocalPiFactory):  # type: ignore[misc] # gpiozero has no types
    """The pins of one chip. Any thread may use it, and one thread at a time the same pin."""

    def __init__(self) -> None:
        """Open the chip of the header. Raises `OSError` where that cannot be done."""
        super().__init__()
        self.pin_class = GpiodPin
        self.chip: Any = gpiod.Chip(header_chip())
        self.edges = EdgeReader()

    def pin(self, name: str | int) -> Any:  # noqa: ANN401 - gpiozero has no types
        """The pin, claimed for this process. Raises `OSError` (EBUSY) if another program has it."""
        pin = super().pin(name)
        pin.claim()
        return pin

    def close(self) -> None:
        """Free all pins, and the chip."""
        super().close()
        self.edges.close()
        if self.chip is not None:
            self.chip.close()
            self.chip = None


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """One pin. It is an input when it is claimed, and is free after `close` until it is claimed again."""

    when_changed: Any  # gpiozero's property

    def __init__(self, factory: GpiodFactory, info: Any) -> None:  # noqa: ANN401
        super().__init__(factory, info)
        # A request must not be used by two threads at once (gpiod.LineRequest). Reentrant: a listener may
        # close the pin while it is told of an edge.
        self._lock = threading.RLock()
        self._request: LineRequest | None = None
        self._settings = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.DISABLED)
        self._wanted_edges = "both"
        self._pwm: SoftwarePwm | None = None

    def claim(self) -> None:
        """Claim it as an input, if it is not claimed yet."""
        with self._lock:
            if self._request is None:
                self._settings = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.DISABLED)
                self._request = self.factory.chip.request_lines(
                    {self._number: self._settings}, "nimmt-companion", EVENT_BUFFER
                )

    def close(self) -> None:
        self._stop_pwm()
        self.when_changed = None
        with self._lock:
            if self._request is not None:
                self._request.release()
                self._request = None

    def read_edges(self) -> list[tuple[float, int]]:
        """The edges that have come: when in seconds of the monotonic clock, and the level after it (0, 1)."""
        with self._lock:
            if self._request is None or not self._request.wait_edge_events(0):
                return []
            events = self._request.read_edge_events(EVENT_BUFFER)
        return [(event.timestamp_ns / _NS, int(event.event_type is _RISING)) for event in events]

    def changed(self, at_s: float, level: int) -> None:
        if self.when_changed is not None:
            self._call_when_changed(at_s, level)

    # ------------------------------------------------------------------ what gpiozero asks a pin for

    def _get_function(self) -> str:
        return "output" if self._settings.direction is Direction.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        self._stop_pwm()
        self.when_changed = None
        self._configure(direction=_DIRECTIONS[value], bias=Bias.DISABLED, output_value=Value.INACTIVE)

    def output_with_state(self, state: float) -> None:
        """Make it an output that begins with this level, without another one before."""
        self._stop_pwm()
        self.when_changed = None
        first = Value.ACTIVE if state else Value.INACTIVE
        self._configure(direction=Direction.OUTPUT, bias=Bias.DISABLED, output_value=first)

    def _get_state(self) -> float:
        if self._pwm is not None:
            return self._pwm.duty
        with self._lock:
            return int(bool(self._claimed().get_value(self._number)))

    def _set_state(self, value: float) -> None:
        if self._pwm is not None:
            self._pwm.duty = value
        else:
            self._write(int(bool(value)))

    def _write(self, level: int) -> None:
        with self._lock:
            self._claimed().set_value(self._number, Value.ACTIVE if level else Value.INACTIVE)

    def _get_pull(self) -> str:
        return next(name for name, bias in _BIAS.items() if bias is self._settings.bias)

    def _set_pull(self, value: str) -> None:
        if self.info.pull not in (value, ""):
            raise exc.PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        self._configure(bias=_BIAS[value])

    def _get_frequency(self) -> float | None:
        return None if self._pwm is None else self._pwm.hertz

    def _set_frequency(self, value: float | None) -> None:
        if not value:
            self._stop_pwm()
        elif self._pwm is not None:
            self._pwm.hertz = value
        else:
            self._pwm = SoftwarePwm(self._write, value)

    def _stop_pwm(self) -> None:
        if self._pwm is not None:
            self._pwm.stop()
            self._pwm = None

    def _get_bounce(self) -> float | None:
        return self._settings.debounce_period.total_seconds() or None

    def _set_bounce(self, value: float | None) -> None:
        self._configure(debounce_period=timedelta(seconds=value or 0))

    def _get_edges(self) -> str:
        return self._wanted_edges

    def _set_edges(self, value: str) -> None:
        self._wanted_edges = value
        if self._settings.edge_detection is not Edge.NONE:
            self._configure(edge_detection=_EDGES[value])

    def _enable_event_detect(self) -> None:
        self.claim()
        self.factory.edges.add(self._claimed().fd, self)
        self._configure(edge_detection=_EDGES[self._wanted_edges])

    def _disable_event_detect(self) -> None:
        self.factory.edges.remove(self)
        with self._lock:
            if self._request is not None:
                self._configure(edge_detection=Edge.NONE)

    def _configure(self, **changed: Any) -> None:  # noqa: ANN401 - fields of LineSettings
        with self._lock:
            self.claim()
            for name, value in changed.items():
                setattr(self._settings, name, value)
            self._claimed().reconfigure_lines({self._number: self._settings})

    def _claimed(self) -> LineRequest:
        if self._request is None:
            raise exc.DeviceClosed(f"{self!r} is closed")
        return self._request


class EdgeReader:
    """One thread that waits for edges of all pins; it runs from the first pin that is added."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pins: dict[int, GpiodPin] = {}  # by the descriptor of its request
        self._wake: WakePipe  # while there is a thread
        self._thread: threading.Thread | None = None

    def alive(self) -> bool:
        """Whether edges are heard; also while no pin is listened to."""
        with self._lock:
            return self._thread is None or self._thread.is_alive()

    def add(self, descriptor: int, pin: GpiodPin) -> None:
        with self._lock:
            self._pins[descriptor] = pin
            if self._thread is None:
                self._wake = WakePipe()
                self._thread = threading.Thread(target=self._run, name="gpio-edges", daemon=True)
                self._thread.start()
            self._wake.wake()

    def remove(self, pin: GpiodPin) -> None:
        """Do not listen to it any more."""
        with self._lock:
            self._pins = {number: other for number, other in self._pins.items() if other is not pin}
            if self._thread is not None:
                self._wake.wake()

    def close(self) -> None:
        with self._lock:
            thread, self._thread = self._thread, None
            self._pins.clear()
        if thread is None:
            return
        self._wake.wake()
        if thread is not threading.current_thread():
            thread.join()
        self._wake.close()

    def _run(self) -> None:
        waiting: list[tuple[float, int, GpiodPin]] = []
        while True:
            with self._lock:
                if self._thread is not threading.current_thread():
                    return
                pins = dict(self._pins)
            poll = select.poll()
            for descriptor in (self._wake.file, *pins):
                poll.register(descriptor, select.POLLIN)
            ready = [descriptor for descriptor, _ in poll.poll(_ORDER_S * 1000 if waiting else None)]
            if self._wake.file in ready:
                self._wake.drain()
            # Taken before reading: what is older than this by the window has arrived, from whichever pin.
            now_s = time.monotonic()
            for descriptor in ready:
                if descriptor in pins:
                    pin = pins[descriptor]
                    waiting += [(at_s, level, pin) for at_s, level in pin.read_edges()]
            waiting.sort(key=lambda edge: edge[0])
            while waiting and waiting[0][0] <= now_s - _ORDER_S:
                at_s, level, pin = waiting.pop(0)
                pin.changed(at_s, level)


_PR_SET_TIMERSLACK: Final = 29
"""linux/prctl.h. A thread sleeps up to 50 us longer than it asks for: a quarter of a wave of 5 kHz."""
_REST_S: Final = 0.005
"""How often it looks whether there is something to do while the pin rests."""
_TURN_S: Final = 0.0005
"""After so long threads take turns while a wave is made. Python's 5 ms are a dozen waves of a high tone."""


class SoftwarePwm:
    """A square wave made by a thread: for a piezo, as libgpiod makes none.

    Its level is high for the part `duty` of the time; `hertz` and `duty` may change at any time. It begins
    with a duty of 0: the pin is low. An error of `write` ends it.

    The edges stand at fixed times from the first one, so the pitch is right on average even where single
    edges come late. They do come late while the program computes, and then the tone is rough; so all threads
    of the process take turns more often meanwhile.
    """

    def __init__(self, write: Callable[[int], None], hertz: float) -> None:
        self.hertz = hertz
        self.duty = 0.0
        self._write = write
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gpio-pwm", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it, and leave the pin low."""
        self._ended.set()
        self._thread.join()
        with contextlib.suppress(Exception):  # the pin may be gone
            self._write(0)

    def _run(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # without it the tone is only rougher
            ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)
        with contextlib.suppress(Exception):  # the buzzer finds out by its next call
            self._play()

    def _play(self) -> None:
        resting = None
        while not self._ended.is_set():
            duty = self.duty
            if duty in (0, 1):
                if resting != duty:
                    resting = duty
                    self._write(int(duty))
                self._ended.wait(_REST_S)
                continue
            resting = None
            before_s = sys.getswitchinterval()
            sys.setswitchinterval(_TURN_S)
            try:
                self._sound()
            finally:
                sys.setswitchinterval(before_s)

    def _sound(self) -> None:
        """Make waves until it is ended, or is to rest."""
        edge_s = time.monotonic()
        while not self._ended.is_set() and (duty := self.duty) not in (0, 1):
            wave_s = 1 / self.hertz
            for level, part_s in ((1, wave_s * duty), (0, wave_s * (1 - duty))):
                self._write(level)
                edge_s += part_s
                now_s = time.monotonic()
                # After a long pause of this thread the waves that were missed are not made up for.
                edge_s = max(edge_s, now_s - wave_s)
                self._ended.wait(max(0.0, edge_s - now_s))
