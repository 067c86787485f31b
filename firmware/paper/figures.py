"""Small drawings that several sheets share: outlines in a circle of radius 1 around (0, 0), y downwards."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

Outline = tuple[tuple[tuple[float, float], ...], ...]
"""Pieces as `Pen.shape` takes them: where to begin, then lines to one place and curves by three."""


def polygon(corners: Sequence[tuple[float, float]]) -> Outline:
    return tuple(((x, y),) for x, y in corners)


def regular(corners: int, turn: float = 0.0) -> Outline:
    """A regular polygon with a corner on top, turned by `turn` of a full circle."""
    angles = [2 * pi * (corner / corners + turn) - pi / 2 for corner in range(corners)]
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
CROSS: Final = polygon(
    [
        (-0.34, -0.95),
        (0.34, -0.95),
        (0.34, -0.34),
        (0.95, -0.34),
        (0.95, 0.34),
        (0.34, 0.34),
        (0.34, 0.95),
        (-0.34, 0.95),
        (-0.34, 0.34),
        (-0.95, 0.34),
        (-0.95, -0.34),
        (-0.34, -0.34),
    ]
)
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
