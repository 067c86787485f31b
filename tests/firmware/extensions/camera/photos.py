"""Photos of drawn cards on a table, as a camera above it takes them, and where each card lies in them.

The same seed makes the same photo. What is hard can be asked for: see `Look` and what lays cards.
"""

import math
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.finding import find
from firmware.extensions.camera.pictures import Picture
from tests.firmware.extensions.camera.drawn_decks import Drawn

WIDTH: Final = 1280
HEIGHT: Final = 960
CARD: Final = 170
"""How wide a card is in a photo, in pixels, before the perspective; it is 1.54 times as high."""
RATIO: Final = 1.54
_SLEEVE: Final = 6
"""How much farther a sleeve goes than the card at each side, in pixels: 2 mm of a card of 59 mm."""
Face = Callable[[int], Picture]
Field = NDArray[np.float32]


class Look(NamedTuple):
    """Table, light and lens of a photo."""

    table: str = "cloth"
    """One of `TABLES`."""
    card_px: int = CARD
    """How wide a card is, before the perspective."""
    light: float = 1.0
    """How light it is; the noise of the camera stays."""
    lamps: int = 1
    """How many lamps are reflected by table and cards."""
    moved_px: float = 0.0
    """How far the camera moved while it took the picture."""
    worn: bool = False
    """Cards with scratches, stains and dirty edges."""
    sleeves: bool = False
    """Cards in clear sleeves, which are larger than they and shine each in its own way."""
    hands: int = 0
    """Arms that lie over the table and may cover parts of cards."""
    soft: tuple[float, float] = (0.5, 1.8)
    """How far it is out of focus, from and to, as sigma of a Gaussian in pixels."""
    noise: float = 7.0
    """Sigma of the noise of each pixel."""
    slant: float = 90.0
    """How far the corners of the picture are moved by the perspective, in pixels."""


PLAIN_LOOK: Final = Look()
TABLES: Final = {
    "cloth": ((20, 20, 20), (120, 120, 120), 40),
    "pale": ((205, 205, 205), (235, 235, 235), 12),
    "white": ((222, 226, 228), (236, 240, 242), 3),
    "black": ((18, 18, 18), (30, 30, 30), 4),
    "felt": ((45, 90, 30), (65, 115, 45), 14),
    "dark wood": ((30, 50, 80), (45, 70, 105), 22),
    "light wood": ((120, 165, 200), (145, 190, 220), 26),
    "checked": ((215, 215, 218), (235, 235, 238), 8),
}
"""From which colour to which, blue, green, red, and how rough."""


class Lying(NamedTuple):
    """A card on the table: its number, its centre in pixels, and its turn in degrees, counter-clockwise."""

    number: int
    x: float
    y: float
    turn: float


class Truth(NamedTuple):
    """A card in a photo."""

    number: int
    corners: NDArray[np.float64]
    """Four points, clockwise from its own upper left."""
    visible: float
    """How much of it is neither covered nor outside of the picture, from 0 to 1."""

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.corners.mean(axis=0)
        return float(x), float(y)


class Photo(NamedTuple):
    picture: Picture
    cards: list[Truth]


