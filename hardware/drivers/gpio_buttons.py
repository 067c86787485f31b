"""Keys and a knob on GPIO pins, by gpiozero on lgpio: pins and threads; `wires` knows what edges mean.

lgpio has one thread for the edges of all pins, and an exception in it ends it: all keys are dead
and nobody is told. So nothing is done there but to leave a note in a queue. Our own thread sleeps until a
note comes or a key has been held for long enough; once a second it reads all levels, which mends what got
lost, and looks whether lgpio's thread still lives.
"""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hardware.errors import HardwareError
from hardware.gestures import Timing
from hardware.lgpio_folder import lgpio_folder
from hardware.noise import Limits
from hardware.options import option
from hardware.ports import OWN_KEYS, DeviceFault, DeviceMended, Key
from hardware.posting import to_nobody, unharmed
from hardware.wires import KeyListener, Knob, Wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import Message
    from hardware.wires import Listener

FIRST_RETRY_S: Final = 0.25
LAST_RETRY_S: Final = 10.0
REREAD_S: Final = 1.0
REREAD_ALONE_S: Final = 0.02
"""How often levels are read; `REREAD_ALONE_S` when lgpio's thread is dead and nothing else tells."""

_LATE_NS: Final = 2_000_000
"""An edge is on its way for so long: lgpio holds it for 0.5 ms to sort it and looks every 0.5 ms (lg 0.2.2,
lgPthAlerts.c). Nothing is decided about a moment before that."""
_FOREIGN_NS: Final = 5_000_000_000
"""A stamp further than this from our clock is of another clock: before Linux 5.7 it was the time of day."""
_NS: Final = 1_000_000_000
_LEAVE_S: Final = 2.0
_DEVICE: Final = "buttons"
SPOKEN: Final = tuple(key for key in Key if key not in (Key.TURN_LEFT, Key.TURN_RIGHT))
"""The keys that can have a pin of their own; a knob turns with two."""
_NAMES: Final = tuple(key.value for key in SPOKEN)


