"""What full pages have in common: a title, a line that shows whether the scale is right, headings, lists."""

from collections.abc import Sequence
from typing import Final

from companion.text.sentence import Text, say
from firmware.paper.figures import BULL, placed
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, Pen, Place, Type
from firmware.paper.stock import Box

SIDE: Final = 16.0
"""Left and right of the content, in mm."""
HEAD: Final = 32.0
"""From the upper edge to the content."""
FOOT: Final = 12.0
"""From the lower edge to the line of the scale."""
SCALE_MM: Final = 50.0

_TITLE: Final = Type(21, bold=True)
_UNDER: Final = Type(9.5, colour=FAINT)
_SMALL: Final = Type(7, colour=FAINT)


def page(pen: Pen, title: Text, under: Text) -> Box:
    """Begin a page with its title and foot; gives the room in between."""
    pen.page()
    wide = pen.paper.width
    pen.text(title, (SIDE, 19), _TITLE)
    pen.text(under, (SIDE, 24.6), _UNDER, fit=wide - 2 * SIDE)
    pen.shape(placed(BULL, (wide - SIDE - 4.5, 14.6), 4.5), fill=ACCENT)
    pen.line((SIDE, 27.6), (wide - SIDE, 27.6), width=0.25, colour=RULE)
    pen.line((SIDE, 27.6), (SIDE + 24, 27.6), width=0.9, colour=ACCENT)
    low = pen.paper.height - FOOT
    scale(pen, SIDE, low)
    pen.text("nimmt-companion", (wide - SIDE, low + 0.8), _SMALL, align="right")
    return room(pen)


def room(pen: Pen) -> Box:
    """The room for the content of a page."""
    return Box(SIDE, HEAD, pen.paper.width - 2 * SIDE, pen.paper.height - FOOT - 5.0 - HEAD)


def scale(pen: Pen, x: float, y: float) -> None:
    """The line to measure with a ruler."""
    pen.line((x, y), (x + SCALE_MM, y), width=0.3, colour=INK)
    for tick in range(0, 51, 10):
        tall = 1.6 if tick % 50 == 0 else 0.9
        pen.line((x + tick, y - tall), (x + tick, y + tall), width=0.3, colour=INK)
    words = say("This line is {length} mm long. If not, print at 100% (“actual size”).", length=int(SCALE_MM))
    pen.text(words, (x + SCALE_MM + 3, y + 0.8), _SMALL)


def heading(pen: Pen, said: Text, x: float, y: float, width: float) -> float:
    """A heading with a line below it, its upper edge at `y`; gives where the content begins."""
    look = Type(11, bold=True, colour=ACCENT)
    pen.text(said, (x, y + look.capital), look)
    pen.line((x, y + 4.6), (x + width, y + 4.6), colour=RULE)
    return y + 7.0


def cutting_marks(pen: Pen, xs: Sequence[float], ys: Sequence[float]) -> None:
    """Ticks for a guillotine, around a field that is cut along these lines."""
    for x in xs:
        pen.line((x, ys[0] - 3.5), (x, ys[0] - 1), width=0.15, colour=FAINT)
        pen.line((x, ys[-1] + 1), (x, ys[-1] + 3.5), width=0.15, colour=FAINT)
    for y in ys:
        pen.line((xs[0] - 3.5, y), (xs[0] - 1, y), width=0.15, colour=FAINT)
        pen.line((xs[-1] + 1, y), (xs[-1] + 3.5, y), width=0.15, colour=FAINT)


def numbered(pen: Pen, texts: Sequence[Text], room: Box, look: Type, gap: float) -> float:
    """Paragraphs with their numbers, `gap` mm between them; gives where the next thing begins."""
    y, bold = room.y, Type(look.size, bold=True, colour=ACCENT)
    for number, text in enumerate(texts, start=1):
        pen.text(say("{row}", row=number), (room.x + 1, y + look.capital), bold)
        y = pen.paragraph(text, (room.x + 6, y), room.width - 6, look) + gap
    return y


def beside(pen: Pen, said: Text, at: Place, width: float, look: Type) -> None:
    """A paragraph whose middle is at the height of `at`."""
    lines = pen.lines(said, width, look)
    tall = (lines - 1) * look.leading + look.capital
    pen.paragraph(said, (at[0], at[1] - tall / 2), width, look)
