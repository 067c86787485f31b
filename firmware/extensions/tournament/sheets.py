"""The sheets of a tournament: who sits where, and the result list. What stands in them is given as rows.

Names may be in any script. What no font of ours has is left out, and the number of the badge stands for it.
"""

from collections.abc import Callable, Sequence
from typing import Final
from unicodedata import combining, normalize

from companion.text.sentence import Text, as_it_is, say
from companion.values import Value
from firmware.paper import frame
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WASH, Pen, Type
from firmware.paper.stock import Box, Paper


class Name(Value):
    """A name as it is read, by which it is sorted, and as the pen is to write it."""

    read: str
    drawn: str


class TableSheet(Value):
    """A table of a round: its number as it is written, badge and name of each seat."""

    number: str
    players: tuple[tuple[int, Name], ...]


class ResultLine(Value):
    """A line of the result list. All but badge and name is written as it is to be read."""

    place: str
    badge: int
    name: Name
    points: str
    relative: str
    heads: str


_NAME: Final = Type(12)
_NUMBER: Final = Type(13, bold=True, colour=ACCENT)
_BADGE: Final = Type(9, colour=FAINT)
_HEAD: Final = Type(8, bold=True, colour=FAINT)

_LINE_MM: Final = 7.4
_GAP_MM: Final = 9.0
_COLUMNS: Final = 2

_TABLE_LINE_MM: Final = 6.2
_TABLE_HEAD_MM: Final = 9.0
_TABLE_GAP_MM: Final = 5.0
_TABLES_ACROSS: Final = 3
_BADGE_MM: Final = 10.0


def seating(pen: Pen, title: str, under: Text, tables: Sequence[TableSheet]) -> int:
    """Everybody by name with the number of the table, then the tables; gives the number of pages.

    Names are sorted by their letters without marks; those for which there are no letters come last, by badge.
    """
    by_name = sorted(
        ((name, badge, table.number) for table in tables for badge, name in table.players),
        key=lambda one: (not pen.can_write(one[0].drawn, _NAME), _letters(one[0].read), one[1]),
    )
    return _by_name(pen, title, under, by_name) + _by_table(pen, title, under, tables)


def _by_name(pen: Pen, title: str, under: Text, rows: Sequence[tuple[Name, int, str]]) -> int:
    pages, rest = 0, list(rows)
    while rest or not pages:
        room = frame.page(pen, as_it_is(title), under)
        pages += 1
        width = (room.width - (_COLUMNS - 1) * _GAP_MM) / _COLUMNS
        lines = int((room.height - _LINE_MM) / _LINE_MM)
        for column in range(_COLUMNS):
            here, rest = rest[:lines], rest[lines:]
            if not here:
                break
            x, y = room.x + column * (width + _GAP_MM), room.y + 3
            pen.text(say("Name"), (x, y), _HEAD)
            pen.text(say("Table"), (x + width, y), _HEAD, align="right")
            for name, badge, table in here:
                y += _LINE_MM
                pen.text(_written(pen, name, badge), (x, y), _NAME, fit=width - 2 * _BADGE_MM - 2)
                pen.text(str(badge), (x + width - _BADGE_MM, y), _BADGE, align="right")
                pen.text(table, (x + width, y), _NUMBER, align="right")
                pen.line((x, y + 2), (x + width, y + 2), width=0.15, colour=RULE)
    return pages


def _by_table(pen: Pen, title: str, under: Text, tables: Sequence[TableSheet]) -> int:
    pages, place, row_top, row_tall = 0, 0, 0.0, 0.0
    room = Box(0, 0, 0, 0)
    for table in tables:
        tall = _TABLE_HEAD_MM + len(table.players) * _TABLE_LINE_MM + 2
        if place == 0:
            row_top += row_tall + _TABLE_GAP_MM
            row_tall = 0.0
        if pages == 0 or row_top + tall > room.y + room.height:
            room = frame.page(pen, as_it_is(title), under)
            pages, place, row_top, row_tall = pages + 1, 0, room.y, 0.0
        width = (room.width - (_TABLES_ACROSS - 1) * _TABLE_GAP_MM) / _TABLES_ACROSS
        _table(pen, Box(room.x + place * (width + _TABLE_GAP_MM), row_top, width, tall), table)
        row_tall = max(row_tall, tall)
        place = (place + 1) % _TABLES_ACROSS
    return pages