class GpioButtons:
    """The buttons port over GPIO. It posts `KeyPressed`, and faults of "buttons" and of "buttons/<key>"."""

    @dataclass(frozen=True, slots=True)
    class Options:
        """How the keys are wired. Pins are BCM numbers."""

        pins: dict[str, int] = option("one pin for each key", {}, among=_NAMES, low=0, high=27)
        also_pins: dict[str, int] = option(
            "a second pin for a key, on boards with two keys for one thing", {}, among=_NAMES, low=0, high=27
        )
        encoder_a: int | None = option("pin of the rotary encoder's contact A (CLK)", None, low=0, high=27)
        encoder_b: int | None = option("pin of the rotary encoder's contact B (DT)", None, low=0, high=27)
        encoder_steps: int = option("quarter cycles from detent to detent", 4, among=(1, 2, 4))
        encoder_bounce_s: float = option(
            "seconds a contact of the encoder must rest before it counts", 0.001, low=0.0, high=0.02
        )
        pull_up: bool = option("keys connect the pin to ground; false: to 3.3 V", True)
        hold_s: float = option("seconds until a press is a long one", 0.8, low=0.3, high=5.0)
        bounce_s: float = option(
            "seconds after an edge in which more edges are bounces", 0.03, low=0, high=0.2
        )
        double_s: float = option("seconds within which a second press makes a double", 0.3, low=0.1, high=1.0)
        double_keys: tuple[str, ...] = option(
            "keys that know double presses; their short ones wait", (), among=_NAMES
        )
        noise_edges: int = option(
            "so many edges of a key within two seconds are noise; of a knob, ten times as many",
            150,
            low=20,
            high=5000,
        )
        noise_rest_s: float = option("seconds a noisy pin is left alone", 5.0, low=0.1, high=600.0)

        def __post_init__(self) -> None:
            if (self.encoder_a is None) != (self.encoder_b is None):
                raise ValueError("encoder_a and encoder_b are the two contacts of one knob: give both")

    def __init__(self, options: Options) -> None:
        """Raises `HardwareError` for a key that does not exist or a pin that is given twice."""
        self._options = options
        self._pins = _pins(options)
        self._post: Callable[[Message], None] = to_nobody
        # (pin, level, when in seconds) from lgpio's thread; None from close().
        self._notes: queue.SimpleQueue[tuple[_Pin, bool, float] | None] = queue.SimpleQueue()
        self._leaving = threading.Event()
        self._thread: threading.Thread | None = None
        self._told: tuple[str, str] | None = None

    # ----------------------------------------------------------------------------- any thread

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; the pins are claimed in the thread. A second start without a close is a `RuntimeError`."""
        if self._thread is not None:
            raise RuntimeError("the buttons are already started; close them first")
        self._post = unharmed(post)
        self._notes = queue.SimpleQueue()
        self._leaving.clear()
        self._thread = threading.Thread(target=self._run, name=_DEVICE, daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        """Whether our thread lives, and lgpio's as far as one can see."""
        return self._thread is not None and self._thread.is_alive() and _lgpio_thread_lives()

    def check(self) -> str:
        """Claim every pin and look which keys are down."""
        factory = _factory()
        down = []
        for pin in self._pins:
            try:
                pin.open(factory, None)
            except Exception as seen:
                fault, check = _explained(pin.number, seen)
                raise HardwareError(pin.wire.name, f"GPIO {pin.number}: {fault}", check) from seen
            if pin.down():
                down.append(pin.wire.name.removeprefix(f"{_DEVICE}/"))
            pin.close()
        return (
            f"{len(self._pins)} pins by {type(factory).__name__} on a Raspberry Pi "
            f"{factory.board_info.model}; pressed now: {', '.join(down) or 'none'}"
        )

    def close(self) -> None:
        """Stop the thread and free the pins. More than once does no harm."""
        self._leaving.set()
        self._notes.put(None)
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(_LEAVE_S)

    # ----------------------------------------------------------------------------- the thread

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self._leaving.is_set():
            try:
                self._serve(_factory())
                return
            except HardwareError as seen:
                self._ill(seen.fault, seen.check)
            except Exception as seen:  # noqa: BLE001 - lgpio.error has no base; a key must not stay dead
                self._ill(f"{type(seen).__name__}: {seen}", "please report this; it is tried again")
            finally:
                for pin in self._pins:
                    pin.close()
            self._leaving.wait(retry_s)
            retry_s = min(2 * retry_s, LAST_RETRY_S)

    def _serve(self, factory: Any) -> None:  # noqa: ANN401 - gpiozero has no types
        self._well()
        reread_ns = 0
        while True:
            try:
                # Notes come before the time: when this thread was kept from running, the release of a key may
                # wait here, and its press must not be called long because of that.
                note = self._notes.get_nowait()
            except queue.Empty:
                reread_ns, pause_s = self._without_notes(factory, reread_ns)
                try:
                    note = self._notes.get(timeout=pause_s)
                except queue.Empty:
                    continue
            if note is None:
                return
            pin, level, ticks_s = note
            self._tell(pin, down=level != self._options.pull_up, at_ns=_stamp_ns(ticks_s))

    def _without_notes(self, factory: Any, reread_ns: int) -> tuple[int, float]:  # noqa: ANN401
        """Let time pass; gives when to read all levels again, and how many seconds nothing is due."""
        now_ns = time.monotonic_ns()
        if now_ns >= reread_ns:
            reread_ns = now_ns + self._reread_all(factory)
        for pin in sorted(self._pins, key=lambda pin: pin.wire.due_ns or 0):  # the first to act is told first
            if pin.device is not None:
                self._let_time_pass(pin, now_ns - _LATE_NS)
        dues = [reread_ns] + [
            due_ns + _LATE_NS
            for pin in self._pins
            if pin.device is not None and (due_ns := pin.wire.due_ns) is not None
        ]
        return reread_ns, max(0, min(dues) - time.monotonic_ns()) / _NS

    def _tell(self, pin: _Pin, *, down: bool, at_ns: int) -> None:
        self._say(pin.wire.edge(down=down, at_ns=at_ns))
        pin.listen(self._notes if pin.wire.wanted else None)

    def _let_time_pass(self, pin: _Pin, now_ns: int) -> None:
        due_ns = pin.wire.due_ns
        if due_ns is None or due_ns > now_ns:
            return
        # Ask the pin itself before a press is called long: a lost edge must not open a menu. It happened
        # at some time before that.
        down = pin.down()
        if pin.wire.used and down != pin.wire.contact and self._notes.empty():
            self._say(pin.wire.edge(down=down, at_ns=due_ns - 1))
        self._say(pin.wire.until(now_ns, down=down))
        pin.listen(self._notes if pin.wire.wanted else None)

    def _reread_all(self, factory: Any) -> int:  # noqa: ANN401
        """Open what is not open, set the others right; gives the pause until the next time, in ns."""
        for pin in self._pins:
            if pin.device is None:
                self._open(pin, factory)
            elif pin.wire.used and pin.down() != pin.wire.contact and self._notes.empty():
                self._say(pin.wire.edge(down=pin.down(), at_ns=time.monotonic_ns()))
        if _lgpio_thread_lives():
            self._well()
            return round(REREAD_S * _NS)
        self._ill("lgpio's thread has died; the keys are only read now and then", "restart the program")
        return round(REREAD_ALONE_S * _NS)

    def _open(self, pin: _Pin, factory: Any) -> None:  # noqa: ANN401
        try:
            pin.open(factory, self._options.encoder_bounce_s if pin.of_knob else None)
        except Exception as seen:  # noqa: BLE001 - there is no common base; one pin costs one key
            if not pin.told:
                pin.told = True
                self._say(pin.wire.absent(*_explained(pin.number, seen)))
            return
        pin.told = False
        pin.listen(self._notes)
        self._say(pin.wire.begin(down=pin.down(), at_ns=time.monotonic_ns()))

    def _say(self, messages: list[Message]) -> None:
        for message in messages:
            self._post(message)

    def _ill(self, fault: str, check: str) -> None:
        if self._told != (fault, check):
            self._told = (fault, check)
            self._post(DeviceFault(_DEVICE, fault, check))

    def _well(self) -> None:
        if self._told is not None:
            self._told = None
            self._post(DeviceMended(_DEVICE))


