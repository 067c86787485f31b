"""What of a face does not depend on the light: lightness against its surroundings, and two colours.

A lamp multiplies what a card reflects, so the logarithm of a picture is that of the card and that of the
light, added. The light changes slowly from place to place: it goes away with the mean of the surroundings.
What its colour adds to the card's is the same everywhere on it, and goes away with the mean of the card.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Plane: TypeAlias = NDArray[np.float32]
Picture: TypeAlias = NDArray[np.uint8]

_DARKEST: Final = 16.0
"""Added before the logarithm: the noise of a camera does not grow without end in the dark."""

_LOGARITHM: Final = np.log(np.arange(256) + _DARKEST).astype(np.float32)
_SURROUNDINGS: Final = 0.26
"""Of which the mean is taken, as a share of the width of a card."""

_COLOUR_WEIGHT: Final = 0.6


def planes(face: Picture) -> tuple[Plane, Plane, Plane]:
    """Lightness, and two differences of colour, each as large as the face."""
    blue, green, red = cv2.split(cv2.LUT(face, _LOGARITHM))
    lightness = 0.114 * blue + 0.587 * green + 0.299 * red
    side = 2 * round(face.shape[1] * _SURROUNDINGS / 2) + 1
    lightness -= cv2.blur(lightness, (side, side), borderType=cv2.BORDER_REFLECT)
    return lightness, _colour(blue - green), _colour(red - green)


def lightness(grey: Picture) -> Plane:
    """The first of the planes, of a grey picture of a card."""
    light = cv2.LUT(grey, _LOGARITHM)
    side = 2 * round(grey.shape[1] * _SURROUNDINGS / 2) + 1
    return np.asarray(light - cv2.blur(light, (side, side), borderType=cv2.BORDER_REFLECT), np.float32)


def _colour(difference: cv2.typing.MatLike) -> Plane:
    smooth = cv2.GaussianBlur(difference, (0, 0), 2)
    return np.asarray((smooth - smooth.mean()) * _COLOUR_WEIGHT, np.float32)
