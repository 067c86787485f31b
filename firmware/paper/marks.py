"""The ten badges: each has its own number, colour and shape, so that nobody needs colours to read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.text.sentence import Text, say
from companion.values import Value
from firmware.paper import figures

if TYPE_CHECKING:
    from firmware.paper.figures import Outline


class Mark(Value):
    """A badge's looks; `name` is its name at the table."""

    number: int
    colour: str
    shape: Outline
    name: Text


MARKS: Final = (
    Mark(1, "#c1121f", figures.CIRCLE, say("Red circle")),
    Mark(2, "#1b4f9c", figures.SQUARE, say("Blue square")),
    Mark(3, "#2b7a3d", figures.regular(3), say("Green triangle")),
    Mark(4, "#e0a100", figures.star(5, 0.42), say("Yellow star")),
    Mark(5, "#1c1c1c", figures.CROSS, say("Black cross")),
    Mark(6, "#d65a00", figures.regular(4), say("Orange diamond")),
    Mark(7, "#6d3a9c", figures.MOON, say("Purple moon")),
    Mark(8, "#1e96c8", figures.DROP, say("Sky-blue drop")),
    Mark(9, "#d1548e", figures.HEART, say("Pink heart")),
    Mark(10, "#6f4a2c", figures.regular(6), say("Brown hexagon")),
)