Options = GpioButtons.Options


class _Pin:
    """One pin: its device in gpiozero, and the wire that knows what it says."""

    def __init__(self, number: int, wire: Wire, *, pull_up: bool, of_knob: bool) -> None:
        self.number = number
        self.wire = wire
        self.of_knob = of_knob
        self.told = False  # that it cannot be had
        self.device: Any = None
        self._pull_up = pull_up
        self._changed: Callable[[float, int], None] | None = None

    def open(self, factory: Any, debounce_s: float | None) -> None:  # noqa: ANN401
        """Claim it. Raises what gpiozero and lgpio raise.

        An `InputDevice` reserves the pin and sets the pull; gpiozero's `Button` would do more than that: a
        thread for each key that polls ten times a second for holding.
        """
        from gpiozero import InputDevice

        # A pin that cannot be had fails here. Inside of a device it would leave a reservation behind, which
        # holds until the half-made device is garbage, and refuses the next try.
        factory.pin(self.number)
        device = InputDevice(self.number, pull_up=self._pull_up, pin_factory=factory)
        # The pin's own property. RotaryEncoder(bounce_time=...) sets one that does not exist:
        # gpiozero 2.0.1, input_devices.py, RotaryEncoder.__init__.
        device.pin.bounce = debounce_s or None
        device.pin.edges = "both"
        self.device = device

    def down(self) -> bool:
        """Whether the contact is closed now; one system call."""
        return bool(self.device.pin.state) != self._pull_up

    def listen(self, notes: queue.SimpleQueue[tuple[_Pin, bool, float] | None] | None) -> None:
        """Have every edge noted in `notes`, or with None have the chip not look for any."""
        if (notes is not None) == (self._changed is not None):
            return
        if notes is None:
            self.device.pin.when_changed = None
            self._changed = None
            return

        def changed(ticks_s: float, level: int) -> None:
            # An exception here would end lgpio's thread, and with it all keys.
            with contextlib.suppress(Exception):
                if level in (0, 1):  # 2 is lgpio's watchdog
                    notes.put((self, bool(level), ticks_s))

        self._changed = changed  # gpiozero keeps a weak reference only
        self.device.pin.when_changed = changed

    def close(self) -> None:
        """Free it."""
        if self.device is not None:
            with contextlib.suppress(Exception):  # it is being given up
                self.listen(None)
                self.device.close()
            self.device = None
            self._changed = None


