"""`nimmt table`: follow the table in a terminal, through its socket."""

import argparse
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, flag, path
from firmware.commands.records import place
from firmware.config.configuration import Config, load
from firmware.table_socket.access import found
from firmware.table_socket.as_text import lines_of
from firmware.table_socket.client import Connection
from firmware.table_socket.messages import Snapshot, after

SILENCE_S: Final = 15.0
"""The table says more often than this that it is alive."""

RETRY_S: Final = 1.0

AWAY: Final = "The game is not running at the moment. What you see is not current."

_CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"


TABLE: Final = path("--table", help="use this socket of a table instead")


def table_of(args: argparse.Namespace, config: Config) -> Path:
    """The socket of the table from the command line, else that of the game on this machine."""
    named: Path | None = args.table
    return named or found(os.environ, place(args, config), args.journal)


def run(args: argparse.Namespace) -> int:
    """Show the table whenever it changes, until Ctrl-C; while no game runs, that.

    With `--once` only as it is now; raises `CompanionError` where no game runs.
    """
    config = load(args.config)
    at = table_of(args, config)
    clear = _CLEAR if sys.stdout.isatty() and not args.once else ""
    lines: list[str] = []
    while True:
        try:
            for lines in _seen(at):
                print(clear + "\n".join(lines), end="\n" if clear or args.once else "\n\n", flush=True)
                if args.once:
                    return 0
        except CompanionError:
            if args.once:
                raise
        print(clear + "\n".join([AWAY, "", *lines] if clear else [AWAY]), flush=True)
        while not _answers(at):
            threading.Event().wait(RETRY_S)


def _seen(at: Path) -> Iterator[list[str]]:
    """The table as text, whenever that differs, until it is gone or hangs. Raises `CompanionError`."""
    snapshot: Snapshot | None = None
    shown: list[str] | None = None
    with Connection(at, SILENCE_S) as connection:
        try:
            for record in connection:
                snapshot = after(snapshot, record)
                if snapshot and (lines := lines_of(snapshot)) != shown:
                    shown = lines
                    yield lines
        except (OSError, ValueError):  # it hangs, or was ended in the middle of a line
            return


def _answers(at: Path) -> bool:
    try:
        Connection(at).close()
    except CompanionError:
        return False
    return True


COMMAND = Command(
    help="follow the table in this terminal: cards, what is asked, why, standings",
    run=run,
    options=(flag("--once", help="show it once as it is now, then exit"), TABLE),
    config=True,
    journal=True,
)
