"""Pictures as OpenCV has them: from files that come from anybody, to files, with what was read drawn in."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from firmware.extensions.camera.seen import Corners, Seen

Picture: TypeAlias = NDArray[np.uint8]
"""Rows, columns, and blue, green, red; or without these, if it is grey."""

Plane: TypeAlias = NDArray[np.float32]
"""A number for each pixel."""

Mask: TypeAlias = cv2.typing.MatLike
"""Where something is, in a picture or the same made small: 1 there, else 0."""

JPEG: Final = ("JPEG",)
JPEG_OR_PNG: Final = ("JPEG", "PNG")

Image.MAX_IMAGE_PIXELS = None  # `decoded` has a limit; a warning would be lines of code for who took a photo
_BROKEN: Final = (OSError, ValueError, SyntaxError, struct.error)
"""What Pillow raises for a file whose head is broken or lies."""
_QUALITY: Final = 90
_SURE: Final = (60, 180, 60)
_UNSURE: Final = (0, 140, 255)
_NOTHING: Final = (60, 60, 220)
_LETTERS_PX: Final = 24
"""About how high letters are in a picture of 1280 pixels."""


def around(mask: Mask, pixels: int = 24) -> Mask:
    """Where something is, and this number of pixels around it."""
    return cv2.dilate(mask, np.ones((2 * pixels + 1,) * 2, np.uint8))


CHANGED: Final = 0.03
"""The share of a card that has changed before it is read again; laid on another, only its digits differ."""


def area_of(cards: Iterable[Corners], like: Mask, scale: float) -> Mask:
    """Where cards lie in a picture as small as this one, given how many pixels one of it is."""
    area = np.zeros(like.shape, np.uint8)
    for corners in cards:
        cv2.fillConvexPoly(area, np.round(np.array(corners) / scale).astype(np.int32), 1)
    return area


def share_of(corners: Corners, mask: Mask, scale: float) -> float:
    """How much of the area of a card is in a mask, from 0 to 1."""
    return cv2.mean(mask, area_of([corners], mask, scale))[0]


def grey(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def decoded(content: bytes, formats: tuple[str, ...], most_pixels: int) -> Picture | None:
    """The picture in a file of one of these formats; None where it is none, or has more pixels."""
    try:
        with Image.open(io.BytesIO(content), formats=formats) as head:  # a few bytes can claim to be huge
            if head.width * head.height > most_pixels:
                return None
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except (*_BROKEN, cv2.error):
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def encoded(picture: Picture, quality: int = _QUALITY) -> bytes:
    """A picture as a JPEG file."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def unpacked(showing: bytes) -> Picture:
    """The picture that was `encoded`."""
    return np.asarray(cv2.imdecode(np.frombuffer(showing, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def drawn(picture: Picture, seen: Iterable[Seen], label: Callable[[str], str]) -> Picture:
    """A copy: green round a card that is sure, orange where it may be several, red where it is none.

    `label` gives what is written on a card, in ASCII, given its code.
    """
    copy = picture.copy()
    size = picture.shape[1] / 1280 * _LETTERS_PX
    thick = max(1, round(size / 8))
    for card in seen:
        colour = _SURE if card.code else _UNSURE if card.candidates else _NOTHING
        words = label(card.code) if card.code else " ".join(f"{label(code)}?" for code in card.candidates)
        corners = np.round(np.array(card.corners)).astype(np.int32)
        cv2.polylines(copy, [corners], isClosed=True, color=colour, thickness=thick)
        x, y = (int(at) for at in corners[0])
        cv2.putText(copy, words, (x, y - 2 * thick), cv2.FONT_HERSHEY_SIMPLEX, size / 22, colour, thick)
    return copy
