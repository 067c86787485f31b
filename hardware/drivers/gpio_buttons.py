"""Keys and a knob on GPIO pins, by libgpiod. `hardware.gpio` explains what is done with the edges.

One thread sleeps until the kernel has an edge of any pin, or until a key has been held for long enough. Once
a second it reads the levels of all pins, which corrects what was lost, and claims those that are missing.
"""

from __future__ import annotations

import contextlib
import errno
import select
import threading
import time
from typing import Annotated, Final, NamedTuple

from msgspec import Struct

from hardware.background import BackgroundDevice, WakePipe
from hardware.errors import HardwareError, sentence
from hardware.gpio.pins import InputPin, header_chip
from hardware.gpio.wires import EdgeListener, Knob, Limits, PressDetector, Timing, Wire
from hardware.options import option
from hardware.ports import OWN_KEYS, Key, Message

REREAD_NS: Final = 1_000_000_000
"""The pause between two times of reading all levels."""

_LATE_NS: Final = 2_000_000
"""An edge takes up to so long from its time stamp to us. So edges wait that long for older ones of other
pins (the contacts of a knob are two), and what follows from the passing of time is decided so much later."""
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
    print(buttons.check())  # 2 pins of /dev/gpiochip0; pressed now: none
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
                raise ValueError(
                    sentence("encoder_a and encoder_b are the two contacts of one knob: set both")
                )

    def __init__(self, options: Options) -> None:
        """Raises `HardwareError` for a key that does not exist or a pin that is used twice."""
        super().__init__(_DEVICE)
        self._options = options
        self._pins = _pins(options)
        self._edges: list[_Edge] = []  # that wait for older ones
        self._lock = threading.Lock()
        self._wake: WakePipe | None = (
            None  # guarded by the lock, because `close` wakes only a thread that waits
        )

    def _look(self) -> str:
        """Claim every pin and report which keys are down."""
        chip = header_chip(_DEVICE)
        down = []
        for pin in self._pins:
            try:
                if pin.open(chip).closed():
                    down.append(pin.wire.name.removeprefix(f"{_DEVICE}/"))
            except (OSError, ValueError) as seen:
                fault, check = _explained(pin.number, seen)
                raise HardwareError(
                    pin.wire.name, sentence("GPIO {number}: {fault}", number=pin.number, fault=fault), check
                ) from seen
            finally:
                pin.close()
        if not down:
            return sentence("{pins} pins of {chip}; pressed now: none", pins=len(self._pins), chip=chip)
        return sentence(
            "{pins} pins of {chip}; pressed now: {keys}",
            pins=len(self._pins),
            chip=chip,
            keys=", ".join(down),
        )

    # ----------------------------------------------------------------------------- the thread

    def _interrupt(self) -> None:
        with self._lock:
            if self._wake is not None:
                self._wake.wake()

    def _serve(self) -> None:
        chip = header_chip(_DEVICE)
        with self._lock:
            self._wake = wake = WakePipe()
        try:
            self._opened()
            self._work(chip, wake)
        finally:
            with self._lock:
                self._wake = None
            wake.close()
            self._edges.clear()
            for pin in self._pins:
                pin.close()

    def _work(self, chip: str, wake: WakePipe) -> None:
        reread_ns = 0
        while not self.stopping.is_set():
            # Edges come before the time: when this thread was kept from running, the release of a key may be
            # waiting, and its press must not count as long because of that. All that is older than this
            # moment by `_LATE_NS` has arrived, from whichever pin.
            now_ns = time.monotonic_ns()
            self._take_edges(now_ns - _LATE_NS)
            if now_ns >= reread_ns:
                self._reread_all(chip)
                reread_ns = now_ns + REREAD_NS
            # Sorted: what was pressed first is posted first.
            for pin in sorted(self._pins, key=lambda pin: pin.wire.due_ns or 0):
                self._let_time_pass(pin, now_ns - _LATE_NS)
            self._wait(wake, reread_ns)

    def _take_edges(self, until_ns: int) -> None:
        for pin in self._pins:
            if pin.claimed is not None:
                self._edges += [_Edge(at_ns, pin, down) for at_ns, down in pin.claimed.edges()]
        self._edges.sort(key=lambda edge: edge.at_ns)
        while self._edges and self._edges[0].at_ns <= until_ns:
            at_ns, pin, down = self._edges.pop(0)
            self._post_all(pin.wire.edge(down=down, at_ns=at_ns))
            pin.listen()

    def _let_time_pass(self, pin: _Pin, now_ns: int) -> None:
        due_ns = pin.wire.due_ns
        if pin.claimed is None or due_ns is None or due_ns > now_ns:
            return
        # Ask the pin itself before a press counts as long: a lost release must not open a menu. The release
        # happened at some time before the press became long.
        down = pin.claimed.closed()
        self._correct(pin, down=down, at_ns=due_ns - 1)
        self._post_all(pin.wire.until(now_ns, down=down))
        pin.listen()

    def _correct(self, pin: _Pin, *, down: bool, at_ns: int) -> None:
        """Take a level that no edge told of for an edge that was lost."""
        if pin.wire.used and down != pin.wire.contact and not self._has_edge(pin):
            self._post_all(pin.wire.edge(down=down, at_ns=at_ns))

    def _has_edge(self, pin: _Pin) -> bool:
        waits = pin.claimed is not None and pin.claimed.has_edge()
        return waits or any(edge.pin is pin for edge in self._edges)

    def _reread_all(self, chip: str) -> None:
        """Claim what is not claimed, and correct the other levels."""
        for pin in self._pins:
            if pin.claimed is None:
                self._open(pin, chip)
            else:
                self._correct(pin, down=pin.claimed.closed(), at_ns=time.monotonic_ns())

    def _open(self, pin: _Pin, chip: str) -> None:
        try:
            down = pin.open(chip).closed()
        except (OSError, ValueError) as seen:  # one pin costs one key
            pin.close()
            if not pin.faulty:
                pin.faulty = True
                self._post_all(pin.wire.absent(*_explained(pin.number, seen)))
            return
        pin.faulty = False
        self._post_all(pin.wire.begin(down=down, at_ns=time.monotonic_ns()))

    def _wait(self, wake: WakePipe, reread_ns: int) -> None:
        """Wait until an edge comes, or something is due."""
        dues = [reread_ns]
        dues += [edge.at_ns + _LATE_NS for edge in self._edges[:1]]
        dues += [
            due_ns + _LATE_NS
            for pin in self._pins
            if pin.claimed is not None and (due_ns := pin.wire.due_ns) is not None
        ]
        files = [pin.claimed.file for pin in self._pins if pin.claimed is not None]
        select.select([wake.file, *files], [], [], max(0, min(dues) - time.monotonic_ns()) / _NS)

    def _post_all(self, messages: list[Message]) -> None:
        for message in messages:
            self._post(message)


