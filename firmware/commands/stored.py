"""Reading the journal for `matches`, `show` and `export`, also while the device is running."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from firmware.config import load
from firmware.journal import Journal

if TYPE_CHECKING:
    import argparse

    from firmware.journal import JournalReader, MatchEntry


def opened(words: argparse.Namespace) -> JournalReader:
    """The journal that the command line or the configuration names. Raises `JournalError`."""
    return Journal.read(words.journal or load(words.config).journal.place(os.environ))


def chosen(words: argparse.Namespace, journal: JournalReader) -> MatchEntry:
    """The match that was asked for, else the newest. Raises `CompanionError` if there is none."""
    entries = {entry.id: entry for entry in journal.matches()}
    number = max(entries, default=0) if words.match is None else words.match
    if number not in entries:
        known = f"the matches are 1 to {max(entries)}" if entries else "play one with: nimmt run"
        raise CompanionError(f"there is no match {number} in the journal", known)
    return entries[number]
