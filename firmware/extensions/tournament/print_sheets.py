"""`nimmt print seating` and `results`: sheets of a tournament, from the log that the hub gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError, InvalidRecord
from companion.text.sentence import Decimals, Text, say
from firmware.bounded_file import read_bounded
from firmware.commands.declared import Sheet
from firmware.extensions.tournament.sheets import (
    Name,
    ResultLine,
    TableSheet,
    results,
    seating,
    tournament_pdf,
)
from firmware.paper.pen import Pen
from firmware.paper.stock import InvalidRequest, Paper

if TYPE_CHECKING:
    import argparse

    from companion.tournament.course import Tournament
    from firmware.text.translation import Translator

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
    return tournament_pdf(paper, draw, t.say, shaped if t.right_to_left else None)


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
