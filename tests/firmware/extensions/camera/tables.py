"""A table under a camera that does not move: cards in rows and before players, hands, and other light.

Its pictures are smaller and plainer than those of `photos`, so that a whole match costs little.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

import cv2
import numpy as np

from companion.core.codes import card_code
from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.finding import as_corners, find
from firmware.extensions.camera.pictures import Picture
from firmware.extensions.camera.seen import Corners
from tests.firmware.extensions.camera.drawn_decks import beast

WIDE: Final = 1280
HIGH: Final = 960
CARD_PX: Final = (128, 197)


class Place(NamedTuple):
    """Where a card lies: its centre in pixels, and its turn in degrees."""

    x: float
    y: float
    turn: float = 0.0

    @property
    def corners(self) -> Corners:
        """Those of a card that lies there."""
        return as_corners(cv2.boxPoints(((self.x, self.y), CARD_PX, -self.turn)).astype(np.float64))


def in_row(row: int, place: int) -> Place:
    """The place of a card in one of four rows, both from 0."""
    return Place(90 + 150 * place, 115 + 240 * row, 2.0 * ((row + place) % 3 - 1))


def before(player: int) -> Place:
    """The place before one of four players, from 0."""
    return Place(960 + 190 * (player % 2), 160 + 260 * (player // 2), 5.0 * (player - 1))


@cache
def _cloth() -> Picture:
    chance = np.random.default_rng(3)
    rough = cv2.GaussianBlur(chance.normal(0, 1, (HIGH, WIDE, 3)).astype(np.float32), (0, 0), 2)
    return np.clip(np.array([70, 90, 40]) + 25 * rough, 0, 255).astype(np.uint8)


@cache
def _grain(noise: int) -> Picture:
    chance = np.random.default_rng(noise)
    fine = cv2.resize(chance.normal(8, 4, (HIGH // 2, WIDE // 2)).astype(np.float32), (WIDE, HIGH))
    return np.asarray(cv2.merge([np.clip(fine, 0, 255).astype(np.uint8)] * 3), np.uint8)


@cache
def _turned(number: int, turn: float) -> tuple[Picture, Picture]:
    """A card that lies turned, and where it is within that picture."""
    wide, high = CARD_PX
    face = cv2.resize(beast(number), (wide, high), interpolation=cv2.INTER_AREA)
    edge = high + 40
    way = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, 1)
    way[:, 2] += np.array([(edge - wide) / 2, (edge - high) / 2])
    drawn = cv2.warpAffine(face, way, (edge, edge), borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(np.full((high, wide), 255, np.uint8), way, (edge, edge))
    return np.asarray(drawn, np.uint8), np.asarray(mask > 127)


def table(
    cards: Mapping[Place, int], *, hand: Place | None = None, light: float = 1.0, noise: int = 0
) -> Picture:
    """What the camera sees: cards by their places; another `noise` is another picture of the same."""
    image = np.pad(_cloth(), ((200, 200), (200, 200), (0, 0)))
    for place, number in cards.items():
        drawn, mask = _turned(number, place.turn)
        half = drawn.shape[0] / 2
        left, top = round(200 + place.x - half), round(200 + place.y - half)
        part = image[top : top + drawn.shape[0], left : left + drawn.shape[1]]
        part[mask] = drawn[mask]
    image = np.ascontiguousarray(image[200:-200, 200:-200])
    if hand is not None:
        cv2.line(image, (round(hand.x), round(hand.y)), (WIDE, HIGH), (120, 150, 205), 110)
        cv2.circle(image, (round(hand.x), round(hand.y)), 90, (120, 150, 205), -1)
    return np.asarray(cv2.add(cv2.convertScaleAbs(image, alpha=light), _grain(noise % 5)), np.uint8)


def jpeg(picture: Picture) -> bytes:
    """A picture as a camera sends it."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def deck(numbers: Iterable[int], name: str = "ours") -> TaughtDeck:
    """A deck of 6 nimmt! that was taught these cards, up to twelve."""
    taught, shown = TaughtDeck(name, "six"), list(numbers)
    for showing in range(3):
        turn, at = 3.0 * (showing - 1), range(len(shown))
        places = [Place(160 + 300 * (card % 4), 170 + 300 * (card // 4), turn) for card in at]
        picture = table(dict(zip(places, shown, strict=True)), light=1 - 0.15 * showing, noise=showing)
        for number, card in zip(shown, find(picture), strict=True):
            taught.learn(card_code("6N", number), [card.face])
    return taught