Options = GpioButtons.Options


class _Pin:
    """One pin: what is claimed of it, and the wire that makes messages of its edges."""

    def __init__(self, number: int, wire: Wire, *, pull_up: bool, debounce_s: float) -> None:
        self.number = number
        self.wire = wire
        self.faulty = False  # it was reported that the pin cannot be claimed
        self.claimed: InputPin | None = None
        self._pull_up = pull_up
        self._debounce_s = debounce_s

    def open(self, chip: str) -> InputPin:
        self.claimed = InputPin(chip, self.number, pull_up=self._pull_up, debounce_s=self._debounce_s)
        return self.claimed

    def listen(self) -> None:
        """Have the chip look for edges if the wire wants them."""
        if self.claimed is not None:
            self.claimed.listen(wanted=self.wire.wanted)

    def close(self) -> None:
        if self.claimed is not None:
            with contextlib.suppress(Exception):  # it is given up, whatever state it is in
                self.claimed.close()
            self.claimed = None


class _Edge(NamedTuple):
    """The contact of a pin closed (`down`) or opened."""

    at_ns: int
    pin: _Pin
    down: bool


def _pins(options: Options) -> list[_Pin]:
    """A pin object for each wire; raises `HardwareError` for unknown keys and pins that are given twice."""
    for name in (*options.pins, *options.also_pins, *options.double_keys):
        if name not in _NAMES:
            raise HardwareError(
                _DEVICE,
                sentence("there is no key {name}", name=repr(name)),
                sentence("the keys are {names}", names=", ".join(_NAMES)),
            )
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
            raise HardwareError(
                _DEVICE,
                sentence("GPIO {number} is used twice, once for {name}", number=number, name=name),
                sentence("use each pin for one key only"),
            )
    return [
        _Pin(
            number,
            Wire(f"{_DEVICE}/{name}", f"GPIO {number}", listener, bounds),
            pull_up=options.pull_up,
            debounce_s=options.encoder_bounce_s if name.startswith("encoder_") else 0.0,
        )
        for name, number, listener, bounds in wanted
    ]


def _explained(number: int, seen: Exception) -> tuple[str, str]:
    if isinstance(seen, OSError) and seen.errno == errno.EBUSY:
        return (
            sentence("another program or device uses this pin"),
            sentence("give the key another pin; `gpioinfo` shows what uses it"),
        )
    return sentence("cannot be used: {seen}", seen=seen), sentence(
        "check that GPIO {number} is on the header and free", number=number
    )