def grid(numbers: Sequence[int], seed: int, turn: float = 12.0) -> list[Lying]:
    """Up to 12 cards in three rows of four, in order, each turned up to so many degrees."""
    chance = np.random.default_rng(seed)
    return [
        Lying(
            number,
            WIDTH * (at % 4 + 0.5) / 4 + chance.uniform(-12, 12),
            HEIGHT * (at // 4 + 0.5) / 3 + chance.uniform(-10, 10),
            chance.uniform(-turn, turn),
        )
        for at, number in enumerate(numbers)
    ]


def rows(
    stacks: Sequence[Sequence[int]], seed: int, card_px: int = 96, *, upper: bool = False, strip: float = 0.0
) -> list[Lying]:
    """Rows as people lay them: of each card but the last a `strip` is seen: left 37 %, or `upper` 25 %.

    Each card lies off by 1.2 mm and 1.2 degrees, as sigma, besides what the row is off.
    """
    chance, laid = np.random.default_rng(seed), []
    mm, high, strip = card_px / 59, RATIO * card_px, strip or (0.25 if upper else 0.37)
    step, apart = (strip * high, 1.2 * card_px) if upper else (strip * card_px, 1.2 * high)
    for row, members in enumerate(stacks):
        turn, off = chance.normal(0, 1.5), chance.normal(0, 2 * mm, 2)
        for at, number in enumerate(members):
            along, across = at * step + card_px, row * apart + card_px
            x, y = (
                np.array((across, along) if upper else (along, across)) + off + chance.normal(0, 1.2 * mm, 2)
            )
            laid.append(Lying(number, x, y, turn + chance.normal(0, 1.2)))
    return laid


def photo(laid: Sequence[Lying], seed: int, face: Face, look: Look = PLAIN_LOOK) -> Photo:
    """Cards as they were laid, the later ones over the earlier ones."""
    chance = np.random.default_rng(seed)
    image = _table(chance, look)
    slant = _slant(chance, look.slant)
    wide, high = look.card_px, look.card_px * RATIO
    truths: list[tuple[int, NDArray[np.float64], float]] = []
    masks: list[Picture] = []
    for lying in laid:
        at = _place(lying, wide)
        corners = cv2.perspectiveTransform(
            np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float64), slant @ at
        )[0]
        texture = _worn(face(lying.number), chance) if look.worn else face(lying.number)
        mask = _lay(image, texture, slant @ at, corners, wide)
        if look.sleeves:
            _sleeve(image, slant @ at, chance)
        for other, earlier in enumerate(masks):
            masks[other] = np.minimum(earlier, 255 - mask)
        truths.append((lying.number, corners, float(mask.sum()) or 1.0))
        masks.append(mask)
    for _ in range(look.hands):
        arm = _arm(image, chance)
        masks = [np.minimum(earlier, 255 - arm) for earlier in masks]
    cards = [
        Truth(number, corners, _inside(corners) * float(mask.sum()) / area)
        for (number, corners, area), mask in zip(truths, masks, strict=True)
    ]
    return Photo(_taken(image, chance, look), cards)


def _inside(corners: NDArray[np.float64]) -> float:
    """What of a card is in the picture."""
    frame = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    own = corners.astype(np.float32)
    return float(cv2.intersectConvexConvex(own, frame)[0]) / float(cv2.contourArea(own))


def _table(chance: np.random.Generator, look: Look) -> Field:
    low, high, rough = TABLES[look.table]
    wood = look.table.endswith("wood")
    size = (HEIGHT // 3, WIDTH // 60) if wood else (HEIGHT // 4, WIDTH // 4)
    cloth = cv2.resize(chance.normal(0, 1, size).astype(np.float32), (WIDTH, HEIGHT))
    if not wood:
        cloth = cv2.GaussianBlur(cloth, (0, 0), 6) * 0.8
    cloth = np.asarray(cloth + chance.standard_normal((HEIGHT, WIDTH), np.float32) * 0.15, np.float32)
    table: Field = np.asarray(np.repeat((cloth * rough)[..., None], 3, axis=2), np.float32)
    table += np.array([chance.uniform(*both) for both in zip(low, high, strict=True)], np.float32)
    if wood:  # planks
        table[int(chance.uniform(0, look.card_px)) :: int(1.7 * look.card_px)] *= 0.45
    if look.table == "checked":  # squares of 2.5 cm: where both stripes cross it is red
        y, x = np.mgrid[:HEIGHT, :WIDTH] // (look.card_px * 25 / 59) % 2
        table *= np.where((x + y)[..., None] > 0, np.array([0.55, 0.5, 0.9]), 1) ** (x + y)[..., None]
    return table


def _slant(chance: np.random.Generator, px: float) -> NDArray[np.float64]:
    to = [chance.uniform(0, px) for _ in range(8)]
    corners = [
        (to[0], to[1]),
        (WIDTH - to[2], to[3]),
        (WIDTH - to[4] * 0.3, HEIGHT - to[5] * 0.3),
        (to[6] * 0.3, HEIGHT - to[7] * 0.3),
    ]
    frame = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(frame, np.array(corners, np.float32)), np.float64)


def _place(lying: Lying, wide: int) -> NDArray[np.float64]:
    middle = wide / 2, wide * RATIO / 2
    way = cv2.getRotationMatrix2D(middle, lying.turn, 1)
    way[0, 2] += lying.x - middle[0]
    way[1, 2] += lying.y - middle[1]
    return np.vstack([way, [0, 0, 1]])


