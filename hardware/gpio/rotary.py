"""From the two contacts of a rotary encoder to turns of the knob. See the head of `hardware.gpio`."""

from __future__ import annotations

from typing import Final

_POSITION: Final = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}
"""Where in its cycle the encoder is, by which of the contacts A and B are closed. Clockwise, A closes first;
where the knob turns the wrong way, the two wires are swapped."""


class RotaryDecoder:
    """Counts quarter cycles and reports detents. Not thread-safe.

    A contact that bounces goes back and forth between two positions, and cancels itself out: no lock-out
    is needed. `steps` is the number of quarter cycles from one detent to the next: 4 for most encoders,
    2 for those which rest with both contacts open and with both closed, 1 for a few.
    """

    def __init__(self, steps: int = 4) -> None:
        self._steps = steps
        self._position = 0
        self._moved = 0

    def begin(self, *, a: bool, b: bool) -> None:
        """Start again; the contacts are closed (True) or open now."""
        self._position = _POSITION[a, b]
        self._moved = 0

    def contacts(self, *, a: bool, b: bool) -> int:
        """The contacts are closed (True) or open now: 1 for a detent clockwise, -1 back, else 0."""
        position = _POSITION[a, b]
        quarter = (position - self._position) % 4
        self._position = position
        # Two steps at once: an edge was missed, and the direction is unknown. The next detent corrects it.
        self._moved += {0: 0, 1: 1, 2: 0, 3: -1}[quarter]
        if position % self._steps:
            return 0  # between two detents
        far_enough = 2 * abs(self._moved) >= self._steps
        turned = ((self._moved > 0) - (self._moved < 0)) if far_enough else 0
        self._moved = 0
        return turned
