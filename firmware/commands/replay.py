"""`nimmt replay`: read an exported file and tell its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import log
from firmware.commands.show import tell
from firmware.records.exported import text_of
from firmware.records.log_lines import parted
from firmware.words import Words

if TYPE_CHECKING:
    import argparse


def run(words: argparse.Namespace) -> int:
    """Print the story of the file. Raises `CompanionError` naming the line that cannot be read."""
    records = list(log.from_lines(text_of(words.file).splitlines()))
    for part in parted(records):
        tell(records[part], Words())
    return 0
