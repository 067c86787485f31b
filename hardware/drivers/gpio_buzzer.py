"""A buzzer on a GPIO pin, by gpiozero: five signals that differ in number, length and pitch.

One thread plays. A new signal cuts off the one that sounds: the newest is the one that people wait for.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Annotated, Any, Final

from msgspec import Struct

from hardware.background import BackgroundDevice
from hardware.errors import sentence
from hardware.gpio import pin_factory
from hardware.options import option
from hardware.ports import Signal

_DEVICE: Final = "buzzer"


class Beep(Struct, frozen=True):
    """A tone and the pause after it, in hertz and seconds. A buzzer with one pitch sounds as long."""

    hertz: float
    sound_s: float
    pause_s: float = 0.06


TUNES: Final = {
    Signal.ACCEPTED: (Beep(2637.0, 0.07),),  # one short, high
    Signal.DUPLICATE: (Beep(1319.0, 0.07), Beep(1319.0, 0.07)),  # two short, equal
    Signal.REFUSED: (Beep(330.0, 0.22), Beep(330.0, 0.22)),  # two long, low
    Signal.TAKING: (Beep(1568.0, 0.13), Beep(1175.0, 0.13), Beep(784.0, 0.13)),  # three, falling
    Signal.LAST_CARD: tuple(Beep(hertz, 0.07) for hertz in (1047.0, 1319.0, 1568.0, 2093.0)),  # four, rising
    Signal.WON: (
        *(Beep(hertz, 0.12) for hertz in (784.0, 1047.0, 1319.0)),
        Beep(1568.0, 0.5),
        Beep(1319.0, 0.12),
        Beep(1568.0, 0.7),
    ),  # a fanfare
}
"""They differ without pitch as well: 1 short, 2 short, 2 long, 3 medium, 4 short, 6 with the
4th and the last long. The pitches are within what gpiozero's TonalBuzzer plays with octaves=3: 55 to 3520
Hz."""


class GpioBuzzer(BackgroundDevice):
    """A buzzer on one GPIO pin: a bare piezo disc, or an active buzzer with a tone of its own.

    Wiring: the piezo between its pin (GPIO 18 is pin 12) and ground (pin 14). An active buzzer draws too
    much for a pin: put a transistor between.

    ```toml
    [buzzer]
    driver = "gpio"
    pin = 18
    kind = "tonal"
    ```

    ```python
    from hardware.drivers.gpio_buzzer import GpioBuzzer
    from hardware.ports import Signal

    buzzer = GpioBuzzer(GpioBuzzer.Options(pin=18))
    buzzer.start(print)
    buzzer.give(Signal.ACCEPTED)  # one short, high tone
    ```

    It posts faults of "buzzer".
    """

    class Options(Struct, frozen=True):
        """How the buzzer is wired."""

        pin: Annotated[int, option("pin of the buzzer, a BCM number", low=0, high=27)]
        kind: Annotated[
            str,
            option(
                "tonal: a passive piezo that plays the tone it is sent; active: a buzzer with its own "
                "tone, on or off",
                among=("tonal", "active"),
            ),
        ] = "tonal"
        active_high: Annotated[bool, option("an active buzzer sounds while the pin is high")] = True

    def __init__(self, options: Options) -> None:
        super().__init__(_DEVICE)
        self._options = options
        self._changed = threading.Condition()
        self._wanted: Signal | None = None  # guarded by the condition

    def give(self, signal: Signal) -> None:
        """Sound it, and return at once; a signal that is still sounding is cut off."""
        with self._changed:
            self._wanted = signal
            self._changed.notify_all()

    def _look(self) -> str:
        """Sound the accepted signal; only a person can hear whether it works."""
        with contextlib.closing(_BuzzerPin(self._options)) as buzzer:
            buzzer.open()
            buzzer.sound(TUNES[Signal.ACCEPTED][0].hertz)
            with self._changed:
                self._changed.wait(TUNES[Signal.ACCEPTED][0].sound_s)
        return f"one short tone was sent to GPIO {self._options.pin} ({self._options.kind})"

    # ----------------------------------------------------------------------------- the thread

    def _interrupt(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _explain(self, lost: BaseException) -> tuple[str, str] | None:
        # What gpiozero and its library raise has no base class in common.
        return str(lost) or type(lost).__name__, sentence("check that the pin is free and on the header")

    def _serve(self) -> None:
        with contextlib.closing(_BuzzerPin(self._options)) as buzzer:
            buzzer.open()
            if self._reporter.faulty:
                # What was wanted meanwhile is over: a signal that comes late says something wrong.
                with self._changed:
                    self._wanted = None
            self._opened()
            while (signal := self._next()) is not None:
                for note in TUNES[signal]:
                    buzzer.sound(note.hertz)
                    cut = self._cut_within(note.sound_s)
                    buzzer.stop()
                    if cut or self._cut_within(note.pause_s):
                        break

    def _next(self) -> Signal | None:
        """Wait for a signal; None: the buzzer is being closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.stopping.is_set() or self._wanted is not None)
            signal, self._wanted = self._wanted, None
            return None if self.stopping.is_set() else signal

    def _cut_within(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.stopping.is_set() or self._wanted is not None, seconds)


Options = GpioBuzzer.Options


class _BuzzerPin:
    """The buzzer on its pin. Every method but `close` may raise. For one thread."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._tonal = options.kind == "tonal"
        self._device: Any = None

    def open(self) -> None:
        """Claim the pin; it makes no sound."""
        factory = pin_factory(_DEVICE)
        from gpiozero import Buzzer, TonalBuzzer

        pin = self._options.pin
        # A pin that cannot be claimed fails here. Inside of a device it would leave a reservation behind,
        # which holds until the half-made device is garbage collected, and refuses the next attempt.
        factory.pin(pin)
        if self._tonal:
            self._device = TonalBuzzer(pin, octaves=3, pin_factory=factory)
        else:
            self._device = Buzzer(pin, active_high=self._options.active_high, pin_factory=factory)

    def sound(self, hertz: float) -> None:
        """Sound until `stop`, or until the next tone."""
        if self._tonal:
            self._device.play(hertz)
        else:
            self._device.on()

    def stop(self) -> None:
        if self._tonal:
            self._device.stop()
        else:
            self._device.off()

    def close(self) -> None:
        if self._device is not None:
            with contextlib.suppress(Exception):  # it is given up, whatever state it is in
                self.stop()
                self._device.close()
            self._device = None
