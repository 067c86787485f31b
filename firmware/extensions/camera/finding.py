"""Finds cards in a picture: areas with four straight edges, each made rectangular.

The areas come from several maps of the same picture, made small: how far its colour is from that of the
table, which is what its border shows most, and where it changes. Some of them see a white card on a white
cloth, others a card in the dark. An area that is one card has four straight edges, and all of the area is
within them. Its edges are fitted as lines, to a fraction of a pixel. A clear sleeve has edges of its own, a
little outside of these: between the two the table is seen.

Cards that touch or overlap are no such area: `covered` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
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

_NEAR_PX: Final = 10
"""How far an edge may be from where it was first seen, in the small picture."""

_FRAME_PX: Final = 3
"""A line that is farther outside than this is another one, in the small picture."""

_SLEEVE: Final = 0.06
"""How far outside of the card the edge of a sleeve is at most, as a share of the width of the card."""

_CLEAR: Final = 0.7
"""Seen through a sleeve, the table differs from itself at most by this share of how the card differs."""

_PALE: Final = 0.5
"""The card differs from the table by at least this share: on a pale table its edge may be a frame."""

_LEAN_PX: Final = 6
"""How much farther one end of an edge may be from there than the other."""

_LONGEST: Final = 1.8
_SHORTEST: Final = 1.15
"""How much longer than wide a card may look."""

_SMALLER: Final = 0.06
"""A card that is smaller by this share than the cards around it is only a part of one."""

_FITTINGS: Final = 4
"""The number of fits; after each one, what is too small to be a whole card is left out of the next."""

_ENOUGH: Final = 5
"""With more cards than this, their sizes are fitted by a plane over the picture, else by one size."""


class ImagePyramid(NamedTuple):
    """A picture, as large as it is needed to read cards."""

    picture: Picture
    half: Picture
    """Grey, half as large, in which cards are aligned."""

    @classmethod
    def of(cls, picture: Picture) -> ImagePyramid:
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
    cards = _as_large_as_others(search(picture, None, empty))
    return [Found(corners, rectangular(picture, corners)) for corners in cards]


def _as_large_as_others(cards: Sequence[Sequence[Corners]]) -> list[Corners]:
    """Of each card the first place, unless it is smaller there than the cards around it are and another fits.

    On a table as pale as the cards, the edge of what is printed may be clearer than that of the card.
    """
    if not cards:
        return []
    sizes = np.array([_size(places[0]) for places in cards])
    middles = np.array([(1.0, *np.mean(places[0], axis=0)) for places in cards])
    middles[:, 1:] -= middles[:, 1:].mean(axis=0)
    whole = np.full(len(cards), fill_value=True)
    due = sizes
    for _ in range(_FITTINGS):
        # A camera that looks at the table aslant sees cards that are farther away smaller.
        known = middles[:, : 3 if whole.sum() > _ENOUGH else 1]
        due = known @ np.linalg.lstsq(known[whole], sizes[whole], rcond=None)[0]
        off = (sizes - due).min(axis=1)
        whole = off >= min(-_SMALLER, float(np.median(off)))

    def beside(at: int, corners: Corners) -> float:
        return float(np.abs(_size(corners) - due[at]).max())

    return [
        places[0] if whole[at] else min(places, key=partial(beside, at)) for at, places in enumerate(cards)
    ]


def _size(corners: Corners) -> NDArray[np.float64]:
    """The logarithms of width and height: a small difference is a share of the size."""
    sides = _sides(np.array(corners))
    return np.log([sides[0] + sides[2], sides[1] + sides[3]])


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

    With `changed` only those that lie there, or beside it.
    """
    shrink = max(1.0, max(picture.shape[:2]) / _LONGER_SIDE_PX)
    size = (int(picture.shape[1] / shrink + 0.5), int(picture.shape[0] / shrink + 0.5))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    if empty is not None:
        small = _without_table(small, empty)
    whole = size[0] * size[1]
    usual, left, top, (high, wide) = _usual_colour(small), 0, 0, small.shape[:2]
    if changed is not None:
        # Most of a card may be as it was.
        near = cv2.resize(around(changed), size, interpolation=cv2.INTER_NEAREST)
        left, top, wide, high = cv2.boundingRect(near)
        small = small[top : top + high, left : left + wide]
    rough: list[Quad] = []
    for areas in _areas(small, usual):
        for line in cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            area = cv2.contourArea(line)
            quad = _quad_of(line, area) if _MIN_SHARE <= area / whole <= _MAX_SHARE else None
            if quad is not None and all(differs(quad, known, 2) for known in rough):
                rough.append(quad)
    taken = np.zeros((high, wide), np.uint8)
    singles: list[list[Quad]] = []
    for _, places in sorted((_refined(small, quad) for quad in rough), key=lambda refined: -refined[0]):
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
                single.append(quad)
    off = np.array((left, top)) + 0.5
    found = [[as_corners((quad + off) * shrink - 0.5) for quad in single] for single in singles]
    return in_order(found, lambda places: places[0])


