"""`nimmt replay`: read an exported file and tell its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import log
from companion.errors import CompanionError
from firmware.commands.show import tell
from firmware.records.exported import text_of
from firmware.words import Words

if TYPE_CHECKING:
    import argparse


def run(words: argparse.Namespace) -> int:
    """Print the story of the file. Raises `CompanionError` naming the line that cannot be read."""
    records = list(log.from_lines(text_of(words.file).splitlines()))
    if not records:
        raise CompanionError(f"{words.file} holds no match", "name a file written by nimmt export")
    begins = [place for place, record in enumerate(records) if place == 0 or "log" in record]
    for place, end in zip(begins, [*begins[1:], len(records)], strict=True):
        tell(records[place:end], Words())
    return 0
