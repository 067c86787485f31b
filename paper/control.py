"""The control sheet: every command code, so that the whole device works with a scanner alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.codes import Verb, command_code
from companion.text import say
from paper import frame
from paper.errors import BadOrder
from paper.orders import GROUPS
from paper.pen import FAINT, RULE, Type
from paper.sizes import ENLARGED, largest
from paper.stock import Box
from paper.symbols import BARS_MM, Code, symbol

if TYPE_CHECKING:
    from paper.orders import Order
    from paper.pen import Pen

GAP: Final = 2.5
HEADING: Final = 10.0
TALLEST: Final = 31.0
BESIDE: Final = 23.0
"""The least width for the words beside a code, in mm."""
BELOW: Final = 10.5
"""The height of the words below bars, in mm."""

_NAME: Final = Type(10.5, bold=True)
_DOES: Final = Type(8, colour=FAINT)
_TEXT: Final = Type(5.5, colour=FAINT)


def draw(pen: Pen, code: Code, module: float) -> None:
    """All commands on one page, in groups; their codes are at least as large as asked.

    Raises `BadOrder` where the codes are too large for the page.
    """
    said = say("Scan a code instead of pressing a key. Lay a hand over its neighbours.")
    room = frame.page(pen, say("Control sheet"), said)
    module, (columns, wide, tall) = _largest(room, code, module)
    y = room.y
    for group in GROUPS:
        y = frame.heading(pen, group.title, room.x, y, room.width)
        for place, order in enumerate(group.orders):
            column, line = place % columns, place // columns
            box = Box(room.x + column * (wide + GAP), y + line * (tall + GAP), wide, tall)
            _order(pen, box, order, code, module)
        y += -(-len(group.orders) // columns) * (tall + GAP) + HEADING - 7.0


def _largest(room: Box, code: Code, module: float) -> tuple[float, tuple[int, float, float]]:
    """The module of the commands and the layout that it allows."""
    most = module if code is Code.CODE128 else module * ENLARGED
    found = largest(most, lambda size: _layout(room, code, size) is not None, module)
    layout = _layout(room, code, found) if found else None
    if found is None or layout is None:
        raise BadOrder(
            f"a {code.title} of {module:.2f} mm modules is too large for the control sheet",
            f"use a smaller --module; usual is {code.usual_mm:.2f}",
        )
    return found, layout


def _layout(room: Box, code: Code, module: float) -> tuple[int, float, float] | None:
    """How many columns, and the width and height of a field; None if the page is too small for it."""
    made = [symbol(code, command_code(verb)) for verb in Verb]
    size = max(one.width_mm(module) for one in made)
    bars = code is Code.CODE128
    need = size + 3.0 + (0.0 if bars else BESIDE)
    columns = min(4, int((room.width + GAP) / (need + GAP)))
    if columns:
        lines = sum(-(-len(group.orders) // columns) for group in GROUPS)
        tall = min(TALLEST, (room.height - len(GROUPS) * HEADING) / lines - GAP)
        if tall >= (BELOW + BARS_MM + 3.0 if bars else size + 5.5):
            return columns, (room.width - (columns - 1) * GAP) / columns, tall
    return None


def _order(pen: Pen, box: Box, order: Order, code: Code, module: float) -> None:
    pen.box(box, stroke=RULE, round_mm=1.5)
    made = symbol(code, command_code(order.verb))
    inner = box.inset(1.5)
    size = made.width_mm(module)
    if code is Code.CODE128:
        tall = inner.height - BELOW
        pen.symbol(made, (box.x + (box.width - size) / 2, inner.y), module, tall)
        y = inner.y + tall
        pen.text(order.name, (inner.x + 1, y + 4.2), _NAME, fit=inner.width - 18)
        pen.text(made.text, (inner.x + inner.width - 1, y + 4.0), _TEXT, align="right")
        pen.text(order.does, (inner.x + 1, y + 8.6), _DOES, fit=inner.width - 2)
        return
    top = inner.y + (inner.height - size - 3.0) / 2
    pen.symbol(made, (inner.x, top), module)
    pen.text(made.text, (inner.x + module, top + size + 2.4), _TEXT)
    x = inner.x + max(size + 2.0, 15.0)
    wide = inner.x + inner.width - x
    lines = pen.lines(order.does, wide, _DOES)
    y = inner.y + (inner.height - 6.0 - lines * _DOES.leading) / 2
    pen.text(order.name, (x, y + _NAME.capital), _NAME, fit=wide)
    pen.paragraph(order.does, (x, y + 6.0), wide, _DOES)
