"""Makes the model of a deck: its showings brought to one place, and the numbers that are compared.

Corners are found a pixel or two beside where they are. So every showing is moved onto what the cards have in
common, then the showings of a card onto the best of them, then each card onto those that it is most like.
What still differs between showings of a card is the noise, by which all is measured.
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
from firmware.extensions.camera.finding import FACE_HEIGHT_PX, FACE_WIDTH_PX, Found, rectangular, width_of
from firmware.extensions.camera.model import (
    DOWN,
    HEIGHT_PX,
    TO_LARGE,
    WIDTH_PX,
    Homography,
    Model,
    align,
    coarse,
    corners_of,
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
_WELL_CUT: Final = 0.8
"""So well two faces correlate that show nearly the same, in any light, if both are cut well."""
_GAIN: Final = 0.002
"""A card is moved onto those that it is most like if it correlates so much better with them there."""
_TIMES: Final = 3
"""How often that is tried: the others move as well."""
_ALIKE: Final = 8
"""With the mean of so many cards that it is most like a card is aligned."""
_STEPS: Final = 90.0
_MIDDLE: Final = 170.0
"""What logarithms become in a picture, as `features.logarithm` makes it."""
_LIKE_OTHERS: Final = 0.4
"""A card correlates at least so well with the mean of a deck, whatever is printed on it."""
_OFF: Final = 0.06
"""A card with a corner so far from where it is in others is cut wrongly, in widths of a card."""
_RIM_PX: Final = 4
"""At the rim the table is seen."""


def trained(shown: Mapping[str, Sequence[bytes]]) -> Model:
    """The model of a deck, given all showings of all cards as JPEG files. Blocks for up to two seconds."""
    count = len(shown)
    faces = np.empty((count, WIDTH_PX * HEIGHT_PX * 3 // 2), np.float32)
    light = np.empty((count, FACE_HEIGHT_PX, FACE_WIDTH_PX), np.float16)
    colours = np.empty((count, FACE_HEIGHT_PX // 2, FACE_WIDTH_PX // 2, 2), np.float16)
    size = (FACE_WIDTH_PX // 2, FACE_HEIGHT_PX // 2)
    sharp = np.empty((count, HEIGHT_PX, WIDTH_PX), np.float32)
    rough, fine = _Noise(), _Noise()
    for card, showings in enumerate(_aligned(shown).values()):  # all showings at once as numbers are 100 MB
        aligned = [rectified(*showing) for showing in showings]
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
    half, cut = np.asarray(cv2.pyrDown(grey(picture)), np.uint8), list[tuple[Found, bool]]()
    usual = template(np.asarray(np.median([_light(face) for face in faces], axis=0), np.float32))
    for at, card in enumerate(cards):
        place, correlation = align(half, homography_of(card.corners), usual)
        corners, was_found, is_like = corners_of(place), at < len(found), correlation >= _LIKE_OTHERS
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


def _aligned(shown: Mapping[str, Sequence[bytes]]) -> dict[str, list[tuple[Picture, Homography]]]:
    """The showings of each card, each with the homography to it from where all cards have the same things.

    What is not like that showing of a card which is most like all cards was cut wrongly, and is left out.
    """
    common = template(_mean([_light(unpacked(showings[0])) for showings in shown.values()]))
    found: dict[str, list[tuple[Picture, Homography]]] = {}
    for code, showings in shown.items():
        tried = [(face, *align(grey(face), TO_LARGE, common)) for face in map(unpacked, showings)]
        tried.sort(key=itemgetter(2), reverse=True)
        starts = [(face, place if alike > _MIN_CORRELATION else TO_LARGE) for face, place, alike in tried]
        found[code], best = starts[:1], template(_light(rectified(*starts[0])))
        for face, start in starts[1:]:
            place, correlation = align(grey(face), start, best)
            if correlation > _WELL_CUT:
                found[code].append((face, place))
    lights = np.array([_mean_light(showings) for showings in found.values()])
    for _ in range(_TIMES if len(shown) > 1 else 0):
        for card, (code, like) in enumerate(zip(found, _most_alike(lights), strict=True)):
            usual = template(np.asarray(lights[like].mean(axis=0), np.float32))
            own = grey(rectified(*found[code][0]))
            place, correlation = align(own, TO_LARGE, usual)
            gain = correlation - align(own, TO_LARGE, usual, steps=0)[1]
            if correlation > _WELL_CUT and gain > _GAIN:
                found[code] = [(face, at @ np.linalg.inv(TO_LARGE) @ place) for face, at in found[code]]
                lights[card] = _mean_light(found[code])
    return found


def _mean_light(showings: Sequence[tuple[Picture, Homography]]) -> Plane:
    return _mean([_light(rectified(*showing)) for showing in showings])


def _most_alike(lights: Plane) -> NDArray[np.intp]:
    """For each card the others that are most like it."""
    own = (lights - lights.mean(axis=0)).reshape(len(lights), -1)
    own /= np.linalg.norm(own, axis=1, keepdims=True) + 1e-9
    return np.argsort(-(own @ own.T), axis=1)[:, 1 : _ALIKE + 1]


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
