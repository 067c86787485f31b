"""The journal, read for the broker: which matches there are, and each step with its seal.

The journal is opened for each look and closed after it: a reader that stays would keep the log of the game's
journal from being shortened. Seals are worked out once and kept while their match is among the latest used.
"""

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache
from json import loads
from pathlib import Path
from typing import Final

from msgspec import Struct

from companion.match import log
from companion.match.match import begin
from companion.text.errors import CompanionError
from companion.values import Value, field
from firmware.history.players import NOTE, named
from firmware.journal.errors import DamagedMatch, JournalError
from firmware.journal.reader import JournalReader
from firmware.journal.rows import Head
from firmware.journal.store import Journal
from network.mqtt import topics
from network.mqtt.payloads import Event, first_seal, header_record, header_seal, next_seal, step_record

_KEPT: Final = 4
"""So many matches are kept with their records: the one in play, and those that are being sent."""


class PublishedMatch(Value):
    """A match of the journal: how many steps it has, and the seal of its header."""

    uid: str
    steps: int
    header: str


class _Read(Struct):
    """A match as far as it was read: its events, and the seal that the journal has for the last of them."""

    events: list[Event]
    chain: int
    fault: int = 0
    """The first step that cannot be read; 0: there is none."""


class Records(Struct):
    """The journal at `path`. One thread. `names` are those of the configuration; None: none are told."""

    path: Path
    names: Sequence[str] | None = None
    _heads: dict[str, Head] = field(default_factory=dict)
    _headers: dict[str, Event] = field(default_factory=dict)
    _read: OrderedDict[str, _Read] = field(default_factory=OrderedDict)

    def look(self) -> list[PublishedMatch]:
        """The newest matches, the newest first; none where there is no journal. Raises `JournalError`."""
        if not self.path.exists():
            return []
        with closing(Journal.read(self.path)) as reader:
            names = None if self.names is None else named(self.names, reader.recall(NOTE))
            heads = reader.heads(topics.NEWEST)
        self._heads = {head.uid: head for head in heads}
        self._headers = {head.uid: _header(head.uid, head.header, head.started_at, names) for head in heads}
        for uid, kept in list(self._read.items()):
            if not _may_go_on(kept, self._heads.get(uid)):
                del self._read[uid]
        return [PublishedMatch(head.uid, head.steps, self._headers[head.uid].seal) for head in heads]

    def uid(self, number: int) -> str | None:
        """The identity of a match by its number in the journal, as of the last look."""
        return next((head.uid for head in self._heads.values() if head.id == number), None)

    def seal(self, uid: str, number: int) -> str | None:
        """The seal of a step of a match; None where that cannot be read. Raises `JournalError`."""
        if number == 0:
            return first_seal(uid)
        found = self.event(uid, number)
        return None if found is None else found.seal

    def event(self, uid: str, number: int) -> Event | None:
        """A step of a match, 0 its header; None where it cannot be read. Raises `JournalError`."""
        if number == 0:
            return self._headers.get(uid)
        if uid not in self._heads:
            return None
        events = self._events(uid, number).events
        return events[number - 1] if number <= len(events) else None

    def fault(self, uid: str) -> int:
        """The first step of a match that was found to be damaged; 0: none."""
        kept = self._read.get(uid)
        return 0 if kept is None else kept.fault

    def _events(self, uid: str, number: int) -> _Read:
        """What is read of a match, up to `number` at least, if that is there."""
        kept = self._read.get(uid)
        head = self._heads[uid]
        if kept is None or (len(kept.events) < number and not kept.fault):
            with closing(Journal.read(self.path)) as reader:
                kept = self._read[uid] = _read_on(reader, head, kept)
        self._read.move_to_end(uid)
        while len(self._read) > _KEPT:
            self._read.popitem(last=False)
        return kept


@lru_cache(maxsize=2 * topics.NEWEST)
def _header(uid: str, header: str, started_at: str, names: tuple[str, ...] | None) -> Event:
    record = header_record(loads(header), started_at, names)
    return Event(uid, 0, started_at, header_seal(uid, record), record)


def _may_go_on(kept: _Read, head: Head | None) -> bool:
    """Whether what was read of a match may be its beginning; if it has more steps, reading them tells."""
    if head is None or head.steps < len(kept.events) or kept.fault:
        return False
    return head.steps > len(kept.events) or head.chain == kept.chain


def _read_on(reader: JournalReader, head: Head, kept: _Read | None) -> _Read:
    """Read the later steps of a match; all of it, if what was read before is not what is there now."""
    found = kept or _Read([], 0)
    try:
        chain, steps, last = reader.steps_after(head.id, len(found.events))
        if found.events and chain != found.chain:  # another journal is in its place
            found = _Read([], 0)
            _, steps, last = reader.steps_after(head.id, 0)
        game = begin(log.read_header(loads(head.header))).game
        seal = found.events[-1].seal if found.events else first_seal(head.uid)
        for stored, at in steps:
            number, record = len(found.events) + 1, step_record(game, stored)
            seal = next_seal(seal, number, at, record)
            found.events.append(Event(head.uid, number, at, seal, record))
        found.chain = last
    except CompanionError as bad:  # also a game that is not installed here, or a record of a later version
        if isinstance(bad, JournalError) and not isinstance(bad, DamagedMatch):
            raise
        found.fault = len(found.events) + 1
    return found
