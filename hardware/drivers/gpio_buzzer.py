"""A buzzer on a GPIO pin, by gpiod: six signals that differ in number, length and pitch.

One thread plays. A new signal cuts off the one that sounds: the newest is the one that people wait for.

For a piezo the thread also makes the wave, as libgpiod makes none. The edges stand at fixed times from the
first one, so the pitch is right on average even where single edges come late. They do come late while the
program computes, and then the tone is rough; so all threads of the process take turns more often meanwhile.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from hardware.background import BackgroundDevice
from hardware.errors import sentence
from hardware.gpio import header_chip
from hardware.options import option
from hardware.ports import Signal

if TYPE_CHECKING:
    from hardware.gpio.pins import OutputPin

_DEVICE: Final = "buzzer"
_PR_SET_TIMERSLACK: Final = 29
"""linux/prctl.h. A thread sleeps up to 50 us longer than it asks for: a quarter of a wave of 5 kHz."""
_TURN_S: Final = 0.0005
"""After so long threads take turns while a wave is made. Python's 5 ms are a dozen waves of a high tone."""


class Note(Struct, frozen=True):
    """A tone and the pause after it, in hertz and seconds. A buzzer with one pitch sounds as long."""

    hertz: float
    sound_s: float
    pause_s: float = 0.06


TUNES: Final = {
    Signal.ACCEPTED: (Note(2637.0, 0.07),),  # one short, high
    Signal.DUPLICATE: (Note(1319.0, 0.07), Note(1319.0, 0.07)),  # two short, equal
    Signal.REFUSED: (Note(330.0, 0.22), Note(330.0, 0.22)),  # two long, low
    Signal.TAKING: (Note(1568.0, 0.13), Note(1175.0, 0.13), Note(784.0, 0.13)),  # three, falling
    Signal.LAST_CARD: tuple(Note(hertz, 0.07) for hertz in (1047.0, 1319.0, 1568.0, 2093.0)),  # four, rising
    Signal.WON: (
        *(Note(hertz, 0.12) for hertz in (784.0, 1047.0, 1319.0)),
        Note(1568.0, 0.5),
        Note(1319.0, 0.12),
        Note(1568.0, 0.7),
    ),  # a fanfare
}
"""They differ without pitch as well: 1 short, 2 short, 2 long, 3 medium, 4 short, 6 with the
4th and the last long."""


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
        with self._opened_pin() as pin:
            self._sound(pin, TUNES[Signal.ACCEPTED][0])
        return sentence(
            "one short tone was sent to GPIO {pin} ({kind})", pin=self._options.pin, kind=self._options.kind
        )

    # ----------------------------------------------------------------------------- the thread

    def _interrupt(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _explain(self, lost: BaseException) -> tuple[str, str] | None:
        return str(lost) or type(lost).__name__, sentence("check that the pin is free and on the header")

    def _serve(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # without it the tone is only rougher
            ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)
        with self._opened_pin() as pin:
            if self._reporter.faulty:
                # What was wanted meanwhile is over: a signal that comes late says something wrong.
                with self._changed:
                    self._wanted = None
            self._opened()
            while (signal := self._next()) is not None:
                for note in TUNES[signal]:
                    if self._sound(pin, note) or self._cut_within(note.pause_s):
                        break

    @contextlib.contextmanager
    def _opened_pin(self) -> Iterator[OutputPin]:
        """The pin, which is silent at first and at the end."""
        chip = header_chip(_DEVICE)
        from hardware.gpio.pins import OutputPin

        pin = OutputPin(chip, self._options.pin, high=self._level(on=False))
        try:
            yield pin
        finally:
            with contextlib.suppress(OSError):
                pin.write(high=self._level(on=False))
            pin.close()

    def _level(self, *, on: bool) -> bool:
        return on if self._options.kind == "tonal" else on == self._options.active_high

    def _sound(self, pin: OutputPin, note: Note) -> bool:
        """Sound a note; whether it was cut off."""
        if self._options.kind == "tonal":
            cut = self._wave(pin, note)
        else:
            pin.write(high=self._level(on=True))
            cut = self._cut_within(note.sound_s)
        pin.write(high=self._level(on=False))
        return cut

    def _wave(self, pin: OutputPin, note: Note) -> bool:
        half_s = 0.5 / note.hertz
        edge_s = time.monotonic()
        end_s, high, cut = edge_s + note.sound_s, True, False
        before_s = sys.getswitchinterval()
        sys.setswitchinterval(_TURN_S)
        try:
            while not cut and edge_s < end_s:
                pin.write(high=high)
                high, now_s = not high, time.monotonic()
                # After a long pause of this thread the waves that were missed are not made up for.
                edge_s = max(edge_s + half_s, now_s - 2 * half_s)
                cut = self._cut_within(max(0.0, edge_s - now_s))
        finally:
            sys.setswitchinterval(before_s)
        return cut

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
