"""A buzzer on a GPIO pin, by gpiozero on lgpio: five signals a table learns in one evening; when, others say.

One thread plays. A new signal cuts the one that sounds: the newest is the one that people wait for.
"""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hardware.errors import HardwareError
from hardware.gpio.lgpio_folder import lgpio_folder
from hardware.options import option
from hardware.ports import DeviceFault, DeviceRecovered, Signal
from hardware.posting import to_nobody, unharmed

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import Message

FIRST_RETRY_S: Final = 0.25
LAST_RETRY_S: Final = 10.0
_LEAVE_S: Final = 2.0
_DEVICE: Final = "buzzer"


@dataclass(frozen=True, slots=True)
class Note:
    """A tone and the pause after it, in hertz and seconds. A buzzer without pitch sounds as long."""

    hertz: float
    sound_s: float
    pause_s: float = 0.06


TUNES: Final = {
    Signal.ACCEPTED: (Note(2637.0, 0.07),),  # one short, high
    Signal.DUPLICATE: (Note(1319.0, 0.07), Note(1319.0, 0.07)),  # two short, equal
    Signal.REFUSED: (Note(330.0, 0.22), Note(330.0, 0.22)),  # two long, low
    Signal.TAKING: (Note(1568.0, 0.13), Note(1175.0, 0.13), Note(784.0, 0.13)),  # three, falling
    Signal.LAST_CARD: tuple(Note(hertz, 0.07) for hertz in (1047.0, 1319.0, 1568.0, 2093.0)),  # four, rising
}
"""By number and length they differ without pitch too: 1 short, 2 short, 2 long, 3 medium, 4 short. The
pitches are within what gpiozero's TonalBuzzer plays with octaves=3: 55 to 3520 Hz."""


class GpioBuzzer:
    """The buzzer port over GPIO; see `hardware.ports.Speaker`. It posts faults of "buzzer"."""

    @dataclass(frozen=True, slots=True)
    class Options:
        """How the buzzer is wired."""

        pin: int = option("pin of the buzzer, a BCM number", low=0, high=27)
        kind: str = option(
            (
                "tonal: a passive piezo that plays the tone it is sent; active: a buzzer with its own "
                "tone, on or off"
            ),
            "tonal",
            among=("tonal", "active"),
        )
        active_high: bool = option("an active buzzer sounds while the pin is high", True)

    def __init__(self, options: Options) -> None:
        self._options = options
        self._post: Callable[[Message], None] = to_nobody
        self._news = threading.Condition()
        self._wanted: Signal | None = None  # guarded by the condition, like the next one
        self._leaving = False
        self._thread: threading.Thread | None = None
        self._told: tuple[str, str] | None = None

    # ----------------------------------------------------------------------------- any thread

    def start(self, post: Callable[[Message], None]) -> None:
        """Begin; the pin is claimed in the thread. A second start without a close is a `RuntimeError`."""
        if self._thread is not None:
            raise RuntimeError("the buzzer is already started; close it first")
        self._post = unharmed(post)
        self._leaving = False
        self._thread = threading.Thread(target=self._run, name=_DEVICE, daemon=True)
        self._thread.start()

    def give(self, signal: Signal) -> None:
        """Sound it; what sounds now is cut short."""
        with self._news:
            self._wanted = signal
            self._news.notify_all()

    def check(self) -> str:
        """Give the accepted signal; whether it sounds, only a person can hear."""
        voice = _Voice(self._options)
        try:
            voice.open()
            voice.sound(TUNES[Signal.ACCEPTED][0].hertz)
            with self._news:
                self._news.wait(TUNES[Signal.ACCEPTED][0].sound_s)
        finally:
            voice.close()
        return f"one short tone was sent to GPIO {self._options.pin} ({self._options.kind})"

    def close(self) -> None:
        """Be silent, stop the thread and free the pin. More than once does no harm."""
        with self._news:
            self._leaving = True
            self._news.notify_all()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(_LEAVE_S)

    # ----------------------------------------------------------------------------- the thread

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self._leaving:
            voice = _Voice(self._options)
            try:
                voice.open()
                self._well()
                retry_s = FIRST_RETRY_S
                self._play(voice)
                return
            except HardwareError as seen:
                self._ill(seen.fault, seen.check)
            finally:
                voice.close()
            with self._news:
                self._news.wait_for(lambda: self._leaving, retry_s)
                self._wanted = None  # a signal late is a wrong signal
            retry_s = min(2 * retry_s, LAST_RETRY_S)

    def _play(self, voice: _Voice) -> None:
        while (signal := self._next()) is not None:
            for note in TUNES[signal]:
                voice.sound(note.hertz)
                cut = self._cut_within(note.sound_s)
                voice.hush()
                if cut or self._cut_within(note.pause_s):
                    break

    def _next(self) -> Signal | None:
        """Wait for a signal; None: leave."""
        with self._news:
            self._news.wait_for(lambda: self._leaving or self._wanted is not None)
            signal, self._wanted = self._wanted, None
            return None if self._leaving else signal

    def _cut_within(self, seconds: float) -> bool:
        with self._news:
            return self._news.wait_for(lambda: self._leaving or self._wanted is not None, seconds)

    def _ill(self, fault: str, check: str) -> None:
        if self._told != (fault, check):
            self._told = (fault, check)
            self._post(DeviceFault(_DEVICE, fault, check))

    def _well(self) -> None:
        if self._told is not None:
            self._told = None
            self._post(DeviceRecovered(_DEVICE))


