"""The options of `nimmt arena`. Imported with every command, so it imports `argparse` only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

GAMES = ("six", "eleven", "ciao")
"""The games of `companion.robots.group`, which is not imported for every command."""


def add_arena_options(command: argparse.ArgumentParser) -> None:
    """Every option of `nimmt arena`."""
    command.epilog = (
        "PLAYER is easy, normal, hard, greedy, mc-64, mcs-50, or a program of your own: "
        '"cmd:./my-bot". docs/robots.md tells how a program plays.'
    )
    command.add_argument("players", metavar="PLAYER", nargs="*", help="who plays, 2 to 10 of them")
    command.add_argument(
        "--game",
        choices=GAMES,
        default="six",
        help="the game (default six); of eleven and ciao whole matches are played, by easy, normal and hard",
    )
    command.add_argument(
        "--rounds", type=int, default=200, metavar="N", help="play at least so many rounds (default 200)"
    )
    command.add_argument(
        "--matches", type=int, metavar="N", help="play at least so many whole matches instead"
    )
    command.add_argument(
        "--seed", type=int, default=1, metavar="N", help="random seed: another seed gives other cards"
    )
    command.add_argument(
        "--together",
        type=int,
        default=1,
        metavar="N",
        help="play so many deals in step: quicker, but a move is then timed as a part of many (default 1)",
    )
    command.add_argument(
        "--limit-ms",
        type=int,
        default=1000,
        metavar="N",
        help="how long a program may think about a move (default 1000)",
    )
    command.add_argument(
        "--think-ms",
        type=int,
        metavar="N",
        help="how long a hard robot may think about a move; without it, the same seed gives the same moves",
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="write every round as a line of JSON")
    command.add_argument(
        "--replay", type=Path, metavar="FILE", help="let the referee play the rounds of such a file again"
    )
