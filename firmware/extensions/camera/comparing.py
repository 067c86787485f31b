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

from firmware.extensions.camera.light import Picture, Plane, even, logarithms

WIDE: Final = 128
HIGH: Final = 196
"""The size of a card as it is compared, in pixels."""

_CELL_WIDE: Final = 8
_CELL_HIGH: Final = 7
"""The cells in which it is decided where faces differ: a letter is one or two."""

_AREA: Final = 2
"""The width and height in cells of the areas in which it is decided what is hidden."""

_HIDDEN: Final = 0.35
"""Where this share of a face is missing in an area, something lies on it."""

_SAME: Final = 0.06
"""Where two faces differ by this share of what they show in a cell, they are the same there."""

_BETTER: Final = 3
"""So often another face may turn out to be the best one where the two differ."""

_VARIES: Final = 0.1
"""Areas in which cards differ less than this share of the most are not asked whether it is another card."""

_PLACES: Final = 3
"""The number of areas, those that fit least, whose mean decides that: a number covers more than one."""

_NOISE: Final = 8.0
"""What is left of a cell of a card that is seen well."""


class Fit(NamedTuple):
    """A face that was fitted to what is seen, and sums of squares for each cell."""

    face: Plane
    """With the gain, the blur and the shift of what is seen."""
    left: Plane
    """What it leaves of what is seen."""
    shows: Plane
    came: Plane
    """What is seen."""
    turned: bool
    """A face that was turned lies a little beside the others."""


class Verdict(NamedTuple):
    """All indices are places in the list of faces."""

    best: int
    margins: NDArray[np.float64]
    """For each face how much more it is the best one: 1 if exactly that, 0 if both are equally likely."""
    evidence: NDArray[np.float64]
    """For each face how far it is from the best where they are visible, squared, in the noise of a cell."""
    explained: NDArray[np.float64]
    """For each face the share of what is visible that it explains."""
    visible: float
    """How much of the best face is visible, from 0 to 1."""


