"""Badges of the size of a bank card: number, colour, shape, code, and a line for a name.

On the back there is a code for each row of 6 nimmt!: with one scan a player says whose the lowest card is,
and which row it takes. The backs are pages of their own, the other way round, so that a printer that prints
on both sides puts each behind its badge.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.codes import EVENING_BADGES, ROWS, badge_code, row_code
from companion.text.errors import quoted
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.history.chart import PlayerLook
from firmware.paper import figures, frame
from firmware.paper.figures import Outline, placed
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WASH, WHITE, Pen, Type
from firmware.paper.stock import ENLARGED, Box, InvalidRequest, largest, parts_of
from firmware.paper.symbols import CodeKind, symbol


class Mark(Value):
    """A badge's looks; `name` is its name at the table."""

    colour: str
    shape: Outline
    name: Text


MARKS: Final = {
    1: Mark("#c1121f", figures.CIRCLE, say("Red circle")),
    2: Mark("#1b4f9c", figures.SQUARE, say("Blue square")),
    3: Mark("#2b7a3d", figures.regular(3), say("Green triangle")),
    4: Mark("#e0a100", figures.star(5, 0.42), say("Yellow star")),
    5: Mark("#1c1c1c", figures.CROSS, say("Black cross")),
    6: Mark("#d65a00", figures.regular(4), say("Orange diamond")),
    7: Mark("#6d3a9c", figures.MOON, say("Purple moon")),
    8: Mark("#1e96c8", figures.DROP, say("Sky-blue drop")),
    9: Mark("#d1548e", figures.HEART, say("Pink heart")),
    10: Mark("#6f4a2c", figures.regular(6), say("Brown hexagon")),
}

LOOKS: Final = {number: PlayerLook(mark.colour, mark.shape) for number, mark in MARKS.items()}
"""The same colours and shapes for charts and reports."""

SIZE: Final = (85.0, 45.0)
FIELD: Final = 30.0
"""The width of the coloured field on the left."""
MAX_CODE_MM: Final = {CodeKind.DATAMATRIX: 18.0, CodeKind.QR: 18.0, CodeKind.CODE128: 43.0}
"""How wide a code may be: a square one is beside the number, bars are below it."""

MAX_BACK_CODE_MM: Final = {CodeKind.DATAMATRIX: 18.0, CodeKind.QR: 18.0, CodeKind.CODE128: 64.0}
"""How wide the code of a row may be: square ones stand side by side, bars in four lines."""
ON_A_PAGE: Final = 10


def chosen(only: str) -> tuple[int, ...]:
    """The numbers of badges as people give them, such as `11-40,52`; without any, the ten of a table.

    Raises `InvalidRequest`, naming the invalid part.
    """
    wanted: set[int] = set()
    for part, numbers in parts_of(only):
        if not numbers or numbers[0] not in EVENING_BADGES or numbers[-1] not in EVENING_BADGES:
            ranges = f"{EVENING_BADGES[0]} to {EVENING_BADGES[-1]}"
            fix = f"use numbers and ranges such as 11-40,52 ({ranges})"
            raise InvalidRequest(f"there are no badges {quoted(part)}", fix)
        wanted |= set(numbers)
    return tuple(sorted(wanted)) or tuple(MARKS)


