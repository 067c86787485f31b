"""Reads the single cards of a picture: align, look at all faces at once, compare the best few."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.alignment import HEIGHT_PX, WIDTH_PX, Way, onto, soft
from firmware.extensions.camera.comparing import Verdict, compare, fine
from firmware.extensions.camera.light import Picture, Plane
from firmware.extensions.camera.model import TO_LARGE, TURN, Model, grey, moved
from firmware.extensions.camera.seen import Corners, Seen

_FINALISTS: Final = 5
_CLEAR: Final = 0.75
"""A margin from which on nothing else is looked at."""

_MANY: Final = 20
"""So many are compared where it is not clear: the right one may lie a little beside the others."""


class Limits(NamedTuple):
    """What a card has to reach, so that it is sure."""

    margin: float
    """0.9 is usual, and 0 means that two faces are equally likely."""
    evidence: float
    """How far two faces must be apart where they are visible; see `Verdict.evidence`."""
    explained: float
    """What share of it its face explains."""
    agreed: float
    """How well it lies on its face: a correlation."""


WHOLE: Final = Limits(0.45, 1.0, 0.72, 0.8)
COVERED: Final = Limits(0.6, 4.0, 0.85, 0.8)
"""Something lies on it, or none of the faces is the right one."""

STRIP: Final = Limits(0.6, 10.0, 0.9, 0.9)
"""Of a card of which only a strip is visible: fewer places could contradict."""

_COVERED: Final = 0.93
"""Less is visible of few cards on which nothing lies."""

_MAYBE: Final = 0.6
"""What agrees less with the best face is no card of the deck."""

_FAR: Final = 6.0
"""What is farther from all faces was not found at the right place; see `Model.nearest`."""

_WIDER: Final = (0.05, 0.09, -0.04)
"""How much wider than found a card may be at each side, as a share of its width: it has a frame."""

_OUTLINE: Final = np.array(
    [[-0.5, -0.5], [WIDTH_PX - 0.5, -0.5], [WIDTH_PX - 0.5, HEIGHT_PX - 0.5], [-0.5, HEIGHT_PX - 0.5]],
    np.float32,
)


class Sight(NamedTuple):
    """A picture, as large as it is needed."""

    picture: Picture
    half: Picture
    """Grey, half as large, in which cards are aligned."""

    def moved(self, way: Way) -> Picture:
        """The card at a way, made rectangular."""
        return moved(self.picture, _UP @ way)


class Finalist(NamedTuple):
    """A card that it could be."""

    card: int
    """Its place in `Model.codes`."""
    way: Way
    """From the card as it is taught to the picture."""
    turned: bool
    """Whether its way is upside down, compared with the first one that was tried."""
    agreed: float = 0.0


class _Result(NamedTuple):
    finalists: list[Finalist]
    verdict: Verdict
    margins: list[float]
    """For each by how much it is likelier than every other card; 1 is the most."""
    best: int
    evidence: float
    """Of the best one beside that which is most like it."""


_DOWN: Final[Way] = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
_UP: Final[Way] = np.asarray(np.linalg.inv(_DOWN), np.float64)


def sight(picture: Picture) -> Sight:
    return Sight(picture, np.asarray(cv2.pyrDown(grey(picture)), np.uint8))


def read_one(model: Model, seen: Sight, places: Sequence[Corners], possible: Collection[str] | None) -> Seen:
    """Which card lies at one of these places, of which the likeliest is first."""
    return read_way(model, seen, _nearest_way(model, seen, places), possible)[0]


def read_way(model: Model, seen: Sight, way: Way, possible: Collection[str] | None) -> tuple[Seen, Way]:
    """Which card lies about there, and the way to it."""
    starts = _starts(model, seen, way)
    way, _ = max(
        (onto(seen.half, way, model.template(card), 8) for card, way in starts), key=lambda one: one[1]
    )
    result = _compared(model, seen, _near(model, seen, way, _FINALISTS))
    known = list(result.finalists)
    for count in (_FINALISTS, _FINALISTS, _MANY):
        if count is _MANY and result.margins[result.best] > _CLEAR:
            break
        # It lies exactly there now: others may be nearer than before.
        best = result.finalists[result.best]
        before = {(one.card, one.turned) for one in known}
        near = _near(model, seen, best.way, count, turned=best.turned)
        others = [one for one in near if (one.card, one.turned) not in before]
        if others:
            # Those that came near stay, so that it is not surer than it was.
            rivals = [
                one for at, one in enumerate(result.finalists) if _close(result.verdict, result.best, at)
            ]
            result = _compared(model, seen, [best, *(one for one in rivals if one is not best), *others])
            known += others
    return _told(model, result, possible, WHOLE)


def read_strip(
    model: Model, seen: Sight, finalists: Sequence[Finalist], visible: Plane, possible: Collection[str] | None
) -> tuple[Seen, Way]:
    """Which of these cards it is, of which a part is visible, and the way to it.

    `visible`, as large as a face is compared, is 0 where another card lies on it, as the first finalist lies.
    """
    return _told(model, _compared(model, seen, finalists, visible), possible, STRIP)


def tells_apart(model: Model, showing: Picture, one: int, other: int, *, turned: bool) -> bool:
    """Whether it is sure that a showing of a card is not another one, which may lie `turned`."""
    large = sight(np.asarray(cv2.resize(showing, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR), np.uint8))
    finalists = [
        Finalist(one, TO_LARGE, turned=False),
        Finalist(other, TO_LARGE @ TURN if turned else TO_LARGE, turned),
    ]
    result = _compared(model, large, finalists)
    return result.margins[0] >= WHOLE.margin and result.evidence >= WHOLE.evidence


def _near(model: Model, seen: Sight, way: Way, count: int, *, turned: bool = False) -> list[Finalist]:
    """The cards that are nearest at a way, which itself leads to a card that is `turned`."""
    return [
        Finalist(card, way @ TURN if upside_down else way, turned is not upside_down)
        for _, card, upside_down in model.nearest(seen.moved(way), count)
    ]


def _compared(
    model: Model, seen: Sight, finalists: Sequence[Finalist], visible: Plane | None = None
) -> _Result:
    """The finalists, aligned, and what tells them apart."""
    aligned, planes, faces = [], [], []
    for card, start, turned, _ in finalists:
        face, same_way = model.template(card), turned is finalists[0].turned
        if visible is not None:
            own = np.ascontiguousarray(visible if same_way else visible[::-1, ::-1])
            small = cv2.resize(own, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA)
            face = face._replace(counts=face.counts * np.asarray(small, np.float32).ravel())
        way, agreed = onto(seen.half, start, face, 5, flat=visible is not None)
        aligned.append(Finalist(card, way, turned, agreed))
        plane, exact = fine(seen.moved(way)), model.fine(card)
        # All are compared as the first one lies.
        planes.append(plane if same_way else np.ascontiguousarray(plane[:, ::-1, ::-1]))
        faces.append(exact if same_way else np.ascontiguousarray(exact[:, ::-1, ::-1]))
    weights = model.weights if visible is None else model.weights * visible
    verdict = compare(planes, faces, weights, [one.turned for one in aligned])
    others = [[b for b, other in enumerate(aligned) if other.card != one.card] for one in aligned]
    margins = [
        min((float(verdict.margins[at, b]) for b in each), default=1.0) for at, each in enumerate(others)
    ]
    best = int(np.argmax(margins))
    evidence = min((float(verdict.evidence[best, b]) for b in others[best]), default=np.inf)
    return _Result(aligned, verdict, margins, best, evidence)


def _told(
    model: Model, result: _Result, possible: Collection[str] | None, limits: Limits
) -> tuple[Seen, Way]:
    """What is said of it."""
    verdict, best = result.verdict, result.finalists[result.best]
    corners, code = corners_of(best.way), model.codes[best.card]
    explained = float(verdict.explained[result.best])
    if verdict.visible < _COVERED and limits is WHOLE:
        limits = COVERED
    good = (
        explained >= limits.explained and best.agreed >= limits.agreed and result.evidence >= limits.evidence
    )
    margin = float(np.clip(result.margins[result.best], 0, 1)) if good else 0.0
    if margin >= limits.margin and (possible is None or code in possible):
        return Seen(corners, code, margin=margin), best.way
    if best.agreed < _MAYBE:
        return Seen(corners), best.way
    order = [int(at) for at in np.argsort([-one for one in result.margins])]
    near = dict.fromkeys(result.finalists[at].card for at in order)
    close = {result.finalists[at].card for at in order if _close(verdict, result.best, at)}
    names = [model.codes[card] for card in near][: max(2, len(close))]  # of at least two people choose
    told = [one for one in names if possible is None or one in possible]
    return Seen(corners, candidates=tuple(told), margin=margin), best.way


def _close(verdict: Verdict, best: int, other: int) -> bool:
    """Whether it could be the other one."""
    return bool(verdict.margins[best, other] < 2 * WHOLE.margin)


def _nearest_way(model: Model, seen: Sight, places: Sequence[Corners]) -> Way:
    """The way to the place at which a face is nearest."""
    far, way = np.inf, way_of(places[0])
    for place in places:
        for wider in (0.0, *_WIDER):
            tried = way_of(place) @ _scaled(wider)
            nearest = model.nearest(seen.moved(tried), 1)[0][0]
            if nearest < far:
                far, way = nearest, tried
            if far < _FAR:
                return way
    return way


def _starts(model: Model, seen: Sight, way: Way) -> list[tuple[int, Way]]:
    """Cards that it could be, and the ways to them."""
    near = model.nearest(seen.moved(way), 3)
    starts = [(card, way @ TURN if upside_down else way) for _, card, upside_down in near]
    if near[0][0] > _FAR:
        faces = [model.common, *(model.template(card) for card, _ in starts)]
        rough = [
            onto(seen.half, starts[max(0, at - 1)][1], soft(face), 12)[0] for at, face in enumerate(faces)
        ]
        tried = [(model.nearest(seen.moved(each), 3), at) for at, each in enumerate(rough)]
        better, at = min(tried, key=lambda one: one[0][0][0])
        if better[0][0] < near[0][0]:
            starts = [
                (card, rough[at] @ TURN if upside_down else rough[at]) for _, card, upside_down in better
            ]
    common, agreed = onto(seen.half, starts[0][1], model.common, 8)
    if agreed > 0.5:  # noqa: PLR2004
        better = model.nearest(seen.moved(common), 3)
        starts = [
            *((card, common @ TURN if upside_down else common) for _, card, upside_down in better[:2]),
            *(starts if agreed < 0.8 else ()),  # noqa: PLR2004
        ]
    return starts


def way_of(corners: Corners) -> Way:
    to = np.array(corners, np.float32)
    return np.asarray(_DOWN @ cv2.getPerspectiveTransform(_OUTLINE, to), np.float64)


def corners_of(way: Way) -> Corners:
    """The corners of a card in pixels of the picture."""
    four = points_of(way, _OUTLINE)
    a, b, c, d = ((float(x), float(y)) for x, y in four)
    return a, b, c, d


def points_of(way: Way, points: NDArray[np.floating]) -> NDArray[np.float64]:
    """Points of a face, `WIDTH_PX` wide, in pixels of the picture."""
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float64), _UP @ way)[0], np.float64)


def _scaled(wider: float) -> Way:
    """Wider at each side by a share of the width."""
    x, y = 1 + 2 * wider, 1 + 2 * wider * WIDTH_PX / HEIGHT_PX
    return np.array([[x, 0, (WIDTH_PX - 1) / 2 * (1 - x)], [0, y, (HEIGHT_PX - 1) / 2 * (1 - y)], [0, 0, 1]])
