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

from firmware.extensions.camera.alignment import HEIGHT_PX, WIDTH_PX, Way
from firmware.extensions.camera.comparing import HIGH, WIDE
from firmware.extensions.camera.finding import Four, Heap, as_corners
from firmware.extensions.camera.light import Picture, Plane, lightness
from firmware.extensions.camera.model import TURN, Model
from firmware.extensions.camera.reading import (
    Finalist,
    Sight,
    corners_of,
    points_of,
    read_strip,
    read_way,
    way_of,
)
from firmware.extensions.camera.seen import Corners, Seen

RATIO: Final = 1.54
"""How much higher than wide a card is, where no card shows it."""

_LIKE: Final = 1.25
"""A card is not larger than others of the picture by more than this factor."""

_MOST_FAILED: Final = 4
"""So often nothing is found before a heap is left alone: it is a hand, or the light of a lamp."""

_POSSIBLE: Final = 120.0
"""What is farther from all faces is not tried; see `Model.nearest`."""

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


class HeapReader:
    """Reads the heaps of a picture, one after the other.

    `possible` are the codes that can come; a card where `where` is False of its corners is left out.
    """

    def __init__(
        self,
        model: Model,
        seen: Sight,
        possible: Collection[str] | None,
        where: Callable[[Corners], bool],
    ) -> None:
        self._model, self._seen, self._possible, self._where = model, seen, possible, where
        self._found: list[Seen] = []
        self._ways: list[Way] = []
        self._left: Picture = np.zeros(seen.half.shape, np.uint8)
        """1 where the heap is and no card was read yet, in pixels of the grey picture."""

    def read(self, heap: Heap, size: tuple[float, float] | None) -> list[Seen]:
        """The cards of a heap that can be told. `size` is width and height of the other cards in pixels."""
        self._found, self._ways = [], []
        self._left[:] = 0
        cv2.fillPoly(self._left, [np.asarray(heap.outline // 2, np.int32)], 1)
        self._read_corners(_at_corners(heap, size))
        self._read_strips()
        return self._found

    def _read_corners(self, ways: Sequence[Way]) -> None:
        """The cards that lie at these ways, and those beside them."""
        tries, failed = self._nearest_first(ways), 0
        while tries and failed < _MOST_FAILED:
            start = tries.pop(0)
            if not self._free(start):
                continue
            read, way = read_way(self._model, self._seen, start, self._possible)
            if not (read.code or read.candidates) or not self._new(read, way):
                failed += 1
                continue
            self._keep(read, way)
            tries = (
                self._nearest_first([way @ _moved(*by) for by in ((1, 0), (-1, 0), (0, 1), (0, -1))]) + tries
            )

    def _read_strips(self) -> None:
        """The partly covered cards beside an edge of a card that was read: a strip of each is visible."""
        ends = list(self._ways)
        while ends:
            end = ends.pop()
            for way in (end, end @ TURN):
                for down in (True, False):
                    if self._goes_on(way, down=down):
                        ends += self._slide(way, down=down)

    def _nearest_first(self, ways: Sequence[Way]) -> list[Way]:
        """Those at which a face may be, the likeliest first."""
        free = [way for way in ways if self._free(way)]
        tried = [(self._model.nearest(self._seen.moved(way), 1)[0][0], at) for at, way in enumerate(free)]
        return [free[at] for far, at in sorted(tried) if far < _POSSIBLE]

    def _share(self, four: NDArray[np.floating]) -> float:
        """How much of what lies within four corners is left of the heap, from 0 to 1."""
        own = np.zeros_like(self._left)
        cv2.fillConvexPoly(own, np.rint(four / 2).astype(np.int32), 1)
        return float(np.count_nonzero(own & self._left)) / max(float(np.count_nonzero(own)), 1.0)

    def _free(self, way: Way) -> bool:
        corners = corners_of(way)
        return self._where(corners) and self._share(np.array(corners)) > 0.7  # noqa: PLR2004

    def _new(self, read: Seen, way: Way) -> bool:
        """Whether a card that was read lies where none was read before.

        On a table as pale as the cards the outline may be that of a shadow: what is sure lies beside it, too.
        """
        return not any(map(read.lies_at, self._found)) if read.code else self._free(way)

    def _keep(self, read: Seen, way: Way) -> None:
        self._found.append(read)
        self._ways.append(way)
        cv2.fillConvexPoly(self._left, np.rint(np.array(read.corners) / 2).astype(np.int32), 0)

    def _goes_on(self, way: Way, *, down: bool) -> bool:
        """Whether there is something beyond the upper edge of a card (`down`), or the left one."""

        def beyond(near: float, far: float) -> NDArray[np.float64]:
            w, h = WIDTH_PX, HEIGHT_PX
            if down:
                box = [[0.05 * w, -far], [0.95 * w, -far], [0.95 * w, -near], [0.05 * w, -near]]
            else:
                box = [[-far, 0.05 * h], [-near, 0.05 * h], [-near, 0.95 * h], [-far, 0.95 * h]]
            return points_of(way, np.array(box))

        asked = self._where(as_corners(beyond(0, (HEIGHT_PX if down else WIDTH_PX) / 2)))
        return asked and self._share(beyond(3, 0.8 * _STRIP_PX)) > 0.8  # noqa: PLR2004

    def _slide(self, way: Way, *, down: bool) -> list[Way]:
        """The ways to the cards that lie under this one, of which the upper strip or the left one is visible.

        The strip of every face is slid along what lies beyond the edge, up to a card away.
        """
        left, top = (-_PLAY_PX, -HEIGHT_PX) if down else (-WIDTH_PX, -_PLAY_PX)
        fits, beside = self._fits(way @ _by(left, top), down=down)
        found: list[Way] = []
        end = fits.shape[1] - 1 + _STRIP_PX  # where the card begins that lies on the next one
        for peak in _peaks(fits.max(axis=0)):
            if end - peak < _STRIP_PX - 4:
                continue
            finalists = []
            for face in np.argsort(-fits[:, max(0, peak - 1) : peak + 2].max(axis=1))[:_STARTS]:
                card, upside_down = divmod(int(face), 2)
                off = int(beside[face, peak])
                own = way @ (
                    _by(left + off, top + peak - _RIM_PX) if down else _by(left + peak - _RIM_PX, top + off)
                )
                finalists.append(Finalist(card, own @ TURN if upside_down else own, bool(upside_down)))
            visible = _strip((end - peak) * WIDE // WIDTH_PX - 4, down=down)
            read, other = read_strip(self._model, self._seen, finalists, visible, self._possible)
            if read.code or read.candidates:
                self._keep(read, other)
                found.append(other)
                end = peak - _RIM_PX
        return found

    def _fits(self, start: Way, *, down: bool) -> tuple[Plane, NDArray[np.intp]]:
        """For each face, upright and upside down: how well it fits along the line, and how far beside."""
        wide, high = (WIDTH_PX + 2 * _PLAY_PX, HEIGHT_PX) if down else (WIDTH_PX, HEIGHT_PX + 2 * _PLAY_PX)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        grey = cv2.warpPerspective(self._seen.half, start, (wide, high), flags=flags)
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
    made = np.zeros((HIGH, WIDE), np.float32)
    made[(slice(0, max(shown, 0)), slice(None)) if down else (slice(None), slice(0, max(shown, 0)))] = 1
    return made


def _by(x: float, y: float) -> Way:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)


def _moved(across: float, down: float) -> Way:
    """Beside it by so many cards, in pixels of a face."""
    return _by(across * WIDTH_PX, down * HEIGHT_PX)


def _at_corners(heap: Heap, size: tuple[float, float] | None) -> list[Way]:
    """The ways to cards that could lie at the corners of an outline."""
    outline = heap.outline.reshape(-1, 1, 2)
    _, sides, _ = cv2.minAreaRect(outline)
    short = max(min(sides), 1.0)
    sizes = [(short, short * RATIO), (short / RATIO, short), (max(sides) / RATIO, max(sides))]
    if size is not None:
        sizes = [size, *(one for one in sizes if 1 / _LIKE < one[0] / size[0] < _LIKE)]
    ways = []
    for wide, high in sizes:
        points = cv2.approxPolyDP(outline, 0.03 * wide, closed=True)[:, 0].astype(np.float64)
        edges = [(one, other - one) for one, other in zip(points, np.roll(points, -1, axis=0), strict=True)]
        edges = [(one, edge) for one, edge in edges if np.linalg.norm(edge) > _EDGE * wide]
        for (start, first), (end, second) in zip(edges, [*edges[1:], *edges[:1]], strict=True):
            corner = _meeting(start, first, end, second, _EDGE * wide)
            if corner is None:
                continue
            a, b = -first / np.linalg.norm(first), second / np.linalg.norm(second)
            inside = corner + _EDGE * wide * (a + b)
            if cv2.pointPolygonTest(outline, (float(inside[0]), float(inside[1])), measureDist=False) < 0:
                continue
            for x, y in ((wide, high), (high, wide)):
                four = np.array([corner, corner + a * x, corner + a * x + b * y, corner + b * y])
                ways.append(way_of(_upright(four)))
    return ways


def _meeting(start: Four, first: Four, end: Four, second: Four, near: float) -> Four | None:
    """Where two edges of an outline meet at a right angle; the corners of cards are round."""
    cross = float(first[0] * second[1] - first[1] * second[0])
    if abs(cross) < 0.97 * float(np.linalg.norm(first) * np.linalg.norm(second)):
        return None
    off = end - start
    corner = start + first * float(off[0] * second[1] - off[1] * second[0]) / cross
    apart = max(np.linalg.norm(corner - start - first), np.linalg.norm(corner - end))
    return np.asarray(corner, np.float64) if apart < near else None


def _upright(four: Four) -> Corners:
    """Clockwise, a short side first."""
    x, y = four.T
    if float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) < 0:
        four = four[::-1]
    if np.linalg.norm(four[1] - four[0]) > np.linalg.norm(four[2] - four[1]):
        four = np.roll(four, -1, axis=0)
    a, b, c, d = ((float(px), float(py)) for px, py in four)
    return a, b, c, d
