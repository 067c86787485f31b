"""`nimmt print seating` and `results`: the sheets of a tournament, from the log that the hub gives.

Names may be in any script. What no font of ours has is left out, and the number of the badge stands for it.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from companion.text.errors import InvalidRecord
from companion.text.files import text_in
from companion.text.names import in_order
from companion.text.sentence import Decimals, Text, literal, say
from companion.tournament import acts
from companion.tournament.course import Tournament, fold
from companion.tournament.standing import Row, format_points, standing
from firmware.bounded_file import read_bounded
from firmware.commands.declared import Sheet, path
from firmware.paper import frame
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WASH, Pen, Type
from firmware.paper.stock import Box, InvalidRequest, Paper
from firmware.text.os_errors import unreadable
from firmware.text.translation import Translator

_NAME: Final = Type(12)
_NUMBER: Final = Type(13, bold=True, colour=ACCENT)
_BADGE: Final = Type(9, colour=FAINT)
_HEAD: Final = Type(8, bold=True, colour=FAINT)
_POINTS: Final = Type(12, bold=True, colour=INK)

_LINE_MM: Final = 7.4
_GAP_MM: Final = 9.0
_COLUMNS: Final = 2

_TABLE_LINE_MM: Final = 6.2
_TABLE_HEAD_MM: Final = 9.0
_TABLE_GAP_MM: Final = 5.0
_TABLES_ACROSS: Final = 3
_BADGE_MM: Final = 10.0


class TournamentSheet:
    """The sheets of a tournament, drawn with this pen for who reads the language of `t`."""

    def __init__(self, pen: Pen, state: Tournament, t: Translator, shaped: Callable[[str], str]) -> None:
        self._pen, self._state, self._t, self._shaped = pen, state, t, shaped

    def seating(self) -> int:
        """Everybody by name with the number of the table, then the tables; gives the number of pages.

        Names are sorted by their letters; those for which there are no letters come last, by
        badge. Raises `InvalidRequest` before the first round.
        """
        if not self._state.rounds:
            raise InvalidRequest("no round is drawn yet", "draw the round first, then get the log again")
        last = self._state.rounds[-1]
        under = say("The final") if last.final else say("Round {round}: who sits where", round=last.number)
        names = {player.badge: player.name for player in self._state.players}
        tables = [(table.number, [(badge, names[badge]) for badge in table.badges]) for table in last.tables]
        by_name = [(name, badge, number) for number, players in tables for badge, name in players]
        by_name.sort(key=lambda line: (self._drawn(line[0]) is None, in_order(line[0]), line[1]))
        return self._by_name(under, by_name) + self._by_table(under, tables)

    def results(self) -> int:
        """The result list, the best first; gives the number of pages."""
        pages, rest = 0, list(standing(self._state))
        while rest or not pages:
            room = self._page(_known(self._state))
            pages += 1
            lines = int((room.height - _LINE_MM) / _LINE_MM)
            here, rest = rest[:lines], rest[lines:]
            self._list(room, here)
        return pages

    def _page(self, under: Text) -> Box:
        return frame.page(self._pen, literal(self._ordered(self._state.rules.title)), under)

    def _by_name(self, under: Text, rows: Sequence[tuple[str, int, int]]) -> int:
        pen, pages, rest = self._pen, 0, list(rows)
        while rest or not pages:
            room = self._page(under)
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
                    pen.text(self._written(name, badge), (x, y), _NAME, fit=width - 2 * _BADGE_MM - 2)
                    pen.text(str(badge), (x + width - _BADGE_MM, y), _BADGE, align="right")
                    pen.text(self._t.number(table), (x + width, y), _NUMBER, align="right")
                    pen.line((x, y + 2), (x + width, y + 2), width=0.15, colour=RULE)
        return pages

    def _by_table(self, under: Text, tables: Sequence[tuple[int, Sequence[tuple[int, str]]]]) -> int:
        pages, place, row_top, row_tall = 0, 0, 0.0, 0.0
        room = Box(0, 0, 0, 0)
        for number, players in tables:
            tall = _TABLE_HEAD_MM + len(players) * _TABLE_LINE_MM + 2
            if place == 0:
                row_top += row_tall + _TABLE_GAP_MM
                row_tall = 0.0
            if pages == 0 or row_top + tall > room.y + room.height:
                room = self._page(under)
                pages, place, row_top, row_tall = pages + 1, 0, room.y, 0.0
            width = (room.width - (_TABLES_ACROSS - 1) * _TABLE_GAP_MM) / _TABLES_ACROSS
            self._table(Box(room.x + place * (width + _TABLE_GAP_MM), row_top, width, tall), number, players)
            row_tall = max(row_tall, tall)
            place = (place + 1) % _TABLES_ACROSS
        return pages

    def _table(self, box: Box, number: int, players: Sequence[tuple[int, str]]) -> None:
        pen = self._pen
        pen.box(box, stroke=RULE, round_mm=2.0)
        pen.box(Box(box.x, box.y, box.width, _TABLE_HEAD_MM - 1), fill=WASH, round_mm=2.0)
        heading = say("Table {table}", table=self._t.number(number))
        pen.text(heading, (box.x + 3, box.y + 5.8), Type(13, bold=True, colour=ACCENT), fit=box.width - 6)
        y = box.y + _TABLE_HEAD_MM - 1.5
        for badge, name in players:
            y += _TABLE_LINE_MM
            pen.text(str(badge), (box.x + 3 + _BADGE_MM - 3, y), _BADGE, align="right")
            at = (box.x + 3 + _BADGE_MM, y)
            pen.text(self._written(name, badge), at, _NAME, fit=box.width - _BADGE_MM - 6)

    def _list(self, room: Box, rows: Sequence[Row]) -> None:
        pen, t = self._pen, self._t
        x, right, y = room.x, room.x + room.width, room.y + 3
        points, relative, heads = right - 62, right - 31, right
        pen.text(say("Place"), (x, y), _HEAD)
        pen.text(say("Name"), (x + 28, y), _HEAD)
        pen.text(say("Points"), (points, y), _HEAD, align="right")
        pen.text(say("Relative heads"), (relative, y), _HEAD, align="right", fit=relative - points - 3)
        pen.text(say("Heads per match"), (heads, y), _HEAD, align="right", fit=heads - relative - 3)
        for row in rows:
            y += _LINE_MM
            pen.text(t.number(row.place), (x + 8, y), _NUMBER, align="right")
            pen.text(str(row.badge), (x + 24, y), _BADGE, align="right")
            pen.text(self._written(row.name, row.badge), (x + 28, y), _NAME, fit=points - 20 - x - 28)
            sums = (t.digits(format_points(row.points)), t.decimals(Decimals(float(row.relative), 2)),
                    t.decimals(Decimals(float(row.heads), 1)))  # fmt: skip
            for told, at, look in zip(sums, (points, relative, heads), (_POINTS, _NAME, _NAME), strict=True):
                pen.text(told, (at, y), look, align="right")
            pen.line((x, y + 2), (right, y + 2), width=0.15, colour=RULE)

    def _ordered(self, name: str) -> str:
        """A name as the pen wants it: on a sheet from right to left, it puts the letters in order itself."""
        return name if self._t.right_to_left or name.isascii() else self._shaped(name)

    def _drawn(self, name: str) -> str | None:
        """A name as the pen writes it; None where it has no letters for it."""
        drawn = self._ordered(name)
        return drawn if self._pen.can_write(drawn, _NAME) else None

    def _written(self, name: str, badge: int) -> Text | str:
        """A name as far as there are letters for it."""
        drawn = self._drawn(name)
        return say("badge {number}", number=badge) if drawn is None else drawn


def _printed(
    draw: Callable[[TournamentSheet], int],
    args: argparse.Namespace,
    paper: Paper,
    t: Translator,
    shaped: Callable[[str], str],
) -> tuple[bytes, int]:
    pen = Pen(paper, "nimmt-companion", t.say, shaped if t.right_to_left else None)
    pages = draw(TournamentSheet(pen, _read(args.log), t, shaped))
    return pen.finished(), pages


_MAX_LOG_BYTES: Final = 8_000_000
"""A tournament of 1,000 players and 20 rounds has about 2 MB."""
_OTHER_FILE: Final = "give the file that the page /tournament of the hub gives as its log"


def _read(log: Path | None) -> Tournament:
    if log is None:
        raise InvalidRequest(
            "the log of a tournament is needed",
            "get it from the page /tournament of the hub, and give it with --log FILE",
        )
    try:
        content = text_in(read_bounded(log, _MAX_LOG_BYTES), str(log))
    except OSError as error:
        raise unreadable(log, error, _OTHER_FILE) from error
    entries = []
    for number, line in enumerate(filter(None, content.splitlines()), start=1):
        try:
            record = json.loads(line)
            given = {"number": record.pop("number"), "at": record.pop("at"), "by": record.pop("by")}
            entries.append(acts.LogEntry(act=acts.from_record(record), **given))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as bad:
            what = bad.fault if isinstance(bad, InvalidRecord) else "this is not a log entry"
            raise InvalidRequest(f"{log}, line {number}: {what}", _OTHER_FILE) from bad
    return fold(entries)


def _known(state: Tournament) -> Text:
    seed = state.rules.seed
    if state.finished:
        return say("Result. Draw seed: {seed}", seed=seed)
    closed = sum(round_.closed for round_ in state.rounds)
    return say("Standings after round {rounds}. Draw seed: {seed}", rounds=closed, seed=seed)


_LOG: Final = "for seating and results: the log of the tournament, as the page of the hub gives it"
SEATING: Final = Sheet(
    draw=partial(_printed, TournamentSheet.seating),
    options=(path("--log", help=_LOG),),
    own=("log",),
)
RESULTS: Final = Sheet(draw=partial(_printed, TournamentSheet.results), own=("log",))
