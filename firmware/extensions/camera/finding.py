"""Finds cards in a picture: areas that differ from the table and have four corners, each made rectangular.

A picture is an array of bytes as OpenCV has it: rows, columns, and blue, green, red.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.seen import Corners

Picture: TypeAlias = NDArray[np.uint8]

FACE_WIDTH_PX: Final = 128
FACE_HEIGHT_PX: Final = 196
"""The size of a card that was made rectangular: a number is clear, and a deck needs little memory."""

_LEAST_SHARE: Final = 1 / 200
"""A card takes at least this share of a picture."""


class Found(NamedTuple):
    """An area that may be a card, or its back, or something else with four corners."""

    corners: Corners
    """Clockwise from an end of a short side: the card is upright or upside down."""

    face: Picture
    """What is within the corners, `FACE_WIDTH_PX` × `FACE_HEIGHT_PX`."""


def find(picture: Picture) -> list[Found]:
    """All that may be a card, from top to bottom and from left to right in a grid or a row."""
    found = [Found(corners, rectangular(picture, corners)) for corners in _corners(picture)]
    return in_order(found)


def in_order(found: list[Found]) -> list[Found]:
    """As people read: row by row. Cards whose centres differ less than half a card in height are one row."""
    left = sorted(found, key=lambda one: _centre(one)[1])
    rows: list[list[Found]] = []
    for one in left:
        if rows and _centre(one)[1] - _centre(rows[-1][0])[1] < _height(one) / 2:
            rows[-1].append(one)
        else:
            rows.append([one])
    return [one for row in rows for one in sorted(row, key=lambda each: _centre(each)[0])]


def rectangular(picture: Picture, corners: Corners) -> Picture:
    """What is within the corners as a card of `FACE_WIDTH_PX` × `FACE_HEIGHT_PX`."""
    wide, high = FACE_WIDTH_PX, FACE_HEIGHT_PX
    to = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    way = cv2.getPerspectiveTransform(np.array(corners, np.float32), to)
    return np.asarray(cv2.warpPerspective(picture, way, (wide, high), flags=cv2.INTER_LINEAR), np.uint8)


def turned(corners: Corners) -> Corners:
    """The same card upside down."""
    return (*corners[2:], *corners[:2])


def _centre(found: Found) -> tuple[float, float]:
    return sum(x for x, _ in found.corners) / 4, sum(y for _, y in found.corners) / 4


def _height(found: Found) -> float:
    heights = [y for _, y in found.corners]
    return max(heights) - min(heights)


def _corners(picture: Picture) -> list[Corners]:
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    edge = 12
    border = np.concatenate(
        [part.reshape(-1, 3) for part in (lab[:edge], lab[-edge:], lab[:, :edge], lab[:, -edge:])]
    )
    far = np.clip(np.linalg.norm(lab - np.median(border, axis=0), axis=2), 0, 255).astype(np.uint8)
    areas = cv2.threshold(far, 0, 255, cv2.THRESH_OTSU)[1]
    areas = cv2.morphologyEx(areas, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    lines = cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    least = picture.shape[0] * picture.shape[1] * _LEAST_SHARE
    return [_four(cv2.convexHull(line)) for line in lines if cv2.contourArea(line) >= least]


def _four(hull: cv2.typing.MatLike) -> Corners:
    """The four corners of a hull, clockwise, a short side first."""
    share = 0.02
    around = cv2.arcLength(hull, closed=True)
    found = cv2.approxPolyDP(hull, share * around, closed=True)
    while len(found) > 4 and share < 0.12:  # noqa: PLR2004 - four corners; a shape that is none stays as it is
        share += 0.01
        found = cv2.approxPolyDP(hull, share * around, closed=True)
    four = found[:, 0].astype(np.float32) if len(found) == 4 else cv2.boxPoints(cv2.minAreaRect(hull))  # noqa: PLR2004
    middle = four.mean(axis=0)
    four = four[np.argsort(np.arctan2(four[:, 1] - middle[1], four[:, 0] - middle[0]))]
    sides = [float(np.linalg.norm(four[at] - four[(at + 1) % 4])) for at in range(4)]
    if sides[0] + sides[2] > sides[1] + sides[3]:
        four = np.roll(four, -1, axis=0)
    a, b, c, d = ((float(x), float(y)) for x, y in four)
    # The end that is higher in the picture is first: cards that are taught lie upright.
    return (a, b, c, d) if a[1] + b[1] <= c[1] + d[1] else (c, d, a, b)
