"""Small drawings that several sheets share: outlines in a circle of radius 1 around (0, 0), y downwards."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from companion.text import sentence

Outline = tuple[tuple[tuple[float, float], ...], ...]
"""Pieces as `Pen.shape` takes them: where to begin, then lines to one place and curves by three."""


def polygon(corners: Sequence[tuple[float, float]]) -> Outline:
    return tuple(((x, y),) for x, y in corners)


def regular(corners: int) -> Outline:
    """A regular polygon with a corner on top."""
    angles = [2 * pi * corner / corners - pi / 2 for corner in range(corners)]
    return polygon([(cos(angle), sin(angle)) for angle in angles])


def star(points: int, inner: float) -> Outline:
    """A star with a point on top; `inner` is the radius of the notches."""
    corners = []
    for number in range(2 * points):
        angle = pi * number / points - pi / 2
        radius = inner if number % 2 else 1.0
        corners.append((radius * cos(angle), radius * sin(angle)))
    return polygon(corners)


def placed(outline: Outline, centre: tuple[float, float], radius: float) -> Outline:
    return tuple(
        tuple((centre[0] + x * radius, centre[1] + y * radius) for x, y in piece) for piece in outline
    )


_K: Final = 0.5523  # how far the handles of a Bezier curve reach for a quarter of a circle

CIRCLE: Final[Outline] = (
    ((0.0, -1.0),),
    ((_K, -1.0), (1.0, -_K), (1.0, 0.0)),
    ((1.0, _K), (_K, 1.0), (0.0, 1.0)),
    ((-_K, 1.0), (-1.0, _K), (-1.0, 0.0)),
    ((-1.0, -_K), (-_K, -1.0), (0.0, -1.0)),
)
HEART: Final[Outline] = (
    ((0.0, 0.95),),
    ((-0.35, 0.6), (-1.0, 0.15), (-1.0, -0.35)),
    ((-1.0, -1.0), (-0.2, -1.0), (0.0, -0.42)),
    ((0.2, -1.0), (1.0, -1.0), (1.0, -0.35)),
    ((1.0, 0.15), (0.35, 0.6), (0.0, 0.95)),
)
MOON: Final[Outline] = (
    ((0.65, -0.94),),
    ((-0.05, -1.1), (-0.7, -0.65), (-0.7, 0.0)),
    ((-0.7, 0.65), (-0.05, 1.1), (0.65, 0.94)),
    ((0.2, 0.75), (-0.1, 0.4), (-0.1, 0.0)),
    ((-0.1, -0.4), (0.2, -0.75), (0.65, -0.94)),
)
DROP: Final[Outline] = (
    ((0.0, -1.05),),
    ((0.2, -0.55), (0.72, -0.05), (0.72, 0.3)),
    ((0.72, 0.72), (0.38, 1.0), (0.0, 1.0)),
    ((-0.38, 1.0), (-0.72, 0.72), (-0.72, 0.3)),
    ((-0.72, -0.05), (-0.2, -0.55), (0.0, -1.05)),
)
CROSS: Final = polygon([
    (-0.34, -0.95), (0.34, -0.95), (0.34, -0.34), (0.95, -0.34), (0.95, 0.34), (0.34, 0.34),
    (0.34, 0.95), (-0.34, 0.95), (-0.34, 0.34), (-0.95, 0.34), (-0.95, -0.34), (-0.34, -0.34),
])  # fmt: skip
SQUARE: Final = polygon([(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)])
ARROW: Final = polygon(
    [(-1.0, -0.22), (0.2, -0.22), (0.2, -0.6), (1.0, 0.0), (0.2, 0.6), (0.2, 0.22), (-1.0, 0.22)]
)
BULL: Final[Outline] = (
    ((-1.0, -0.85),),
    ((-1.12, -0.35), (-0.85, -0.12), (-0.48, -0.16)),
    ((-0.46, 0.25), (-0.34, 0.45), (-0.3, 0.68)),
    ((-0.24, 0.98), (0.24, 0.98), (0.3, 0.68)),
    ((0.34, 0.45), (0.46, 0.25), (0.48, -0.16)),
    ((0.85, -0.12), (1.12, -0.35), (1.0, -0.85)),
    ((0.86, -0.55), (0.65, -0.46), (0.36, -0.5)),
    ((0.15, -0.56), (-0.15, -0.56), (-0.36, -0.5)),
    ((-0.65, -0.46), (-0.86, -0.55), (-1.0, -0.85)),
)
"""The head of an ox, from the front."""


ADVANCE: Final = 0.92
"""How far a picture moves the text on, in parts of the letters' size."""
RADIUS: Final = 0.42
"""Half its height, likewise."""


def _hollow(outer: Outline, inner: Outline) -> Outline:
    """An outline with a hole: `inner` runs the other way round and is reached over a seam."""
    return (*outer, outer[0], *inner, inner[0])


_RING: Final = _hollow(CIRCLE, tuple(tuple((-0.52 * x, 0.52 * y) for x, y in piece) for piece in CIRCLE))
_BLADE: Final = polygon([(-0.72, -0.98), (-0.42, -1.0), (0.3, 0.3), (0.08, 0.42)])
_OTHER_BLADE: Final = polygon([(0.72, -0.98), (0.42, -1.0), (-0.3, 0.3), (-0.08, 0.42)])
_SHEET: Final = polygon([(-0.7, -1.0), (0.25, -1.0), (0.7, -0.5), (0.7, 1.0), (-0.7, 1.0)])
_INNER: Final = polygon([(-0.48, -0.78), (-0.48, 0.78), (0.48, 0.78), (0.48, -0.38), (0.14, -0.78)])

_ROCK: Final = polygon([
    (-0.95, 0.6), (-0.8, -0.1), (-0.35, -0.65), (0.25, -0.75), (0.7, -0.35), (0.95, 0.3), (0.8, 0.8),
    (-0.75, 0.8),
])  # fmt: skip

PICTURES: Final[dict[str, tuple[Outline, ...]]] = {
    sentence.BULL: (BULL,),
    sentence.ROCK.character: (_ROCK,),
    sentence.PAPER.character: (_hollow(_SHEET, _INNER),),
    sentence.SCISSORS.character: (
        _BLADE,
        _OTHER_BLADE,
        placed(_RING, (-0.46, 0.62), 0.38),
        placed(_RING, (0.46, 0.62), 0.38),
    ),
}
"""The pictures within texts: private characters, drawn as outlines because no font has them."""
