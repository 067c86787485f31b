"""A square wave on a pin, made by a thread: for a piezo where no library makes it.

The edges stand at fixed times from the first one, so the pitch is right on average even where single edges
come late. They do come late while the program computes, and then the tone is rough.
"""

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable
from typing import Final

_PR_SET_TIMERSLACK: Final = 29
"""linux/prctl.h. A thread sleeps up to 50 us longer than it asks for: a quarter of a wave of 5 kHz."""
_REST_S: Final = 0.005
"""How often it looks whether there is something to do while the pin rests."""


class SoftwarePwm:
    """A wave of `hertz` whose level is high for the part `duty` of the time; both may change at any time.

    It begins with a duty of 0: the pin is low. An error of `write` ends it.
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
        edge_s, resting = time.monotonic(), None
        while not self._ended.is_set():
            duty, wave_s = self.duty, 1 / self.hertz
            if duty in (0, 1):
                if resting != duty:
                    resting = duty
                    self._write(int(duty))
                self._ended.wait(_REST_S)
                edge_s = time.monotonic()
                continue
            resting = None
            for level, part_s in ((1, wave_s * duty), (0, wave_s * (1 - duty))):
                self._write(level)
                edge_s += part_s
                now_s = time.monotonic()
                # After a long pause of this thread the waves that were missed are not made up for.
                edge_s = max(edge_s, now_s - wave_s)
                self._ended.wait(max(0.0, edge_s - now_s))
