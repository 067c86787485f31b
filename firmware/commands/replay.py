"""`nimmt replay`: read an exported file and print the story of its matches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.match import log
from firmware.commands.declared import Command, Example
from firmware.commands.language import spoken
from firmware.commands.show import tell
from firmware.history.exported import split_matches, text_of

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Print the story of the file. Raises `CompanionError` naming the line that cannot be read."""
    records = list(log.from_lines(text_of(args.file).splitlines()))
    for part in split_matches(records):
        tell(records[part], spoken(None))
    return 0


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="JSON lines from `nimmt export`")


COMMAND = Command(
    help="read exported JSON lines and check that they form a valid match",
    run=run,
    options=_options,
    examples=(Example("nimmt replay other-table.jsonl", lines=8),),
)
