"""`nimmt`: selects the command. Each command is a file of its own and is imported when it is called."""

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
from firmware.commands.record_options import RECORDS, add_record_options

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = {
    "run": "play: start the configured device, or play in this terminal if there is no configuration",
    "demo": "watch scripted players play a whole match",
    "referee": "referee a match for another program: JSON lines in, JSON lines out",
    "doctor": "check every configured device and the machine, and report what was found",
    "setup": "set up board, display, keys, scanner and buzzer step by step, and write the configuration",
    "status": "show the state of the running service",
    "overlays": "show what is missing in the Raspberry Pi's config.txt for the configured devices",
    "support": "collect everything a bug report needs in one file, without names or secrets",
    "display": "show a status picture on the display while no game is running",
    "print": "make a PDF of card labels, badges, the control sheet, a table card or the scanner setup sheet",
    "screens": "write a picture of every screen",
    "config": "check a configuration file, or print every key",
    **RECORDS,
    "replay": "read exported JSON lines and check that they form a valid match",
}

_WITHOUT_GAMES = ("status", "overlays", "display", "glass")
"""Commands that need no game, and are called often or early: installed games are not looked for."""

_OLD_NAMES = {"display": ("glass",)}
"""Former names of commands, which existing units and scripts may still use."""

_FILES = {"import": "import_matches", "glass": "display"}
"""The file of a command where it is not named like the command (no file can be called `import`)."""

INSTALLED = Path("/etc/nimmt/nimmt.toml")
"""The configuration of the installed device: the default of every command but `run`."""

INSTALLED_STATE = "/var/lib/nimmt"
"""The folder of the installed device's journal, which systemd passes to the service and to no one else."""

PICTURES = ("starting", "stopped", "fault", "restarting", "off", "ended")
"""The pictures of `nimmt display`; "ended" asks systemd whether it was a fault."""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="nimmt",
        description=(
            "A referee for 6 nimmt!, 11 nimmt! and Ciao!: it reads the cards, applies the rules and keeps "
            "score."
        ),
        epilog="New here? Type: nimmt run    (then Enter; ? explains a ruling, u undoes, x quits)",
    )
    top.add_argument("--version", action="version", version=f"nimmt {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    made = {
        name: commands.add_parser(name, aliases=_OLD_NAMES.get(name, ()), help=text, description=text)
        for name, text in _COMMANDS.items()
    }
    for name in ("run", "doctor", *RECORDS, "support", "overlays", "display"):
        made[name].add_argument("--config", type=Path, metavar="FILE", help="the configuration file (TOML)")
        if name != "run":
            made[name].set_defaults(config=INSTALLED if INSTALLED.is_file() else None)
        if name not in ("doctor", "overlays", "display"):
            made[name].add_argument("--journal", type=Path, metavar="FILE", help="use this journal instead")
    made["run"].add_argument(
        "--safe", action="store_true", help="start in safe mode, without anything that may have failed"
    )
    made["doctor"].add_argument("--json", action="store_true", help="the findings as JSON")
    # The guide has no configuration yet: it makes one.
    made["doctor"].add_argument(
        "--guide", action="store_const", const="setup", dest="command", default=argparse.SUPPRESS,
        help="set everything up step by step, like `nimmt setup`",
    )  # fmt: skip
    made["setup"].add_argument(
        "--out", type=Path, metavar="FILE", help="where to write the configuration (default: nimmt.toml)"
    )
    made["setup"].add_argument("--json", type=Path, metavar="FILE", help="the findings as JSON")
    made["status"].add_argument("--json", action="store_true", help="print everything as JSON")
    made["status"].add_argument("--file", type=Path, metavar="FILE", help="read this status file instead")
    made["support"].add_argument(
        "file", type=Path, nargs="?", help="the file to write (default: in this folder, named by date)"
    )
    made["overlays"].add_argument("--write", action="store_true", help="add what is missing (as root)")
    made["overlays"].add_argument("--boot", type=Path, metavar="FILE", help="use this config.txt instead")
    made["display"].add_argument("notice", choices=PICTURES, help="which picture")
    made["demo"].add_argument("--game", choices=games.GAMES, default=games.first(), help="which game")
    made["demo"].add_argument("--fast", action="store_true", help="no pauses: a whole match in seconds")
    made["demo"].add_argument(
        "--seats", type=int, default=4, metavar="N", help="number of players (default 4)"
    )
    made["demo"].add_argument(
        "--seed", type=int, default=6, metavar="N", help="random seed: another seed gives another match"
    )
    made["referee"].add_argument(
        "--journal",
        type=Path,
        metavar="FILE",
        help="save every step in this journal file, and resume matches from it",
    )
    add_record_options(made)
    made["screens"].add_argument("folder", type=Path, nargs="?", help="the folder for the pictures")
    made["screens"].add_argument(
        "--animation", type=Path, metavar="FILE", help="write a turn as an animated picture (.gif or .png)"
    )
    add_print_options(made["print"])
    made["config"].add_argument(
        "what", choices=("check", "keys"),
        help="check: list every fault in the file and how to fix it; keys: list every key",
    )  # fmt: skip
    made["config"].add_argument("file", type=Path, nargs="?", help="the file to check, such as table.toml")
    made["replay"].add_argument("file", type=Path, help="JSON lines from `nimmt export`")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit status: 0 success, 1 failure, 2 usage error, 130 interrupted."""
    words = sys.argv[1:] if argv is None else argv
    # Before the words are read: a game that is installed is one that can be named in them.
    if words and words[0] in _COMMANDS and words[0] not in _WITHOUT_GAMES:
        _add_installed_games()
    args = parser().parse_args(words)
    command: Any = import_module(f"firmware.commands.{_FILES.get(args.command, args.command)}")
    if getattr(args, "config", None) == INSTALLED:
        os.environ.setdefault("STATE_DIRECTORY", INSTALLED_STATE)
    try:
        if args.command == "referee":
            return int(command.run(args.journal))
        return int(command.run(args))
    except CompanionError as bad:
        print(f"nimmt: {_whole(bad)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _add_installed_games() -> None:
    from firmware.plugins import add_installed_games

    for bad in add_installed_games():
        print(f"nimmt: {_whole(bad)}", file=sys.stderr)


def _whole(bad: CompanionError) -> str:
    """What is wrong and what to do; for a configuration, every fault with its own fix."""
    from firmware.config.problem import ConfigError

    return str(bad) if isinstance(bad, ConfigError) else f"{bad.fault}\n  {bad.fix}"


if __name__ == "__main__":
    sys.exit(main())
