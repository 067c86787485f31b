"""Two keys that are held down together: the way to the list of languages from every page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardware.ports import Key, KeyPressed, KeyReleased, Press

if TYPE_CHECKING:
    from hardware.ports import Message

KEYS: Final = (Key.ROW_1, Key.ROW_3)

HOLD_S: Final = 1.2
"""After the long presses, which come after 0.8 s: two seconds together."""

TOGETHER_S: Final = 0.5
"""Two presses that begin further apart are not meant together."""


class Chord:
    """Whether both keys are held. Times are monotonic seconds, passed in.

    A long press of one of them alone does nothing on any page.
    """

    def __init__(self) -> None:
        self._since_s: dict[Key, float] = {}

    @property
    def held(self) -> bool:
        """Whether both keys are held down."""
        since_s = self._since_s.values()
        return len(since_s) == len(KEYS) and max(since_s) - min(since_s) <= TOGETHER_S

    def hear(self, message: Message, now_s: float) -> None:
        """Follow the keys. Any other key that is pressed ends it."""
        if isinstance(message, KeyPressed) and message.key in KEYS and message.press is Press.LONG:
            self._since_s[message.key] = now_s
        elif isinstance(message, KeyReleased):
            self._since_s.pop(message.key, None)
        elif isinstance(message, KeyPressed):
            self._since_s.clear()

    def due(self, now_s: float) -> bool:
        """True once, when both keys have been held for long enough."""
        if not self.held or now_s - max(self._since_s.values()) < HOLD_S:
            return False
        self._since_s.clear()
        return True
