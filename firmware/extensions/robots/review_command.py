"""`nimmt review`: what a hard robot would have played, where the hand of a player is known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.match.match import Match
from companion.text.errors import CompanionError
from firmware.commands.declared import Example, about_records
from firmware.commands.records import opened
from firmware.extensions.robots.advice import Advice, in_lines

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Print the costliest plays and all others, or that no hand is known. Raises `CompanionError`."""
    with opened(args) as stored:
        past = stored.past(stored.chosen(args.match))
    found = list(advice_for(past.match))
    if args.json:
        print(json.dumps([one.record() for one in found], indent=2))
        return 0
    if not found:
        t = stored.translate
        print(t("no hand of match {match} is known", match=past.id))
        print("  " + t("the coach needs the open draft of 6 nimmt!, hands that were scanned, or robots"))
        return 0
    for line in in_lines(past, found, stored.translate):
        print(line)
    return 0


def advice_for(match: Match) -> Iterator[Advice]:
    """What the coach says of every card and row chosen in a finished deal that it can judge, in order.

    Raises `CompanionError` where there is something to judge and numpy is missing.
    """
    from companion.robots import coach

    for play in coach.plays(match):
        judged = coach.judge(play)
        yield Advice(
            play.deal,
            play.turn,
            play.seat,
            str(play.card),
            str(judged.better),
            judged.expected,
            judged.expected_better,
            play.heads,
            judged.certain,
            *(None if row is None else row + 1 for row in (play.row, judged.better_row)),
        )


def advice_or_none(match: Match) -> list[Advice]:
    """What the coach says; nothing where it has no numpy to think with."""
    try:
        return list(advice_for(match))
    except CompanionError:
        return []


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", type=int, nargs="?", help="the number of the match (default: the newest)")
    parser.add_argument("--json", action="store_true", help="every play as JSON")


COMMAND = about_records(
    help="show what a hard robot would have played, where hands are known",
    run=run,
    options=_options,
    examples=(Example("nimmt review 1"),),
)
