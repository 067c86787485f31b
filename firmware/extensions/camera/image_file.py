"""Pictures as files: those that come from anybody, and those that are written."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from firmware.extensions.camera.light import Picture

JPEG: Final = ("JPEG",)
JPEG_OR_PNG: Final = ("JPEG", "PNG")

_BROKEN: Final = (OSError, ValueError, SyntaxError, struct.error, Image.DecompressionBombError)
"""What Pillow raises for a file whose head is broken or lies."""

_QUALITY: Final = 90


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


def encoded(picture: Picture) -> bytes:
    """A picture as a JPEG file."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