def coarse(face: Picture) -> Plane:
    """A face as a vector for the first comparison: the same place means the same in all faces."""
    light, one, other = even(logarithms(face))
    size = (WIDE // 2, HIGH // 2)
    half = cv2.resize(cv2.GaussianBlur(light, (0, 0), 1.8), size, interpolation=cv2.INTER_AREA)
    size = (WIDE // 4, HIGH // 4)
    colours = [cv2.resize(each, size, interpolation=cv2.INTER_AREA).ravel() for each in (one, other)]
    return np.concatenate([half.ravel(), *colours])


def upside_down(face: Plane) -> Plane:
    """The same `coarse` face, turned."""
    parts = np.split(face, (WIDE // 2 * (HIGH // 2), WIDE // 2 * (HIGH // 2) + WIDE // 4 * (HIGH // 4)))
    return np.concatenate([part[::-1] for part in parts])


def exact(face: Picture) -> Plane:
    """The three planes of a face as they are compared in the end, with the light: 3 × `HIGH` × `WIDE`."""
    planes = logarithms(face)
    planes[0] = cv2.GaussianBlur(planes[0], (0, 0), 0.7)
    return planes


def fine(face: Picture, visible: Plane | None = None) -> Plane:
    """The same without the light; `visible` is that of `light.even`."""
    return even(exact(face), visible)


def fit(seen: Plane, face: Plane, weights: Plane, *, turned: bool) -> Fit:
    """`seen` is a card, aligned to the face; both are `fine`, and `weights` is 1 / deviation."""
    fitted = _fitted(seen, face, weights)
    left, shows, came = (_cells(each * weights) for each in (seen - fitted, fitted, seen))
    return Fit(fitted, left, shows, came, turned)


def compare(fits: Sequence[Fit], weights: Plane, same: float = 1.0) -> Verdict:
    """Which of these faces the card is. Each is fitted to the same card, which was aligned to it.

    With a lower `same`, smaller differences between two faces count.
    """
    left = np.array([one.left for one in fits])
    areas = np.array([_areas(one.left) for one in fits])
    least = areas.min(axis=0)
    counted = _areas(_cells(weights)) > 0
    usual = max(float(np.median(least[counted])), 1e-6)
    likeliest = np.array([_areas(one.shows) for one in fits])
    likeliest = np.take_along_axis(likeliest, areas.argmin(axis=0)[None], 0)[0]
    seen = least < 6 * usual + _HIDDEN * likeliest
    visible = seen.repeat(_AREA, axis=0).repeat(_AREA, axis=1)
    came = np.array([float((one.came * visible).sum()) for one in fits])
    explained = 1 - (left * visible).sum(axis=(1, 2)) / np.maximum(came, 1e-6)
    view = _View(usual, visible, weights, same)
    best = int(np.argmax(explained))
    margins, evidence = _against(fits, best, view)
    for _ in range(_BETTER):
        if margins.min() >= 0:
            break
        best = int(np.argmin(margins))
        margins, evidence = _against(fits, best, view)
    shows = fits[best].shows
    share = float((shows * visible).sum() / max(float(shows.sum()), 1e-6))
    return Verdict(best, margins, evidence, explained, share)


def unlike(fitted: Fit, varies: Plane) -> float:
    """How far what is seen is from a face where cards of a deck differ: 0 for the same card, 1 for others.

    `varies`, from `variation`, lies the same way up as what is seen.
    """
    left = _areas(fitted.left)
    usual = float(np.median(left))
    off = (left - 2 * usual) / (varies + 4 * usual + 1e-6)
    return float(np.sort(off[varies > _VARIES * varies.max()])[-_PLACES:].mean())


def variation(variances: Plane, weights: Plane) -> Plane:
    """How much cards differ in each area, given the variance of each pixel of `fine`."""
    return _areas(_cells(np.sqrt(variances) * weights))


class _View(NamedTuple):
    """What is the same for all faces that are compared."""

    usual: float
    """What the best face leaves of an area, in most areas."""
    visible: NDArray[np.bool_]
    """For each cell whether nothing lies on it."""
    weights: Plane
    same: float


def _against(fits: Sequence[Fit], best: int, view: _View) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """`Verdict.margins` and `Verdict.evidence` of one face."""
    own, (usual, visible, weights, same) = fits[best], view
    margins, evidence = np.zeros(len(fits)), np.zeros(len(fits))
    for at, other in enumerate(fits):
        if at == best:
            continue
        apart = _cells((own.face - other.face) * weights)
        little = same * (2 * usual / _AREA**2 + _SAME * np.maximum(own.shows, other.shows))
        counts = visible * np.maximum(apart - little, 0) / np.maximum(apart, 1e-6)
        total = float((apart * counts).sum())
        if own.turned is not other.turned:
            # They lie a little beside each other, which is more than what tells them apart.
            noise = 6 * max(usual, _NOISE) / _AREA**2
            total = min(total, float(((other.left + own.left + noise) * counts).sum()))
        margins[at] = float(((other.left - own.left) * counts).sum()) / max(total, 1e-6)
        evidence[at] = total / usual
    return margins, evidence


def _fitted(seen: Plane, face: Plane, weights: Plane) -> Plane:
    """The face as it would look with the gain, blur and shift of what is seen."""
    padded = cv2.copyMakeBorder(face[0], 2, 2, 2, 2, cv2.BORDER_REFLECT)
    # Every other pixel tells enough.
    near = np.stack(
        [padded[y : y + HIGH : 2, x : x + WIDE : 2].ravel() for y in (0, 2, 4) for x in (0, 2, 4)]
    )
    weighted = near * (weights[0, ::2, ::2].ravel() ** 2)
    normal = np.einsum("ik,jk->ij", weighted, near)  # in one thread, whatever numpy was built with
    goal = np.einsum("ik,k->i", weighted, seen[0, ::2, ::2].ravel())
    # Of equal ones the nearest to the face itself.
    little = 0.01 * float(np.trace(normal)) / len(near) + 1e-6
    normal[np.diag_indices(len(near))] += little
    goal[len(near) // 2] += little
    kernel = np.zeros((5, 5), np.float32)
    kernel[::2, ::2] = np.linalg.solve(normal, goal).reshape(3, 3)
    light = cv2.filter2D(face[0], -1, kernel, borderType=cv2.BORDER_REFLECT)
    return np.stack([light, *(face[at] * _gain(seen[at], face[at], weights[at]) for at in (1, 2))])


def _gain(seen: Plane, face: Plane, weight: Plane) -> np.float32:
    """How much stronger than in the face a colour is seen."""
    weighted = (face * weight**2).ravel()
    normal = float(weighted @ face.ravel())
    little = 0.01 * normal + 1e-6
    return np.float32((float(weighted @ seen.ravel()) + little) / (normal + little))


def _cells(planes: Plane) -> Plane:
    """The sum of the squares of all planes in each cell."""
    size = (WIDE // _CELL_WIDE, HIGH // _CELL_HIGH)
    means = cv2.resize(np.einsum("ijk,ijk->jk", planes, planes), size, interpolation=cv2.INTER_AREA)
    return np.asarray(means * (_CELL_WIDE * _CELL_HIGH), np.float32)


def _areas(cells: Plane) -> Plane:
    """The sum in each area."""
    high, wide = cells.shape
    parts = cells.reshape(high // _AREA, _AREA, wide // _AREA, _AREA)
    return np.asarray(parts.sum(axis=(1, 3)), np.float32)
