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
from firmware.extensions.camera.comparing import HIGH, WIDE, coarse, difference, fine
from firmware.extensions.camera.light import Picture, Plane, lightness

TO_LARGE: Final[Way] = np.array([[WIDE / WIDTH_PX, 0, 0.5], [0, HIGH / HEIGHT_PX, 0.5], [0, 0, 1]])
"""From pixels of a face as it is aligned to those of a face as it is compared."""

TURN: Final[Way] = np.array([[-1, 0, WIDTH_PX - 1], [0, -1, HEIGHT_PX - 1], [0, 0, 1]], np.float64)
"""Upside down, in pixels of a face as it is aligned."""

_AGREES: Final = 0.7
"""A correlation that no card has with a face that it does not lie on."""

_ALIKE: Final = 8
"""With the mean of so many cards that it is most like a card is aligned."""

_COMPARED: Final = 3
"""Of each card with so many that it is most like it is looked for what tells them apart."""

_SAME: Final = 3.0
"""Two faces that differ less, as `difference` measures, are the same."""

_RIM_PX: Final = 4
"""At the rim the table is seen."""


class Model:
    """Made of all showings of all cards of a deck; it does not change."""

    def __init__(self, shown: Mapping[str, Sequence[Picture]]) -> None:
        self.codes: Final = tuple(shown)
        aligned = _aligned(shown)
        self.common: Final = template(_mean([_light(one) for each in aligned.values() for one in each]))
        """What the cards have in common."""

        rough = [np.array([coarse(one) for one in aligned[code]]) for code in self.codes]
        noise = _noise(rough)
        self._deviation: Final = 1 / np.sqrt(noise + 0.3 * noise.mean() + 1e-5)
        self._means: Final = np.array([each.mean(axis=0) for each in rough], np.float32)
        self._coarse: Final = np.asarray(self._means * self._deviation, np.float32)
        self._squares: Final = (self._coarse**2).sum(axis=1)

        exact = [np.array([fine(one) for one in aligned[code]]) for code in self.codes]
        noise = np.stack([cv2.blur(plane, (9, 9)) for plane in _noise(exact)])
        noise += 0.3 * noise.mean(axis=(1, 2), keepdims=True) + 1e-5
        weights = 1 / np.sqrt(noise)
        weights[:, :_RIM_PX] = weights[:, -_RIM_PX:] = 0
        weights[:, :, :_RIM_PX] = weights[:, :, -_RIM_PX:] = 0
        # Neighbours in a plane that was made smooth have the same noise, which counts once.
        self.weights: Final = np.asarray(weights * np.array([0.4, 0.14, 0.14])[:, None, None], np.float32)
        """1 / deviation for each pixel of `fine`."""

        self._fine: Final = [each.mean(axis=0).astype(np.float16) for each in exact]
        self._templates: dict[int, Template] = {}

    def fine(self, card: int) -> Plane:
        """A card, by its place in `codes`, as it is compared in the end."""
        return np.asarray(self._fine[card], np.float32)

    def template(self, card: int) -> Template:
        """A card, by its place in `codes`, as it is aligned."""
        return template(self._means[card, : WIDTH_PX * HEIGHT_PX].reshape(HEIGHT_PX, WIDTH_PX))

    def nearest(self, face: Picture, count: int) -> list[tuple[float, int, bool]]:
        """The cards that are most like a face: how far they are, their place in `codes`, whether upside down.

        The distance is about 3 for the card itself.
        """
        found = []
        for upside_down in (False, True):
            seen = coarse(np.ascontiguousarray(face[::-1, ::-1]) if upside_down else face) * self._deviation
            like = np.einsum("ij,j->i", self._coarse, seen)  # in one thread, whatever numpy was built with
            far = (float(seen @ seen) - 2 * like + self._squares) / seen.size
            found += [(float(far[card]), int(card), upside_down) for card in np.argsort(far)[:count]]
        return sorted(found)[:count]

    def alike(self) -> list[tuple[str, str]]:
        """The pairs of cards that nothing tells apart, whatever way they lie."""
        size = WIDTH_PX * HEIGHT_PX
        light = self._means[:, :size].reshape(-1, HEIGHT_PX, WIDTH_PX)
        flat = light.reshape(len(light), -1)
        found = []
        for card, code in enumerate(self.codes):
            exact = self.fine(card)
            for turned in (False, True):
                way = light[card, ::-1, ::-1] if turned else light[card]
                near = np.argsort(((flat - way.ravel()) ** 2).sum(axis=1))
                for other in near[: _COMPARED + 1]:
                    face = self.fine(other)
                    face = face[:, ::-1, ::-1] if turned else face
                    if other > card and difference(exact, face, self.weights) < _SAME:
                        found.append((code, self.codes[other]))
        return sorted(set(found))


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


def _light(face: Picture) -> Plane:
    return lightness(np.asarray(cv2.resize(grey(face), (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA)))


def _mean(planes: Sequence[Plane]) -> Plane:
    return np.asarray(np.mean(planes, axis=0), np.float32)


def _aligned(shown: Mapping[str, Sequence[Picture]]) -> dict[str, list[Picture]]:
    """The showings of each card, moved to where all cards have them."""
    common = template(_mean([_light(showings[0]) for showings in shown.values()]))
    made: dict[str, list[Picture]] = {}
    for code, showings in shown.items():
        own: Template | None = None
        made[code] = []
        for face in showings:
            way, agreed = onto(grey(face), TO_LARGE, common)
            way = way if agreed > _AGREES else TO_LARGE
            if own is not None:
                better, agreed = onto(grey(face), way, own)
                way = better if agreed > _AGREES else way
            made[code].append(moved(face, way))
            own = own or template(_light(made[code][0]))
    lights = np.array([_mean([_light(one) for one in each]) for each in made.values()])
    flat = lights.reshape(len(lights), -1)
    flat = flat - flat.mean(axis=0)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True) + 1e-9
    alike = flat @ flat.T
    np.fill_diagonal(alike, -np.inf)
    for at, code in enumerate(list(made)):
        if len(made) > 1:
            others = template(_mean(list(lights[np.argsort(-alike[at])[: min(_ALIKE, len(made) - 1)]])))
            mean = np.mean(np.array(made[code], np.float32), axis=0).astype(np.uint8)
            way, agreed = onto(grey(mean), TO_LARGE, others)
            if agreed > _AGREES:
                made[code] = [moved(one, way) for one in made[code]]
    return made


def _noise(showings: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """How much showings of the same card differ, squared; guessed where all were shown once."""
    several = [each for each in showings if len(each) > 1]
    if not several:
        return np.asarray(0.05 * np.var([each[0] for each in showings], axis=0), np.float32)
    return np.asarray(np.mean([each.var(axis=0, ddof=1) for each in several], axis=0), np.float32)