def _lay(
    image: Field, texture: Picture, way: NDArray[np.float64], corners: NDArray[np.float64], card_px: int
) -> Picture:
    """Draw a card and its shadow, and give where it lies: 255 within, 0 outside."""
    edge = 24
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - edge, 0)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + edge, [WIDTH, HEIGHT])
    whole = np.zeros((HEIGHT, WIDTH), np.uint8)
    if left >= right or top >= bottom:
        return whole
    high, wide = texture.shape[:2]
    to_card = np.diag([card_px / wide, card_px * RATIO / high, 1.0])
    to_part = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64) @ way @ to_card
    size = (int(right - left), int(bottom - top))
    smooth = cv2.GaussianBlur(texture, (0, 0), max(0.6, 0.4 * wide / card_px))
    drawn = cv2.warpPerspective(smooth, to_part, size, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(_outline(wide, high), to_part, size)
    part = image[top:bottom, left:right]
    shadow = cv2.GaussianBlur(np.roll(mask, (6, 6), (0, 1)), (0, 0), 5).astype(np.float32) / 255 * 0.35
    part *= 1 - shadow[..., None]
    share = mask.astype(np.float32)[..., None] / 255
    part += (drawn - part) * share
    whole[top:bottom, left:right] = mask
    return whole


def _sleeve(image: Field, way: NDArray[np.float64], chance: np.random.Generator) -> None:
    """Clear plastic over a card and 2 mm around it: a slight haze, light edges, and a streak of glare."""
    e, high = _SLEEVE, CARD * RATIO
    around = np.array([[[-e, -e], [CARD + e, -e], [CARD + e, high + e], [-e, high + e]]], np.float64)
    four = cv2.perspectiveTransform(around, way)[0]
    points = [np.rint(four * 16).astype(np.int32)]
    haze = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.fillPoly(haze, points, 1.0, cv2.LINE_AA, 4)
    edge = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.polylines(edge, points, isClosed=True, color=1.0, thickness=2, lineType=cv2.LINE_AA, shift=4)
    lean, middle = chance.uniform(0, math.pi), four.mean(axis=0) + chance.uniform(-CARD / 2, CARD / 2, 2)
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    across = (x - float(middle[0])) * math.cos(lean) + (y - float(middle[1])) * math.sin(lean)
    streak = np.exp(-((across / chance.uniform(8, 25)) ** 2)) * chance.uniform(0.1, 0.45)
    share = haze * np.maximum(chance.uniform(0.05, 0.12), streak) + edge * 0.2
    image += (235 - image) * share[..., None]


def _outline(wide: int, high: int) -> Picture:
    """A card with round corners."""
    mask, r = np.zeros((high, wide), np.uint8), wide // 12
    cv2.rectangle(mask, (r, 0), (wide - r - 1, high), 255, -1)
    cv2.rectangle(mask, (0, r), (wide, high - r - 1), 255, -1)
    for x, y in ((r, r), (wide - r - 1, r), (r, high - r - 1), (wide - r - 1, high - r - 1)):
        cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def _paint(image: Field, part: Field, colour: ArrayLike, soft: float) -> None:
    """Lay a colour over a part, 1 within and 0 outside, whose edges get soft by this sigma in pixels."""
    image += (np.array(colour, np.float32) - image) * cv2.GaussianBlur(part, (0, 0), soft)[..., None]


def _worn(texture: Picture, chance: np.random.Generator) -> Picture:
    """The same card after a hundred evenings."""
    high, wide = texture.shape[:2]
    card = texture.astype(np.float32)
    scratches, stains, rim = np.zeros((3, high, wide), np.float32)
    for _ in range(int(chance.integers(4, 12))):
        x, y, angle, length = chance.uniform((0, 0, 0, 15), (wide, high, math.pi, 120))
        to = (int(x + length * math.cos(angle)), int(y + length * math.sin(angle)))
        cv2.line(scratches, (int(x), int(y)), to, chance.uniform(0.2, 0.7), 1, cv2.LINE_AA)
    for _ in range(int(chance.integers(0, 3))):
        centre, axes = chance.integers((wide, high)).tolist(), chance.integers(10, 45, 2).tolist()
        cv2.ellipse(stains, centre, axes, chance.uniform(0, 180), 0, 360, chance.uniform(0.1, 0.35), -1)
    cv2.rectangle(rim, (0, 0), (wide - 1, high - 1), 0.4, int(chance.integers(2, 8)))
    _paint(card, scratches, (235, 235, 235), 0.2)
    _paint(card, stains, (60, 90, 120), 3)
    _paint(card, rim, (120, 130, 140), 2)
    return np.clip(card, 0, 255).astype(np.uint8)


def _arm(image: Field, chance: np.random.Generator) -> Picture:
    """A hand with a sleeve that comes in from the upper or the lower edge, and where it is."""
    hand, cuff = np.zeros((2, HEIGHT, WIDTH), np.float32)
    x, lean, far = chance.uniform(0.15, 0.85) * WIDTH, chance.uniform(-0.4, 0.4), int(chance.uniform(60, 300))
    edge, way = (0, 1) if chance.integers(2) else (HEIGHT, -1)
    wide, start, to = int(chance.uniform(60, 90)), (int(x), edge), (int(x + far * lean), edge + way * far)
    cv2.line(hand, start, to, 1.0, wide)
    for finger in range(-2, 3):
        cv2.line(hand, to, (int(to[0] + 75 * (lean + finger * 0.22)), to[1] + way * 75), 1.0, 17)
    cv2.line(cuff, start, (int(x + far * lean / 2), edge + way * far // 2), 1.0, wide + 16)
    _paint(image, hand, chance.uniform((90, 110, 150), (160, 180, 225)), 1)
    _paint(image, cuff, chance.uniform(20, 200, 3), 1)
    return (255 * np.maximum(hand, cuff)).astype(np.uint8)


def _moved(image: Field, px: float, angle: float) -> Field:
    """What a camera sees that moves this far in this direction meanwhile."""
    middle = math.ceil(px / 2)
    line = np.zeros((2 * middle + 1, 2 * middle + 1), np.float32)
    x, y = round(px / 2 * math.cos(angle)), round(px / 2 * math.sin(angle))
    cv2.line(line, (middle - x, middle - y), (middle + x, middle + y), 1.0, 1, cv2.LINE_AA)
    return np.asarray(cv2.filter2D(image, -1, line / line.sum()), np.float32)


def _taken(image: Field, chance: np.random.Generator, look: Look) -> Picture:
    """What the camera makes of it: focus, movement, light, reflections, tint, noise and JPEG."""
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), chance.uniform(*look.soft)), np.float32)
    if look.moved_px >= 1:
        image = _moved(image, look.moved_px, chance.uniform(0, math.pi))
    x = np.linspace(0, 1, WIDTH, dtype=np.float32)[None]
    y = np.linspace(0, 1, HEIGHT, dtype=np.float32)[:, None]
    light = chance.uniform(0.55, 1.0) + chance.uniform(-0.25, 0.25) * x + chance.uniform(-0.2, 0.2) * y
    glare = np.zeros((HEIGHT, WIDTH), np.float32)
    for lamp in range(look.lamps):
        strong = chance.uniform(0, 60) if lamp == 0 else chance.uniform(60, 160)
        size = (120 if lamp == 0 else chance.uniform(25, 70)) / WIDTH
        gx, gy = chance.uniform(0, 1), chance.uniform(0, 1)
        across = np.exp(-((x - gx) ** 2) / np.float32(2 * size**2))
        down = np.exp(-(((y - gy) * HEIGHT / WIDTH) ** 2) / np.float32(2 * size**2))
        glare += np.float32(strong) * down * across
    tint = np.array([chance.uniform(0.75, 1.05), 1, chance.uniform(0.95, 1.2)], np.float32)
    noise = chance.standard_normal((HEIGHT, WIDTH, 3), np.float32)
    noise *= np.float32(look.noise)
    noise += glare[..., None]
    image *= (np.maximum(light, 0.2) * look.light).astype(np.float32)[..., None]
    image *= tint
    image += noise
    whole = np.clip(image, 0, 255, out=image).astype(np.uint8)
    sent = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, 70])[1]
    return np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8)


def teach(drawn: Drawn, numbers: Collection[int] | None = None, look: Look = PLAIN_LOOK) -> TaughtDeck:
    """A deck that was shown three times, twelve cards at a time; with `numbers` only these cards of it."""
    deck = TaughtDeck(drawn.name, drawn.game)
    kinds = [number for number in drawn.kinds if numbers is None or number in numbers]
    for start in range(0, len(kinds), 12):
        for lesson in range(3):
            seed = 900 + start + 5000 * lesson
            shown = photo(grid(kinds[start : start + 12], seed), seed, drawn.face, look)
            found = find(shown.picture)
            for card in shown.cards:
                near = min(
                    found, key=lambda seen: float(np.linalg.norm(np.mean(seen.corners, 0) - card.centre))
                )
                deck.learn(drawn.code(card.number), [near.face])
    return deck
