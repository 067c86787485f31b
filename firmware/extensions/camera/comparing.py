"""Which of a few faces a card is, compared pixel by pixel.

Pixels are measured in deviations: how much the same card differs from itself from one showing to the next, at
this place of the card. Each face is first given the gain, the blur and the shift of what is seen. Then two
faces are compared where they differ, and nowhere else: a stain elsewhere speaks for neither. Where no face is
like what is seen, something lies on the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.light import Picture, Plane, planes

WIDE: Final = 128
HIGH: Final = 196
"""The size of a card as it is compared, in pixels."""

_CELL_WIDE: Final = 16
_CELL_HIGH: Final = 14
"""The cells in which it is decided what is hidden, and where faces differ."""

_HIDDEN: Final = 0.35
"""Where this share of a face is missing in a cell, something lies on it."""

_SAME: Final = 0.06
"""Where two faces differ by this share of what they show in a cell, they are the same there."""


_NOISE: Final = 8.0
"""What is left of a cell of a card that is seen well."""


class Verdict(NamedTuple):
    """All indices are places in the list of faces."""

    margins: NDArray[np.float64]
    """For two faces how much more it is the first: 1 if it is exactly this one, -1 the other."""
    evidence: NDArray[np.float64]
    """For two faces how far they are apart where both are visible, squared, in the usual noise of a cell."""
    explained: NDArray[np.float64]
    """For each face the share of what is visible that it explains."""
    visible: float
    """How much of the best face is visible, from 0 to 1."""


def coarse(face: Picture) -> Plane:
    """A face as a vector for the first comparison: the same place means the same in all faces."""
    light, one, other = planes(face)
    size = (WIDE // 2, HIGH // 2)
    half = cv2.resize(cv2.GaussianBlur(light, (0, 0), 1.8), size, interpolation=cv2.INTER_AREA)
    size = (WIDE // 4, HIGH // 4)
    colours = [cv2.resize(each, size, interpolation=cv2.INTER_AREA).ravel() for each in (one, other)]
    return np.concatenate([half.ravel(), *colours])


def fine(face: Picture) -> Plane:
    """The three planes of a face as they are compared in the end: 3 × `HIGH` × `WIDE`."""
    light, one, other = planes(face)
    return np.stack([cv2.GaussianBlur(light, (0, 0), 0.7), one, other])


def compare(seen: Sequence[Plane], faces: Sequence[Plane], weights: Plane, turned: Sequence[bool]) -> Verdict:
    """`seen` is the same card, aligned to each of the faces; all are `fine`, and `weights` is 1 / deviation.

    Faces that were `turned` lie a little beside the others.
    """
    fitted = [_fitted(each, face, weights) for each, face in zip(seen, faces, strict=True)]
    left = np.array([_cells(((each - fit) * weights) ** 2) for each, fit in zip(seen, fitted, strict=True)])
    shows = np.array([_cells((fit * weights) ** 2) for fit in fitted])
    least = left.min(axis=0)
    counted = _cells(np.broadcast_to(weights, fitted[0].shape) ** 2) > 0
    usual = max(float(np.median(least[counted])), 1e-6)
    likeliest = np.take_along_axis(shows, left.argmin(axis=0)[None], 0)[0]
    visible = least < 6 * usual + _HIDDEN * likeliest
    count = len(faces)
    margins, evidence = np.zeros((count, count)), np.zeros((count, count))
    for one in range(count):
        for other in range(one):
            apart = _cells(((fitted[one] - fitted[other]) * weights) ** 2)
            same = 2 * usual + _SAME * np.maximum(shows[one], shows[other])
            counts = visible * np.maximum(apart - same, 0) / np.maximum(apart, 1e-6)
            total = float((apart * counts).sum())
            if turned[one] is not turned[other]:
                # They lie a little beside each other, which is more than what tells them apart.
                noise = 6 * max(usual, _NOISE)
                total = min(total, float(((left[other] + left[one] + noise) * counts).sum()))
            margin = float(((left[other] - left[one]) * counts).sum()) / max(total, 1e-6)
            margins[one, other], margins[other, one] = margin, -margin
            evidence[one, other] = evidence[other, one] = total / usual
    came = np.array([float((_cells((each * weights) ** 2) * visible).sum()) for each in seen])
    explained = 1 - (left * visible).sum(axis=(1, 2)) / np.maximum(came, 1e-6)
    best = shows[int(np.argmax(explained))]
    return Verdict(margins, evidence, explained, float((best * visible).sum() / max(float(best.sum()), 1e-6)))


def _fitted(seen: Plane, face: Plane, weights: Plane) -> Plane:
    """The face as it would look with the gain, blur and shift of what is seen."""
    padded = cv2.copyMakeBorder(face[0], 2, 2, 2, 2, cv2.BORDER_REFLECT)
    near = [padded[y : y + HIGH, x : x + WIDE].ravel() for y in (0, 2, 4) for x in (0, 2, 4)]
    light = _gains(seen[0], near, weights[0], 4)
    return np.stack([light, *(_gains(seen[at], [face[at].ravel()], weights[at], 0) for at in (1, 2))])


def _gains(seen: Plane, near: Sequence[Plane], weight: Plane, middle: int) -> Plane:
    """The sum of the planes `near` that is most like what is seen; of equal ones nearest to `middle`."""
    table = np.stack(near)
    weighted = table * (weight.ravel() ** 2)
    normal = weighted @ table.T
    goal = weighted @ seen.ravel()
    little = 0.01 * float(np.trace(normal)) / len(near) + 1e-6
    normal[np.diag_indices(len(near))] += little
    goal[middle] += little
    return np.asarray((np.linalg.solve(normal, goal) @ table).reshape(seen.shape), np.float32)


def _cells(squares: Plane) -> Plane:
    """The sum of all planes in each cell."""
    parts = squares.sum(axis=0).reshape(HIGH // _CELL_HIGH, _CELL_HIGH, WIDE // _CELL_WIDE, _CELL_WIDE)
    return np.asarray(parts.sum(axis=(1, 3)), np.float32)
