"""Reads cards that touch, overlap, or are partly covered, on any table: at the places that features propose.

Of a card that lies under another one a strip is visible, at one of its four sides. Which strip, is found out
by comparing all faces with what lies there, area by area: what is like one of them is visible. Then the most
similar faces are compared in this strip alone, which has to convince by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.values import replace
from firmware.extensions.camera.comparing import compare_card, compare_strip
from firmware.extensions.camera.deciding import STRIP, classify
from firmware.extensions.camera.features import proposals
from firmware.extensions.camera.finding import FACE_HEIGHT_PX, FACE_WIDTH_PX, Box, ImagePyramid
from firmware.extensions.camera.model import (
    AREAS,
    DOWN,
    TO_LARGE,
    TURN,
    UP,
    Candidate,
    Homography,
    Model,
    coarse,
    corners_of,
    first,
    in_areas,
    rectified,
    upside_down,
)
from firmware.extensions.camera.seen import Corners, Seen

_FACE_PX: Final = (FACE_WIDTH_PX, FACE_HEIGHT_PX)

_ALIKE: Final = 1.2
"""The more, the more like a face an area is that is taken for visible."""

_LEAST: Final = 0.14
"""Less of a card is not read."""

_CLEAR: Final = 6
"""The number of features that propose a card by themselves; fewer do beside a card that lies alike."""

_ASKEW: Final = 0.1
"""How far its upper edge may differ, as a share of its length."""

_LIKE: Final = 0.8
"""What no face explains so well is no card."""

_WHOLE: Final = 0.9
"""Of more of a card all is compared."""

_COMPARED: Final = 5
"""The number of cards that are compared in a strip."""


class CoveredReader:
    """Reads what features propose in one picture.

    `possible` are the codes that can come; a card where `where` is False of its corners is left out.
    """

    def __init__(
        self,
        model: Model,
        pyramid: ImagePyramid,
        possible: Collection[str] | None,
        where: Callable[[Corners], bool],
    ) -> None:
        self._model, self._pyramid = model, pyramid
        self._possible, self._where = possible, where
        self._whole: list[Seen] = []
        self._taken = np.zeros(pyramid.half.shape, np.uint8)
        """1 where a card was read, in pixels of the grey picture."""

    def take(self, card: Seen) -> None:
        """A card lies there that is whole."""
        self._whole.append(card)
        cv2.fillConvexPoly(self._taken, np.rint(np.array(card.corners) / 2).astype(np.int32), 1)

    def read(self, wide_px: float | None, box: Box | None = None) -> list[Seen]:
        """The cards that can be read, in this part of the picture.

        `wide_px` is how wide a card is in the picture, if that is known.
        """
        found: list[Seen] = []
        left, top, right, bottom = box or (0, 0, *self._pyramid.picture.shape[1::-1])
        part = self._pyramid.picture[top:bottom, left:right]
        off = np.array([[0, 0, left], [0, 0, top]])
        for matrix, support in proposals(part, _FACE_PX, self._model.features, wide_px):
            place = DOWN @ np.vstack([matrix + off, [0, 0, 1]]) @ TO_LARGE
            start = Seen(corners_of(place))
            few = support < _CLEAR and not any(_parallel(start, card) for card in (*self._whole, *found))
            if not few and self._where(start.corners) and not any(map(start.lies_at, (*self._whole, *found))):
                read = self._read_at(place)
                if read is not None and not any(map(read.lies_at, found)):
                    found.append(read)
        return found

    def _read_at(self, place: Homography) -> Seen | None:
        """The card at a place; None: nothing that is like one."""
        to_face, flags = place @ np.linalg.inv(TO_LARGE), cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        free = 1 - cv2.warpPerspective(self._taken, to_face, _FACE_PX, flags=flags).astype(np.float32)
        like = _Likeness(self._model, self._pyramid, place)
        clear = cv2.resize(free, AREAS[::-1], interpolation=cv2.INTER_AREA) > 0.5  # noqa: PLR2004
        areas = like.visible(clear)
        visible = cv2.resize(areas.astype(np.float32), _FACE_PX, interpolation=cv2.INTER_NEAREST) * free
        starts, share = like.nearest(areas, _COMPARED), float(visible.mean())
        if share < _LEAST:
            return None

        def nearest(place: Homography) -> list[Candidate]:
            return _Likeness(self._model, self._pyramid, place).nearest(areas, _COMPARED)

        if share > _WHOLE:
            upright = starts[0].homography @ TURN if starts[0].turned else starts[0].homography
            comparison = compare_card(self._model, self._pyramid, upright)
            read = classify(self._model, comparison, self._possible)
        else:
            comparison = compare_strip(self._model, self._pyramid, starts, visible, nearest)
            read = classify(self._model, comparison, self._possible, STRIP)
        own = comparison.winner
        if not read.code and (not read.candidates or min(own.correlation, comparison.explained) < _LIKE):
            return None
        mask = np.ascontiguousarray(visible[::-1, ::-1] if own.turned else visible).astype(np.uint8)
        to_face, size = own.homography @ np.linalg.inv(TO_LARGE), self._taken.shape[::-1]
        self._taken |= np.asarray(cv2.warpPerspective(mask, to_face, size, flags=cv2.INTER_NEAREST), np.uint8)
        return replace(read, partly=share <= _WHOLE)


def _parallel(start: Seen, card: Seen) -> bool:
    """Whether a place lies as a card that was read: as large, and as a card of the same row lies."""
    (a, b, *_), (c, d, *_) = start.corners, card.corners
    one, other = complex(b[0] - a[0], b[1] - a[1]), complex(d[0] - c[0], d[1] - c[1])
    return min(abs(one - other), abs(one + other)) < _ASKEW * abs(other)


class _Likeness:
    """How like what is seen at a place is to each face, upright and then upside down, in each area."""

    def __init__(self, model: Model, pyramid: ImagePyramid, place: Homography) -> None:
        upright = coarse(rectified(pyramid.picture, UP @ place))
        seen = in_areas(np.stack([upright, upside_down(upright)]) * model.coarse_weights)
        shows = np.einsum("acp,acp->ac", model.parts, model.parts)[:, :, None]
        came = np.einsum("awp,awp->aw", seen, seen)[:, None]
        cross = np.matmul(model.parts, seen.transpose(0, 2, 1))
        score = (2 + 2 * _ALIKE) * cross - _ALIKE * (shows + came)
        self._place = place
        self._left, self._score = (
            # Areas are those of the place, whichever way up a face lies.
            np.stack([planes[..., 0].T, planes[::-1, :, 1].T]).reshape(2, -1, *AREAS)
            for planes in (shows + came - 2 * cross, score)
        )

    def visible(self, free: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The areas in which a card is visible, of those that are `free`: all, or a strip at one side."""
        score = (self._score * free).reshape(-1, *AREAS)
        most, best = 0.0, np.zeros(AREAS, bool)
        for axis in (0, 1):
            for step in (1, -1):
                sums = np.cumsum(score.sum(axis=2 - axis)[:, ::step], axis=1).max(axis=0)
                end = int(np.argmax(sums))
                if sums[end] > most:
                    most, best = float(sums[end]), np.zeros(AREAS, bool)
                    part = slice(0, end + 1) if step > 0 else slice(sums.size - 1 - end, None)
                    best[(part, slice(None)) if axis == 0 else (slice(None), part)] = True
        return best & free

    def nearest(self, visible: NDArray[np.bool_], count: int) -> list[Candidate]:
        """The cards that are most like what is visible."""
        return first((self._left * visible).sum(axis=(2, 3)), count, self._place)
