"""Makes the model of a deck: its showings brought to one place, and the numbers that are compared.

Corners are found a pixel or two beside where they are. So every showing is moved onto what the cards have in
common, then the showings of a card onto each other, then each card onto those that it is most like. What
still differs between showings of a card is the noise, by which all is measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.comparing import variation
from firmware.extensions.camera.features import features_of, proposals
from firmware.extensions.camera.finding import (
    FACE_HEIGHT_PX,
    FACE_WIDTH_PX,
    Found,
    rectangular,
    width_of,
)
from firmware.extensions.camera.model import (
    DOWN,
    HEIGHT_PX,
    TO_LARGE,
    WIDTH_PX,
    Homography,
    Model,
    Template,
    align,
    coarse,
    corners_of,
    correlations,
    even,
    exact,
    homography_of,
    in_areas,
    lightness,
    rectified,
    template,
)
from firmware.extensions.camera.pictures import Picture, Plane, area_of, grey, unpacked
from firmware.extensions.camera.seen import Seen, in_order

_MIN_CORRELATION: Final = 0.7
"""No card correlates so well with a face that it does not lie on."""
_ALIKE: Final = 8
"""With the mean of so many cards that it is most like a card is aligned."""
_STEPS: Final = 90.0
_MIDDLE: Final = 170.0
"""What logarithms become in a picture, as `features.logarithm` makes it."""
_TRIED: Final = 3
"""The number of most similar cards with which a card is aligned that does not look like the mean."""
_LIKE_OTHERS: Final = 0.4
"""A card correlates at least so well with the mean of a deck, whatever is printed on it."""
_OFF: Final = 0.06
"""A card with a corner so far from where it is in others is cut wrongly, in widths of a card."""
_RIM_PX: Final = 4
"""At the rim the table is seen."""


def trained(shown: Mapping[str, Sequence[bytes]]) -> Model:
    """The model of a deck, given all showings of all cards as JPEG files. Blocks for up to two seconds."""
    homographies = _homographies(shown)
    count = len(shown)
    faces = np.empty((count, WIDTH_PX * HEIGHT_PX * 3 // 2), np.float32)
    light = np.empty((count, FACE_HEIGHT_PX, FACE_WIDTH_PX), np.float16)
    colours = np.empty((count, FACE_HEIGHT_PX // 2, FACE_WIDTH_PX // 2, 2), np.float16)
    size = (FACE_WIDTH_PX // 2, FACE_HEIGHT_PX // 2)
    sharp = np.empty((count, HEIGHT_PX, WIDTH_PX), np.float32)
    rough, fine = _Noise(), _Noise()
    for card, (code, showings) in enumerate(shown.items()):  # all showings at once as numbers are 100 MB
        places = zip(showings, homographies[code], strict=True)
        aligned = [rectified(unpacked(showing), homography) for showing, homography in places]
        faces[card] = rough.mean([coarse(face) for face in aligned])
        planes = [exact(face) for face in aligned]
        fine.mean([even(plane) for plane in planes])
        mean = _mean(planes)
        sharp[card] = even(mean)[0, ::2, ::2]
        light[card], *tints = mean - mean.mean(axis=(1, 2), keepdims=True)
        colours[card] = cv2.resize(cv2.merge(tints), size, interpolation=cv2.INTER_AREA)

    noise = rough.found()
    coarse_weights = 1 / np.sqrt(noise + 0.3 * noise.mean() + 1e-5)
    np.multiply(faces, coarse_weights, out=faces)
    weights = _weights(fine.found())
    return Model(
        codes=tuple(shown),
        coarse=faces,
        coarse_weights=coarse_weights,
        squares=(faces**2).sum(axis=1),
        light=light,
        colours=colours,
        weights=weights,
        sharp=(sharp * weights[0, ::2, ::2]).reshape(count, -1),
        varies=variation(fine.between(), weights),
        features=features_of(map(_picture, light)),
        parts=in_areas(faces),
    )


def cut_alike(picture: Picture, found: Sequence[Found], others: Sequence[Picture], due: int) -> list[Found]:
    """The cards of a picture, cut as most are: a table may look like an edge. In the order of `find`.

    `others` are faces that were cut before. If fewer than `due` were found, more are by their features.
    """
    faces = [*(card.face for card in found), *others]
    if not faces:
        return []
    cards = [*found, *(_by_features(picture, found, others[-_ALIKE:]) if len(found) < due else ())]
    half, lights = np.asarray(cv2.pyrDown(grey(picture)), np.uint8), [_light(face) for face in faces]
    usual = template(np.asarray(np.median(lights, axis=0), np.float32))
    flat, cut = np.array(lights).reshape(len(lights), -1), list[tuple[Found, bool]]()
    for at, card in enumerate(cards):
        start, was_found = homography_of(card.corners), at < len(found)
        place, correlation = align(half, start, usual)
        if not (is_like := correlation >= _LIKE_OTHERS):
            like = correlations(_light(card.face).reshape(1, -1), flat, np.ones(flat.shape[1], np.float32))[0]
            like[at : at + was_found] = -1  # itself, if it is one of these
            likest = [template(lights[other]) for other in np.argsort(-like)[:_TRIED]]
            place, correlation = max((align(half, start, face) for face in likest), key=itemgetter(1))
            is_like = correlation >= _MIN_CORRELATION
        corners = corners_of(place)
        off_px, wide_px = np.abs(np.subtract(corners, card.corners)).max(), width_of([corners]) or 0
        # Features may propose one card twice, a little beside each other.
        lies_there = any(Seen(corners).lies_at(Seen(other.corners), off=0.5) for other, _ in cut)
        if is_like and (off_px > _OFF * wide_px if was_found else not lies_there):
            cut.append((Found(corners, rectangular(picture, corners)), True))
        elif was_found:
            cut.append((card, is_like))
    return in_order((card for card, is_like in cut if is_like or len(cut) <= due), lambda card: card.corners)


def _by_features(picture: Picture, found: Sequence[Found], others: Sequence[Picture]) -> list[Found]:
    """Places where more cards may lie, by features that they share with those `found` and with `others`."""
    lie, faces = [card.corners for card in found], [*(card.face for card in found), *others]
    free = np.asarray(1 - area_of(lie, cv2.pyrDown(grey(picture)), 2), np.uint8)
    features = features_of(_picture(light - light.mean()) for light, *_ in map(exact, faces))
    places = proposals(picture, free, (FACE_WIDTH_PX, FACE_HEIGHT_PX), features, width_of(lie))
    corners = [corners_of(DOWN @ np.vstack([place, [0, 0, 1]]) @ TO_LARGE) for place in places]
    return [Found(place, rectangular(picture, place)) for place in corners]


def _weights(noise: Plane) -> Plane:
    """`Model.weights`."""
    noise = np.stack([cv2.blur(plane, (9, 9)) for plane in noise])
    noise += 0.3 * noise.mean(axis=(1, 2), keepdims=True) + 1e-5
    weights = 1 / np.sqrt(noise)
    weights[:, :_RIM_PX] = weights[:, -_RIM_PX:] = 0
    weights[:, :, :_RIM_PX] = weights[:, :, -_RIM_PX:] = 0
    # Neighbours in a plane that was made smooth have the same noise, which counts once.
    return np.asarray(weights * np.array([0.4, 0.14, 0.14])[:, None, None], np.float32)


def _picture(light: NDArray[np.float16]) -> Picture:
    """The lightness of a face as a picture."""
    return np.asarray(np.clip(light.astype(np.float32) * _STEPS + _MIDDLE, 0, 255), np.uint8)


def _light(face: Picture) -> Plane:
    return lightness(np.asarray(cv2.resize(grey(face), (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA)))


def _mean(planes: Sequence[Plane]) -> Plane:
    return np.asarray(np.mean(planes, axis=0), np.float32)


def _homographies(shown: Mapping[str, Sequence[bytes]]) -> dict[str, list[Homography]]:
    """For each showing of each card the homography to it from where all cards have the same things."""
    common = template(_mean([_light(unpacked(showings[0])) for showings in shown.values()]))
    found: dict[str, list[Homography]] = {}
    lights = []
    for code, showings in shown.items():
        own: Template | None = None
        found[code] = []
        seen = []
        for face in map(unpacked, showings):
            homography, correlation = align(grey(face), TO_LARGE, common)
            homography = homography if correlation > _MIN_CORRELATION else TO_LARGE
            if own is not None:
                better, correlation = align(grey(face), homography, own)
                homography = better if correlation > _MIN_CORRELATION else homography
            found[code].append(homography)
            seen.append(_light(rectified(face, homography)))
            own = own or template(seen[0])
        lights.append(_mean(seen))
    if len(lights) > 1:
        for code, others in zip(found, _like(lights), strict=True):
            first = grey(rectified(unpacked(shown[code][0]), found[code][0]))
            better, correlation = align(first, TO_LARGE, template(others))
            if correlation > _MIN_CORRELATION:
                found[code] = [homography @ np.linalg.inv(TO_LARGE) @ better for homography in found[code]]
    return found


def _like(lights: Sequence[Plane]) -> list[Plane]:
    """For each card the mean of those that are most like it."""
    flat = np.array(lights).reshape(len(lights), -1)
    own = flat - flat.mean(axis=0)
    own /= np.linalg.norm(own, axis=1, keepdims=True) + 1e-9
    alike = own @ own.T
    np.fill_diagonal(alike, -np.inf)
    most = min(_ALIKE, len(lights) - 1)
    means = [flat[np.argsort(-row)[:most]].mean(axis=0) for row in alike]
    return [np.asarray(mean.reshape(HEIGHT_PX, WIDTH_PX), np.float32) for mean in means]


class _Noise:
    """How much showings of the same card differ, gathered card by card."""

    def __init__(self) -> None:
        self._cards, self._repeated = 0, 0
        self._within = self._sum = self._squares = np.zeros(1, np.float32)

    def mean(self, showings: Sequence[Plane]) -> Plane:
        """The mean of the showings of the next card."""
        mean = _mean(showings)
        if len(showings) > 1:
            self._within = np.asarray(self._within + np.var(showings, axis=0, ddof=1), np.float32)
            self._repeated += 1
        self._cards += 1
        self._sum, self._squares = self._sum + mean, self._squares + mean * mean
        return mean

    def between(self) -> Plane:
        """How much the cards differ from it, squared."""
        variance = self._squares / self._cards - (self._sum / self._cards) ** 2
        return np.asarray(np.maximum(variance, 0), np.float32)

    def found(self) -> Plane:
        """The difference, squared, for each number; guessed from the cards where all were shown once."""
        within = self._within / self._repeated if self._repeated else 0.05 * self.between()
        return np.asarray(within, np.float32)
