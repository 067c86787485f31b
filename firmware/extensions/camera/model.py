"""What a deck knows of its cards: their showings brought to one place, and the numbers that are compared.

Corners are found a pixel or two beside where they are, each time elsewhere. So every showing is moved onto
what the cards have in common, then the showings of a card onto each other, then each card onto those that it
is most like. What still differs between showings of the same card is the noise, by which all is measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.alignment import HEIGHT_PX, WIDTH_PX, Template, Way, onto, template
from firmware.extensions.camera.comparing import HIGH, WIDE, coarse, exact, upside_down, variation
from firmware.extensions.camera.light import Picture, Plane, even, lightness

TO_LARGE: Final[Way] = np.array([[WIDE / WIDTH_PX, 0, 0.5], [0, HIGH / HEIGHT_PX, 0.5], [0, 0, 1]])
"""From pixels of a face as it is aligned to those of a face as it is compared."""

TURN: Final[Way] = np.array([[-1, 0, WIDTH_PX - 1], [0, -1, HEIGHT_PX - 1], [0, 0, 1]], np.float64)
"""Upside down, in pixels of a face as it is aligned."""

_AGREES: Final = 0.7
"""A correlation that no card has with a face that it does not lie on."""

_ALIKE: Final = 8
"""With the mean of so many cards that it is most like a card is aligned."""

_COMPARED: Final = 2
"""So many cards that are most like each card are looked at, whether anything tells them apart."""

_QUALITY: Final = 88
"""Of a JPEG file. A showing takes some 6 kB then, and a deck of 104 cards 2 MB."""

_SOFT: Final = 1.2
"""Sigma in pixels: most pictures are less sharp than those with which a deck was taught."""

_PALER: Final = (0.6, 1.3)
"""How much paler or stronger than in the lesson a card may look, as factors of its contrast."""

_RIM_PX: Final = 4
"""At the rim the table is seen."""


class Model:
    """Made of all showings of all cards of a deck, as JPEG files; it does not change."""

    def __init__(self, shown: Mapping[str, Sequence[bytes]]) -> None:
        self.codes: Final = tuple(shown)
        ways = _ways(shown)
        count = len(self.codes)
        self._coarse: Final = np.empty((count, WIDTH_PX * HEIGHT_PX * 3 // 2), np.float32)
        self._light: Final = np.empty((count, HIGH, WIDE), np.float16)
        self._colours: Final = np.empty((count, HIGH // 2, WIDE // 2, 2), np.float16)
        light = np.zeros((HEIGHT_PX, WIDTH_PX), np.float32)
        rough, fine = _Noise(), _Noise()
        for card, code in enumerate(self.codes):  # one after the other: all showings as numbers are 100 MB
            aligned = [moved(unpacked(one), way) for one, way in zip(shown[code], ways[code], strict=True)]
            light += _mean([_light(one) for one in aligned]) / count
            self._coarse[card] = rough.mean([coarse(one) for one in aligned])
            planes = [exact(one) for one in aligned]
            fine.mean([even(one) for one in planes])
            mean = _mean(planes)
            self._light[card], *colours = mean - mean.mean(axis=(1, 2), keepdims=True)
            smaller = cv2.resize(cv2.merge(colours), (WIDE // 2, HIGH // 2), interpolation=cv2.INTER_AREA)
            self._colours[card] = smaller
        self.common: Final = template(light)
        """What the cards have in common."""

        noise = rough.found()
        self._deviation: Final = 1 / np.sqrt(noise + 0.3 * noise.mean() + 1e-5)
        np.multiply(self._coarse, self._deviation, out=self._coarse)
        self._squares: Final = (self._coarse**2).sum(axis=1)
        self._mean: Final = rough.usual()
        self._usual: Final = 1 / np.sqrt(rough.between() + noise + 0.3 * noise.mean() + 1e-5)

        noise = np.stack([cv2.blur(plane, (9, 9)) for plane in fine.found()])
        noise += 0.3 * noise.mean(axis=(1, 2), keepdims=True) + 1e-5
        weights = 1 / np.sqrt(noise)
        weights[:, :_RIM_PX] = weights[:, -_RIM_PX:] = 0
        weights[:, :, :_RIM_PX] = weights[:, :, -_RIM_PX:] = 0
        # Neighbours in a plane that was made smooth have the same noise, which counts once.
        self.weights: Final = np.asarray(weights * np.array([0.4, 0.14, 0.14])[:, None, None], np.float32)
        """1 / deviation for each pixel of `fine`."""

        self.varies: Final = variation(fine.between(), self.weights)
        """How much the cards differ in each area."""

    def fine(self, card: int, visible: Plane | None = None) -> Plane:
        """A card, by its place in `codes`, as it is compared in the end; `visible` is that of `even`."""
        return even(self._exact(card), visible)

    def template(self, card: int) -> Template:
        """A card, by its place in `codes`, as it is aligned."""
        return template(self.plane(card))

    def plane(self, card: int) -> Plane:
        """Its lightness, `HEIGHT_PX` × `WIDTH_PX`."""
        size = WIDTH_PX * HEIGHT_PX
        plane = self._coarse[card, :size] / self._deviation[:size]
        return np.asarray(plane.reshape(HEIGHT_PX, WIDTH_PX), np.float32)

    def nearest(self, face: Picture, count: int) -> list[tuple[float, int, bool]]:
        """The cards that are most like a face: how far they are, their place in `codes`, whether upside down.

        The distance is about 3 for the card itself.
        """
        upright = coarse(face)
        seen = np.stack([upright, upside_down(upright)]) * self._deviation
        like = np.einsum("ij,kj->ki", self._coarse, seen)  # in one thread, whatever numpy was built with
        # A lamp or a sleeve makes all of it paler: else a face with less on it would be nearer.
        gain = np.clip(like / self._squares, *_PALER)
        far = ((seen**2).sum(axis=1)[:, None] - 2 * gain * like + gain**2 * self._squares) / seen.shape[1]
        return _first(far, count)

    def nearest_in(self, visible: Plane, face: Picture, count: int) -> list[tuple[float, int, bool]]:
        """Like `nearest`, by a part of the face: the rectangle in which `visible` is 1, else 0."""
        rows, columns = (slice(int(at.min()), int(at.max()) + 1) for at in np.nonzero(visible))
        weights = self.weights[:, rows, columns]
        seen = _soft(exact(face)[:, rows, columns]) * weights
        far = np.empty((2, len(self.codes)))
        for card in range(len(self.codes)):
            upright = self._exact(card)
            for turned, way_up in enumerate((upright, upright[:, ::-1, ::-1])):
                off = _soft(way_up[:, rows, columns]) * weights - seen
                far[turned, card] = float((off * off).mean())
        return _first(far, count)

    def _exact(self, card: int) -> Plane:
        """A card as `exact` gives it, but for the mean of each plane."""
        colours = cv2.resize(self._colours[card].astype(np.float32), (WIDE, HIGH))
        return np.stack([self._light[card].astype(np.float32), *cv2.split(colours)])

    def beside(self, face: Picture) -> float:
        """How far a face is from what all cards have in common: least where it is exactly at its place."""
        upright = coarse(face)
        seen = np.stack([upright, upside_down(upright)])
        return float((((seen - self._mean) * self._usual) ** 2).mean(axis=1).min())

    def likest(self) -> list[tuple[int, int, bool]]:
        """Pairs of cards that look most alike, by their places in `codes`, and whether one is upside down."""
        light = np.array([self.plane(card) for card in range(len(self.codes))])
        flat = light.reshape(len(light), -1)
        found = set()
        for card in range(len(light)):
            for turned in (False, True):
                own = light[card, ::-1, ::-1] if turned else light[card]
                far = ((flat - own.ravel()) ** 2).sum(axis=1)
                far[card] = np.inf
                near = np.argsort(far)[: min(_COMPARED, len(far) - 1)]
                found |= {(min(card, int(other)), max(card, int(other)), turned) for other in near}
        return sorted(found)


def _first(far: NDArray[np.floating], count: int) -> list[tuple[float, int, bool]]:
    """The nearest of all cards, given how far each is, upright and upside down."""
    found = [
        (float(each[card]), int(card), bool(turned))
        for turned, each in enumerate(far)
        for card in np.argsort(each)[:count]
    ]
    return sorted(found)[:count]


def _soft(part: Plane) -> Plane:
    """Part of a face as `exact` gives it, without the light, as a face out of focus looks."""
    plain = even(part, wide=WIDE)
    plain[0] = cv2.GaussianBlur(plain[0], (0, 0), _SOFT)
    return plain


def moved(picture: Picture, way: Way) -> Picture:
    """What a way leads to, as a face as it is compared."""
    return np.asarray(
        cv2.warpPerspective(
            picture,
            way @ np.linalg.inv(TO_LARGE),
            (WIDE, HIGH),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def grey(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def packed(face: Picture) -> bytes:
    """A showing as a JPEG file."""
    return cv2.imencode(".jpg", face, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()


def unpacked(showing: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(showing, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _light(face: Picture) -> Plane:
    return lightness(np.asarray(cv2.resize(grey(face), (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA)))


def _mean(planes: Sequence[Plane]) -> Plane:
    return np.asarray(np.mean(planes, axis=0), np.float32)


def _ways(shown: Mapping[str, Sequence[bytes]]) -> dict[str, list[Way]]:
    """For each showing of each card the way to it from where all cards have the same things."""
    common = template(_mean([_light(unpacked(showings[0])) for showings in shown.values()]))
    ways: dict[str, list[Way]] = {}
    lights = []
    for code, showings in shown.items():
        own: Template | None = None
        ways[code] = []
        seen = []
        for face in map(unpacked, showings):
            way, agreed = onto(grey(face), TO_LARGE, common)
            way = way if agreed > _AGREES else TO_LARGE
            if own is not None:
                better, agreed = onto(grey(face), way, own)
                way = better if agreed > _AGREES else way
            ways[code].append(way)
            seen.append(_light(moved(face, way)))
            own = own or template(seen[0])
        lights.append(_mean(seen))
    if len(lights) > 1:
        for code, others in zip(ways, _most_alike(lights), strict=True):
            first = grey(moved(unpacked(shown[code][0]), ways[code][0]))
            way, agreed = onto(first, TO_LARGE, template(others))
            if agreed > _AGREES:
                ways[code] = [one @ np.linalg.inv(TO_LARGE) @ way for one in ways[code]]
    return ways


def _most_alike(lights: Sequence[Plane]) -> list[Plane]:
    """For each card the mean of those that are most like it."""
    flat = np.array(lights).reshape(len(lights), -1)
    own = flat - flat.mean(axis=0)
    own /= np.linalg.norm(own, axis=1, keepdims=True) + 1e-9
    alike = own @ own.T
    np.fill_diagonal(alike, -np.inf)
    most = min(_ALIKE, len(lights) - 1)
    means = [flat[np.argsort(-each)[:most]].mean(axis=0) for each in alike]
    return [np.asarray(mean.reshape(HEIGHT_PX, WIDTH_PX), np.float32) for mean in means]


class _Noise:
    """How much showings of the same card differ, gathered card by card."""

    def __init__(self) -> None:
        self._within = _Spread()
        self._between = _Spread()

    def mean(self, showings: Sequence[Plane]) -> Plane:
        """The mean of the showings of the next card."""
        mean = _mean(showings)
        if len(showings) > 1:
            self._within.add(np.var(showings, axis=0, ddof=1))
        self._between.add(mean)
        return mean

    def usual(self) -> Plane:
        """The mean of all cards."""
        return self._between.mean()

    def between(self) -> Plane:
        """How much the cards differ from it, squared."""
        return self._between.variance()

    def found(self) -> Plane:
        """The difference, squared, for each number; guessed from the cards where all were shown once."""
        return self._within.mean() if self._within.count else 0.05 * self._between.variance()


class _Spread:
    """Mean and variance of planes that come one after the other."""

    def __init__(self) -> None:
        self.count = 0
        self._sum: Plane = np.zeros(1, np.float32)
        self._squares: Plane = np.zeros(1, np.float32)

    def add(self, plane: NDArray[np.floating]) -> None:
        self.count += 1
        self._sum = np.asarray(self._sum + plane, np.float32)
        self._squares = np.asarray(self._squares + plane * plane, np.float32)

    def mean(self) -> Plane:
        return np.asarray(self._sum / self.count, np.float32)

    def variance(self) -> Plane:
        return np.asarray(np.maximum(self._squares / self.count - self.mean() ** 2, 0), np.float32)