Options = GpioBuzzer.Options


class _Voice:
    """The buzzer itself. Every method but `close` raises `HardwareError`. Of one thread."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._device: Any = None

    def open(self) -> None:
        """Claim the pin; silent."""
        with _named():
            factory = _factory()
            from gpiozero import Buzzer, TonalBuzzer

            pin = self._options.pin
            # A pin that cannot be had fails here. Inside of a device it would leave a reservation behind,
            # which holds until the half-made device is garbage, and refuses the next try.
            factory.pin(pin)
            if self._options.kind == "tonal":
                self._device = TonalBuzzer(pin, octaves=3, pin_factory=factory)
            else:
                self._device = Buzzer(pin, active_high=self._options.active_high, pin_factory=factory)

    def sound(self, hertz: float) -> None:
        """Sound until `hush`."""
        with _named():
            if self._options.kind == "tonal":
                self._device.play(hertz)
            else:
                self._device.on()

    def hush(self) -> None:
        """Silence."""
        with _named():
            if self._options.kind == "tonal":
                self._device.stop()
            else:
                self._device.off()

    def close(self) -> None:
        """Silence, and free the pin."""
        if self._device is not None:
            with contextlib.suppress(Exception):  # it is being given up
                self.hush()
                self._device.close()
            self._device = None


@contextlib.contextmanager
def _named() -> Any:  # noqa: ANN401 - a generator, to contextlib
    """Whatever gpiozero and lgpio raise, as a `HardwareError`; they have no base in common."""
    try:
        yield
    except HardwareError:
        raise
    except Exception as seen:
        raise HardwareError(
            _DEVICE, str(seen) or type(seen).__name__, "check that the pin is free and on the header"
        ) from seen


def _factory() -> Any:  # noqa: ANN401 - gpiozero has no types
    """The pin factory of this process, which must be lgpio's: others are dead on a Pi 5 or lack PWM."""
    with lgpio_folder():
        from gpiozero import Device
        from gpiozero.pins.lgpio import LGPIOFactory

        if Device.pin_factory is None:
            Device.pin_factory = LGPIOFactory()
        if not isinstance(Device.pin_factory, LGPIOFactory):
            raise HardwareError(
                _DEVICE,
                f"gpiozero uses {type(Device.pin_factory).__name__} instead of LGPIOFactory",
                "set GPIOZERO_PIN_FACTORY=lgpio in the environment, or unset it",
            )
        return Device.pin_factory
