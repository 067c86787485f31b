"""Keys and a knob on GPIO pins, by gpiozero. `hardware.gpio` explains what is done with the edges.

`hardware.gpio.gpiod_pins` has one thread for the edges of all pins. An exception in it ends it: then all keys
are dead and nothing says so. So nothing is done there but to put a note into a queue. Our own thread sleeps
until a note comes or until a key has been held for long enough. Once a second it reads the levels of all
pins, which corrects what was lost, and looks whether that thread is still alive.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from typing import Annotated, Any, Final

from msgspec import Struct

from hardware.background import BackgroundDevice
from hardware.errors import HardwareError, sentence
from hardware.gpio import edges_arrive, pin_factory
from hardware.gpio.wires import EdgeListener, Knob, Limits, PressDetector, Timing, Wire
from hardware.options import option
from hardware.ports import OWN_KEYS, Key, Message

REREAD_S: Final = 1.0
REREAD_ALONE_S: Final = 0.02
"""How often levels are read; `REREAD_ALONE_S` when that thread is dead and no edges are reported."""

_LATE_NS: Final = 2_000_000
"""An edge takes up to so long to arrive: it waits for older ones of other pins (`gpiod_pins`), and threads
take turns. So whatever follows from the passing of time is decided so much later."""
_NS: Final = 1_000_000_000
_DEVICE: Final = "buttons"
KEYS_WITH_PINS: Final = tuple(key for key in Key if key not in (Key.TURN_LEFT, Key.TURN_RIGHT))
"""The keys that can have a pin of their own; a knob turns with two."""
_NAMES: Final = tuple(key.value for key in KEYS_WITH_PINS)


class GpioButtons(BackgroundDevice):
    """Keys and a rotary encoder on GPIO pins.

    Wiring: each key connects its pin to ground (any ground pin of the header); the pull-up resistor is inside
    the Raspberry Pi. The encoder's CLK and DT go to `encoder_a` and `encoder_b`, its common contact to
    ground.

    ```toml
    [buttons]
    driver = "gpio"
    pins = { row_1 = 5, row_2 = 6, row_3 = 13, row_4 = 19, ok = 26, undo = 16 }
    encoder_a = 17
    encoder_b = 27
    ```

    ```python
    from hardware.drivers.gpio_buttons import GpioButtons

    buttons = GpioButtons(GpioButtons.Options(pins={"ok": 26, "undo": 16}))
    print(buttons.check())  # 2 pins by GpiodFactory on a Raspberry Pi 5B; pressed now: none
    buttons.start(print)  # KeyPressed(key=<Key.OK: 'ok'>, press=<Press.SHORT: 'short'>, at_s=81203.114)
    ```

    It posts `KeyPressed`, `KeyReleased` and faults of "buttons" and of "buttons/<key>": a pin that cannot be
    used costs one key and not the others.
    """

    class Options(Struct, frozen=True):
        """How the keys are wired. Pins are BCM numbers."""

        pins: Annotated[dict[str, int], option("one pin for each key", among=_NAMES, low=0, high=27)] = {}
        also_pins: Annotated[
            dict[str, int],
            option(
                "a second pin for a key, on boards with two keys for the same function",
                among=_NAMES,
                low=0,
                high=27,
            ),
        ] = {}
        encoder_a: Annotated[
            int | None, option("pin of the rotary encoder's contact A (CLK)", low=0, high=27)
        ] = None
        encoder_b: Annotated[
            int | None, option("pin of the rotary encoder's contact B (DT)", low=0, high=27)
        ] = None
        encoder_steps: Annotated[int, option("quarter cycles from detent to detent", among=(1, 2, 4))] = 4
        encoder_bounce_s: Annotated[
            float,
            option(
                "seconds for which a contact of the encoder must be stable before it counts",
                low=0.0,
                high=0.02,
            ),
        ] = 0.001
        pull_up: Annotated[bool, option("true: keys connect the pin to ground; false: to 3.3 V")] = True
        hold_s: Annotated[float, option("seconds after which a press counts as long", low=0.3, high=5.0)] = (
            0.8
        )
        bounce_s: Annotated[
            float, option("seconds after an edge in which further edges count as bounces", low=0, high=0.2)
        ] = 0.03
        double_s: Annotated[
            float, option("seconds within which a second press counts as a double press", low=0.1, high=1.0)
        ] = 0.3
        double_keys: Annotated[
            tuple[str, ...],
            option("keys with double presses; their short presses are reported after a delay", among=_NAMES),
        ] = ()
        noise_edges: Annotated[
            int,
            option(
                "this many edges of a key within two seconds count as noise; for a knob, ten times as many",
                low=20,
                high=5000,
            ),
        ] = 150
        noise_rest_s: Annotated[
            float, option("seconds for which a noisy pin is ignored", low=0.1, high=600.0)
        ] = 5.0

        def __post_init__(self) -> None:
            if (self.encoder_a is None) != (self.encoder_b is None):
                raise ValueError("encoder_a and encoder_b are the two contacts of one knob: set both")

    def __init__(self, options: Options) -> None:
        """Raises `HardwareError` for a key that does not exist or a pin that is used twice."""
        super().__init__(_DEVICE)
        self._options = options
        self._pins = _pins(options)
        # (pin, level, when in seconds) from the thread of the library; None ends the waiting.
        self._notes: queue.SimpleQueue[tuple[_Pin, bool, float] | None] = queue.SimpleQueue()

    def start(self, post: Callable[[Message], None]) -> None:
        """Start; the pins are claimed in the thread. A second start without a close is a `RuntimeError`."""
        self._notes = queue.SimpleQueue()
        super().start(post)

    def alive(self) -> bool:
        """Whether our thread is alive, and that of the edges as far as that can be seen."""
        return super().alive() and edges_arrive()

    def _look(self) -> str:
        """Claim every pin and report which keys are down."""
        factory = pin_factory(_DEVICE)
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
        place = f"{type(factory).__name__} on a Raspberry Pi {factory.board_info.model}"
        return f"{len(self._pins)} pins by {place}; pressed now: {', '.join(down) or 'none'}"

    # ----------------------------------------------------------------------------- the thread

    def _interrupt(self) -> None:
        self._notes.put(None)

    def _serve(self) -> None:
        factory = pin_factory(_DEVICE)
        try:
            self._opened()
            self._work(factory)
        finally:
            for pin in self._pins:
                pin.close()

    def _work(self, factory: Any) -> None:  # noqa: ANN401 - gpiozero has no types
        reread_ns = 0
        while True:
            try:
                # Edges come before the time: when this thread was kept from running, the release of a key may
                # be waiting here, and its press must not count as long because of that.
                edge = self._notes.get_nowait()
            except queue.Empty:
                reread_ns, pause_s = self._without_edges(factory, reread_ns)
                try:
                    edge = self._notes.get(timeout=pause_s)
                except queue.Empty:
                    continue
            if edge is None:
                return
            pin, level, ticks_s = edge
            self._take(pin, down=level != self._options.pull_up, at_ns=round(ticks_s * _NS))

    def _without_edges(self, factory: Any, reread_ns: int) -> tuple[int, float]:  # noqa: ANN401
        """Let time pass; gives when to read all levels again, and for how many seconds nothing is due."""
        now_ns = time.monotonic_ns()
        if now_ns >= reread_ns:
            reread_ns = now_ns + self._reread_all(factory)
        # Sorted: what was pressed first is posted first.
        for pin in sorted(self._pins, key=lambda pin: pin.wire.due_ns or 0):
            if pin.device is not None:
                self._let_time_pass(pin, now_ns - _LATE_NS)
        dues = [reread_ns] + [
            due_ns + _LATE_NS
            for pin in self._pins
            if pin.device is not None and (due_ns := pin.wire.due_ns) is not None
        ]
        return reread_ns, max(0, min(dues) - time.monotonic_ns()) / _NS

    def _take(self, pin: _Pin, *, down: bool, at_ns: int) -> None:
        self._post_all(pin.wire.edge(down=down, at_ns=at_ns))
        pin.listen(self._notes if pin.wire.wanted else None)

    def _let_time_pass(self, pin: _Pin, now_ns: int) -> None:
        due_ns = pin.wire.due_ns
        if due_ns is None or due_ns > now_ns:
            return
        # Ask the pin itself before a press counts as long: a lost release must not open a menu. The release
        # happened at some time before the press became long.
        down = pin.down()
        if pin.wire.used and down != pin.wire.contact and self._notes.empty():
            self._post_all(pin.wire.edge(down=down, at_ns=due_ns - 1))
        self._post_all(pin.wire.until(now_ns, down=down))
        pin.listen(self._notes if pin.wire.wanted else None)

    def _reread_all(self, factory: Any) -> int:  # noqa: ANN401
        """Open what is not open, correct the other levels; gives the pause until the next time, in ns."""
        for pin in self._pins:
            if pin.device is None:
                self._open(pin, factory)
            elif pin.wire.used and pin.down() != pin.wire.contact and self._notes.empty():
                self._post_all(pin.wire.edge(down=pin.down(), at_ns=time.monotonic_ns()))
        if edges_arrive():
            self._recovered()
            return round(REREAD_S * _NS)
        self._fault(
            sentence("edges are not reported any more; the keys are only read now and then"),
            sentence("restart the program"),
        )
        return round(REREAD_ALONE_S * _NS)

    def _open(self, pin: _Pin, factory: Any) -> None:  # noqa: ANN401
        try:
            pin.open(factory, self._options.encoder_bounce_s if pin.of_knob else None)
        except Exception as seen:  # noqa: BLE001 - they have no base in common; one pin costs one key
            if not pin.faulty:
                pin.faulty = True
                self._post_all(pin.wire.absent(*_explained(pin.number, seen)))
            return
        pin.faulty = False
        # Read before it listens: a key that is pressed in this moment was not held from before.
        down, at_ns = pin.down(), time.monotonic_ns()
        pin.listen(self._notes)
        self._post_all(pin.wire.begin(down=down, at_ns=at_ns))

    def _post_all(self, messages: list[Message]) -> None:
        for message in messages:
            self._post(message)


Options = GpioButtons.Options


class _Pin:
    """One pin: its device in gpiozero, and the wire that makes messages of its edges."""

    def __init__(self, number: int, wire: Wire, *, pull_up: bool, of_knob: bool) -> None:
        self.number = number
        self.wire = wire
        self.of_knob = of_knob
        self.faulty = False  # it was reported that the pin cannot be claimed
        self.device: Any = None
        self._pull_up = pull_up
        self._changed: Callable[[float, int], None] | None = None

    def open(self, factory: Any, debounce_s: float | None) -> None:  # noqa: ANN401
        """Claim it. Raises what gpiozero and the library under it raise.

        An `InputDevice` reserves the pin and sets the pull; gpiozero's `Button` would also start a thread for
        each key that polls ten times a second for holding.
        """
        from gpiozero import InputDevice

        # A pin that cannot be claimed fails here. Inside of a device it would leave a reservation behind,
        # which holds until the half-made device is garbage collected, and refuses the next attempt.
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
        """Put every edge into `notes` from now on; None: the chip does not look for edges."""
        if (notes is not None) == (self._changed is not None):
            return
        if notes is None:
            self.device.pin.when_changed = None
            self._changed = None
            return

        def changed(ticks_s: float, level: int) -> None:
            # An exception here would end the thread of the edges, and with it all keys.
            with contextlib.suppress(Exception):
                notes.put((self, bool(level), ticks_s))

        self._changed = changed  # gpiozero keeps a weak reference only
        self.device.pin.when_changed = changed

    def close(self) -> None:
        if self.device is not None:
            with contextlib.suppress(Exception):  # it is given up, whatever state it is in
                self.listen(None)
                self.device.close()
            self.device = None
            self._changed = None


def _pins(options: Options) -> list[_Pin]:
    """A pin object for each wire; raises `HardwareError` for unknown keys and pins that are given twice."""
    for name in (*options.pins, *options.also_pins, *options.double_keys):
        if name not in _NAMES:
            raise HardwareError(_DEVICE, f"there is no key {name!r}", f"the keys are {', '.join(_NAMES)}")
    limits = Limits(edges=options.noise_edges, rest_s=options.noise_rest_s)
    wanted: list[tuple[str, int, EdgeListener, Limits]] = []
    for suffix, pins in (("", options.pins), ("/2", options.also_pins)):
        for name, number in pins.items():
            doubles, own = name in options.double_keys, Key(name) in OWN_KEYS
            timing = Timing(options.hold_s, options.bounce_s, options.double_s, doubles, at_once=own)
            wanted.append((f"{name}{suffix}", number, PressDetector(Key(name), timing), limits))
    if options.encoder_a is not None and options.encoder_b is not None:
        knob = Knob(options.encoder_steps)
        many = Limits(edges=10 * options.noise_edges, rest_s=options.noise_rest_s)
        wanted.append(("encoder_a", options.encoder_a, knob.a, many))
        wanted.append(("encoder_b", options.encoder_b, knob.b, many))
    numbers = [number for _, number, _, _ in wanted]
    for name, number, _, _ in wanted:
        if numbers.count(number) > 1:
            fault = f"GPIO {number} is used twice, once for {name}"
            raise HardwareError(_DEVICE, fault, "use each pin for one key only")
    return [
        _Pin(
            number,
            Wire(f"{_DEVICE}/{name}", f"GPIO {number}", listener, bounds),
            pull_up=options.pull_up,
            of_knob=name.startswith("encoder_"),
        )
        for name, number, listener, bounds in wanted
    ]


def _explained(number: int, seen: Exception) -> tuple[str, str]:
    if "busy" in str(seen).lower() or "in use" in str(seen).lower():
        return (
            sentence("another program or device is using this pin"),
            sentence("give the key another pin; `gpioinfo` shows what uses it"),
        )
    return sentence("cannot be used: {seen}", seen=seen), sentence(
        "check that GPIO {number} is on the header and free", number=number
    )
