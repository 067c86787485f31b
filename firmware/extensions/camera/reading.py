"""Reads the single cards of a picture: align, look at all faces at once, compare the best few."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.alignment import HEIGHT_PX, WIDTH_PX, Way, onto
from firmware.extensions.camera.comparing import Fit, Verdict, compare, fine, fit, unlike
from firmware.extensions.camera.light import Picture, Plane
from firmware.extensions.camera.model import TO_LARGE, TURN, Model, grey, moved
from firmware.extensions.camera.seen import Corners, Seen

_FINALISTS: Final = 5
_MANY: Final = 20
"""So many are compared where it is not clear: the right one may lie a little beside the others."""

_OF_A_STRIP: Final = 8
"""The number of cards that are compared where only a strip is visible."""

_SMALL: Final = 0.25
"""So much smaller are the differences that count in a strip: its number is small. See `compare`."""


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


WHOLE: Final = Limits(0.4, 3.0, 0.6, 0.8)
COVERED: Final = Limits(0.6, 8.0, 0.8, 0.8)
"""Something lies on it, or none of the faces is the right one."""

STRIP: Final = Limits(0.75, 8.0, 0.7, 0.8)
"""Of a card of which only a strip is visible."""

_CLEAR: Final = Limits(0.75, 0.0, 0.92, 0.96)
"""Nothing else is looked at from this margin on, if it is explained or agrees so well."""

_COVERED: Final = 0.93
"""Less is visible of few cards on which nothing lies."""

_LIES: Final = 0.9
"""What agrees so well with a face lies there, even if it is another face."""

_MAYBE: Final = 0.6
"""What agrees less with the best face is no card of the deck."""

_UNLIKE: Final = 0.4
"""What is farther from a face is another card, if not all cards were taught; see `unlike`."""

_TURNED: Final = 0.6
"""A card that looks nearly the same upside down is compared the same way up as the best one."""

_TURNED_TOO: Final = 3
"""The number of rivals that are compared both ways up. A face is not exactly in the middle of its card, so
upside down the right one may lie beside the others and not be among the nearest."""

_ROUNDS: Final = 8
"""So often the best face may turn out to lie elsewhere, or to be another one."""

_BESIDE_PX: Final = 2.0
"""Faces that lie farther beside each other cannot be compared: they are aligned again."""

_FAR: Final = 6.0
"""What is farther from all faces was not found at the right place; see `Model.nearest`."""

_SIDES: Final = (0.04, 0.04, 0.02)
"""By what each side is moved then, one after the other, as shares of the width."""

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


class _Aligned(NamedTuple):
    """A finalist, and how it fits."""

    finalist: Finalist
    fit: Fit


class _Result(NamedTuple):
    aligned: list[_Aligned]
    verdict: Verdict
    rivals: list[int]
    """The places of the other cards, of each the likelier way up; the likeliest first."""

    @property
    def best(self) -> Finalist:
        return self.aligned[self.verdict.best].finalist

    @property
    def margin(self) -> float:
        """By how much it is likelier than every other card; 1 is the most."""
        return float(self.verdict.margins[self.rivals[0]]) if self.rivals else 1.0

    @property
    def explained(self) -> float:
        return float(self.verdict.explained[self.verdict.best])

    @property
    def evidence(self) -> float:
        """Of the best one beside that which is most like it."""
        return min((float(self.verdict.evidence[at]) for at in self.rivals), default=np.inf)

    @property
    def clear(self) -> bool:
        """Whether no other card needs to be looked at."""
        exact = self.explained > _CLEAR.explained or self.best.agreed > _CLEAR.agreed
        return exact and self.margin > _CLEAR.margin


_DOWN: Final[Way] = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
_UP: Final[Way] = np.asarray(np.linalg.inv(_DOWN), np.float64)


def sight(picture: Picture) -> Sight:
    return Sight(picture, np.asarray(cv2.pyrDown(grey(picture)), np.uint8))


def read_one(model: Model, seen: Sight, places: Sequence[Corners], possible: Collection[str] | None) -> Seen:
    """Which card lies at one of these places, of which the likeliest is first."""
    return read_way(model, seen, _nearest_way(model, seen, places), possible)[0]


def read_way(model: Model, seen: Sight, way: Way, possible: Collection[str] | None) -> tuple[Seen, Way]:
    """Which card lies about there, and the way to it."""
    agreed = -1.0
    for card, start in _starts(model, seen, way):
        if agreed > _LIES:
            break
        better, agrees = onto(seen.half, start, model.template(card), 8)
        if agrees > agreed:
            way, agreed = better, agrees
    aligned = _aligned(model, seen, _near(model, seen, way, _FINALISTS))
    result = _compared(model, aligned)
    count = _FINALISTS
    for _ in range(_ROUNDS):
        best = result.best
        if best.agreed < _MAYBE:
            break
        # It lies exactly there now: others may be nearer than before, or have been aligned beside it.
        near = _near(model, seen, best.way, count, turned=best.turned)
        # Of a card that looks nearly the same upside down both may be near, and one tells more.
        near += [best._replace(card=result.aligned[at].finalist.card) for at in result.rivals[:_FINALISTS]]
        other_way_up = best._replace(way=best.way @ TURN, turned=not best.turned)
        likeliest = (result.verdict.best, *result.rivals[:_TURNED_TOO])
        near += [other_way_up._replace(card=result.aligned[at].finalist.card) for at in likeliest]
        more = _with(model, seen, aligned, near)
        if more is not aligned:
            aligned, result = more, _compared(model, more)
        elif count == _MANY or result.clear:
            break
        else:
            count = _MANY
    return _told(model, result, possible, WHOLE)


def read_strip(
    model: Model, seen: Sight, starts: Sequence[Finalist], visible: Plane, possible: Collection[str] | None
) -> tuple[Seen, Way]:
    """Which card it is, of which a part is visible, and the way to it. `starts` are cards that lie like it.

    `visible`, as large as a face is compared, is 0 where another card lies on it, as one lies that is not
    turned.
    """
    aligned = _aligned(model, seen, starts, visible)
    result = _compared(model, aligned, visible)
    for _ in range(_ROUNDS):
        best = result.best
        if best.agreed < _MAYBE:
            break
        upright = best.way @ TURN if best.turned else best.way
        near = _at(upright, model.nearest_in(visible, seen.moved(upright), _OF_A_STRIP))
        more = _with(model, seen, aligned, near, visible)
        if more is aligned:
            break
        aligned, result = more, _compared(model, more, visible)
    return _told(model, result, possible, STRIP)


def tells_apart(model: Model, showing: Picture, one: int, other: int, *, turned: bool) -> bool:
    """Whether it is sure that a showing of a card is not another one, which may lie `turned`."""
    large = sight(np.asarray(cv2.resize(showing, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR), np.uint8))
    finalists = [
        Finalist(one, TO_LARGE, turned=False),
        Finalist(other, TO_LARGE @ TURN if turned else TO_LARGE, turned),
    ]
    result = _compared(model, _aligned(model, large, finalists))
    return result.best.card == one and _sure(result, WHOLE)


def _near(model: Model, seen: Sight, way: Way, count: int, *, turned: bool = False) -> list[Finalist]:
    """The cards that are nearest at a way, which itself leads to a card that is `turned`."""
    return _at(way, model.nearest(seen.moved(way), count), turned=turned)


def _at(way: Way, near: Sequence[tuple[float, int, bool]], *, turned: bool = False) -> list[Finalist]:
    """The cards that `Model.nearest` gave, as they lie at a way."""
    return [
        Finalist(card, way @ TURN if upside_down else way, turned is not upside_down)
        for _, card, upside_down in near
    ]


def _aligned(
    model: Model, seen: Sight, finalists: Sequence[Finalist], visible: Plane | None = None
) -> list[_Aligned]:
    """The finalists, moved to where each lies best."""
    weights = model.weights if visible is None else model.weights * visible
    aligned = []
    for card, start, turned, _ in finalists:
        face, own = model.template(card), visible
        if visible is not None:
            own = np.ascontiguousarray(visible[::-1, ::-1]) if turned else visible
            small = cv2.resize(own, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA)
            face = face._replace(counts=face.counts * np.asarray(small, np.float32).ravel())
        way, agreed = onto(seen.half, start, face, 5, flat=visible is not None)
        plane, exact = fine(seen.moved(way), own), model.fine(card, own)
        if turned:  # all are compared the same way up
            plane, exact = (np.ascontiguousarray(each[:, ::-1, ::-1]) for each in (plane, exact))
        fitted = fit(plane, exact, weights, turned=turned)
        aligned.append(_Aligned(Finalist(card, way, turned, agreed), fitted))
    return aligned


def _with(
    model: Model, seen: Sight, aligned: list[_Aligned], near: Sequence[Finalist], visible: Plane | None = None
) -> list[_Aligned]:
    """These and the others of `near`, and those again that now have a start far from where they lie.

    The very list, if none of these lies better.
    """
    known = {(one.finalist.card, one.finalist.turned): one for one in aligned}

    def is_new(one: Finalist) -> bool:
        before = known.get((one.card, one.turned))
        return before is None or _beside_px(before.finalist.way, one.way) > _BESIDE_PX

    new = {(one.card, one.turned): one for one in near if is_new(one)}
    better = False
    for key, one in zip(new, _aligned(model, seen, list(new.values()), visible), strict=True):
        if key not in known or one.finalist.agreed > known[key].finalist.agreed:
            known[key], better = one, True
    return list(known.values()) if better else aligned


def _beside_px(one: Way, other: Way) -> float:
    """How far a corner of a card lies beside that of another way, in pixels of the picture."""
    return float(np.abs(np.array(corners_of(one)) - np.array(corners_of(other))).max())


def _compared(model: Model, aligned: list[_Aligned], visible: Plane | None = None) -> _Result:
    """What tells them apart."""
    fits = [one.fit for one in aligned]
    if visible is None:
        verdict = compare(fits, model.weights)
    else:
        verdict = compare(fits, model.weights * visible, _SMALL)
    best = aligned[verdict.best].finalist
    left = 1 - verdict.explained
    ways_up: dict[int, int] = {}
    for at in np.argsort(
        [_TURNED ** (one.finalist.turned is best.turned) * left[at] for at, one in enumerate(aligned)]
    ):
        ways_up.setdefault(aligned[at].finalist.card, int(at))
    rivals = [at for card, at in ways_up.items() if card != best.card]
    return _Result(aligned, verdict, sorted(rivals, key=lambda at: float(verdict.margins[at])))


def _told(
    model: Model, result: _Result, possible: Collection[str] | None, limits: Limits
) -> tuple[Seen, Way]:
    """What is said of it."""
    verdict, best = result.verdict, result.best
    corners, code = corners_of(best.way), model.codes[best.card]
    covered = verdict.visible < _COVERED
    if covered and limits is WHOLE:
        limits = COVERED
    good = result.explained >= limits.explained and best.agreed >= limits.agreed
    if good and possible is not None and not set(possible) <= set(model.codes):
        # It may be a card that was not taught, which is most like one that was.
        varies = model.varies[::-1, ::-1] if best.turned else model.varies
        good = unlike(result.aligned[verdict.best].fit, varies) < _UNLIKE
    # What lies on a strip as well leaves too little of it.
    good = good and not (covered and limits is STRIP)
    if good and _sure(result, limits) and (possible is None or code in possible):
        return Seen(corners, code), best.way
    if best.agreed < _MAYBE:
        return Seen(corners), best.way
    close = sum(bool(verdict.margins[at] < 2 * WHOLE.margin) for at in result.rivals)
    near = [best.card, *(result.aligned[at].finalist.card for at in result.rivals[: max(1, close)])]
    names = [model.codes[card] for card in near]  # of at least two people choose
    told = [one for one in names if possible is None or one in possible]
    return Seen(corners, candidates=tuple(told)), best.way


def _sure(result: _Result, limits: Limits) -> bool:
    return result.margin >= limits.margin and result.evidence >= limits.evidence


def _nearest_way(model: Model, seen: Sight, places: Sequence[Corners]) -> Way:
    """The way to the place at which a card is likeliest."""
    ways = [way_of(place) for place in places]
    return min(ways, key=lambda way: model.beside(seen.moved(way))) if len(ways) > 1 else ways[0]


def _starts(model: Model, seen: Sight, way: Way) -> list[tuple[int, Way]]:
    """Cards that it could be, and the ways to them."""

    def at(way: Way, near: Sequence[tuple[float, int, bool]]) -> list[tuple[int, Way]]:
        return [(card, way @ TURN if upside_down else way) for _, card, upside_down in near]

    near = model.nearest(seen.moved(way), 3)
    starts, before = at(way, near), list[tuple[int, Way]]()
    if near[0][0] > _FAR:
        before = starts[:1]
        way = _side_by_side(model, seen, way)
        starts = at(way, model.nearest(seen.moved(way), 3))
    common, agreed = onto(seen.half, starts[0][1], model.common, 8)
    if agreed > 0.5:  # noqa: PLR2004
        better = model.nearest(seen.moved(common), 2)
        starts = [*at(common, better), *(starts if agreed < 0.8 else ())]  # noqa: PLR2004
    return [*starts, *before]


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


def _side_by_side(model: Model, seen: Sight, way: Way) -> Way:
    """The way with each side moved to where the card is most like all cards.

    On a table as pale as the card a side may be that of its frame, and another one that of its shadow.
    """
    far = model.beside(seen.moved(way))
    for by in _SIDES:
        for side in range(4):
            for out in (by, -by):
                tried = way @ _wider(*(out if at == side else 0.0 for at in range(4)))
                beside = model.beside(seen.moved(tried))
                if beside < far:
                    far, way = beside, tried
                    break
    return way


def _wider(left: float, top: float, right: float, bottom: float) -> Way:
    """Wider at these sides by shares of the width."""
    x, y = 1 + left + right, 1 + (top + bottom) * WIDTH_PX / HEIGHT_PX
    off = -0.5 - left * WIDTH_PX + x / 2, -0.5 - top * WIDTH_PX + y / 2
    return np.array([[x, 0, off[0]], [0, y, off[1]], [0, 0, 1]])
