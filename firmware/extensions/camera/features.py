"""Proposes where cards lie, on any table: by local features that the faces and the picture have in common.

A feature is a corner with what is around it (ORB: Rublee and others, 2011). It has a size and a direction, so
each pair of one in a face and a like one in the picture says where the whole card would lie. Where many pairs
say the same, a card lies, whatever covers the rest of it. Cards have most of their features in common: so
these tell where a card lies, and what is compared then tells which one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.pictures import Picture, grey

_OF_A_FACE: Final = 160
_OF_A_CARD: Final = 130
_MOST: Final = 5000
"""The most features of a face, of the picture for each card that has room in it, and of all of it."""
_LARGER: Final = 1.3
"""Faces and cards are made so much larger first: then a feature needs less of a card."""
_USUAL_PX: Final = 100
"""About how wide a card is, where that is not known."""
_LIKE: Final = 62
"""The number of their 256 bits by which two features may differ and still count as alike."""
_SAME: Final = 36
_SAME_PX: Final = 4.0
"""Features of two faces that differ by fewer bits, and lie at the same place, are one."""
_COMPARED: Final = 8
"""The number of nearest features of the deck with which each feature of the picture is paired."""
_AROUND: Final = 24
"""Pixels around a face, so that features near its edge count."""
_BIN_PX: Final = 20
_BIN_TURN: Final = 30.0
"""How far pairs of one card may differ: in the middle of the card, and in degrees."""
_SIZES: Final = 1.3
"""A card is larger or smaller than others by at most this factor."""
_LEAST: Final = 6
"""The number of features that propose a card."""
_OFF_PX: Final = 4.0
"""How far a feature of a card may lie from where it is in its face."""
_LOGARITHM: Final = np.clip((np.log(np.arange(256) + 16.0) - np.log(16.0)) * 90, 0, 255).astype(np.uint8)
"""What is dark has features as well."""


class Features(NamedTuple):
    """The features of the faces of a deck; what many faces have in common is in it once."""

    points: NDArray[np.float32]
    """Where they are, in pixels of a face."""
    turns: NDArray[np.float32]
    sizes: NDArray[np.float32]
    bits: NDArray[np.uint8]


def features_of(faces: Iterable[Picture]) -> Features:
    """The features of grey faces, logarithms as `logarithm` gives them."""
    known = _detected(np.zeros((1, 1), np.uint8), 1, 1)  # none yet
    for face in faces:
        large = cv2.resize(face, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_LINEAR)
        found = _detected(cv2.copyMakeBorder(large, *(_AROUND,) * 4, cv2.BORDER_REPLICATE), _OF_A_FACE, 8)
        found = found._replace(points=found.points - np.float32(_AROUND))
        if len(known.bits) and len(found.bits):
            far, which = _nearest(found.bits, known.bits)
            off = np.abs(found.points[:, None] - known.points[which]).max(axis=2)
            new = np.where(off < _SAME_PX, far, _LIKE).min(axis=1) > _SAME
            found = Features(*(part[new] for part in found))
        both: Iterable[tuple[Any, Any]] = zip(known, found, strict=True)
        known = Features(*(np.concatenate(parts) for parts in both))
    return known


def proposals(
    picture: Picture, free: Picture, face_px: tuple[int, int], deck: Features, wide_px: float | None
) -> Iterator[NDArray[np.float64]]:
    """The places where cards lie, from pixels of a face, 2 × 3; where the most features say so comes first.

    Only features where `free`, as large as the picture or smaller, is not 0. `wide_px` is how wide a card is
    in the picture, if that is known.
    """
    face_px = round(face_px[0] * _LARGER), round(face_px[1] * _LARGER)
    scale = face_px[0] / (wide_px or _USUAL_PX)
    image = cv2.resize(grey(picture), None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    room = image.size / (face_px[0] * face_px[1])
    mask = cv2.resize(free, image.shape[::-1], interpolation=cv2.INTER_NEAREST)
    most = min(_MOST, int(_OF_A_CARD * max(2, room)))
    seen = _detected(cv2.LUT(image, _LOGARITHM), most, 4 if wide_px else 8, mask)
    if not len(seen.bits) or not len(deck.bits):
        return
    far, which = _nearest(seen.bits, deck.bits)
    larger = seen.sizes[:, None] / deck.sizes[which]
    like = (far <= _LIKE) & (np.maximum(larger, 1 / larger) < (_SIZES if wide_px else np.inf))
    here, there = np.nonzero(like)[0], which[like]
    turn = np.radians(seen.turns[here] - deck.turns[there])
    off = np.array(face_px, np.float32) / 2 - deck.points[there]
    c, s = larger[like] * np.cos(turn), larger[like] * np.sin(turn)
    x, y = off.T
    left = np.ones(len(here), bool)
    cv2.setRNGSeed(0)  # RANSAC draws at random: so a picture is always read the same way
    middle = seen.points[here] + np.stack([c * x - s * y, s * x + c * y], axis=1)
    for near in _agreeing(here, middle, turn, left):
        pairs = deck.points[there[near]], seen.points[here[near]]
        matrix, inside = cv2.estimateAffinePartial2D(*pairs, method=cv2.RANSAC, ransacReprojThreshold=_OFF_PX)
        used = near[inside.ravel() > 0] if np.any(inside) else near[:0]
        if len(np.unique(here[used])) < _LEAST:
            left[near] = False
        else:
            left[np.isin(here, here[used])] = False
            yield np.asarray(matrix @ np.diag([_LARGER, _LARGER, 1]) / scale, np.float64)


def _nearest(
    bits: NDArray[np.uint8], known: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each feature how far the nearest of those known are, and which ones they are."""
    count = min(_COMPARED, len(known))
    far, which = cv2.batchDistance(bits, known, cv2.CV_32S, normType=cv2.NORM_HAMMING, K=count)
    return np.asarray(far, np.int32), np.asarray(which, np.int32)