def draw(pen: Pen, numbers: Sequence[int], code: CodeKind, module: float) -> int:
    """These badges, ten on a page, to be cut out; their codes are at least as large as asked.

    The first ten have a colour and a shape; those of a club night have a number. Gives the number of pages.
    Raises `InvalidRequest` where the codes are too large for them.
    """
    found = _module([badge_code(number) for number in numbers], code, module, MAX_CODE_MM[code])
    said = say("Cut out, hand out, scan to join. The device asks “who?”: scan your badge.")
    for number, box in _placed(pen, numbers, say("Player badges"), said):
        _badge(pen, box, number, code, found)
    return -(-len(numbers) // ON_A_PAGE)


def draw_backs(pen: Pen, numbers: Sequence[int], code: CodeKind, module: float) -> int:
    """The backs of these badges, for 6 nimmt!; for the rest see `draw`."""
    texts = [row_code(number, row) for number in numbers for row in ROWS]
    found = _module(texts, code, module, MAX_BACK_CODE_MM[code])
    said = say("Print them on the back of the badges. If your card fits nowhere, scan the row that you take.")
    for number, box in _placed(pen, numbers, say("Backs of the badges"), said, turned=True):
        _back(pen, box, number, code, found)
    return -(-len(numbers) // ON_A_PAGE)


def _module(texts: Sequence[str], code: CodeKind, module: float, room: float) -> float:
    """The module of these codes, at least as large as asked. Raises `InvalidRequest`."""
    columns = max(symbol(code, text).columns for text in texts)
    most = module if code is CodeKind.CODE128 else module * ENLARGED
    found = largest(most, lambda size: columns * size <= room, module)
    if found is None:
        wide = f"a {code.title} of {module:.2f} mm modules is {columns * module:.1f} mm wide"
        raise InvalidRequest(
            f"{wide}; a badge has room for {room:.0f} mm",
            f"use --module {room / columns - 0.005:.2f} or smaller",
        )
    return found


def _placed(
    pen: Pen, numbers: Sequence[int], title: Text, under: Text, *, turned: bool = False
) -> Iterator[tuple[int, Box]]:
    """Each badge and its place, row by row, on pages with marks to cut along.

    On pages that are `turned` over their long edge, left and right change places.
    """
    wide, tall = SIZE
    left = (pen.paper.width - 2 * wide) / 2
    for first in range(0, len(numbers), ON_A_PAGE):
        room = frame.page(pen, title, under)
        top = room.y + (room.height - 5 * tall) / 2
        xs, ys = [left + column * wide for column in range(3)], [top + row * tall for row in range(6)]
        frame.cutting_marks(pen, xs, ys)
        for place, number in enumerate(numbers[first : first + ON_A_PAGE]):
            yield number, Box(xs[place % 2 ^ turned], ys[place // 2], wide, tall)


def _badge(pen: Pen, box: Box, number: int, code: CodeKind, module: float) -> None:
    mark, small = MARKS.get(number), Type(5.5, colour=FAINT)
    inner = box.inset(1.8)
    pen.box(inner, stroke=RULE, round_mm=3.0)
    field = Box(inner.x + 1.5, inner.y + 1.5, FIELD, inner.height - 3.0)
    middle = (field.x + field.width / 2, field.y + field.height / 2)
    if mark is not None:
        pen.box(field, fill=mark.colour, round_mm=2.0)
        pen.shape(placed(mark.shape, middle, 12.5), fill=WHITE)
    else:
        pen.box(field, fill=WASH, round_mm=2.0)
        look = Type(44, bold=True, colour=ACCENT)
        pen.text(str(number), (middle[0], middle[1] + look.capital / 2), look, align="center", fit=FIELD - 4)
    x = field.x + FIELD + 4.0
    right = inner.x + inner.width - 2.5
    made = symbol(code, badge_code(number))
    size = made.width_mm(module)
    if code is CodeKind.CODE128:
        if mark is not None:
            pen.text(str(number), (x, inner.y + 13.0), Type(30, bold=True, colour=INK))
            name = (right, inner.y + 13.0)
            pen.text(mark.name, name, Type(10, colour=INK), align="right", fit=right - x - 14)
        pen.symbol(made, (x + (right - x - size) / 2, inner.y + 16.5), module, 9.5)
    else:
        if mark is not None:
            pen.text(str(number), (x, inner.y + 15.5), Type(40, bold=True, colour=INK))
            pen.text(mark.name, (x, inner.y + 29.0), Type(10, colour=INK), fit=right - x)
        pen.symbol(made, (right - size, inner.y + 2.0), module)
        pen.text(made.text, (right - module, inner.y + 2.0 + size + 2.0), small, align="right")
    low = inner.y + inner.height
    pen.line((x, low - 5.0), (right, low - 5.0), width=0.25, colour=RULE)
    pen.text(say("name (optional)"), (x, low - 2.4), small)


def _back(pen: Pen, box: Box, number: int, code: CodeKind, module: float) -> None:
    mark = MARKS.get(number)
    inner = box.inset(1.8)
    pen.box(inner, stroke=RULE, round_mm=3.0)
    x, line = inner.x + 4.0, inner.y + 6.5
    if mark is not None:
        pen.shape(placed(mark.shape, (x + 1.5, line - 1.6), 2.2), fill=mark.colour)
        x += 6.0
    pen.text(str(number), (x, line), Type(14, bold=True, colour=INK))
    right = inner.x + inner.width - 4.0
    pen.text(say("I take row"), (right, line), Type(11, colour=INK), align="right", fit=right - x - 12)
    left, wide = inner.x + 1.5, (inner.width - 3.0) / len(ROWS)
    top, tall = inner.y + 8.5, (inner.height - 9.0) / len(ROWS)
    digit = Type(20, bold=True, colour=INK)
    for row in ROWS:
        made = symbol(code, row_code(number, row))
        size = made.width_mm(module)
        if code is CodeKind.CODE128:
            y = top + row * tall
            pen.text(str(row + 1), (inner.x + 7.0, y + (tall + digit.capital) / 2), digit, align="center")
            pen.symbol(made, (inner.x + 12.0 + (MAX_BACK_CODE_MM[code] - size) / 2, y), module, tall - 1.5)
        else:
            middle = left + (row + 0.5) * wide
            pen.text(str(row + 1), (middle, top + 10.0), digit, align="center")
            pen.symbol(made, (middle - size / 2, top + 13.0), module)