def width_of(cards: Sequence[Corners]) -> float | None:
    """How wide most cards are, in pixels; None without any."""
    sides = [_sides(np.array(corners)) for corners in cards]
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
    """Whether two places differ by more than `tolerance` pixels, in the middle or at a corner."""
    if float(np.abs(quad.mean(axis=0) - other.mean(axis=0)).max()) > tolerance:
        return True
    return float(min(np.abs(np.roll(quad, by, axis=0) - other).max() for by in range(4))) > tolerance


def _sides(quad: Quad) -> list[float]:
    return [float(np.linalg.norm(quad[at] - quad[(at + 1) % 4])) for at in range(4)]


def _usual_colour(small: Picture) -> NDArray[np.float64]:
    """The colour that the border of a picture shows most, in the planes of `_areas`."""
    edge = 8
    parts = (small[:edge], small[-edge:], small[:, :edge], small[:, -edge:])
    border = np.concatenate([part.reshape(-1, 1, 3) for part in parts])
    return np.asarray(np.median(cv2.cvtColor(border, cv2.COLOR_BGR2LAB), axis=(0, 1)), np.float64)


def _without_table(small: Picture, empty: Picture) -> Picture:
    """What differs from the empty table, which may be in another light: of its pattern nothing is left."""
    before = cv2.resize(empty, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    now, usual = (cv2.GaussianBlur(of, (0, 0), 1.0).astype(np.float32) + 20 for of in (small, before))
    apart = np.log(now / usual)
    apart -= np.median(apart, axis=(0, 1))
    return np.asarray(np.clip(128 + 180 * apart, 0, 255), np.uint8)


def _areas(small: Picture, table: NDArray[np.float64]) -> Iterator[Picture]:
    """Maps of the picture with 255 where a card may be; `table` is from `_usual_colour`."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    far = np.zeros(lab.shape[:2], np.float32)
    for plane, usual in zip(cv2.split(lab), table, strict=True):
        far += (plane.astype(np.float32) - np.float32(usual)) ** 2
    distance = np.minimum(np.sqrt(far), 255).astype(np.uint8)
    limit, _ = cv2.threshold(distance, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    close = np.ones((5, 5), np.uint8)
    # What is printed in dark colours may be so far that the card itself is with the table.
    lower, _ = cv2.threshold(distance[distance <= limit], 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    for least in (limit, 0.6 * limit, lower):
        areas = cv2.threshold(distance, least, 255, cv2.THRESH_BINARY)[1]
        yield np.asarray(cv2.morphologyEx(areas, cv2.MORPH_CLOSE, close), np.uint8)
    steep = np.zeros(lab.shape[:2], np.float32)
    for plane, weight in zip(cv2.split(lab), (1.0, 1.5, 1.5), strict=True):
        across, down = (cv2.Sobel(plane, cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
        steep = np.maximum(steep, weight * cv2.magnitude(across, down))
    usual = float(np.median(steep))
    for factor in (4.0, 2.5):
        areas = np.where(steep > factor * usual, 255, 0).astype(np.uint8)
        areas = cv2.morphologyEx(areas, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        filled = np.zeros_like(areas)
        lines = cv2.findContours(areas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
        cv2.drawContours(filled, lines, -1, 255, cv2.FILLED)
        filled = cv2.morphologyEx(filled, cv2.MORPH_OPEN, close)
        yield np.asarray(cv2.erode(filled, np.ones((3, 3))), np.uint8)


def _quad_of(line: cv2.typing.MatLike, area: float) -> Quad | None:
    """The four corners, if an outline is one card."""
    hull = cv2.convexHull(line)
    if area < 0.93 * cv2.contourArea(hull):
        return None
    rough = _rough(hull)
    if rough is None:
        return None
    quad = _fitted(line[:, 0].astype(np.float64), rough)
    if quad is None:
        return None
    sides = _sides(quad)
    short, long = sorted((sides[0] + sides[2], sides[1] + sides[3]))
    if not _SHORTEST <= long / max(short, 1e-6) <= _LONGEST:
        return None
    within = cv2.contourArea(quad.astype(np.float32))
    fit = min(area, within) / max(area, within, 1e-6)
    return quad if fit > 0.93 else None  # noqa: PLR2004


def _rough(hull: cv2.typing.MatLike) -> Quad | None:
    """The four corners of a hull, if it has four."""
    around = cv2.arcLength(hull, closed=True)
    for share in np.arange(0.02, 0.1, 0.01):
        found = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(found) == 4:  # noqa: PLR2004
            return found[:, 0].astype(np.float64)
    return None


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
        dx, dy, x, y = np.ravel(cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01)).tolist()
        lines.append((np.array([x, y]), np.array([dx, dy])))
    return _meeting(lines)


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

_OFFS: Final = np.arange(-_NEAR_PX, _NEAR_PX + 1.0)
"""How far outside of where it was first seen."""

_TRIES: Final = np.meshgrid(*[np.arange(1, len(_OFFS) - 1)] * 2, indexing="ij")
_STARTS, _ENDS = (ends[np.abs(_TRIES[0] - _TRIES[1]) <= _LEAN_PX] for ends in _TRIES)
"""The lines that are tried: the places in `_OFFS` of both ends of each, and in `_ROWS` where it passes."""

_ROWS: Final = np.rint(_STARTS[None] + _ALONG[:, None] * (_ENDS - _STARTS)[None]).astype(np.intp)


def _refined(small: Picture, quad: Quad) -> tuple[float, list[Quad]]:
    """The corners moved to where the picture changes most across each side, and how much it changes there.

    Where these may be the edges of a sleeve, the corners of the card in it come first.
    """
    lines, within = list[tuple[Quad, Quad]](), list[tuple[Quad, Quad]]()
    strengths = []
    turn = 1.0 if cv2.contourArea(quad.astype(np.float32), oriented=True) > 0 else -1.0
    for at in range(4):
        start, direction = quad[at], quad[(at + 1) % 4] - quad[at]
        length = float(np.linalg.norm(direction))
        out = turn * np.array([direction[1], -direction[0]]) / length
        points = start + _ALONG[:, None, None] * direction + _OFFS[None, :, None] * out
        x, y = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
        across = cv2.remap(small, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        step = np.zeros(across.shape[:2], np.float32)
        step[:, 1:-1] = np.abs(across[:, 2:] - across[:, :-2]).sum(axis=2)
        step = np.minimum(step, 60)
        sums = step[np.arange(len(_ALONG))[:, None], _ROWS].mean(axis=0)
        sums -= 0.01 * (np.abs(_OFFS[_STARTS]) + np.abs(_OFFS[_ENDS]))
        places = (_STARTS + _ENDS) / 2
        outer = _outermost(sums, places, float(np.median(step[:, 1:-1])))
        inner = _within_sleeve(across, sums, places, outer, _SLEEVE * min(_sides(quad)))
        strengths.append(float(sums[outer]))
        for best, found in ((outer, lines), (inner, within)):
            p, q = start + _OFFS[_STARTS[best]] * out, start + direction + _OFFS[_ENDS[best]] * out
            found.append((p, (q - p) / float(np.linalg.norm(q - p))))
    corners = [made for made in map(_meeting, (within, lines)) if made is not None] or [quad]
    return min(strengths), corners if differs(corners[0], corners[-1], 0.5) else corners[:1]


def _outermost(sums: Quad, places: Quad, usual: float) -> int:
    """The strongest line, unless there is a clear one outside of it: many cards have a printed frame."""
    best = int(np.argmax(sums))
    while True:
        outside = places >= places[best] + _FRAME_PX
        if not outside.any():
            return best
        other = int(np.argmax(np.where(outside, sums, -np.inf)))
        if sums[other] < max(0.3 * (float(sums[best]) - usual), 0.7 * usual) + usual:
            return best
        between = (places > places[best]) & (places < places[other] - 1)
        valley = min((float(sums[places == at].max()) for at in np.unique(places[between])), default=np.inf)
        if sums[other] < 1.25 * valley:
            return best
        best = other


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
    clear = table < _CLEAR * card and card > _PALE * float(between.sum())
    return inner if clear else outer


def _beside(across: Plane, line: int, outside: float) -> Plane:
    """The median colour along a line, at this distance from it in pixels; negative: inside the card."""
    rows = np.clip(np.rint(_ROWS[:, line] + outside), 0, len(_OFFS) - 1).astype(np.intp)
    return np.asarray(np.median(across[np.arange(len(_ALONG)), rows], axis=0), np.float32)
