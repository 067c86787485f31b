"""The control sheet: every control code, so that the whole device works with a scanner alone."""

from __future__ import annotations

from typing import Final

from companion.core.codes import Control, control_code
from companion.text.sentence import Decimals, say
from companion.values import Value
from firmware.paper import frame
from firmware.paper.control_codes import GROUPS, ControlEntry, Group
from firmware.paper.pen import FAINT, RULE, Pen, Type
from firmware.paper.stock import ENLARGED, Box, InvalidRequest, largest
from firmware.paper.symbols import BARS_MM, CodeKind, symbol

GAP: Final = 2.5
HEADING: Final = 10.0
TALLEST: Final = 31.0
"""The height of a field where there is room, in mm, and the most that one may need."""
BESIDE: Final = 23.0
"""The least width for the words beside a code, in mm."""
BELOW: Final = 10.5
"""The height of the words below bars, in mm."""

_NAME: Final = Type(10.5, bold=True)
_DOES: Final = Type(8, colour=FAINT)
_TEXT: Final = Type(5.5, colour=FAINT)


class _Layout(Value):
    """The layout of the fields: columns, and their size in mm; `pages` is how many sheets are needed."""

    columns: int
    wide: float
    tall: float
    pages: int

    def height(self, group: Group) -> float:
        """What a group takes, with its heading."""
        return HEADING + -(-len(group.entries) // self.columns) * (self.tall + GAP)


def draw(pen: Pen, code: CodeKind, module: float) -> int:
    """All commands, in groups, their codes at least as large as asked. Gives the number of pages.

    Raises `InvalidRequest` where the codes are too large for any page.
    """
    sheet = frame.room(pen)
    most = module if code is CodeKind.CODE128 else module * ENLARGED
    size = largest(most, lambda size: _pages(sheet, code, size) == 1, module) or module
    layout = _layout(sheet, code, size)
    if layout is None:
        raise InvalidRequest(
            say(
                "a {code} of {module} mm modules is too large for the control sheet",
                code=code.title,
                module=Decimals(module, 2),
            ),
            say("use a smaller --module; the usual size is {usual}", usual=f"{code.usual_mm:.2f}"),
        )
    y = sheet.y + sheet.height
    for group in GROUPS:
        if y + layout.height(group) > sheet.y + sheet.height + GAP:
            said = say("Scan a code instead of pressing a key. Cover the codes next to it with your hand.")
            y = frame.page(pen, say("Control sheet"), said).y
        top = frame.heading(pen, group.title, sheet.x, y, sheet.width)
        for place, entry in enumerate(group.entries):
            column, line = place % layout.columns, place // layout.columns
            x = sheet.x + column * (layout.wide + GAP)
            _order(pen, Box(x, top + line * (layout.tall + GAP), layout.wide, layout.tall), entry, code, size)
        y += layout.height(group)
    return layout.pages


def _pages(room: Box, code: CodeKind, module: float) -> int:
    layout = _layout(room, code, module)
    return layout.pages if layout else 0


def _layout(room: Box, code: CodeKind, module: float) -> _Layout | None:
    """The layout for that module, on one page where it can be; None if a field is larger than a page."""
    made = [symbol(code, control_code(control)) for control in Control]
    size = max(one.width_mm(module) for one in made)
    bars = code is CodeKind.CODE128
    need = size + 3.0 + (0.0 if bars else BESIDE)
    columns = min(4, int((room.width + GAP) / (need + GAP)))
    least = BELOW + BARS_MM + 3.0 if bars else size + 5.5
    if not columns or least > TALLEST:
        return None
    wide = (room.width - (columns - 1) * GAP) / columns
    lines = sum(-(-len(group.entries) // columns) for group in GROUPS)
    tall = (room.height - len(GROUPS) * HEADING) / lines - GAP
    if tall >= least:
        return _Layout(columns, wide, min(TALLEST, tall), 1)
    paged = _Layout(columns, wide, least, 0)
    pages, left = 0, 0.0
    for group in GROUPS:
        if paged.height(group) > left + GAP:
            pages, left = pages + 1, room.height
        left -= paged.height(group)
    return _Layout(columns, wide, least, pages)


def _order(pen: Pen, box: Box, entry: ControlEntry, code: CodeKind, module: float) -> None:
    pen.box(box, stroke=RULE, round_mm=1.5)
    made = symbol(code, control_code(entry.control))
    inner = box.inset(1.5)
    size = made.width_mm(module)
    if code is CodeKind.CODE128:
        tall = inner.height - BELOW
        pen.symbol(made, (box.x + (box.width - size) / 2, inner.y), module, tall)
        y = inner.y + tall
        pen.text(entry.name, (inner.x + 1, y + 4.2), _NAME, fit=inner.width - 18)
        pen.text(made.text, (inner.x + inner.width - 1, y + 4.0), _TEXT, align="right")
        pen.text(entry.does, (inner.x + 1, y + 8.6), _DOES, fit=inner.width - 2)
        return
    top = inner.y + (inner.height - size - 3.0) / 2
    pen.symbol(made, (inner.x, top), module)
    pen.text(made.text, (inner.x + module, top + size + 2.4), _TEXT)
    x = inner.x + max(size + 2.0, 15.0)
    wide = inner.x + inner.width - x
    lines = pen.lines(entry.does, wide, _DOES)
    y = inner.y + (inner.height - 6.0 - lines * _DOES.leading) / 2
    pen.text(entry.name, (x, y + _NAME.capital), _NAME, fit=wide)
    pen.paragraph(entry.does, (x, y + 6.0), wide, _DOES)
