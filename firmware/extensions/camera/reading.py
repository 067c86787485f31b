"""Reads the single cards of a picture: align, look at all faces at once, compare the best few."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from firmware.extensions.camera.alignment import HEIGHT_PX, WIDTH_PX, Way, onto
from firmware.extensions.camera.comparing import compare, fine
from firmware.extensions.camera.light import Picture
from firmware.extensions.camera.model import TURN, Model, grey, moved
from firmware.extensions.camera.seen import Corners, Seen

SURE: Final = 0.35
"""A margin from which on it is sure; 0.9 is usual, and 0 means that two faces are equally likely."""

_EVIDENCE: Final = 2.0
"""So far must two faces be apart where they are visible; see `Verdict.evidence`."""

_EXPLAINED: Final = 0.72
_AGREED: Final = 0.8
"""A card of the deck is explained by its face to at least this share, and agrees with it: a correlation."""

_MAYBE: Final = 0.6
"""What agrees less with the best face is no card of the deck."""

_FAR: Final = 6.0
"""What is farther from all faces was not found at the right place; see `Model.nearest`."""

_WIDER: Final = (0.05, 0.09, -0.04)
"""How much wider than found a card may be at each side, as a share of its width: it has a frame."""

_FINALISTS: Final = 5
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


_DOWN: Final[Way] = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
_UP: Final[Way] = np.asarray(np.linalg.inv(_DOWN), np.float64)


def sight(picture: Picture) -> Sight:
    return Sight(picture, np.asarray(cv2.pyrDown(grey(picture)), np.uint8))


def read_one(model: Model, seen: Sight, places: Sequence[Corners], possible: Collection[str] | None) -> Seen:
    """Which card lies at one of these places, of which the likeliest is first."""
    starts = _starts(model, seen, places)
    way, agreed = max(
        (onto(seen.half, way, model.template(card), 8) for card, way in starts), key=lambda one: one[1]
    )
    ways, planes, faces, cards = [], [], [], []
    for _, card, upside_down in model.nearest(seen.moved(way), _FINALISTS):
        own, agrees = onto(seen.half, way @ TURN if upside_down else way, model.template(card), 4)
        ways.append((own, agrees))
        planes.append(fine(seen.moved(own)))
        faces.append(model.fine(card))
        cards.append((card, upside_down))
        if upside_down is not cards[0][1]:  # all are compared as the first one lies
            planes[-1] = np.ascontiguousarray(planes[-1][:, ::-1, ::-1])
            faces[-1] = np.ascontiguousarray(faces[-1][:, ::-1, ::-1])
    verdict = compare(planes, faces, model.weights)
    codes = [model.codes[card] for card, _ in cards]
    others = [[at for at, code in enumerate(codes) if code != own] for own in codes]
    margins = [
        min((float(verdict.margins[at, b]) for b in others[at]), default=1.0) for at in range(len(codes))
    ]
    best = int(np.argmax(margins))
    way, agreed = ways[best]
    corners = _corners(way)
    evidence = min((float(verdict.evidence[best, b]) for b in others[best]), default=np.inf)
    good = evidence >= _EVIDENCE and verdict.explained[best] >= _EXPLAINED and agreed >= _AGREED
    margin = float(np.clip(margins[best], 0, 1)) if good else 0.0
    if margin >= SURE and (possible is None or codes[best] in possible):
        return Seen(corners, codes[best], margin=margin)
    if agreed < _MAYBE:
        return Seen(corners)
    near = [best, *(b for b in np.argsort([-one for one in margins]) if verdict.margins[best, b] < 2 * SURE)]
    names = dict.fromkeys(codes[int(at)] for at in near)
    return Seen(
        corners, candidates=tuple(one for one in names if possible is None or one in possible), margin=margin
    )


def _starts(model: Model, seen: Sight, places: Sequence[Corners]) -> list[tuple[int, Way]]:
    """Cards that it could be, and the ways to them."""
    far, way = np.inf, _way(places[0])
    found: list[tuple[float, int, bool]] = []
    for place in places:
        for wider in (0.0, *_WIDER):
            tried = _way(place) @ _scaled(wider)
            nearest = model.nearest(seen.moved(tried), 3)
            if nearest[0][0] < far:
                far, way, found = nearest[0][0], tried, nearest
            if far < _FAR:
                break
        if far < _FAR:
            break
    starts = [(card, way @ TURN if upside_down else way) for _, card, upside_down in found]
    common, agreed = onto(seen.half, starts[0][1], model.common, 8)
    if agreed > 0.5:  # noqa: PLR2004
        better = model.nearest(seen.moved(common), 3)
        starts = [
            *((card, common @ TURN if upside_down else common) for _, card, upside_down in better[:2]),
            *(starts if agreed < 0.8 else ()),  # noqa: PLR2004
        ]
    return starts


def _way(corners: Corners) -> Way:
    to = np.array(corners, np.float32)
    return np.asarray(_DOWN @ cv2.getPerspectiveTransform(_OUTLINE, to), np.float64)


def _corners(way: Way) -> Corners:
    four = cv2.perspectiveTransform(_OUTLINE[None].astype(np.float64), _UP @ way)[0]
    a, b, c, d = ((float(x), float(y)) for x, y in four)
    return a, b, c, d


def _scaled(wider: float) -> Way:
    """Wider at each side by a share of the width."""
    x, y = 1 + 2 * wider, 1 + 2 * wider * WIDTH_PX / HEIGHT_PX
    return np.array([[x, 0, (WIDTH_PX - 1) / 2 * (1 - x)], [0, y, (HEIGHT_PX - 1) / 2 * (1 - y)], [0, 0, 1]])