def _table(pen: Pen, box: Box, table: TableSheet) -> None:
    pen.box(box, stroke=RULE, round_mm=2.0)
    pen.box(Box(box.x, box.y, box.width, _TABLE_HEAD_MM - 1), fill=WASH, round_mm=2.0)
    heading = say("Table {table}", table=table.number)
    pen.text(heading, (box.x + 3, box.y + 5.8), Type(13, bold=True, colour=ACCENT), fit=box.width - 6)
    y = box.y + _TABLE_HEAD_MM - 1.5
    for badge, name in table.players:
        y += _TABLE_LINE_MM
        pen.text(str(badge), (box.x + 3 + _BADGE_MM - 3, y), _BADGE, align="right")
        pen.text(_written(pen, name, badge), (box.x + 3 + _BADGE_MM, y), _NAME, fit=box.width - _BADGE_MM - 6)


def results(pen: Pen, title: str, under: Text, rows: Sequence[ResultLine]) -> int:
    """The result list, the best first; gives the number of pages."""
    pages, rest = 0, list(rows)
    while rest or not pages:
        room = frame.page(pen, as_it_is(title), under)
        pages += 1
        lines = int((room.height - _LINE_MM) / _LINE_MM)
        here, rest = rest[:lines], rest[lines:]
        _list(pen, room, here)
    return pages


def _list(pen: Pen, room: Box, rows: Sequence[ResultLine]) -> None:
    x, right, y = room.x, room.x + room.width, room.y + 3
    points, relative, heads = right - 62, right - 31, right
    pen.text(say("Place"), (x, y), _HEAD)
    pen.text(say("Name"), (x + 28, y), _HEAD)
    pen.text(say("Points"), (points, y), _HEAD, align="right")
    pen.text(say("Relative heads"), (relative, y), _HEAD, align="right")
    pen.text(say("Heads of a match"), (heads, y), _HEAD, align="right")
    for row in rows:
        y += _LINE_MM
        pen.text(row.place, (x + 8, y), _NUMBER, align="right")
        pen.text(str(row.badge), (x + 24, y), _BADGE, align="right")
        pen.text(_written(pen, row.name, row.badge), (x + 28, y), _NAME, fit=points - 20 - x - 28)
        pen.text(row.points, (points, y), Type(12, bold=True, colour=INK), align="right")
        pen.text(row.relative, (relative, y), _NAME, align="right")
        pen.text(row.heads, (heads, y), _NAME, align="right")
        pen.line((x, y + 2), (right, y + 2), width=0.15, colour=RULE)


def _written(pen: Pen, name: Name, badge: int) -> Text | str:
    """A name as far as there are letters for it."""
    return name.drawn if pen.can_write(name.drawn, _NAME) else say("badge {number}", number=badge)


def _letters(name: str) -> str:
    """A name for sorting: Älva stands beside Alva."""
    return "".join(letter for letter in normalize("NFD", name.casefold()) if not combining(letter))


def tournament_pdf(
    paper: Paper,
    draw: Callable[[Pen], int],
    say_in: Callable[[Text], str] = str,
    shaped: Callable[[str], str] | None = None,
) -> tuple[bytes, int]:
    """The PDF of a sheet, and the number of its pages; for `say_in` and `shaped` see `Pen`."""
    pen = Pen(paper, "nimmt-companion", say_in, shaped)
    pages = draw(pen)
    return pen.finished(), pages
