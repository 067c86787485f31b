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


def logarithms(face: Picture) -> Plane:
    """Lightness, and two differences of colour, as the light made them: 3 × as large as the face."""
    blue, green, red = cv2.split(cv2.LUT(face, _LOGARITHM))
    lightness = 0.114 * blue + 0.587 * green + 0.299 * red
    return np.stack([lightness, *(cv2.GaussianBlur(each, (0, 0), 2) for each in (blue - green, red - green))])


def even(logarithms: Plane, visible: Plane | None = None, wide: int = 0) -> Plane:
    """The same without the light. With `visible`, as large as the face, only what is 1 there is looked at.

    `wide` is the width of a card, where this is part of one.
    """
    if visible is None:
        usual = logarithms[1:].mean(axis=(1, 2))
    else:
        usual = (logarithms[1:] * visible).sum(axis=(1, 2)) / max(float(visible.sum()), 1.0)
    colours = (logarithms[1:] - usual[:, None, None]) * _COLOUR_WEIGHT
    plain = against_surroundings(logarithms[0], wide or logarithms.shape[2], visible)
    return np.stack([plain, *colours])


def against_surroundings(light: Plane, wide: int, visible: Plane | None = None) -> Plane:
    """Logarithms of lightness without their surroundings, given how wide a card is in pixels."""
    side = 2 * round(wide * _SURROUNDINGS / 2) + 1
    if visible is None:
        return light - cv2.blur(light, (side, side), borderType=cv2.BORDER_REFLECT)
    share, around = (
        cv2.blur(each, (side, side), borderType=cv2.BORDER_REFLECT) for each in (visible, light * visible)
    )
    return np.asarray(light - around / np.maximum(share, 1e-6), np.float32)


def lightness(grey: Picture) -> Plane:
    """The first of the planes, of a grey picture of a card."""
    return against_surroundings(np.asarray(cv2.LUT(grey, _LOGARITHM), np.float32), grey.shape[1])