def _pins(options: Options) -> list[_Pin]:
    """A pin object for each wire; raises `HardwareError` for what makes no sense."""
    for name in (*options.pins, *options.also_pins, *options.double_keys):
        if name not in _NAMES:
            raise HardwareError(
                _DEVICE,
                f"there is no key {name!r}",
                "the keys are " + ", ".join(_NAMES),
            )
    limits = Limits(edges=options.noise_edges, rest_s=options.noise_rest_s)
    wanted: list[tuple[str, int, Listener, Limits]] = []
    for suffix, pins in (("", options.pins), ("/2", options.also_pins)):
        for name, number in pins.items():
            doubles, own = name in options.double_keys, Key(name) in OWN_KEYS
            timing = Timing(options.hold_s, options.bounce_s, options.double_s, doubles, at_once=own)
            wanted.append((f"{name}{suffix}", number, KeyListener(Key(name), timing), limits))
    if options.encoder_a is not None and options.encoder_b is not None:
        knob = Knob(options.encoder_steps)
        many = Limits(edges=10 * options.noise_edges, rest_s=options.noise_rest_s)
        wanted.append(("encoder_a", options.encoder_a, knob.a, many))
        wanted.append(("encoder_b", options.encoder_b, knob.b, many))
    numbers = [number for _, number, _, _ in wanted]
    for name, number, _, _ in wanted:
        if numbers.count(number) > 1:
            raise HardwareError(_DEVICE, f"GPIO {number} is given twice, once for {name}", "one pin, one key")
    return [
        _Pin(
            number,
            Wire(f"{_DEVICE}/{name}", f"GPIO {number}", listener, bounds),
            pull_up=options.pull_up,
            of_knob=name.startswith("encoder_"),
        )
        for name, number, listener, bounds in wanted
    ]


def _factory() -> Any:  # noqa: ANN401 - gpiozero has no types
    """The pin factory of this process, which must be lgpio's. Raises `HardwareError`.

    Left to itself gpiozero falls back to RPi.GPIO (dead on a Pi 5), pigpio or its own, with a warning only.
    """
    check = "apt install python3-lgpio, and run on a Raspberry Pi as a member of the group gpio"
    with lgpio_folder():
        try:
            from gpiozero import Device
            from gpiozero.pins.lgpio import LGPIOFactory

            if Device.pin_factory is None:
                Device.pin_factory = LGPIOFactory()
        except ImportError as missing:
            raise HardwareError(_DEVICE, f"{missing.name} is not installed", check) from missing
        except Exception as seen:  # lgpio.error is a bare Exception
            raise HardwareError(_DEVICE, f"no GPIO by lgpio: {seen}", check) from seen
        if not isinstance(Device.pin_factory, LGPIOFactory):
            raise HardwareError(
                _DEVICE,
                f"gpiozero uses {type(Device.pin_factory).__name__} instead of LGPIOFactory",
                "set GPIOZERO_PIN_FACTORY=lgpio in the environment, or nothing",
            )
        return Device.pin_factory


def _lgpio_thread_lives() -> bool:
    """Whether lgpio's notification thread lives; its name is private, so an unknown one counts as alive.

    Any thread may ask, so lgpio is not loaded for it: where it cannot be, there is no thread that could die.
    """
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return bool(getattr(thread, "is_alive", lambda: True)())


def _stamp_ns(ticks_s: float) -> int:
    """The ticks of gpiozero as `time.monotonic_ns`; they are the kernel's stamp in seconds."""
    now_ns = time.monotonic_ns()
    at_ns = round(ticks_s * _NS)
    return at_ns if abs(now_ns - at_ns) < _FOREIGN_NS else now_ns


def _explained(number: int, seen: Exception) -> tuple[str, str]:
    if "busy" in str(seen).lower() or "in use" in str(seen).lower():
        return (
            "another program or device uses this pin",
            "give the key another pin; `gpioinfo` shows who has it",
        )
    return f"cannot be used: {seen}", f"look whether GPIO {number} is on the header and is free"
