"""The pictures within texts: private characters, drawn here as outlines because no font has them."""

from __future__ import annotations

from typing import Final

from companion.text.sentence import BULL, PAPER, ROCK, SCISSORS
from firmware.paper import figures
from firmware.paper.figures import Outline, placed, polygon

ADVANCE: Final = 0.92
"""How far a picture moves the text on, in parts of the letters' size."""
RADIUS: Final = 0.42
"""Half its height, likewise."""


def _hollow(outer: Outline, inner: Outline) -> Outline:
    """An outline with a hole: `inner` runs the other way round and is reached over a seam."""
    return (*outer, outer[0], *inner, inner[0])


def _backwards(outline: Outline) -> Outline:
    """The same outline, drawn the other way round."""
    places = [place for piece in outline for place in piece]
    places.reverse()
    back: list[tuple[tuple[float, float], ...]] = [(places[0],)]
    at = 1
    for piece in reversed(outline[1:]):
        back.append(tuple(places[at : at + len(piece)]))
        at += len(piece)
    return tuple(back)


_RING: Final = _hollow(figures.CIRCLE, _backwards(placed(figures.CIRCLE, (0.0, 0.0), 0.52)))
_BLADE: Final = polygon([(-0.72, -0.98), (-0.42, -1.0), (0.3, 0.3), (0.08, 0.42)])
_OTHER_BLADE: Final = polygon([(0.72, -0.98), (0.42, -1.0), (-0.3, 0.3), (-0.08, 0.42)])
_SHEET: Final = polygon([(-0.7, -1.0), (0.25, -1.0), (0.7, -0.5), (0.7, 1.0), (-0.7, 1.0)])
_INNER: Final = polygon([(-0.48, -0.78), (-0.48, 0.78), (0.48, 0.78), (0.48, -0.38), (0.14, -0.78)])

PICTURES: Final[dict[str, tuple[Outline, ...]]] = {
    BULL: (figures.BULL,),
    ROCK: (
        polygon(
            [
                (-0.95, 0.6),
                (-0.8, -0.1),
                (-0.35, -0.65),
                (0.25, -0.75),
                (0.7, -0.35),
                (0.95, 0.3),
                (0.8, 0.8),
                (-0.75, 0.8),
            ]
        ),
    ),
    PAPER: (_hollow(_SHEET, _INNER),),
    SCISSORS: (
        _BLADE,
        _OTHER_BLADE,
        placed(_RING, (-0.46, 0.62), 0.38),
        placed(_RING, (0.46, 0.62), 0.38),
    ),
}
