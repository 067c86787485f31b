"""From the two contacts of a rotary encoder to turns of the knob; pins and meanings are not known here."""

from __future__ import annotations

from typing import Final

_PLACE: Final = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}
"""Where in its cycle the encoder is, by which contacts are closed. Clockwise, A closes first; where the knob
turns the wrong way, the two wires are swapped."""


class Turning:
    """Counts quarter cycles and gives detents. Not for several threads.

    A contact that bounces goes back and forth between two places, and cancels itself out: no lock-out
    is needed. `steps` is the number of quarter cycles from one detent to the next: 4 for most encoders,
    2 for those which rest with both contacts open and with both closed, 1 for a few.
    """

    def __init__(self, steps: int = 4) -> None:
        self._steps = steps
        self._place = 0
        self._moved = 0

    def begin(self, *, a: bool, b: bool) -> None:
        """Forget everything; the contacts are closed (True) or open now."""
        self._place = _PLACE[a, b]
        self._moved = 0

    def contacts(self, *, a: bool, b: bool) -> int:
        """The contacts are closed (True) or open now: 1 for a detent clockwise, -1 back, else 0."""
        place = _PLACE[a, b]
        quarter = (place - self._place) % 4
        self._place = place
        # Two places at once: an edge was missed and nobody knows which way. The next detent sets it right.
        self._moved += {0: 0, 1: 1, 2: 0, 3: -1}[quarter]
        if place % self._steps:
            return 0  # between two detents
        far_enough = 2 * abs(self._moved) >= self._steps
        turned = ((self._moved > 0) - (self._moved < 0)) if far_enough else 0
        self._moved = 0
        return turned