def _agreeing(
    here: NDArray[np.intp], middle: NDArray[np.float32], turn: NDArray[np.floating], left: NDArray[np.bool_]
) -> Iterator[NDArray[np.intp]]:
    """The pairs of like features that say that a card lies at one place: where most agree first.

    Only pairs that are `left` when their place is due.
    """
    # Each pair is in the nearest bins, so that pairs on both sides of an edge are in one.
    x, y = (middle / _BIN_PX + 512).T
    a = np.degrees(turn) % 360 / _BIN_TURN
    turns = round(360 / _BIN_TURN)
    edges = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    named = [
        (np.floor(x + i / 2) * 4096 + np.floor(y + j / 2)) * 32
        + (np.floor(a + k / 2) % turns + turns * k)
        + (i * 2 + j) * 2**40
        for i, j, k in edges
    ]
    every = np.concatenate(named).astype(np.int64)
    order = np.argsort(every, kind="stable")
    starts = np.flatnonzero(np.diff(every[order], prepend=-1))
    bins = np.split(np.tile(np.arange(len(here)), len(edges))[order], starts[1:])
    count = {at: len(np.unique(here[pairs])) for at, pairs in enumerate(bins) if len(pairs) >= _LEAST}
    for at in sorted(count, key=lambda at: -count[at]):
        pairs = bins[at][left[bins[at]]]
        if len(np.unique(here[pairs])) >= _LEAST:
            yield pairs


def _detected(
    image: cv2.typing.MatLike, most: int, levels: int, mask: cv2.typing.MatLike | None = None
) -> Features:
    """The features of a picture, found in this number of sizes of it."""
    detector = cv2.ORB.create(most, scaleFactor=1.2, nlevels=levels, edgeThreshold=9, fastThreshold=8)
    keys, bits = detector.detectAndCompute(image, mask)
    points = np.array([key.pt for key in keys], np.float32).reshape(-1, 2)
    turns, sizes = np.array([(key.angle, key.size) for key in keys], np.float32).reshape(-1, 2).T
    return Features(points, turns, sizes, np.asarray(bits if keys else np.zeros((0, 32)), np.uint8))
