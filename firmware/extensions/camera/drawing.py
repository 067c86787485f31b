"""A picture with what was read drawn into it, for people who want to see what the camera makes of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from firmware.extensions.camera.light import Picture
    from firmware.extensions.camera.seen import Seen

_SURE: Final = (60, 180, 60)
_UNSURE: Final = (0, 140, 255)
_NOTHING: Final = (60, 60, 220)
_LETTERS_PX: Final = 24
"""About how high letters are in a picture of 1280 pixels."""


def drawn(picture: Picture, seen: Iterable[Seen], label: Callable[[str], str]) -> Picture:
    """A copy: green round a card that is sure, orange where it may be several, red where it is none.

    `label` gives what is written on a card, in ASCII, given its code.
    """
    copy = picture.copy()
    size = picture.shape[1] / 1280 * _LETTERS_PX
    thick = max(1, round(size / 8))
    for one in seen:
        colour = _SURE if one.code else _UNSURE if one.candidates else _NOTHING
        words = label(one.code) if one.code else " ".join(f"{label(code)}?" for code in one.candidates)
        corners = np.round(np.array(one.corners)).astype(np.int32)
        cv2.polylines(copy, [corners], isClosed=True, color=colour, thickness=thick)
        x, y = (int(at) for at in corners[0])
        cv2.putText(copy, words, (x, y - 2 * thick), cv2.FONT_HERSHEY_SIMPLEX, size / 22, colour, thick)
    return copy
