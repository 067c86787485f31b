"""`nimmt arena`: robots and programs play many rounds against each other, with the same cards for all."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from companion.core import games
from companion.core.codec import read, to_line
from companion.robots.levels import GAMES
from companion.text.errors import CompanionError, InvalidRecord
from firmware.commands.declared import Command, Example, number, option, path
from firmware.history.exported import unreadable

if TYPE_CHECKING:
    import argparse

    from companion.robots.arena.standing import Entry, PlayedMatch, SixRound, StandingRow


_HEADS: Final = ("player", "points/deal", "95 %", "wins", "ms/move", "worst ms", "Elo", "lost moves")
"""95 %: half the width of the interval of the true mean of the points. Lost moves: late or illegal."""

_WIDTHS: Final = (6, 11, 6, 5, 7, 8, 4, 10)
"""The least columns of the fields."""

_FROM_OUT: Final = "give a file as `nimmt arena --out` has written it"

_LEFT: Final = (0, 2)
"""The fields that are written from the left: the name, and the error, whose sign comes first."""


def in_lines(lines: Sequence[StandingRow]) -> Iterator[str]:
    """The heads, then a line for each name."""
    table = [_HEADS, *map(_cells, lines)]
    widths = [
        max(least, *map(len, cells)) for least, cells in zip(_WIDTHS, zip(*table, strict=True), strict=True)
    ]
    for cells in table:
        yield "  ".join(
            cell.ljust(width) if place in _LEFT else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )


def _cells(line: StandingRow) -> tuple[str, ...]:
    return (
        line.name if line.players == 1 else f"{line.name} (x{line.players})",
        f"{line.points:.2f}",
        "-" if line.error == float("inf") else f"±{line.error:.2f}",
        f"{100 * line.wins:.1f}%",
        f"{line.ms:.2f}",
        f"{line.worst_ms:.1f}",
        f"{line.elo:.0f}",
        str(line.lost),
    )


def run(args: argparse.Namespace) -> int:
    """Play, and print the table; or read rounds that were written, and let the referee play them again."""
    if args.replay is not None:
        return _replay(args.replay)
    module = games.module(args.game)
    seats = module.SEATS
    if len(args.players) not in seats:
        raise CompanionError(
            f"{module.TITLE} cannot be played with {len(args.players)} players",
            f"name {seats[0]} to {seats[-1]} players",
        )
    for name in ("rounds", "matches", "together", "limit_ms", "think_ms"):
        if (value := getattr(args, name)) is not None and value < 1:
            raise CompanionError(
                f"--{name.replace('_', '-')} is {value}",
                "use 1 or more",
            )
    from companion.robots.arena import matches as whole_matches
    from companion.robots.arena import program, six_rounds
    from companion.robots.arena.standing import standing

    limit_s = args.limit_ms / 1000
    think_s = None if args.think_ms is None else args.think_ms / 1000
    with ExitStack() as stack:
        entries: list[Entry] = []
        for number, name in enumerate(args.players):
            entry = program.entry(
                name, number, limit_s=limit_s, tell=_complain, game=args.game, think_s=think_s
            )
            if close := getattr(entry.player, "close", None):
                stack.callback(close)
            entries.append(entry)
        out = stack.enter_context(args.out.open("w", encoding="utf-8")) if args.out else None
        matches = args.matches is not None or args.game != "six"
        blocks = -(-(args.matches or args.rounds) // len(entries))
        _write(out, {"arena": 1, "game": args.game, "seed": args.seed, "players": args.players})
        played = (
            six_rounds.play(entries, range(blocks), args.seed, matches=matches, together=args.together)
            if args.game == "six"
            else whole_matches.play(args.game, entries, range(blocks), args.seed)
        )
        results = []
        for result in played:
            results.append(result)
            for record in result.records:
                _write(out, record)
    deals = sum(result.deals for result in results)
    print(_played(len(results) if matches else None, deals, module.TITLE, len(entries), args.seed))
    for line in in_lines(standing(entries, results)):
        print(line)
    return 0


def _replay(file: Path) -> int:
    from companion.robots.arena.matches import heads_of, points_of
    from companion.robots.arena.standing import PlayedMatch

    rounds = 0
    for place, line in enumerate(_lines(file), 1):
        record = _read(line, place)
        if record is None:
            continue
        if isinstance(record, PlayedMatch):
            ruled, told = points_of(record), record.points
        else:
            ruled, told = heads_of(record), record.heads
        if ruled != told:
            raise InvalidRecord(
                f"line {place}: the result is {list(told)}, by the referee {list(ruled)}", _FROM_OUT
            )
        rounds += 1
    print(f"{rounds} rounds: the referee counts the same heads")
    return 0


def _lines(file: Path) -> Iterator[str]:
    """The lines of a file with rounds. Raises `CompanionError` if it cannot be read."""
    try:
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except (OSError, UnicodeDecodeError) as bad:
        raise unreadable(file, bad, _FROM_OUT) from bad


def _played(matches: int | None, deals: int, title: str, times: int, seed: int) -> str:
    """What was played: whole matches, or rounds."""
    if matches is None:
        return f"{deals} rounds of {title}, each deal {times} times, seed {seed}"
    return f"{matches} matches, {deals} deals of {title}, each deal {times} times, seed {seed}"


def _read(line: str, number: int) -> SixRound | PlayedMatch | None:
    """A line of a file; None for the one that tells who played."""
    from companion.robots.arena.standing import PlayedMatch, SixRound

    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise InvalidRecord(f"line {number} is not a JSON object", _FROM_OUT)
    if "arena" in record:
        return None
    whole: type[SixRound | PlayedMatch] = PlayedMatch if "answers" in record else SixRound
    return read(record, whole, f"line {number}")


def _write(out: IO[str] | None, record: object) -> None:
    if out is not None:
        out.write(to_line(record).decode() + "\n")


def _complain(fault: str) -> None:
    print(fault, file=sys.stderr)


COMMAND = Command(
    help="let robots and programs play many rounds against each other",
    run=run,
    options=(
        option("players", metavar="PLAYER", nargs="*", help="who plays, 2 to 10 of them"),
        option(
            "--game",
            choices=GAMES,
            default="six",
            help="the game (default six); of eleven and ciao whole matches are played, by easy, "
            "normal, good and hard",
        ),
        number("--rounds", default=200, help="play at least this many rounds (default 200)"),
        number("--matches", help="play at least this many whole matches instead"),
        number("--seed", default=1, help="random seed: another seed gives other cards"),
        number(
            "--together",
            default=1,
            help="play this many deals in parallel: quicker, but each move is timed as a share of them "
            "(default 1)",
        ),
        number("--limit-ms", default=1000, help="how long a program may think about a move (default 1000)"),
        number(
            "--think-ms",
            help="how long a hard robot may think about a move; without it, the same seed gives the same "
            "moves",
        ),
        path("--out", help="write every round as a line of JSON"),
        path("--replay", help="let the referee play the rounds of such a file again"),
    ),
    epilog=(
        "PLAYER is easy, normal, good, hard, greedy, mc-64, mcs-50, or a program of your own: "
        '"cmd:./my-bot". docs/robots.md describes how a program plays.'
    ),
    examples=(
        Example("nimmt arena normal normal easy --rounds 600 --out rounds.jsonl", lines=1),
        Example("nimmt arena --replay rounds.jsonl"),
    ),
)
