"""`nimmt`: which command is meant. Each command is a file of its own and is imported when it is called."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games
from companion.errors import CompanionError
from firmware import __version__
from firmware.commands.print_options import add_print_options

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = {
    "run": "play: start the device that the configuration describes (without one: this terminal)",
    "demo": "watch scripted players play a whole match through the same scanner input",
    "referee": "rule for another program: JSON lines in, JSON lines out",
    "doctor": "open every configured device once and say what answers",
    "print": "make a PDF of card labels, badges, the control sheet, a table card, the scanner's set-up",
    "screens": "write a picture of every screen",
    "config": "check a configuration file, or print every key",
    "matches": "list the matches in the journal",
    "show": "tell a match turn by turn",
    "export": "write a match as JSON lines",
    "replay": "read exported JSON lines and check that they tell a match",
}


def parser() -> argparse.ArgumentParser:
    """Everything that can be typed behind `nimmt`."""
    top = argparse.ArgumentParser(
        prog="nimmt",
        description="A referee for 6 nimmt! at the edge of the table: it reads cards, rules, keeps score.",
        epilog="New here? Type: nimmt run    (then Enter; ? explains a ruling, u takes back, x quits)",
    )
    top.add_argument("--version", action="version", version=f"nimmt {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    made = {name: commands.add_parser(name, help=text, description=text) for name, text in _COMMANDS.items()}
    for name in ("run", "doctor", "matches", "show", "export"):
        made[name].add_argument("--config", type=Path, metavar="FILE", help="the configuration (TOML)")
        if name == "doctor":
            made[name].add_argument("--json", action="store_true", help="the findings as JSON")
            continue
        made[name].add_argument("--journal", type=Path, metavar="FILE", help="another journal")
    made["demo"].add_argument("--game", choices=games.GAMES, default=games.first(), help="which game")
    made["demo"].add_argument("--fast", action="store_true", help="no pauses: a whole match in seconds")
    made["demo"].add_argument("--seats", type=int, default=4, metavar="N", help="how many play (default 4)")
    made["demo"].add_argument("--seed", type=int, default=6, metavar="N", help="another seed, another match")
    made["referee"].add_argument("--journal", type=Path, metavar="FILE", help="keep every step in this file")
    made["show"].add_argument(
        "match", type=int, nargs="?", help="the number of the match (default: the newest)"
    )
    made["export"].add_argument(
        "match", type=int, nargs="?", help="the number of the match (default: the newest)"
    )
    made["screens"].add_argument("folder", type=Path, help="where the pictures go")
    add_print_options(made["print"])
    made["config"].add_argument("what", choices=("check", "keys"))
    made["config"].add_argument("file", type=Path, nargs="?", help="the file to check")
    made["replay"].add_argument("file", type=Path, help="JSON lines from `nimmt export`")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit status: 0 done, 1 could not, 2 wrong words, 130 interrupted."""
    words = parser().parse_args(argv)
    command: Any = import_module(f"firmware.commands.{words.command}")
    try:
        if words.command == "referee":
            return int(command.run(words.journal))
        return int(command.run(words))
    except CompanionError as bad:
        print(f"nimmt: {bad.fault}\n  {bad.fix}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
