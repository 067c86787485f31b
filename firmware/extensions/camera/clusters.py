"""Reads cards that touch, overlap, or are partly covered: what `finding.search` leaves over.

An outline of several cards still has corners of some of them, and how large a card is can be seen from the
others. So at each right angle of the outline a card is tried, both ways. Beside a card that was read lies the
next one: at its edge, or under it, so that only a strip is visible. A strip is searched by sliding the same
strip of all faces along the line; it has to convince by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.comparing import compare_card, compare_strip
from firmware.extensions.camera.deciding import STRIP, classify
from firmware.extensions.camera.finding import (
    FACE_HEIGHT_PX,
    FACE_WIDTH_PX,
    Cluster,
    ImagePyramid,
    Quad,
    as_corners,
)
from firmware.extensions.camera.model import (
    HEIGHT_PX,
    TURN,
    WIDTH_PX,
    Candidate,
    Homography,
    Model,
    corners_of,
    homography_of,
    lightness,
    locate,
    points_of,
)
from firmware.extensions.camera.pictures import Picture, Plane
from firmware.extensions.camera.seen import Corners, Seen

RATIO: Final = 1.54
"""How much higher than wide a card is, where no card shows it."""

_LIKE: Final = 1.25
"""A card is not larger than others of the picture by more than this factor."""

_MAX_FAILED: Final = 4
"""So often nothing is found before a cluster is left alone: it is a hand, or the light of a lamp."""

_POSSIBLE: Final = 120.0
"""What is farther from all faces is not tried; see `Candidate.distance`."""

_EDGE: Final = 0.2
"""How much of an edge is seen at least, as a share of the width of a card."""

_STRIP_PX: Final = 18
"""What of a card is visible at least where the next one lies on it, in pixels of a face that is aligned."""

_RIM_PX: Final = 2
"""Of a strip so much is left out at the edge of the card."""

_PLAY_PX: Final = 3
"""How far cards of a row may lie beside each other."""

_FITS: Final = 0.4
"""A correlation of a strip."""

_STARTS: Final = 3


class ClusterReader:
    """Reads the clusters of a picture, one after the other.

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
        self._found: list[Seen] = []
        self._places: list[Homography] = []
        self._left: Picture = np.zeros(pyramid.half.shape, np.uint8)
        """1 where the cluster is and no card was read yet, in pixels of the grey picture."""

    def read(self, cluster: Cluster, size: tuple[float, float] | None) -> list[Seen]:
        """The cards of a cluster that can be read. `size`: width and height of the other cards in pixels."""
        self._found, self._places = [], []
        self._left[:] = 0
        cv2.fillPoly(self._left, [np.asarray(cluster.outline // 2, np.int32)], 1)
        self._read_corners(_at_corners(cluster, size))
        self._read_strips()
        return self._found

    def _read_corners(self, places: Sequence[Homography]) -> None:
        """The cards that lie at these places, and those beside them."""
        tries, failed = self._nearest_first(places), 0
        while tries and failed < _MAX_FAILED:
            start = tries.pop(0)
            if not self._free(start):
                continue
            place = locate(self._model, self._pyramid, [start])
            comparison = compare_card(self._model, self._pyramid, place)
            read = classify(self._model, comparison, self._possible)
            place = comparison.winner.homography
            if not (read.code or read.candidates) or not self._is_new(read, place):
                failed += 1
                continue
            self._keep(read, place)
            steps = ((WIDTH_PX, 0), (-WIDTH_PX, 0), (0, HEIGHT_PX), (0, -HEIGHT_PX))
            tries = self._nearest_first([place @ _by(x, y) for x, y in steps]) + tries

    def _read_strips(self) -> None:
        """The partly covered cards beside an edge of a card that was read: a strip of each is visible."""
        ends = list(self._places)
        while ends:
            end = ends.pop()
            for place in (end, end @ TURN):
                for down in (True, False):
                    if self._goes_on(place, down=down):
                        ends += self._slide(place, down=down)

    def _nearest_first(self, places: Sequence[Homography]) -> list[Homography]:
        """Those at which a face may be, the likeliest first."""
        free = [place for place in places if self._free(place)]
        tried = [
            (self._model.nearest(self._pyramid, place, 1)[0].distance, at) for at, place in enumerate(free)
        ]
        return [free[at] for far, at in sorted(tried) if far < _POSSIBLE]

    def _share(self, quad: NDArray[np.floating]) -> float:
        """How much of what lies within four corners is left of the cluster, from 0 to 1."""
        own = np.zeros_like(self._left)
        cv2.fillConvexPoly(own, np.rint(quad / 2).astype(np.int32), 1)
        return float(np.count_nonzero(own & self._left)) / max(float(np.count_nonzero(own)), 1.0)

    def _free(self, place: Homography) -> bool:
        corners = corners_of(place)
        return self._where(corners) and self._share(np.array(corners)) > 0.7  # noqa: PLR2004

    def _is_new(self, read: Seen, place: Homography) -> bool:
        """Whether a card that was read lies where none was read before.

        On a table as pale as the cards the outline may be that of a shadow: what is sure lies beside it, too.
        """
        return not any(map(read.lies_at, self._found)) if read.code else self._free(place)

    def _keep(self, read: Seen, place: Homography) -> None:
        self._found.append(read)
        self._places.append(place)
        cv2.fillConvexPoly(self._left, np.rint(np.array(read.corners) / 2).astype(np.int32), 0)

    def _goes_on(self, place: Homography, *, down: bool) -> bool:
        """Whether there is something beyond the upper edge of a card (`down`), or the left one."""

        def beyond(near: float, far: float) -> NDArray[np.float64]:
            w, h = WIDTH_PX, HEIGHT_PX
            if down:
                box = [[0.05 * w, -far], [0.95 * w, -far], [0.95 * w, -near], [0.05 * w, -near]]
            else:
                box = [[-far, 0.05 * h], [-near, 0.05 * h], [-near, 0.95 * h], [-far, 0.95 * h]]
            return points_of(place, np.array(box))

        wanted = self._where(as_corners(beyond(0, (HEIGHT_PX if down else WIDTH_PX) / 2)))
        return wanted and self._share(beyond(3, 0.8 * _STRIP_PX)) > 0.8  # noqa: PLR2004

    def _slide(self, place: Homography, *, down: bool) -> list[Homography]:
        """The places of the cards that lie under this one, their upper or left strips visible.

        The strip of every face is slid along what lies beyond the edge, up to a card away.
        """
        left, top = (-_PLAY_PX, -HEIGHT_PX) if down else (-WIDTH_PX, -_PLAY_PX)
        fits, beside = self._fits(place @ _by(left, top), down=down)
        found: list[Homography] = []
        end = fits.shape[1] - 1 + _STRIP_PX  # where the card begins that lies on the next one
        for peak in _peaks(fits.max(axis=0)):
            if end - peak < _STRIP_PX - 4:
                continue
            candidates = []
            for face in np.argsort(-fits[:, max(0, peak - 1) : peak + 2].max(axis=1))[:_STARTS]:
                card, upside_down = divmod(int(face), 2)
                off = int(beside[face, peak])
                own = place @ (
                    _by(left + off, top + peak - _RIM_PX) if down else _by(left + peak - _RIM_PX, top + off)
                )
                candidates.append(Candidate(card, own @ TURN if upside_down else own, bool(upside_down)))
            visible = _strip((end - peak) * FACE_WIDTH_PX // WIDTH_PX - 4, down=down)
            comparison = compare_strip(self._model, self._pyramid, candidates, visible)
            read = classify(self._model, comparison, self._possible, STRIP)
            if read.code or read.candidates:
                found.append(comparison.winner.homography)
                self._keep(read, found[-1])
                end = peak - _RIM_PX
        return found

    def _fits(self, start: Homography, *, down: bool) -> tuple[Plane, NDArray[np.intp]]:
        """For each face, upright and upside down: how well it fits along the line, and how far beside."""
        wide, high = (WIDTH_PX + 2 * _PLAY_PX, HEIGHT_PX) if down else (WIDTH_PX, HEIGHT_PX + 2 * _PLAY_PX)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        grey = cv2.warpPerspective(self._pyramid.half, start, (wide, high), flags=flags)
        beyond, across = lightness(np.asarray(grey, np.uint8)), 1 if down else 0
        fits, beside = [], []
        for card in range(len(self._model.codes)):
            plane = self._model.plane(card)
            for face in (plane, plane[::-1, ::-1]):
                strip = face[_RIM_PX:_STRIP_PX] if down else face[:, _RIM_PX:_STRIP_PX]
                fit = cv2.matchTemplate(beyond, np.ascontiguousarray(strip), cv2.TM_CCOEFF_NORMED)
                fits.append(fit.max(axis=across))
                beside.append(fit.argmax(axis=across))
        return np.array(fits, np.float32), np.array(beside)


def _peaks(best: Plane) -> Iterator[int]:
    """The places of strips, the nearest first: at least half a strip lies between them."""
    half, at = _STRIP_PX // 2, len(best) - 1
    while at >= 0:
        low = max(0, at - half)
        peak = low + int(np.argmax(best[low : at + 1]))
        if best[peak] < _FITS or peak == low > 0:
            at -= 1
            continue
        yield peak
        at = peak - half


def _strip(shown: int, *, down: bool) -> Plane:
    """1 in the upper or the left strip of a card, 0 in the rest."""
    made = np.zeros((FACE_HEIGHT_PX, FACE_WIDTH_PX), np.float32)
    made[(slice(0, max(shown, 0)), slice(None)) if down else (slice(None), slice(0, max(shown, 0)))] = 1
    return made


def _by(x: float, y: float) -> Homography:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)


def _at_corners(cluster: Cluster, size: tuple[float, float] | None) -> list[Homography]:
    """The places of cards that could lie at the corners of an outline."""
    outline = cluster.outline.reshape(-1, 1, 2)
    _, sides, _ = cv2.minAreaRect(outline)
    short = max(min(sides), 1.0)
    sizes = [(short, short * RATIO), (short / RATIO, short), (max(sides) / RATIO, max(sides))]
    if size is not None:
        sizes = [size, *((wide, high) for wide, high in sizes if 1 / _LIKE < wide / size[0] < _LIKE)]
    places = []
    for wide, high in sizes:
        points = cv2.approxPolyDP(outline, 0.03 * wide, closed=True)[:, 0].astype(np.float64)
        edges = [(a, b - a) for a, b in zip(points, np.roll(points, -1, axis=0), strict=True)]
        edges = [(point, edge) for point, edge in edges if np.linalg.norm(edge) > _EDGE * wide]
        for (start, first), (end, second) in zip(edges, [*edges[1:], *edges[:1]], strict=True):
            corner = _meeting(start, first, end, second, _EDGE * wide)
            if corner is None:
                continue
            a, b = -first / np.linalg.norm(first), second / np.linalg.norm(second)
            inside = corner + _EDGE * wide * (a + b)
            if cv2.pointPolygonTest(outline, (float(inside[0]), float(inside[1])), measureDist=False) < 0:
                continue
            for x, y in ((wide, high), (high, wide)):
                quad = np.array([corner, corner + a * x, corner + a * x + b * y, corner + b * y])
                places.append(homography_of(_upright(quad)))
    return places


def _meeting(start: Quad, first: Quad, end: Quad, second: Quad, near: float) -> Quad | None:
    """Where two edges of an outline meet at a right angle; the corners of cards are round."""
    cross = float(first[0] * second[1] - first[1] * second[0])
    if abs(cross) < 0.97 * float(np.linalg.norm(first) * np.linalg.norm(second)):
        return None
    off = end - start
    corner = start + first * float(off[0] * second[1] - off[1] * second[0]) / cross
    apart = max(np.linalg.norm(corner - start - first), np.linalg.norm(corner - end))
    return np.asarray(corner, np.float64) if apart < near else None


def _upright(quad: Quad) -> Corners:
    """Clockwise, a short side first."""
    x, y = quad.T
    if float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) < 0:
        quad = quad[::-1]
    if np.linalg.norm(quad[1] - quad[0]) > np.linalg.norm(quad[2] - quad[1]):
        quad = np.roll(quad, -1, axis=0)
    a, b, c, d = ((float(px), float(py)) for px, py in quad)
    return a, b, c, d
