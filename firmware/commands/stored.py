"""Read access to the journal for the commands about matches, also while the device is running."""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from companion.errors import CompanionError
from firmware.config.configuration import load
from firmware.history.played_match import read_match, read_time
from firmware.journal.store import Journal
from firmware.translation import Translator

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from firmware.config.configuration import Config
    from firmware.history.played_match import PlayedMatch
    from firmware.journal.store import JournalReader, MatchEntry

EVENING: Final = timedelta(hours=12)
"""Matches that began this long before the last one still belong to the same evening."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A journal that is open for reading, with its configuration."""

    journal: JournalReader
    config: Config
    translate: Translator

    def past(self, entry: MatchEntry) -> PlayedMatch:
        """One match of the journal. Raises `CompanionError` where it cannot be read."""
        return read_match(self.journal, entry, self.config.table.names)

    def chosen(self, number: int | None) -> MatchEntry:
        """The requested match, else the newest. Raises `CompanionError` if there is none."""
        entries = {entry.id: entry for entry in self.journal.matches()}
        wanted = max(entries, default=0) if number is None else number
        if not entries:
            raise CompanionError("no match has been played yet", "to play one, type: nimmt run")
        if wanted not in entries:
            known = f"choose a match from 1 to {max(entries)}"
            raise CompanionError(f"there is no match {wanted} in the journal", known)
        return entries[wanted]

    def evening(self, last: MatchEntry) -> list[MatchEntry]:
        """The match and those before it on the same evening, oldest first."""
        until = read_time(last.started_at)
        found = []
        for entry in self.journal.matches():
            began = read_time(entry.started_at)
            same = until and began and timedelta(0) <= until - began < EVENING
            if entry.id == last.id or (same and entry.id < last.id):
                found.append(entry)
        return found


def place(translate: argparse.Namespace, config: Config) -> Path:
    """The path of the journal from the command line or the configuration."""
    named: Path | None = translate.journal
    return named or config.journal.place(os.environ)


@contextmanager
def opened(translate: argparse.Namespace) -> Iterator[Stored]:
    """The journal from the command line or the configuration. Raises `JournalError`."""
    config = load(translate.config)
    with closing(Journal.read(place(translate, config))) as journal:
        yield Stored(journal, config, Translator(config.screen.language))
