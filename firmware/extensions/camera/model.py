"""What a deck knows of its cards: which of them are like a card in a picture, and where exactly it lies.

A lamp multiplies what a card reflects, so the logarithm of a picture is that of the card and that of the
light, added. The light changes slowly: it goes away with the mean of the surroundings, and its colour with
the mean of the card. So what is compared are three planes of a face: lightness, and two colours.

The corners that were found are some pixels wrong; the face says how much. `align` is the method of Lucas and
Kanade with the roles of template and picture swapped ("inverse compositional": Baker and Matthews,
Lucas-Kanade 20 years on, 2004). Steps are taken on small pictures, in which a card is `WIDTH_PX` wide.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.features import Features
from firmware.extensions.camera.finding import FACE_HEIGHT_PX, FACE_WIDTH_PX, ImagePyramid
from firmware.extensions.camera.pictures import Picture, Plane
from firmware.extensions.camera.seen import Corners

WIDTH_PX: Final = 64
HEIGHT_PX: Final = 98
"""The size of a face as it is aligned. It is compared as large as `finding` makes it rectangular."""

Homography = NDArray[np.float64]
"""Leads from pixels of a face as it is aligned to pixels of `ImagePyramid.half`."""

AREAS: Final = (14, 8)
"""The rows and columns of areas of a face in which it is found out what is visible of it."""
TO_LARGE: Final[Homography] = np.array(
    [[FACE_WIDTH_PX / WIDTH_PX, 0, 0.5], [0, FACE_HEIGHT_PX / HEIGHT_PX, 0.5], [0, 0, 1]]
)
"""From pixels of a face as it is aligned to those of a face as it is compared."""
TURN: Final[Homography] = np.array([[-1, 0, WIDTH_PX - 1], [0, -1, HEIGHT_PX - 1], [0, 0, 1]], np.float64)
"""Upside down, in pixels of a face as it is aligned."""
DOWN: Final[Homography] = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
UP: Final[Homography] = np.asarray(np.linalg.inv(DOWN), np.float64)
_OUTLINE: Final = np.array(
    [[-0.5, -0.5], [WIDTH_PX - 0.5, -0.5], [WIDTH_PX - 0.5, HEIGHT_PX - 0.5], [-0.5, HEIGHT_PX - 0.5]],
    np.float32,
)
_PALER: Final = (0.6, 1.3)
"""How much paler or stronger than in the lesson a card may look, as factors of its contrast."""


class Template(NamedTuple):
    """A face, made ready to be aligned with."""

    plane: Plane
    """Its lightness, `HEIGHT_PX` × `WIDTH_PX`."""
    slopes: Plane
    """How each pixel changes with each of the eight numbers of a homography, one row a number."""
    counts: Plane
    """What counts: 1, and 0 at the rim of the card, where the table may be seen."""


class Candidate(NamedTuple):
    """A card that may lie there."""

    card: int
    """Its place in `Model.codes`."""
    homography: Homography
    turned: bool
    """Whether it lies upside down, compared with the place that was tried."""
    distance: float = 0.0
    """How far it is from what is seen: about 3 for the card itself."""

    @property
    def place(self) -> Homography:
        """Where a card lies that is not turned."""
        return self.homography @ TURN if self.turned else self.homography


class Model(NamedTuple):
    """The faces of a deck as numbers; `training` makes it. Cards are named by their places in `codes`."""

    codes: tuple[str, ...]
    coarse: Plane
    """Each face as `coarse` gives it, by `coarse_weights`; one row a card."""
    coarse_weights: Plane
    """1 / deviation of the same card from one showing to the next, for each number of `coarse`."""
    squares: Plane
    """The squared length of each row."""
    light: NDArray[np.float16]
    colours: NDArray[np.float16]
    """Each face as `exact` gives it but for the means of its planes; the colours half as large."""
    weights: Plane
    """1 / deviation for each pixel of `fine`."""
    sharp: Plane
    """The lightness of each face as `fine` gives it, by `weights`: of each other pixel; one row a card."""
    varies: Plane
    """How much the cards differ in each area; see `comparing.variation`."""
    features: Features
    """Local features of all faces."""
    parts: Plane
    """The lightness in `coarse`, for each of the areas of a face: `AREAS` × cards × pixels."""

    def only(self, codes: Collection[str]) -> Model:
        """The same of these cards alone, if there are any; places in `codes` are other ones then."""
        cards = [card for card, code in enumerate(self.codes) if code in codes]
        names = ("coarse", "squares", "light", "colours", "sharp")
        own = {name: getattr(self, name)[cards] for name in names}
        return self._replace(codes=tuple(self.codes[at] for at in cards), parts=self.parts[:, cards], **own)

    def fine(self, card: int, visible: Plane | None = None) -> Plane:
        """A card as it is compared in the end; `visible` is that of `even`."""
        colours = cv2.resize(self.colours[card].astype(np.float32), (FACE_WIDTH_PX, FACE_HEIGHT_PX))
        return even(np.stack([self.light[card].astype(np.float32), *cv2.split(colours)]), visible)

    def plane(self, card: int) -> Plane:
        """The lightness of a card, `HEIGHT_PX` × `WIDTH_PX`."""
        size = WIDTH_PX * HEIGHT_PX
        plane = self.coarse[card, :size] / self.coarse_weights[:size]
        return np.asarray(plane.reshape(HEIGHT_PX, WIDTH_PX), np.float32)

    def nearest(
        self, pyramid: ImagePyramid, homography: Homography, count: int, *, turned: bool = False
    ) -> list[Candidate]:
        """The cards that are most like what is seen there, the nearest first.

        `turned`: the homography itself leads to a card that is upside down.
        """
        upright = coarse(rectified(pyramid.picture, UP @ homography))
        seen = np.stack([upright, upside_down(upright)]) * self.coarse_weights
        like = np.einsum("ij,kj->ki", self.coarse, seen)  # in one thread, whatever numpy was built with
        # A lamp or a sleeve makes all of it paler: else a face with less on it would be nearer.
        gain = np.clip(like / self.squares, *_PALER)
        far = ((seen**2).sum(axis=1)[:, None] - 2 * gain * like + gain**2 * self.squares) / seen.shape[1]
        return first(far, count, homography, turned=turned)


def first(
    far: NDArray[np.floating], count: int, homography: Homography, *, turned: bool = False
) -> list[Candidate]:
    """The nearest of all cards, given how far each is, upright and upside down; and two the other way up."""
    found = sorted(
        (float(distances[card]), int(card), bool(upside_down))
        for upside_down, distances in enumerate(far)
        for card in np.argsort(distances)[:count]
    )
    # A face is not exactly in the middle of its card: the other way up it may be nearer than it seems.
    back = [candidate for candidate in found[count:] if candidate[2] is not found[0][2]]
    return [
        Candidate(card, homography @ TURN if upside_down else homography, turned is not upside_down, distance)
        for distance, card, upside_down in found[:count] + back[:2]
    ]


def homography_of(corners: Corners) -> Homography:
    """Where a card with these corners lies."""
    to = np.array(corners, np.float32)
    return np.asarray(DOWN @ cv2.getPerspectiveTransform(_OUTLINE, to), np.float64)


def corners_of(homography: Homography) -> Corners:
    """The corners of a card in pixels of the picture."""
    points = cv2.perspectiveTransform(_OUTLINE[None].astype(np.float64), UP @ homography)[0]
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def rectified(picture: Picture, homography: Homography) -> Picture:
    """A card as large as it is compared. This homography leads to pixels of the picture itself."""
    to_face, size = homography @ np.linalg.inv(TO_LARGE), (FACE_WIDTH_PX, FACE_HEIGHT_PX)
    flags, border = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpPerspective(picture, to_face, size, flags=flags, borderMode=border), np.uint8)


_STEPS: Final = 12
_STILL_PX: Final = 0.02
_BOUND: Final = 2.0
"""Of how many usual deviations a pixel counts as one; more is a hand, a lamp, another card."""
_LITTLE: Final = 0.3
"""Less of a face says little of its shape: an edge of it may fit a card of any width."""
_EVERY: Final = np.eye(8)
_SIMILAR: Final = np.stack([_EVERY[0], _EVERY[3], _EVERY[1] + _EVERY[5], _EVERY[4] - _EVERY[2]])
"""The moves of `_small` that keep the shape: to the right, down, larger, turned."""
_RIM: Final = round(0.03 * WIDTH_PX)
_X: Final = np.arange(WIDTH_PX, dtype=np.float32)[None] / WIDTH_PX - 0.5  # from the middle
_Y: Final = (np.arange(HEIGHT_PX, dtype=np.float32)[:, None] - HEIGHT_PX / 2) / WIDTH_PX


def template(plane: Plane) -> Template:
    across = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3) / 8
    down = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3) / 8
    both = across * _X + down * _Y
    slopes = np.stack([across, across * _X, across * _Y, down, down * _X, down * _Y, both * _X, both * _Y])
    counts = np.zeros((HEIGHT_PX, WIDTH_PX), np.float32)
    counts[_RIM:-_RIM, _RIM:-_RIM] = 1
    return Template(plane, np.asarray(slopes.reshape(8, -1), np.float32), counts.ravel())


def align(
    half: Picture, homography: Homography, face: Template, steps: int = _STEPS, visible: float = 1.0
) -> tuple[Homography, float]:
    """The better homography from the face to a grey picture, and how well they then agree: a correlation.

    Of a face that is partly `visible` the perspective stays as it is, and of little of it the shape.
    """
    wanted = face.plane.ravel()
    shown, ways = wanted * face.counts, _SIMILAR if visible < _LITTLE else _EVERY[: 8 if visible == 1 else 6]
    strength = max(float(wanted @ shown), 1e-6)
    highest, best = -1.0, homography
    for step in range(steps + 1):
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warped = cv2.warpPerspective(half, homography, (WIDTH_PX, HEIGHT_PX), flags=flags)
        came = lightness(np.asarray(warped, np.uint8)).ravel()
        gain = float(came @ shown) / strength
        off = came - gain * wanted
        squares = off * off
        bound = _BOUND**2 * (float(squares @ face.counts) / len(off) + 1e-6)
        counts = face.counts * np.minimum(1, bound / np.maximum(squares, 1e-12))
        alike = float(correlations(came[None], wanted[None], counts)[0, 0])
        if alike > highest:
            highest, best = alike, homography
        if step == steps:
            break
        slopes = face.slopes * counts
        normal = slopes @ face.slopes.T
        normal[np.diag_indices(8)] *= 1.001
        normal[np.diag_indices(8)] += 1e-4
        moves = np.linalg.solve(ways @ normal @ ways.T, ways @ (slopes @ off)) @ ways / max(gain, 0.2)
        moves = np.clip(moves, -3, 3)
        homography = homography @ np.linalg.inv(_small(moves))
        homography = homography / homography[2, 2]
        if float(np.abs(moves).max()) < _STILL_PX:
            break
    return best, highest


def correlations(planes: Plane, others: Plane, counts: Plane) -> Plane:
    """How alike each row is to each of the others, where it counts: 1 for the same."""
    share = counts / max(float(counts.sum()), 1e-6)
    planes, others = (rows - (rows @ share)[:, None] for rows in (planes, others))
    spread = np.outer(planes**2 @ share, others**2 @ share)
    return np.asarray((planes * share) @ others.T / np.sqrt(np.maximum(spread, 1e-12)), np.float32)


_MIDDLE: Final[Homography] = np.array(
    [[1 / WIDTH_PX, 0, -0.5], [0, 1 / WIDTH_PX, -HEIGHT_PX / 2 / WIDTH_PX], [0, 0, 1]]
)
_BACK: Final[Homography] = np.asarray(np.linalg.inv(_MIDDLE), np.float64)


def _small(moves: NDArray[np.float64]) -> Homography:
    """A homography of the face that is nearly none: what the eight numbers of `slopes` mean."""
    p = moves / WIDTH_PX
    made = np.array([[1 + p[1], p[2], p[0]], [p[4], 1 + p[5], p[3]], [-p[6], -p[7], 1]])
    return np.asarray(_BACK @ made @ _MIDDLE, np.float64)


_DARKEST: Final = 16.0
"""Added before the logarithm: the noise of a camera does not grow without end in the dark."""
_LOGARITHM: Final = np.log(np.arange(256) + _DARKEST).astype(np.float32)
_SURROUNDINGS: Final = 0.26
"""Of which the mean is taken, as a share of the width of a card."""
_COLOUR_WEIGHT: Final = 0.6
_HALF: Final = (FACE_WIDTH_PX // 2, FACE_HEIGHT_PX // 2)
_QUARTER: Final = (FACE_WIDTH_PX // 4, FACE_HEIGHT_PX // 4)


def coarse(face: Picture) -> Plane:
    """A face as a vector for the first comparison: the same place means the same in all faces."""
    light, *colours = even(_logarithms(face))
    half = cv2.resize(cv2.GaussianBlur(light, (0, 0), 1.8), _HALF, interpolation=cv2.INTER_AREA)
    quarters = [cv2.resize(colour, _QUARTER, interpolation=cv2.INTER_AREA).ravel() for colour in colours]
    return np.concatenate([half.ravel(), *quarters])


def in_areas(faces: Plane) -> Plane:
    """The lightness of `coarse` faces, one a row, as `Model.parts` has it."""
    (high, wide), size = AREAS, WIDTH_PX * HEIGHT_PX
    parts = faces[:, :size].reshape(-1, high, HEIGHT_PX // high, wide, WIDTH_PX // wide)
    return np.ascontiguousarray(parts.transpose(1, 3, 0, 2, 4)).reshape(high * wide, len(faces), -1)


def upside_down(face: Plane) -> Plane:
    """The same `coarse` face, turned."""
    size = _HALF[0] * _HALF[1]
    parts = np.split(face, (size, size + _QUARTER[0] * _QUARTER[1]))
    return np.concatenate([part[::-1] for part in parts])


def exact(face: Picture) -> Plane:
    """The three planes of a face as they are compared in the end, with the light."""
    planes = _logarithms(face)
    planes[0] = cv2.GaussianBlur(planes[0], (0, 0), 0.7)
    return planes


def fine(pyramid: ImagePyramid, homography: Homography, visible: Plane | None = None) -> Plane:
    """What is seen there as it is compared in the end, without the light; `visible` is that of `even`."""
    return even(exact(rectified(pyramid.picture, UP @ homography)), visible)


def _logarithms(face: Picture) -> Plane:
    """Lightness, and two differences of colour, as the light made them: 3 × as large as the face."""
    blue, green, red = cv2.split(cv2.LUT(face, _LOGARITHM))
    light = 0.114 * blue + 0.587 * green + 0.299 * red
    return np.stack([light, *(cv2.GaussianBlur(colour, (0, 0), 2) for colour in (blue - green, red - green))])


def even(planes: Plane, visible: Plane | None = None) -> Plane:
    """The same without the light. With `visible`, as large as the face, only what is 1 there is used."""
    if visible is None:
        usual = planes[1:].mean(axis=(1, 2))
    else:
        usual = (planes[1:] * visible).sum(axis=(1, 2)) / max(float(visible.sum()), 1.0)
    colours = (planes[1:] - usual[:, None, None]) * _COLOUR_WEIGHT
    return np.stack([_against_surroundings(planes[0], visible), *colours])


def lightness(grey: Picture, visible: Plane | None = None) -> Plane:
    """The first of the planes, of a grey picture of a card; `visible` is that of `even`."""
    return _against_surroundings(np.asarray(cv2.LUT(grey, _LOGARITHM), np.float32), visible)


def _against_surroundings(light: Plane, visible: Plane | None = None) -> Plane:
    """Logarithms of lightness without their surroundings."""
    side = 2 * round(light.shape[1] * _SURROUNDINGS / 2) + 1
    if visible is None:
        return light - cv2.blur(light, (side, side), borderType=cv2.BORDER_REFLECT)
    share, around = (
        cv2.blur(plane, (side, side), borderType=cv2.BORDER_REFLECT) for plane in (visible, light * visible)
    )
    return np.asarray(light - around / np.maximum(share, 1e-6), np.float32)
