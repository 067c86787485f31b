"""Ten badges of the size of a bank card: number, colour, shape, code, and a line for a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.codes import badge_code
from companion.text import say
from paper import frame
from paper.errors import InvalidRequest
from paper.figures import placed
from paper.marks import MARKS
from paper.pen import FAINT, INK, RULE, WHITE, Type
from paper.sizes import ENLARGED, largest
from paper.stock import Box
from paper.symbols import Code, symbol

if TYPE_CHECKING:
    from paper.marks import Mark
    from paper.pen import Pen

SIZE: Final = (85.0, 45.0)
FIELD: Final = 30.0
"""The width of the coloured field on the left."""
WIDEST: Final = {Code.DATAMATRIX: 18.0, Code.QR: 18.0, Code.CODE128: 43.0}
"""How wide a code may be: a square one is beside the number, bars are below it."""


def draw(pen: Pen, code: Code, module: float) -> None:
    """All badges on one page, to be cut out; their codes are at least as large as asked.

    Raises `InvalidRequest` where the codes are too large for them.
    """
    said = say("Cut out, hand out, scan to join. The device asks “who?”: scan your badge.")
    room = frame.page(pen, say("Player badges"), said)
    columns = max(symbol(code, badge_code(mark.number)).columns for mark in MARKS)
    most = module if code is Code.CODE128 else module * ENLARGED
    found = largest(most, lambda size: columns * size <= WIDEST[code], module)
    if found is None:
        raise InvalidRequest(
            say(
                "a {code} of {module} mm modules is {width} mm wide; a badge has room for {room} mm",
                code=code.title,
                module=f"{module:.2f}",
                width=f"{columns * module:.1f}",
                room=f"{WIDEST[code]:.0f}",
            ),
            say("use --module {module} or smaller", module=f"{WIDEST[code] / columns - 0.005:.2f}"),
        )
    module = found
    wide, tall = SIZE
    left = (pen.paper.width - 2 * wide) / 2
    top = room.y + (room.height - 5 * tall) / 2
    for place, mark in enumerate(MARKS):
        column, row = place % 2, place // 2
        _badge(pen, Box(left + column * wide, top + row * tall, wide, tall), mark, code, module)
    _cutting_marks(pen, left, top)


def _cutting_marks(pen: Pen, left: float, top: float) -> None:
    wide, tall = SIZE
    for x in (left, left + wide, left + 2 * wide):
        pen.line((x, top - 3.5), (x, top - 1), width=0.15, colour=FAINT)
        pen.line((x, top + 5 * tall + 1), (x, top + 5 * tall + 3.5), width=0.15, colour=FAINT)
    for row in range(6):
        y = top + row * tall
        pen.line((left - 3.5, y), (left - 1, y), width=0.15, colour=FAINT)
        pen.line((left + 2 * wide + 1, y), (left + 2 * wide + 3.5, y), width=0.15, colour=FAINT)


def _badge(pen: Pen, box: Box, mark: Mark, code: Code, module: float) -> None:
    inner = box.inset(1.8)
    pen.box(inner, stroke=RULE, round_mm=3.0)
    field = Box(inner.x + 1.5, inner.y + 1.5, FIELD, inner.height - 3.0)
    pen.box(field, fill=mark.colour, round_mm=2.0)
    middle = (field.x + field.width / 2, field.y + field.height / 2)
    pen.shape(placed(mark.shape, middle, 12.5), fill=WHITE)
    x = field.x + FIELD + 4.0
    right = inner.x + inner.width - 2.5
    made = symbol(code, badge_code(mark.number))
    size = made.width_mm(module)
    if code is Code.CODE128:
        pen.text(str(mark.number), (x, inner.y + 13.0), Type(30, bold=True, colour=INK))
        pen.text(mark.name, (right, inner.y + 13.0), Type(10, colour=INK), align="right", fit=right - x - 14)
        pen.symbol(made, (x + (right - x - size) / 2, inner.y + 16.5), module, 9.5)
    else:
        pen.text(str(mark.number), (x, inner.y + 15.5), Type(40, bold=True, colour=INK))
        pen.text(mark.name, (x, inner.y + 29.0), Type(10, colour=INK), fit=right - x)
        pen.symbol(made, (right - size, inner.y + 2.0), module)
        pen.text(
            made.text, (right - module, inner.y + 2.0 + size + 2.0), Type(5.5, colour=FAINT), align="right"
        )
    pen.line(
        (x, inner.y + inner.height - 5.0), (right, inner.y + inner.height - 5.0), width=0.25, colour=RULE
    )
    pen.text(say("name (optional)"), (x, inner.y + inner.height - 2.4), Type(5.5, colour=FAINT))
