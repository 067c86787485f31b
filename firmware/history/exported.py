"""Exported files: matches as JSON lines and back, with identity and times: the format of `nimmt import`.

The records are those of `companion.match.log`; the header also contains `match`, the identity, and
`at`, its start.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any, Final

from companion.core.codes import BADGES
from companion.match import log
from companion.match.match import begin
from companion.match.tally import tally_of
from companion.protocol.referee import LONGEST_LINE
from companion.text.errors import CompanionError, InvalidRecord, quoted
from companion.text.files import text_in
from firmware.history.players import NOBODY
from firmware.history.stored_matches import MatchExport
from firmware.history.stored_time import read_time
from firmware.journal.errors import DamagedMatch
from firmware.journal.reader import JournalReader
from firmware.journal.rows import ImportedMatch, MatchEntry
from firmware.text.os_errors import unreadable

LARGEST_BYTES: Final = 256_000_000
"""Some thousand matches. What has no end, such as a device, is not read for ever."""

WRITTEN: Final = "choose a file written by nimmt export"


def text_of(path: Path) -> str:
    """The text of the file, or of a pipe. Raises `CompanionError` with the reason if it cannot be read."""
    try:
        return text_in(b"".join(_lines(path)), str(path))
    except OSError as bad:
        fix = "change its permissions, or use sudo" if isinstance(bad, PermissionError) else WRITTEN
        raise unreadable(path, bad, fix) from bad


def _lines(path: Path) -> Iterator[bytes]:
    left = LARGEST_BYTES
    with path.open("rb") as file:
        for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), b""), start=1):
            left -= len(line)
            if len(line) > LONGEST_LINE:
                raise CompanionError(f"line {number} of {path} is longer than {LONGEST_LINE} bytes", WRITTEN)
            if left < 0:
                fault = f"{path} is larger than {LARGEST_BYTES} bytes"
                raise CompanionError(fault, "export fewer matches into one file")
            yield line


def as_jsonl(export: MatchExport) -> Iterator[str]:
    """The log of each match, one line per record."""
    for entry in export.entries:
        try:
            for line in _exported(export.stored.journal, entry):
                yield f"{line}\n"
        except DamagedMatch as bad:
            export.damages[entry.id] = bad


def _exported(journal: JournalReader, entry: MatchEntry) -> Iterator[str]:
    """A match, one line per record, up to the first card that is hidden now. Raises `JournalError`."""
    header = {**entry.header, "match": entry.uid, "at": entry.started_at}
    steps = islice(journal.timed_steps(entry.id), _open_steps(journal, entry))
    records = ({**log.with_sentences(step), "at": at} for step, at in steps)
    yield from log.to_lines(chain([header], records))


def _open_steps(journal: JournalReader, entry: MatchEntry) -> int | None:
    """How many steps tell nothing of hands that are hidden while a deal is played; None: all of them."""
    if entry.tally is not None and entry.tally.over:
        return None
    match = begin(log.read_header(entry.header))
    game = match.game
    if not game.tells_hands:
        return None
    before: dict[int, int] = {}  # by deal, the steps before the first that tells of a hand
    try:
        for number, record in enumerate(journal.steps(entry.id)):
            step = log.read_step(record, match.game)
            match = match.then(step)
            if any(isinstance(event, game.tells_hands) for event in step.events):
                before.setdefault(match.position.deal, number)
    except CompanionError:  # what can be read is told by who reads it
        pass
    return None if match.position.over else before.get(match.position.deal)


def matches_in(text: str) -> list[ImportedMatch]:
    """The matches in a text of JSON lines, each replayed from its first step to its last.

    Raises `CompanionError` for the first match that cannot be read, and where there is none.
    """
    lines = text.splitlines()
    records = list(log.from_lines(lines))
    places = [number for number, line in enumerate(lines, start=1) if line.strip()]
    parts = split_matches(records)
    if "log" not in records[0]:
        raise InvalidRecord("line 1 is not a match header", WRITTEN)
    found: list[ImportedMatch] = []
    for part in parts:
        line = places[part.start]
        try:
            found.append(_kept(records[part]))
        except CompanionError as bad:
            raise InvalidRecord(f"the match that begins in line {line}: {bad.fault}", bad.fix) from bad
        if any(found[-1].uid == other.uid for other in found[:-1]):
            raise InvalidRecord(f"the match that begins in line {line} is in the file twice", "keep one")
    return found


def split_matches(records: Sequence[Mapping[str, Any]]) -> list[slice]:
    """The records of each match: a match starts with a header, or with the first record.

    Raises `CompanionError` if there is none.
    """
    if not records:
        raise CompanionError("the file contains no match", WRITTEN)
    begins = [index for index, record in enumerate(records) if index == 0 or "log" in record]
    return [slice(*ends) for ends in pairwise([*begins, len(records)])]


def _kept(records: list[dict[str, Any]]) -> ImportedMatch:
    match = log.replay(records)
    terms = match.terms
    if terms.badges and len(terms.badges) < terms.seats:
        fault = f"{len(terms.badges)} badges for {terms.seats} seats"
        raise InvalidRecord(fault, "give one badge for each seat")
    for badge in terms.badges:
        if badge not in (NOBODY, *BADGES):
            raise InvalidRecord(f"there is no badge {badge}", f"use 1 to {BADGES[-1]}, or 0 for nobody")
    if len({*terms.badges} - {NOBODY}) + terms.badges.count(NOBODY) != len(terms.badges):
        raise InvalidRecord("two seats have the same badge", "give every seat its own badge")
    header, began = _without_time(records[0], "the start")
    uid = header.pop("match", None)
    steps = [
        _without_time(log.without_sentences(record), f"step {number}")
        for number, record in enumerate(records[1:], start=1)
    ]
    known = uid if isinstance(uid, str) and uid else _uid(header, began, steps)
    return ImportedMatch(known, header, began, steps, tally_of(match))


def _without_time(record: Mapping[str, Any], what: str) -> tuple[dict[str, Any], str]:
    """The record and its time, empty if none is known. Raises `InvalidRecord` for what is no time."""
    rest = dict(record)
    at = rest.pop("at", "")
    if at != "" and (not isinstance(at, str) or read_time(at) is None):
        fix = 'write it like "2026-03-01T20:15:00Z", or leave "at" out'
        raise InvalidRecord(f"the time of {what} is not a time: {quoted(at)}", fix)
    return rest, at


def _uid(header: Mapping[str, Any], began: str, steps: Sequence[tuple[Mapping[str, Any], str]]) -> str:
    """An identity for a match without one: the same for the same content, and it reveals no person.

    Two matches can have the same steps, such as one score each: then their times tell them apart.
    """
    agreed = {name: value for name, value in header.items() if name != "badges"}
    times = [began, *(at for _, at in steps)]
    content = json.dumps([agreed, [record for record, _ in steps], *filter(None, times)])
    return hashlib.sha256(content.encode()).hexdigest()[:16]
