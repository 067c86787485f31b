"""How bright the display is: it dims and goes dark when nobody does anything, and a key wakes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.ports import OWN_KEYS, KeyPressed, Light

if TYPE_CHECKING:
    from firmware.config.sections.screen import ScreenOptions
    from hardware.ports import Message


class Brightness:
    """The light of a display, and since when nobody has done anything. Seconds of the controller's clock."""

    def __init__(self, screen: ScreenOptions, now_s: float) -> None:
        self.light = Light.FULL
        self._screen, self._active_s = screen, now_s

    def wake(self, now_s: float) -> None:
        """Light the display up."""
        self._active_s, self.light = now_s, Light.FULL

    def is_woken_by(self, message: Message, now_s: float) -> bool:
        """Light the display up; whether the message does only that.

        A key does, for nobody could see what it would do. A scan always counts. The scanner has told its
        player that it has read the card. So does a player's own key, which stands for a badge.
        """
        dark = self.light is Light.OFF
        self.wake(now_s)
        return dark and isinstance(message, KeyPressed) and message.key not in OWN_KEYS

    def tick(self, now_s: float) -> None:
        """Dim the display when it is time for that."""
        screen, idle_s = self._screen, now_s - self._active_s
        self.light = Light.FULL
        if screen.dim_after_s and idle_s >= screen.dim_after_s:
            self.light = Light.DIM
        if screen.hide_after_s and idle_s >= screen.hide_after_s:
            self.light = Light.OFF
