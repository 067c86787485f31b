"""Where a label goes on a card, why, and a corner guide that puts each label in the same place."""

from typing import Final

from companion.text.sentence import say
from companion.values import replace
from firmware.paper import frame
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WASH, WHITE, Pen, Type
from firmware.paper.stock import Box, Grid

_BODY: Final = Type(10.5)
_GOOD: Final = "#2b7a3d"
_CARD: Final = (34.0, 52.0)
_LABEL: Final = (12.0, 6.6)
CARD_WIDTH: Final = 56.0
"""Cards of about this width get their label in the middle; on others it sits a little beside it."""

_REASONS: Final = (
    say("Nobody can tell a card by its feel, its edge or its place in the pile: all are alike."),
    say("Nobody can recognise it from the back. A mark on the back shows your card to the whole table."),
    say("Your hand learns one movement: you show every code to the scanner in the same way."),
)
_STEPS: Final = (
    say("Turn all cards face up, the same way round, in order: the labels are in that order."),
    say("Find a place that covers no number or symbol that players need. Try it with a fan of ten cards."),
    say("Label three cards, let the device read them, play a turn with them. Then do the rest."),
    say(
        "Use opaque, thin, matt labels from one pack. Sleeves with an opaque back hide even their thickness."
    ),
    say("Plain paper works too: put it into the sleeve, in front of the card. No glue, no damage."),
)
_CORNER: Final = (
    say("Print at 100%. Glue two strips of cardboard along the thick lines, on the outside."),
    say("Push every card into the corner, face up, the same way round."),
    say("The red lines show where the label goes: imagine them continuing across the card."),
)


def draw(pen: Pen, grid: Grid) -> None:
    """One page for plain paper; the corner on it is drawn for labels of that grid."""
    said = say("On the face, in the same place on every card. Never on the back.")
    room = frame.page(pen, say("Where the labels go"), said)
    with pen.literal():
        y = _pictures(pen, room)
    y = frame.heading(pen, say("Why the same place on every card"), room.x, y, room.width)
    y = frame.numbered(pen, _REASONS, replace(room, y=y), _BODY, 1.0) + 2.5
    y = frame.heading(pen, say("How"), room.x, y, room.width)
    y = frame.numbered(pen, _STEPS, replace(room, y=y), _BODY, 1.0) + 2.5
    y = frame.heading(pen, say("A corner guide for sticking labels"), room.x, y, room.width)
    with pen.literal():
        _corner(pen, Box(room.x, y, room.width, room.y + room.height - y), grid)


def _pictures(pen: Pen, room: Box) -> float:
    wide, tall = _CARD
    step = room.width / 3
    low = (11.0, tall - 9.6)
    captions = (say("Right: on the face"), say("Wrong: on the back"), say("Wrong: different places"))
    for number, caption in enumerate(captions):
        x = room.x + number * step + (step - wide) / 2
        if number == 0:
            _face(pen, x, room.y, low)
        elif number == 1:
            _back(pen, x, room.y)
        else:
            _face(pen, x - 13.0, room.y, (0.5, 30.0), covered=True)
            _face(pen, x, room.y, (0.5, 9.0), covered=True)
            _face(pen, x + 13.0, room.y, low)
        look = Type(10, bold=True, colour=ACCENT if number else _GOOD)
        middle = x + wide / 2
        long = look.width(pen.words(caption))
        pen.text(caption, (middle + 2.5, room.y + tall + 6.6), look, align="center")
        _sign(pen, (middle - long / 2 - 3.0, room.y + tall + 5.2), good=number == 0)
    return room.y + tall + 12.0


def _face(pen: Pen, x: float, y: float, label: tuple[float, float], *, covered: bool = False) -> None:
    """A card with its label; of a `covered` one only the left edge is visible."""
    wide, tall = _CARD
    pen.box(Box(x, y, wide, tall), fill=WHITE, stroke=INK, width=0.35, round_mm=2.5)
    small = Type(7.5, bold=True, colour=FAINT)
    for dx in (3.0,) if covered else (3.0, wide - 6.6):
        for dy in (5.4, tall - 3.2):
            pen.text("27", (x + dx, y + dy), small)
    if not covered:
        pen.text("27", (x + wide / 2, y + tall / 2 + 3.2), Type(28, bold=True, colour=FAINT), align="center")
    left, top = x + label[0], y + label[1]
    pen.box(Box(left, top, *_LABEL), fill=WHITE, stroke=INK, width=0.3)
    for row in range(4):
        for column in range(4):
            if (row * 3 + column * 5) % 4 != 1:
                pen.box(Box(left + 1.2 + column * 1.05, top + 1.2 + row * 1.05, 1.05, 1.05), fill=INK)
    pen.text("27", (left + 9.0, top + 4.3), Type(7, bold=True), align="center")


def _back(pen: Pen, x: float, y: float) -> None:
    wide, tall = _CARD
    pen.box(Box(x, y, wide, tall), fill=WHITE, stroke=INK, width=0.35, round_mm=2.5)
    pen.box(Box(x + 2, y + 2, wide - 4, tall - 4), fill=WASH, stroke=RULE, round_mm=1.5)
    for row in range(9):
        for column in range(6):
            pen.circle((x + 5.2 + column * 4.7, y + 6.0 + row * 5.0), 0.7, fill=RULE)
    label = Box(x + (wide - _LABEL[0]) / 2, y + (tall - _LABEL[1]) / 2, *_LABEL)
    pen.box(label, fill=WHITE, stroke=INK, width=0.3)
    left, right, top, low = x + 5, x + wide - 5, y + 9, y + tall - 9
    pen.line((left, top), (right, low), width=1.3, colour=ACCENT)
    pen.line((right, top), (left, low), width=1.3, colour=ACCENT)


def _sign(pen: Pen, at: tuple[float, float], *, good: bool) -> None:
    x, y = at
    if good:
        pen.line((x, y + 0.2), (x + 1.2, y + 1.4), width=0.7, colour=_GOOD)
        pen.line((x + 1.2, y + 1.4), (x + 3.2, y - 1.2), width=0.7, colour=_GOOD)
    else:
        pen.line((x, y - 1.1), (x + 2.6, y + 1.4), width=0.7, colour=ACCENT)
        pen.line((x, y + 1.4), (x + 2.6, y - 1.1), width=0.7, colour=ACCENT)


def _corner(pen: Pen, room: Box, grid: Grid) -> None:
    """The corner of a card at actual size, with lines that continue where the card covers them."""
    x, low = room.x + 8.0, min(room.y + grid.height + 14.0, room.y + room.height - 5.0)
    high, bottom = low - 4.0 - grid.height, low - 4.0
    left = x + max(2.0, (CARD_WIDTH - grid.width) / 2)
    pen.line((x, low), (x + CARD_WIDTH + 8, low), width=0.8, colour=INK)
    pen.line((x, low), (x, room.y), width=0.8, colour=INK)
    for edge in (left, left + grid.width):
        pen.line((edge, low + 0.6), (edge, low + 5.0), width=0.3, colour=ACCENT)
    for edge in (high, bottom):
        pen.line((x - 0.6, edge), (x - 5.0, edge), width=0.3, colour=ACCENT)
    pen.box(Box(left, high, grid.width, grid.height), stroke=RULE, width=0.3)
    text_x = x + CARD_WIDTH + 16
    y = room.y
    for text in _CORNER:
        y = pen.paragraph(text, (text_x, y), room.x + room.width - text_x, Type(9.5)) + 1.2
