"""`nimmt export`: a match as JSON lines on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import log
from firmware.commands.stored import chosen, opened

if TYPE_CHECKING:
    import argparse


def run(words: argparse.Namespace) -> int:
    """Write header and steps, one record a line."""
    journal = opened(words)
    try:
        entry = chosen(words, journal)
        for line in log.to_lines([entry.header, *journal.steps(entry.id)]):
            print(line)
    finally:
        journal.close()
    return 0
