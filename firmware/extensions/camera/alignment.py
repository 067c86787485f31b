"""Moves a card onto a face: the corners that were found are some pixels wrong, the face says how much.

This is the method of Lucas and Kanade with the roles of template and picture swapped ("inverse
compositional": Baker and Matthews, Lucas-Kanade 20 years on, 2004). The slopes of the face are worked out
once; each step then costs one warp and one small system of equations. Steps are taken on small pictures, in
which a card is `WIDTH_PX` wide.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.light import Picture, Plane, lightness

WIDTH_PX: Final = 64
HEIGHT_PX: Final = 98

Way = NDArray[np.float64]
"""A homography."""

_STEPS: Final = 12
_STILL_PX: Final = 0.02
_BOUND: Final = 2.0
"""Of how many usual deviations a pixel counts as one; more is a hand, a lamp, another card."""


class Template(NamedTuple):
    """A face, made ready."""

    plane: Plane
    """Its lightness, `HEIGHT_PX` × `WIDTH_PX`."""
    slopes: Plane
    """How each pixel changes with each of the eight numbers of a homography, one row a number."""
    counts: Plane
    """What counts: 1, and 0 at the rim of the card, where the table may be seen."""


def template(plane: Plane) -> Template:
    across = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3) / 8
    down = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3) / 8
    x = np.broadcast_to((np.arange(WIDTH_PX, dtype=np.float32) / WIDTH_PX - 0.5)[None], plane.shape)
    y = np.broadcast_to(
        ((np.arange(HEIGHT_PX, dtype=np.float32) - HEIGHT_PX / 2) / WIDTH_PX)[:, None], plane.shape
    )
    both = across * x + down * y
    slopes = np.stack([across, across * x, across * y, down, down * x, down * y, both * x, both * y])
    return Template(plane, np.asarray(slopes.reshape(8, -1), np.float32), rim().ravel())


def rim(share: float = 0.03) -> Plane:
    """1 in a card, 0 at its rim."""
    edge = round(share * WIDTH_PX)
    made = np.zeros((HEIGHT_PX, WIDTH_PX), np.float32)
    made[edge:-edge, edge:-edge] = 1
    return made


def onto(
    picture: Picture, way: Way, face: Template, steps: int = _STEPS, *, flat: bool = False
) -> tuple[Way, float]:
    """The better way from the face to a grey picture, and how well they then agree: a correlation, up to 1.

    `way` leads from pixels of the face, `WIDTH_PX` wide, to pixels of the picture. `flat`: the perspective
    stays as it is, because little of the face is visible.
    """
    wanted = face.plane.ravel()
    shown = wanted * face.counts
    strength = max(float(wanted @ shown), 1e-6)
    agreed, best = -1.0, way
    for step in range(steps + 1):
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = lightness(
            np.asarray(cv2.warpPerspective(picture, way, (WIDTH_PX, HEIGHT_PX), flags=flags), np.uint8)
        )
        came = seen.ravel()
        gain = float(came @ shown) / strength
        off = came - gain * wanted
        squares = off * off
        bound = _BOUND**2 * (float(squares @ face.counts) / len(off) + 1e-6)
        counts = face.counts * np.minimum(1, bound / np.maximum(squares, 1e-12))
        agrees = _correlation(came, wanted, counts)
        if agrees > agreed:
            agreed, best = agrees, way
        if step == steps:
            break
        slopes = face.slopes * counts
        normal = slopes @ face.slopes.T
        normal[np.diag_indices(8)] *= 1.001
        normal[np.diag_indices(8)] += 1e-4
        if flat:
            normal[6:, :6] = normal[:6, 6:] = 0
        moves = np.linalg.solve(normal.astype(np.float64), (slopes @ off).astype(np.float64)) / max(gain, 0.2)
        moves = np.clip(moves, -3, 3)
        if flat:
            moves[6:] = 0
        way = way @ np.linalg.inv(_small(moves))
        way = way / way[2, 2]
        if float(np.abs(moves).max()) < _STILL_PX:
            break
    return best, agreed


def _correlation(one: Plane, other: Plane, counts: Plane) -> float:
    share = counts / max(float(counts.sum()), 1e-6)
    one = one - float(one @ share)
    other = other - float(other @ share)
    weighted = one * share
    spread = float(weighted @ one) * float((other * share) @ other)
    return float(weighted @ other) / float(np.sqrt(max(spread, 1e-12)))


_MIDDLE: Final[Way] = np.array(
    [[1 / WIDTH_PX, 0, -0.5], [0, 1 / WIDTH_PX, -HEIGHT_PX / 2 / WIDTH_PX], [0, 0, 1]]
)
_BACK: Final[Way] = np.asarray(np.linalg.inv(_MIDDLE), np.float64)


def _small(moves: Way) -> Way:
    """A homography of the face that is nearly none: what the eight numbers of `slopes` mean."""
    p = moves / WIDTH_PX
    made = np.array([[1 + p[1], p[2], p[0]], [p[4], 1 + p[5], p[3]], [-p[6], -p[7], 1]])
    return np.asarray(_BACK @ made @ _MIDDLE, np.float64)
