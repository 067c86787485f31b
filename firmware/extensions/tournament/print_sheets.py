"""`nimmt print seating` and `results`: the sheets of a tournament, from the log that the hub gives.

Names may be in any script. What no font of ours has is left out, and the number of the badge stands for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unicodedata import combining, normalize

from companion.text.errors import CompanionError, InvalidRecord
from companion.text.sentence import Decimals, Text, as_it_is, say
from companion.values import Value
from firmware.bounded_file import read_bounded
from firmware.commands.declared import Sheet
from firmware.paper import frame
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WASH, Pen, Type
from firmware.paper.stock import Box, InvalidRequest, Paper

if TYPE_CHECKING:
    import argparse

    from companion.tournament.course import Tournament
    from firmware.text.translation import Translator


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


_LARGEST_LOG: Final = 8_000_000
"""Bytes. A tournament of 1,000 players and 20 rounds has about 2 MB."""


def _seating_sheet(
    args: argparse.Namespace, paper: Paper, t: Translator, shaped: Callable[[str], str]
) -> tuple[bytes, int]:
    return _pdf(_seating(_read(args.log), t, shaped), paper, t, shaped)


def _results_sheet(
    args: argparse.Namespace, paper: Paper, t: Translator, shaped: Callable[[str], str]
) -> tuple[bytes, int]:
    return _pdf(_results(_read(args.log), t, shaped), paper, t, shaped)


def _pdf(
    draw: Callable[[Pen], int], paper: Paper, t: Translator, shaped: Callable[[str], str]
) -> tuple[bytes, int]:
    """The PDF of a sheet, and the number of its pages."""
    pen = Pen(paper, "nimmt-companion", t.say, shaped if t.right_to_left else None)
    pages = draw(pen)
    return pen.finished(), pages


def _read(log: Path | None) -> Tournament:
    if log is None:
        raise InvalidRequest(
            say("the log of a tournament is needed"),
            say("get it from the page /tournament of the hub, and give it with --log FILE"),
        )
    try:
        from companion.tournament import acts
        from companion.tournament.course import fold
    except ModuleNotFoundError as missing:
        raise CompanionError(
            say("this needs {package}, which is not installed", package="tournament"),
            say("install the package nimmt-hub"),
        ) from missing
    try:
        content = read_bounded(log, _LARGEST_LOG).decode()
    except (OSError, ValueError) as error:
        raise InvalidRequest(
            say("{file} cannot be read: {cause}", file=log, cause=error),
            say("give the file that the page /tournament of the hub gives as its log"),
        ) from error
    entries = []
    for number, line in enumerate(filter(None, content.splitlines()), start=1):
        try:
            record = json.loads(line)
            given = {"number": record.pop("number"), "at": record.pop("at"), "by": record.pop("by")}
            entries.append(acts.Entry(act=acts.from_record(record), **given))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as bad:
            what = bad.fault_text if isinstance(bad, InvalidRecord) else say("this is not a log entry")
            raise InvalidRequest(
                say("{file}, line {line}: {fault}", file=log, line=str(number), fault=what),
                say("give the file that the page /tournament of the hub gives as its log"),
            ) from bad
    return fold(entries)


def _seating(state: Tournament, t: Translator, shaped: Callable[[str], str]) -> Callable[[Pen], int]:
    if not state.rounds:
        raise InvalidRequest(
            say("no round is drawn yet"), say("draw the round first, then get the log again")
        )
    last = state.rounds[-1]
    under = say("The final") if last.final else say("Round {round}: who sits where", round=last.number)
    names = {player.badge: _name(player.name, t, shaped) for player in state.players}
    tables = [
        TableSheet(t.number(table.number), tuple((badge, names[badge]) for badge in table.badges))
        for table in last.tables
    ]
    return lambda pen: seating(pen, _name(state.rules.title, t, shaped).drawn, under, tables)


def _results(state: Tournament, t: Translator, shaped: Callable[[str], str]) -> Callable[[Pen], int]:
    from companion.tournament.standing import said, standing

    rows = [
        ResultLine(
            t.number(row.place),
            row.badge,
            _name(row.name, t, shaped),
            t.digits(said(row.points)),
            t.decimals(Decimals(float(row.relative), 2)),
            t.decimals(Decimals(float(row.heads), 1)),
        )
        for row in standing(state)
    ]
    return lambda pen: results(pen, _name(state.rules.title, t, shaped).drawn, _known(state), rows)


def _known(state: Tournament) -> Text:
    seed = state.rules.seed
    if state.finished:
        return say("Result. Draw seed: {seed}", seed=seed)
    closed = sum(round_.closed for round_ in state.rounds)
    return say("Standing after {rounds} rounds. Draw seed: {seed}", rounds=closed, seed=seed)


def _name(name: str, t: Translator, shaped: Callable[[str], str]) -> Name:
    """A name as the pen wants it: on a sheet from right to left, it puts the letters in order itself."""
    return Name(name, name if t.right_to_left or name.isascii() else shaped(name))


def _with_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="for seating and results: the log of the tournament, as the page of the hub gives it",
    )


SEATING: Final = Sheet(draw=_seating_sheet, options=_with_log, own=("log",))
RESULTS: Final = Sheet(draw=_results_sheet, own=("log",))
