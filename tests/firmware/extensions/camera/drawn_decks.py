"""Decks that the tests draw, with fonts that come with Pillow and reportlab: the same on every machine."""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import reportlab
from PIL import Image, ImageDraw, ImageFont

from companion.core import games
from companion.core.codes import card_code
from firmware.extensions.camera.pictures import Picture

WIDTH: Final = 266
HEIGHT: Final = 410
_BOLD: Final = str(Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf")
_UNDERLINED: Final = frozenset({6, 9, 16, 18, 61, 66, 68, 81, 86, 89, 91, 98, 99})


@cache
def _bold(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_BOLD, size)


@cache
def _thin(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def _heads(number: int) -> int:
    if number == 55:
        return 7
    return 5 if number % 11 == 0 else 3 if number % 10 == 0 else 2 if number % 5 == 0 else 1


def _array(image: Image.Image) -> Picture:
    return np.ascontiguousarray(np.asarray(image.convert("RGB"), np.uint8)[..., ::-1])


def _twice(image: Image.Image, corner: Image.Image) -> None:
    """Both ends of a card are the same."""
    for way in (corner, corner.rotate(180)):
        image.paste(way, (0, 0), way)


@cache
def beast(number: int) -> Picture:
    """In colour: the number in all corners, a beast, a large number over it."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    tint = {1: None, 2: "#8fb7d8", 3: "#c9cf5a", 5: "#c9483e", 7: "#b05ac0"}[_heads(number)]
    if tint:
        draw.rectangle((24, 56, 242, 354), fill=tint)
    left = [(133, 130), (60, 150), (20, 80), (40, 190), (90, 220), (100, 300)]
    draw.polygon([*left, *((WIDTH - x, y) for x, y in reversed(left))], fill="#5a4a98")
    corner = Image.new("RGBA", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(corner)
    pen.text((14, 8), str(number), "#6a2a70", _bold(32))
    pen.text((WIDTH - 14, 8), str(number), "#6a2a70", _bold(32), anchor="ra")
    _twice(image, corner)
    dot = "." if number in _UNDERLINED else ""
    draw.text(
        (133, 205), f"{number}{dot}", "#c9a6cf", _bold(86), anchor="mm", stroke_width=5, stroke_fill="#1c1430"
    )
    return _array(image)


@cache
def plain(number: int) -> Picture:
    """Grey: all cards differ in nothing but the number, which has a line below where it could be turned."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "#f4f2ee")
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((12, 12, WIDTH - 13, HEIGHT - 13), 14, outline="#8a8a88", width=3)
    corner = Image.new("RGBA", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(corner)
    pen.text((24, 20), str(number), "#444444", _thin(40))
    if number in _UNDERLINED:
        pen.line((26, 64, 24 + pen.textlength(str(number), _thin(40)), 64), "#444444", 3)
    _twice(image, corner)
    draw.text((133, 200), str(number), "#333333", _thin(110), anchor="mm")
    if number in _UNDERLINED:
        draw.line((95, 262, 171, 262), "#333333", 6)
    return _array(image)


_COLOURS: Final = {"g": "#3f9a4a", "y": "#e2b52c", "r": "#c43a34"}


def _star(centre: tuple[float, float], points: int, outer: float, inner: float) -> list[tuple[float, float]]:
    x, y = centre
    return [
        (x + radius * math.sin(math.pi * at / points), y - radius * math.cos(math.pi * at / points))
        for at in range(2 * points)
        for radius in (outer if at % 2 == 0 else inner,)
    ]


def _symbol(draw: ImageDraw.ImageDraw, name: str, centre: tuple[int, int], size: int, ink: str) -> None:
    x, y = centre
    if name == "R":
        draw.polygon(_star(centre, 5, size, size * 0.8), fill=ink)
    elif name == "P":
        draw.rectangle((x - 0.7 * size, y - size, x + 0.7 * size, y + size), fill=ink)
        for at in (-0.5, 0.0, 0.5):
            draw.line((x - size / 2, y + at * size, x + size / 2, y + at * size), "white", max(2, size // 10))
    elif name == "S":
        draw.line((x - size, y - size, x + 0.6 * size, y + size), ink, max(3, size // 4))
        draw.line((x + size, y - size, x - 0.6 * size, y + size), ink, max(3, size // 4))
        for side in (-1, 1):
            ring = (x + side * 0.6 * size - 0.3 * size, y + 0.6 * size, x + side * 0.6 * size + 0.3 * size)
            draw.ellipse((*ring, y + 1.2 * size), outline=ink, width=max(3, size // 8))
    else:
        draw.polygon(_star(centre, 7, size, size * 0.45), fill=ink)


@cache
def ciao(number: int) -> Picture:
    """Ciao!: a symbol in the card's colour, its worth as dots, its icon; copies look alike."""
    kind = games.module("ciao").DECK[number - 1].partition("#")[0]
    name, _, icon = kind.partition(":")
    image = Image.new("RGB", (WIDTH, HEIGHT), "#fbf7ea")
    draw = ImageDraw.Draw(image)
    if name == "T":
        draw.rectangle((18, 18, WIDTH - 19, HEIGHT - 19), fill="#38343c")
        draw.polygon(_star((133, 205), 9, 90, 40), fill="#d8d0dc")
        return _array(image)
    ink = _COLOURS[name[0]]
    draw.rounded_rectangle((14, 14, WIDTH - 15, HEIGHT - 15), 18, outline=ink, width=9)
    _symbol(draw, name[1], (133, 205), 70, ink)
    corner = Image.new("RGBA", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(corner)
    for at in range(1 + "gyr".index(name[0])):
        pen.ellipse((34 + 20 * at, 34, 48 + 20 * at, 48), fill=ink)
    _symbol(pen, name[1], (50, 80), 18, ink)
    if icon:
        pen.text((WIDTH - 34, 30), icon, "#2a2a2a", _bold(30), anchor="ra")
    _twice(image, corner)
    return _array(image)


class Drawn:
    """A deck that is drawn: its faces by the codes of its cards."""

    def __init__(self, name: str, game: str, face: Callable[[int], Picture]) -> None:
        module = games.module(game)
        self.name, self.game, self.face = name, game, face
        self.numbers = range(1, len(module.DECK) + 1)
        self._cards, self._code = module.DECK, module.CODE

    def code(self, number: int) -> str:
        """The code of a card; of copies that look alike, that of the first."""
        kind = self._cards[number - 1].partition("#")[0]
        first = next(at for at, card in enumerate(self._cards, 1) if card.partition("#")[0] == kind)
        return card_code(self._code, first)

    @property
    def kinds(self) -> list[int]:
        """The numbers of the cards that look different."""
        return [number for number in self.numbers if self.code(number) == card_code(self._code, number)]


BEAST: Final = Drawn("beast", "six", beast)
PLAIN: Final = Drawn("plain", "six", plain)
CIAO: Final = Drawn("ciao", "ciao", ciao)
DECKS: Final = (BEAST, PLAIN, CIAO)
