"""Making the journal forget a person: their badge in every match and note. The totals stay as they are.

A match with an erased player cannot be resumed: no badge would be theirs. A name that was given at the table
is forgotten with the badge. One in the configuration stays: only people edit that.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from companion.match import log
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value
from firmware.history import players, results
from firmware.history.players import NOBODY
from firmware.journal.reader import JournalReader
from firmware.journal.store import Journal
from firmware.journal.writes import Rewrite

COPIES: Final = (".bak", ".damaged-", ".before-restore-", ".newer-v", ".restored-")
"""What is in the names of files that are kept beside a journal."""


class Traces(Value):
    """Where the journal contains a badge: the numbers of matches, and the notes without the badge."""

    matches: Mapping[int, Mapping[str, object]]
    notes: Mapping[str, object]


def traces(journal: JournalReader, badge: int) -> Traces:
    """Where the badge occurs. Raises `JournalError`, and `CompanionError` for a badge that is playing now."""
    entries = journal.matches()
    headers = {entry.id: _without(entry.header, badge) for entry in entries if badge in _badges(entry.header)}
    notes: dict[str, object] = {}
    opened = journal.recall("open")
    if opened in headers:
        entry = next(entry for entry in entries if entry.id == opened)
        if not log.replay([entry.header, *journal.steps(entry.id)]).position.over:
            fault = say("badge {badge} plays in match {id}, which is not over", badge=badge, id=entry.id)
            fix = say("end or suspend the match first (hold OK on the device), then erase")
            raise CompanionError(fault, fix)
        notes["open"] = None
    for key in ("group", "joining"):
        note = journal.recall(key)
        if isinstance(note, dict) and badge in _badges(note):
            notes[key] = None
    names = players.given_names(journal.recall(players.NOTE))
    if names.pop(badge, None) is not None:
        notes[players.NOTE] = players.note_of(names)
    best = results.read_best(journal.recall(results.BEST_NOTE))
    if (others := results.best_without(best, badge)) != best:
        notes[results.BEST_NOTE] = others
    if (joins := _joins_without(journal.recall("joins"), badge)) != journal.recall("joins"):
        notes["joins"] = joins
    away = journal.recall("away")
    if isinstance(away, list) and not headers.keys().isdisjoint(away):
        notes["away"] = [number for number in away if number not in headers]
    return Traces(headers, notes)


def erase(journal: Journal, badge: int) -> Traces:
    """Replace a badge by `NOBODY` in all matches and leave no byte of it in the file; gives where it was.

    Raises as `traces` does, and `JournalError` where the journal cannot be written.
    """
    found = traces(journal.reader, badge)
    journal.write([Rewrite(found.matches, found.notes)])
    return found


def copies_beside(path: Path) -> list[Path]:
    """Older copies of the journal beside it, which may still contain the badge."""
    return sorted(
        file
        for file in path.parent.glob(f"{path.name}.*")
        if any(part in file.name for part in COPIES) and not file.name.endswith(("-wal", "-shm"))
    )


def _badges(record: Mapping[str, Any]) -> list[Any]:
    badges = record.get("badges")
    return badges if isinstance(badges, list) else []


def _without(header: Mapping[str, object], badge: int) -> dict[str, object]:
    return {**header, "badges": [NOBODY if known == badge else known for known in _badges(header)]}


def _joins_without(note: object, badge: int) -> object:
    """Who joins with the next deal, without a badge; None for nobody."""
    if not isinstance(note, dict):
        return note
    left = {match: [join for join in joins if join[0] != badge] for match, joins in note.items()}
    return {match: joins for match, joins in left.items() if joins} or None
