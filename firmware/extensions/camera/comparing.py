"""Compares the candidates for a card pixel by pixel, in rounds: what is likeliest may lie better elsewhere.

Pixels are measured in deviations: how much the same card differs from itself from one showing to the next, at
this place of the card. Each face is first given the gain, the blur and the shift of what is seen. Then two
faces are compared where they differ, and nowhere else: a stain elsewhere speaks for neither. Where no face is
like what is seen, something lies on the card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.finding import FACE_HEIGHT_PX, FACE_WIDTH_PX, ImagePyramid
from firmware.extensions.camera.model import (
    HEIGHT_PX,
    TURN,
    WIDTH_PX,
    Candidate,
    Homography,
    Model,
    align,
    corners_of,
    fine,
    template,
)
from firmware.extensions.camera.pictures import Plane

MIN_CORRELATION: Final = 0.6
"""What correlates less with the best face is no card of the deck."""
_CANDIDATES: Final = 5
_STEPS: Final = 8
_NEAR_BEST: Final = 0.75
"""Nothing is sure before each card is compared that seems to have a smaller margin to the best one."""
_ALIKE: Final = 3
"""In a strip the cards are compared as well that differ least from the best one there."""
_ROUNDS: Final = 8
"""So often the best face may turn out to lie elsewhere, or to be another one."""
_BESIDE_PX: Final = 2.0
"""Faces that lie farther beside each other cannot be compared: they are aligned again."""
_TURNED: Final = 0.6
"""A card that looks nearly the same upside down is compared the same way up as the best one."""
_TURNED_TOO: Final = 3
"""The number of rivals that are compared both ways up. A face is not exactly in the middle of its card, so
upside down the right one may lie beside the others and not be among the nearest."""
_SMALL: Final = 0.25
"""So much smaller are the differences that count in a strip: its number is small."""
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


class Aligned(NamedTuple):
    """A candidate at the place where it lies best, fitted to what is seen; sums of squares for each cell."""

    card: int
    homography: Homography
    turned: bool
    """A face that was turned lies a little beside the others."""
    correlation: float
    face: Plane
    """With the gain, the blur and the shift of what is seen."""
    left: Plane
    """What it leaves of what is seen."""
    shows: Plane
    came: Plane
    """What is seen."""
    rest: Plane
    """What it leaves of the lightness, as `Model.sharp` has that."""


class Comparison(NamedTuple):
    """Which of some candidates a card is. All indices are places in `aligned`."""

    aligned: list[Aligned]
    best: int
    rivals: list[int]
    """The other cards, of each the likelier way up; the likeliest first."""
    margins: NDArray[np.float64]
    """For each how much likelier the best one is: 1 if it is exactly that, 0 if both are equally likely."""
    evidences: NDArray[np.float64]
    """For each how far it is from the best where they are visible, squared, in the noise of a cell."""
    explained: float
    """The share of what is visible that the best one explains."""
    visible: float
    """How much of the best one is visible, from 0 to 1."""

    @property
    def winner(self) -> Aligned:
        """The best one."""
        return self.aligned[self.best]

    @property
    def margin(self) -> float:
        """By how much it is likelier than every other card; 1 is the most."""
        return float(self.margins[self.rivals[0]]) if self.rivals else 1.0

    @property
    def evidence(self) -> float:
        """Of the best one beside that which is most like it."""
        return min((float(self.evidences[at]) for at in self.rivals), default=np.inf)


def compare_card(
    model: Model, pyramid: ImagePyramid, homography: Homography, also: Sequence[Candidate] = ()
) -> Comparison:
    """Which card lies there, perhaps one of `also`; where exactly, may be found out better on the way."""

    def nearest(comparison: Comparison) -> list[Candidate]:
        best, aligned = comparison.winner, comparison.aligned
        here, back = (best.homography, best.turned), (best.homography @ TURN, not best.turned)
        # It lies exactly there now: others may be nearer than before, or have been aligned beside it.
        near = model.nearest(pyramid, here[0], _CANDIDATES, turned=here[1])
        near += [Candidate(aligned[at].card, *here) for at in comparison.rivals[:_CANDIDATES]]
        # Of a card that looks nearly the same upside down both may be near, and one tells more.
        turned = comparison.best, *comparison.rivals[:_TURNED_TOO]
        return near + [Candidate(aligned[at].card, *back) for at in turned]

    starts = [*also, *model.nearest(pyramid, homography, _CANDIDATES)]
    return compare_strip(model, pyramid, starts, nearest)


def compare_strip(
    model: Model,
    pyramid: ImagePyramid,
    starts: Sequence[Candidate],
    nearest: Callable[[Comparison], list[Candidate]],
    visible: Plane | None = None,
) -> Comparison:
    """Which card it is; part of it may be covered. `starts` are cards that lie like it.

    `nearest` gives those that are most like it where the best one lies. `visible`, as large as a face is
    compared, is 0 where another card lies on it, as one lies that is not turned.
    """
    aligned = aligned_with(model, pyramid, starts, visible)
    comparison = compare(model, aligned, visible)
    for _ in range(_ROUNDS):
        if comparison.winner.correlation < MIN_CORRELATION:
            break
        near = nearest(comparison) + _challengers(model, comparison, visible)
        more = _with(model, pyramid, aligned, near, visible)
        if more is aligned:
            break
        aligned, comparison = more, compare(model, more, visible)
    return comparison


def _challengers(model: Model, comparison: Comparison, visible: Plane | None = None) -> list[Candidate]:
    """The cards that are most like what is seen where they differ from the best one, if they are near it.

    All of the deck are tried in what the best one leaves, where it lies: a few strokes tell two cards apart,
    and these count little where all of a card is compared.
    """
    best = comparison.winner
    apart = model.sharp - model.sharp[best.card]
    if visible is not None:
        apart *= (visible[::-1, ::-1] if best.turned else visible)[::2, ::2].ravel()
    total = np.einsum("ij,ij->i", apart, apart)
    margins = 1 - 2 * np.einsum("ij,j->i", apart, best.rest) / np.maximum(total, 1e-6)
    margins[best.card], total[best.card] = 1, np.inf
    order = [card for card in np.argsort(margins).tolist() if margins[card] < _NEAR_BEST]
    known = {face.card for face in comparison.aligned}
    near = order[:_CANDIDATES] + [card for card in order if card not in known][:_CANDIDATES]
    # Where a strip hardly tells two cards apart, its margin is mostly noise.
    near += [] if visible is None else np.argsort(total)[:_ALIKE].tolist()
    return [Candidate(card, best.homography, best.turned) for card in sorted(set(near))]


def _with(
    model: Model,
    pyramid: ImagePyramid,
    aligned: list[Aligned],
    near: Sequence[Candidate],
    visible: Plane | None = None,
) -> list[Aligned]:
    """These and the others of `near`, and those again that now have a start far from where they lie.

    The very list, if none of these lies better.
    """
    known = {(face.card, face.turned): face for face in aligned}
    new: dict[tuple[int, bool], Candidate] = {}
    for candidate in near:
        key = candidate.card, candidate.turned
        if key not in known or _beside_px(known[key].homography, candidate.homography) > _BESIDE_PX:
            new[key] = candidate
    better = False
    for key, face in zip(new, aligned_with(model, pyramid, list(new.values()), visible), strict=True):
        if key not in known or face.correlation > known[key].correlation:
            known[key], better = face, True
    return list(known.values()) if better else aligned


def _beside_px(homography: Homography, other: Homography) -> float:
    """How far a corner of a card lies beside that of another one, in pixels of the picture."""
    return float(np.abs(np.array(corners_of(homography)) - np.array(corners_of(other))).max())


def aligned_with(
    model: Model, pyramid: ImagePyramid, candidates: Sequence[Candidate], visible: Plane | None = None
) -> list[Aligned]:
    """The candidates, moved to where each lies best, and fitted to what is seen there."""
    weights = model.weights if visible is None else model.weights * visible
    aligned, share = [], 1.0 if visible is None else float(visible.mean())
    for card, start, turned, _ in candidates:
        fitted, own = template(model.plane(card)), visible
        if visible is not None:
            own = np.ascontiguousarray(visible[::-1, ::-1]) if turned else visible
            small = cv2.resize(own, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA)
            fitted = fitted._replace(counts=fitted.counts * np.asarray(small, np.float32).ravel())
        homography, correlation = align(pyramid.half, start, fitted, _STEPS, share)
        seen, face = fine(pyramid, homography, own), model.fine(card, own)
        if turned:  # all are compared the same way up
            seen, face = (np.ascontiguousarray(planes[:, ::-1, ::-1]) for planes in (seen, face))
        face = _fitted(seen, face, weights)
        rest = (seen - face) * weights
        left, shows, came = (_cells(planes) for planes in (rest, face * weights, seen * weights))
        rest = (rest[0, ::-1, ::-1] if turned else rest[0])[::2, ::2].ravel()
        aligned.append(Aligned(card, homography, turned, correlation, face, left, shows, came, rest))
    return aligned


def compare(model: Model, aligned: list[Aligned], visible: Plane | None = None) -> Comparison:
    """Which of these it is, all fitted to the same card. Of a strip smaller differences count."""
    weights = model.weights if visible is None else model.weights * visible
    left = np.array([face.left for face in aligned])
    areas = np.array([_areas(face.left) for face in aligned])
    least = areas.min(axis=0)
    counted = _areas(_cells(weights)) > 0
    usual = max(float(np.median(least[counted])), 1e-6)
    likeliest = np.array([_areas(face.shows) for face in aligned])
    likeliest = np.take_along_axis(likeliest, areas.argmin(axis=0)[None], 0)[0]
    seen = (least < 6 * usual + _HIDDEN * likeliest).repeat(_AREA, axis=0).repeat(_AREA, axis=1)
    came = np.array([float((face.came * seen).sum()) for face in aligned])
    explained = 1 - (left * seen).sum(axis=(1, 2)) / np.maximum(came, 1e-6)
    view = _View(usual, seen, weights, 1.0 if visible is None else _SMALL)
    best = int(np.argmax(explained))
    margins, evidences = _against(aligned, best, view)
    for _ in range(_BETTER):
        if margins.min() >= 0:
            break
        best = int(np.argmin(margins))
        margins, evidences = _against(aligned, best, view)
    shows = aligned[best].shows
    return Comparison(
        aligned,
        best,
        sorted(_rivals(aligned, best, 1 - explained), key=lambda at: float(margins[at])),
        margins,
        evidences,
        float(explained[best]),
        float((shows * seen).sum() / max(float(shows.sum()), 1e-6)),
    )


def _rivals(aligned: Sequence[Aligned], best: int, left: NDArray[np.float64]) -> list[int]:
    """The cards other than the best one, of each the way up that leaves less."""
    turned = aligned[best].turned
    ways_up: dict[int, int] = {}
    for at in np.argsort([_TURNED ** (face.turned is turned) * left[at] for at, face in enumerate(aligned)]):
        ways_up.setdefault(aligned[at].card, int(at))
    return [at for card, at in ways_up.items() if card != aligned[best].card]


def unlike(face: Aligned, varies: Plane) -> float:
    """How far what is seen is from a face where cards of a deck differ: 0 for the same card, 1 for others.

    `varies`, from `variation`, lies the same way up as what is seen.
    """
    left = _areas(face.left)
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


def _against(
    aligned: Sequence[Aligned], best: int, view: _View
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """`Comparison.margins` and `Comparison.evidences` of a face."""
    own, (usual, visible, weights, same) = aligned[best], view
    margins, evidences = np.zeros(len(aligned)), np.zeros(len(aligned))
    for at, other in enumerate(aligned):
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
        evidences[at] = total / usual
    return margins, evidences


def _fitted(seen: Plane, face: Plane, weights: Plane) -> Plane:
    """The face as it would look with the gain, blur and shift of what is seen."""
    padded = cv2.copyMakeBorder(face[0], 2, 2, 2, 2, cv2.BORDER_REFLECT)
    # Every other pixel tells enough.
    high, wide = face.shape[1:]
    parts = [padded[y : y + high : 2, x : x + wide : 2].ravel() for y in (0, 2, 4) for x in (0, 2, 4)]
    near = np.stack(parts)
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
    size = (FACE_WIDTH_PX // _CELL_WIDE, FACE_HEIGHT_PX // _CELL_HIGH)
    means = cv2.resize(np.einsum("ijk,ijk->jk", planes, planes), size, interpolation=cv2.INTER_AREA)
    return np.asarray(means * (_CELL_WIDE * _CELL_HIGH), np.float32)


def _areas(cells: Plane) -> Plane:
    """The sum in each area."""
    high, wide = cells.shape
    parts = cells.reshape(high // _AREA, _AREA, wide // _AREA, _AREA)
    return np.asarray(parts.sum(axis=(1, 3)), np.float32)
