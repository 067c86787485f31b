"""`nimmt arena`: robots and programs play many rounds against each other, with the same cards for all."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from companion import games
from companion.errors import CompanionError, InvalidRecord
from companion.text import say

if TYPE_CHECKING:
    import argparse
    from pathlib import Path
    from typing import IO

    from robots.arena.entry import Entry


def run(args: argparse.Namespace) -> int:
    """Play, and print the table; or read rounds that were written, and let the referee play them again."""
    if args.replay is not None:
        return _replay(args.replay)
    seats = games.module("six").SEATS
    if len(args.players) not in seats:
        raise CompanionError(
            say("{players} players cannot play 6 nimmt!", players=len(args.players)),
            say("name {seats} to {seats_2} players", seats=seats[0], seats_2=seats[-1]),
        )
    for name in ("rounds", "matches", "together", "limit_ms"):
        if (value := getattr(args, name)) is not None and value < 1:
            raise CompanionError(
                say("--{replace} is {value}", replace=name.replace("_", "-"), value=value),
                say("use 1 or more"),
            )
    from robots.arena import players, six_rounds, standing

    limit_s = args.limit_ms / 1000
    with ExitStack() as stack:
        entries: list[Entry] = []
        for number, name in enumerate(args.players):
            entry = players.entry(name, number, limit_s=limit_s, tell=_complain)
            if close := getattr(entry.player, "close", None):
                stack.callback(close)
            entries.append(entry)
        out = stack.enter_context(args.out.open("w", encoding="utf-8")) if args.out else None
        matches = args.matches is not None
        blocks = -(-(args.matches if matches else args.rounds) // len(entries))
        _write(out, {"arena": 1, "game": "six", "seed": args.seed, "players": args.players})
        results = []
        for result in six_rounds.play(
            entries, range(blocks), args.seed, matches=matches, together=args.together
        ):
            results.append(result)
            for record in result.records:
                _write(out, record)
    deals = sum(result.deals for result in results)
    what = f"{len(results)} matches, {deals} deals" if matches else f"{deals} rounds"
    print(f"{what} of 6 nimmt!, each deal {len(entries)} times, seed {args.seed}")
    for line in standing.told(standing.standing(entries, results)):
        print(line)
    return 0


def _replay(file: Path) -> int:
    from robots.arena.replay import heads_of

    rounds = 0
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            record = _read(line, number)
            if "arena" in record:
                continue
            heads = heads_of(record)
            if list(heads) != record["heads"]:
                raise InvalidRecord(
                    say(
                        "line {number}: the heads are {record}, by the referee {list}",
                        number=number,
                        record=record["heads"],
                        list=list(heads),
                    ),
                    say("give a file as `nimmt arena --out` has written it"),
                )
            rounds += 1
    print(f"{rounds} rounds: the referee counts the same heads")
    return 0


def _read(line: str, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise InvalidRecord(
            say("line {number} is no JSON object", number=number), say("give a file from `nimmt arena --out`")
        )
    return record


def _write(out: IO[str] | None, record: object) -> None:
    if out is not None:
        out.write(json.dumps(record) + "\n")


def _complain(fault: str) -> None:
    print(fault, file=sys.stderr)
