"""The socket of the table that a command follows, such as `nimmt speak`."""

import argparse
import os
from pathlib import Path
from typing import Final

from firmware.commands.declared import path
from firmware.commands.records import place
from firmware.config.configuration import Config
from firmware.table_socket.access import found

SILENCE_S: Final = 15.0
"""The table says more often than this that it is alive."""

RETRY_S: Final = 1.0

TABLE: Final = path("--table", help="use this socket of a table instead")


def table_of(args: argparse.Namespace, config: Config) -> Path:
    """The socket of the table from the command line, else that of the game on this machine."""
    named: Path | None = args.table
    return named or found(os.environ, place(args, config), args.journal)
