"""Finds cards in a picture: areas with four straight edges, each made rectangular.

The areas come from several maps of the same picture, made small: how far its colour is from those of the
table, which is what its border shows, and where it changes. The edges of an area that is one card are fitted
as lines, to a fraction of a pixel. A clear sleeve has edges of its own, a little outside of these: between
the two the table is seen. Cards that touch or overlap are no such area: `covered` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.pictures import Mask, Picture, Plane, around, grey
from firmware.extensions.camera.seen import Corners, in_order

FACE_WIDTH_PX: Final = 128
FACE_HEIGHT_PX: Final = 196
"""The size of a card that was made rectangular: a number is clear, and a deck needs little memory."""

Quad = NDArray[np.float64]
"""Four corners, one a row."""

_LONGER_SIDE_PX: Final = 720
"""Of the small picture in which areas are searched."""
_MIN_SHARE: Final = 1 / 250
_MAX_SHARE: Final = 1 / 3
"""What a card takes of a picture."""
_DIM: Final = 90
"""Where not even one pixel in a hundred is lighter, of 255, the light is dim."""
_FRAME_PX: Final = 3
"""A line that is farther outside than this is another one, in the small picture."""
_FILLED: Final = 0.86
"""What an area takes of what is within its edges."""
_LONGEST: Final = 1.8
_SHORTEST: Final = 1.15
"""How much longer than wide a card may look."""
_OTHER_SIZE: Final = 0.025
"""A card with a side that differs by this share from those of the cards around it was cut wrongly."""
_NO_CARD: Final = 0.15
"""What has another size than the cards around it by this share is none."""
_ENOUGH: Final = 5
"""With more cards than this, their sizes are fitted by a plane over the picture, else by one size."""
_TURNS: Final = np.add.outer(np.arange(4), np.arange(4)) % 4
"""The places of the corners of a card in the four orders in which they may be named."""


class ImagePyramid(NamedTuple):
    """A picture, as large as it is needed to read cards."""

    picture: Picture
    half: Picture
    """Grey, half as large, in which cards are aligned."""

    @classmethod
    def of(cls, picture: Picture) -> ImagePyramid:
        """In the dark the noise of a camera is stronger than what tells cards apart: it is smoothed."""
        if np.percentile(grey(picture)[::4, ::4], 99) < _DIM:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)
        return cls(picture, np.asarray(cv2.pyrDown(grey(picture)), np.uint8))


class Found(NamedTuple):
    """An area that may be a card, or its back, or something else with four corners."""

    corners: Corners
    """Clockwise from an end of a short side: the card is upright or upside down."""

    face: Picture
    """What is within the corners, `FACE_WIDTH_PX` × `FACE_HEIGHT_PX`."""


def find(picture: Picture, empty: Picture | None = None) -> list[Found]:
    """All that may be a card, in the order of a grid: from left to right, then from top to bottom.

    `empty` is a picture of the same table without cards, as large: then it may have a pattern.
    """
    cards = _as_large_as_others(search(picture, empty=empty))
    return [Found(corners, rectangular(picture, corners)) for corners in cards]


def _as_large_as_others(cards: Sequence[Sequence[Corners]]) -> list[Corners]:
    """Of each card the place where it is as large as the cards around it are; the first one, if that is.

    On a table as pale as the cards, the edge of what is printed may be clearer than that of the card, and on
    wood a line of the table.
    """
    chosen = [places[0] for places in cards]
    off = np.zeros((len(cards), 4))
    middles = np.array([(1.0, *np.mean(corners, axis=0)) for corners in chosen]).reshape(-1, 3)
    for _ in range(6 if cards else 0):  # after each time, what has another size is left out
        least, most = off.min(axis=1), off.max(axis=1)
        whole = (least >= min(-_OTHER_SIZE, np.median(least))) & (most <= max(_OTHER_SIZE, np.median(most)))
        # A camera that looks at the table aslant sees cards that are farther away smaller.
        known = middles[:, : 3 if whole.sum() > _ENOUGH else 1]
        sizes = np.array([np.log(_sides(corners)) for corners in chosen])
        due = known @ np.linalg.lstsq(known[whole], sizes[whole], rcond=None)[0]
        for at, places in enumerate(cards):
            beside = [float(np.abs(np.log(_sides(corners)) - due[at]).max()) for corners in places]
            chosen[at] = places[0 if beside[0] < _OTHER_SIZE else int(np.argmin(beside))]
            off[at] = np.log(_sides(chosen[at])) - due[at]
    return [corners for corners, card in zip(chosen, off, strict=True) if np.abs(card).max() < _NO_CARD]


def rectangular(picture: Picture, corners: Corners) -> Picture:
    """What is within the corners as a card of `FACE_WIDTH_PX` × `FACE_HEIGHT_PX`."""
    wide, high = FACE_WIDTH_PX, FACE_HEIGHT_PX
    to = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    homography = cv2.getPerspectiveTransform(np.array(corners, np.float32), to)
    return np.asarray(cv2.warpPerspective(picture, homography, (wide, high)), np.uint8)


def search(
    picture: Picture, changed: Mask | None = None, empty: Picture | None = None
) -> list[list[Corners]]:
    """The single cards, each with the places where it may lie, the likeliest first; in the order of `find`.

    With `changed` only those that lie there, or beside it; `empty` is that of `find`.
    """
    shrink = max(1.0, max(picture.shape[:2]) / _LONGER_SIDE_PX)
    size = (int(picture.shape[1] / shrink + 0.5), int(picture.shape[0] / shrink + 0.5))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    left, top, (high, wide) = 0, 0, small.shape[:2]
    if changed is not None:
        # Most of a card may be as it was.
        near = cv2.resize(around(changed), size, interpolation=cv2.INTER_NEAREST)
        left, top, wide, high = cv2.boundingRect(near)
    refined: list[tuple[float, list[Quad]]] = []
    for image in (small,) if empty is None else (small, _without_table(small, empty)):
        part, rough = image[top : top + high, left : left + wide], list[Quad]()
        for areas in _areas(part, _without_usual(image)):
            for line in cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
                share = cv2.contourArea(line) / (size[0] * size[1])
                quad = _quad_of(line) if _MIN_SHARE <= share <= _MAX_SHARE else None
                if quad is not None and all(differs(quad, known, 2) for known in rough):
                    rough.append(quad)
        refined += (_refined(part, quad) for quad in rough)
    taken = np.zeros((high, wide), np.uint8)
    singles: list[list[Quad]] = []
    for _, places in sorted(refined, key=lambda refined: -refined[0]):
        quad = places[0]
        own = np.zeros_like(taken)
        cv2.fillConvexPoly(own, np.rint(quad).astype(np.int32), 1)
        if np.count_nonzero(own & taken) < 0.15 * np.count_nonzero(own):
            taken |= own
            singles.append(places)
            continue
        for single in singles:
            middle = np.linalg.norm(single[0].mean(axis=0) - quad.mean(axis=0))
            if middle < 0.2 * _sides(single[0])[0] and all(differs(quad, place, 4) for place in single):
                single.extend(places)
    off = np.array((left, top)) + 0.5
    found = [[as_corners((quad + off) * shrink - 0.5) for quad in single] for single in singles]
    exact = [[_polished(picture, corners) for corners in places] for places in found]
    return in_order(exact, lambda places: places[0])


def width_of(cards: Sequence[Corners]) -> float | None:
    """How wide most cards are, in pixels; None without any."""
    sides = [_sides(corners) for corners in cards]
    return float(np.median([a + c for a, _, c, _ in sides])) / 2 if sides else None


def as_corners(quad: Quad) -> Corners:
    """Clockwise, a short side first; the one that is higher in the picture, as cards are taught."""
    middle = quad.mean(axis=0)
    quad = quad[np.argsort(np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0]))]
    sides = _sides(quad)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        quad = np.roll(quad, -1, axis=0)
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return (a, b, c, d) if a[1] + b[1] <= c[1] + d[1] else (c, d, a, b)


def differs(quad: Quad, other: Quad, tolerance: float) -> bool:
    """Whether two places differ by more than `tolerance` pixels at a corner."""
    return bool(np.abs(quad[_TURNS] - other).max(axis=(1, 2)).min() > tolerance)


def _sides(quad: Quad | Corners) -> Quad:
    """How long the sides are, the first one from the first corner."""
    return np.asarray(np.linalg.norm(np.subtract(quad, np.roll(quad, -1, axis=0)), axis=1), np.float64)


def _logarithms(small: Picture) -> Plane:
    """Logarithms of the colours, without the noise: a lamp adds the same everywhere."""
    return np.log(cv2.GaussianBlur(small, (0, 0), 2.0).astype(np.float32) + 16)


def _without_usual(small: Picture) -> Plane:
    """Makes of `_logarithms`, for `cv2.transform`, how far they are from the table, in its own deviations.

    The table is what the border shows most. Grain, planks and shadows differ in lightness, and count little.
    """
    parts = (small[:8], small[-8:], small[:, :8], small[:, -8:])
    border = np.concatenate([_logarithms(part).reshape(-1, 3) for part in parts])
    usual = np.median(border, axis=0)
    near, numbers = border - usual, np.eye(3)
    for share in (0.9, 1.0):  # the second time without the cards that lie there
        numbers = np.linalg.inv(np.linalg.cholesky(1.5 * (near.T @ near / len(near) + 4e-4 * np.eye(3))))
        far = np.linalg.norm(near @ numbers.T, axis=1)
        near = near[far <= np.quantile(far, share)]
    return np.asarray(np.column_stack([numbers, -numbers @ usual]), np.float32)


def _without_table(small: Picture, empty: Picture) -> Picture:
    """What differs from the empty table, which may be in another light: of its pattern nothing is left."""
    before = cv2.resize(empty, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    now, usual = (cv2.GaussianBlur(of, (0, 0), 1.0).astype(np.float32) + 20 for of in (small, before))
    apart = np.log(now / usual)
    apart -= np.median(apart, axis=(0, 1))
    return np.asarray(np.clip(128 + 180 * apart, 0, 255), np.uint8)


def _areas(small: Picture, without_usual: Plane) -> Iterator[Picture]:
    """Maps of the picture with 1 where a card may be; `without_usual` is that of the whole picture."""
    numbers, close = cv2.transform(_logarithms(small), without_usual), np.ones((5, 5), np.uint8)
    far = np.linalg.norm(numbers, axis=2)
    for unusual in (2.5, 3.5, 5.0, 8.0):
        areas = (far > unusual).astype(np.uint8)
        yield np.asarray(cv2.morphologyEx(areas, cv2.MORPH_CLOSE, close), np.uint8)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.0), cv2.COLOR_BGR2LAB).astype(np.float32)
    steep = np.maximum(*(np.abs(cv2.Sobel(lab, -1, x, 1 - x)).max(axis=2) for x in (0, 1)))
    for factor in (4.0, 2.5):
        areas = (steep > factor * np.median(steep)).astype(np.uint8)
        areas = cv2.morphologyEx(areas, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        lines = cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
        filled = cv2.morphologyEx(cv2.drawContours(areas, lines, -1, 1, -1), cv2.MORPH_OPEN, close)
        yield np.asarray(cv2.erode(filled, np.ones((3, 3))), np.uint8)


def _quad_of(line: cv2.typing.MatLike) -> Quad | None:
    """The four corners, if an outline is one card."""
    hull = cv2.convexHull(line)
    filled = cv2.contourArea(hull)
    if cv2.contourArea(line) < 0.75 * filled:  # a pattern of the table may cut into it
        return None
    rough = _rough(hull)
    quad = None if rough is None else _fitted(line[:, 0].astype(np.float64), rough)
    if quad is None:
        return None
    sides = _sides(quad)
    short, long = sorted((sides[0] + sides[2], sides[1] + sides[3]))
    if not _SHORTEST <= long / max(short, 1e-6) <= _LONGEST:
        return None
    within = cv2.contourArea(quad.astype(np.float32))
    return quad if min(filled, within) > _FILLED * max(filled, within) else None


def _rough(hull: cv2.typing.MatLike) -> Quad | None:
    """The four corners of a hull, if it has four."""
    length = cv2.arcLength(hull, closed=True)
    tried = (cv2.approxPolyDP(hull, share * length, closed=True) for share in np.arange(0.02, 0.1, 0.01))
    return next((found[:, 0].astype(np.float64) for found in tried if len(found) == 4), None)  # noqa: PLR2004


def _fitted(points: Quad, rough: Quad) -> Quad | None:
    """The corners where lines through the points near each side meet."""
    lines: list[tuple[Quad, Quad]] = []
    for at in range(4):
        start, direction = rough[at], rough[(at + 1) % 4] - rough[at]
        length = float(np.linalg.norm(direction))
        direction = direction / length
        along = (points - start) @ direction / length
        off = np.abs((points - start) @ np.array([-direction[1], direction[0]]))
        near = points[(along > 0.12) & (along < 0.88) & (off < 0.05 * length)].astype(np.float32)  # noqa: PLR2004
        if len(near) < 8:  # noqa: PLR2004
            return None
        lines.append(_line(near))
    return _meeting(lines)


def _line(points: NDArray[np.float32]) -> tuple[Quad, Quad]:
    """A point and the direction of the line through most of these."""
    dx, dy, x, y = np.ravel(cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01)).tolist()
    return np.array([x, y]), np.array([dx, dy])


def _meeting(lines: Sequence[tuple[Quad, Quad]]) -> Quad | None:
    """The corners of four lines, each a point and its direction; None where two are nearly parallel."""
    corners = []
    for at in range(4):
        (p, v), (q, w) = lines[at - 1], lines[at]
        cross = v[0] * w[1] - v[1] * w[0]
        if abs(cross) < 0.5:  # noqa: PLR2004 - not a right angle by far
            return None
        corners.append(p + v * ((q[0] - p[0]) * w[1] - (q[1] - p[1]) * w[0]) / cross)
    return np.array(corners)


_ALONG: Final = np.linspace(0.1, 0.9, 25)
"""Where an edge is measured, as shares of its length."""
_OFFS: Final = np.arange(-10, 11.0)
"""How far outside of where it was first seen."""
_TRIES: Final = np.meshgrid(*[np.arange(1, len(_OFFS) - 1)] * 2, indexing="ij")
_STARTS, _ENDS = (ends[np.isclose(_TRIES[0], _TRIES[1], rtol=0, atol=6)] for ends in _TRIES)
"""The lines that are tried: the places in `_OFFS` of both ends of each, and in `_ROWS` where it passes."""
_ROWS: Final = np.rint(_STARTS[None] + _ALONG[:, None] * (_ENDS - _STARTS)[None]).astype(np.intp)


def _refined(small: Picture, quad: Quad) -> tuple[float, list[Quad]]:
    """The corners moved to where the picture changes most across each side, and how much it changes there.

    Where these may be the edges of a sleeve, the corners of the card in it come first. What lies outside of
    the strongest line of a side may be a line of the table: the last places are without it.
    """
    sides: list[list[tuple[Quad, Quad]]] = []
    strengths = []
    for at in range(4):
        points, across = _beyond(small, quad, at, _ALONG, _OFFS)
        step = np.zeros(across.shape[:2], np.float32)
        step[:, 1:-1] = np.abs(across[:, 2:] - across[:, :-2]).sum(axis=2)
        step = np.minimum(step, 60)
        sums = step[np.arange(len(_ALONG))[:, None], _ROWS].mean(axis=0)
        sums -= 0.01 * (np.abs(_OFFS[_STARTS]) + np.abs(_OFFS[_ENDS]))
        places = (_STARTS + _ENDS) / 2
        outer = _outermost(sums, places, float(np.median(step[:, 1:-1])))
        inner = _within_sleeve(across, sums, places, outer, 0.06 * min(_sides(quad)))
        strengths.append(float(sums[outer]))
        tried = inner, outer, int(np.argmax(sums))
        sides.append([_line(points[np.arange(len(_ALONG)), _ROWS[:, best]]) for best in tried])
    within, lines, _ = zip(*sides, strict=True)
    corners: list[Quad] = []
    for made in map(_meeting, (within, lines, *product(*(side[1:] for side in sides)))):
        if made is not None and all(differs(made, other, 0.5) for other in corners):
            corners.append(made)
    return min(strengths), corners or [quad]


def _outermost(sums: Quad, places: Quad, usual: float) -> int:
    """The strongest line, unless there is a clear one outside of it: many cards have a printed frame."""
    best = int(np.argmax(sums))
    outside = places >= places[best] + _FRAME_PX
    while outside.any():
        other = int(np.argmax(np.where(outside, sums, -np.inf)))
        between = (places > places[best]) & (places < places[other] - 1)
        valley = min((float(sums[places == at].max()) for at in np.unique(places[between])), default=np.inf)
        least = usual + max(0.3 * (float(sums[best]) - usual), 0.7 * usual)
        if sums[other] < max(least, 1.25 * valley):
            break
        best, outside = other, places >= places[other] + _FRAME_PX
    return best


def _polished(picture: Picture, corners: Corners) -> Corners:
    """The corners where the picture changes most near each side, to a fraction of one of its pixels."""
    lines = []
    along, offs = np.linspace(0.08, 0.92, 64), np.arange(-4, 4.5, 0.5)
    for at in range(4):
        points, across = _beyond(picture, np.array(corners), at, along, offs)
        step = np.abs(cv2.blur(across[:, 3:] - across[:, :-3], (1, 5))).sum(axis=2, keepdims=True)
        step = np.maximum(step - 0.5 * step.max(axis=1, keepdims=True), 1e-6)
        places = (points[:, 3:] + points[:, :-3]) / 2
        lines.append(_line((places * step).sum(axis=1) / step.sum(axis=1)))
    polished = _meeting(lines)
    return corners if polished is None else as_corners(polished)


def _beyond(picture: Picture, quad: Quad, at: int, along: Quad, offs: Quad) -> tuple[Plane, Plane]:
    """Points at these shares `along` a side and `offs` pixels outside of it, and the colours there."""
    start, direction = quad[at], quad[(at + 1) % 4] - quad[at]
    out = np.array([direction[1], -direction[0]]) / float(np.linalg.norm(direction))
    points = start + along[:, None, None] * direction + offs[:, None] * out
    x, y = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
    shown = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return points.astype(np.float32), np.asarray(shown, np.float32)


def _within_sleeve(across: Plane, sums: Quad, places: Quad, outer: int, widest: float) -> int:
    """The edge of the card, if this line is that of a clear sleeve, at most `widest` pixels outside of it.

    Between the two the table is seen: that is more like what lies outside than like the card. It is compared
    with the card in two places, as a printed frame is a line only.
    """
    within = (places <= places[outer] - 2) & (places >= places[outer] - widest)
    inner = int(np.argmax(np.where(within, sums, -np.inf)))
    if not within.any() or sums[inner] < 0.5 * sums[outer]:
        return outer
    between = _beside(across, inner, (places[outer] - places[inner]) / 2)
    table = float(np.abs(_beside(across, outer, 3) - between).sum())
    card = min(float(np.abs(_beside(across, inner, off) - between).sum()) for off in (-3, -5))
    clear = table < 0.7 * card and card > 0.5 * float(between.sum())
    return inner if clear else outer


def _beside(across: Plane, line: int, outside: float) -> Plane:
    """The median colour along a line, at this distance from it in pixels; negative: inside the card."""
    rows = np.clip(np.rint(_ROWS[:, line] + outside), 0, len(_OFFS) - 1).astype(np.intp)
    return np.asarray(np.median(across[np.arange(len(_ALONG)), rows], axis=0), np.float32)
