"""The journal, read for the broker: which matches there are, and their steps as messages.

The journal is opened for each look and closed after it: a reader that stays would keep the log of the game's
journal from being shortened.
"""

from collections.abc import Sequence
from contextlib import closing
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
from firmware.journal.rows import MatchHead
from firmware.journal.store import Journal
from network.mqtt.payloads import OF_A_HEADER, MatchEvent, step_record

NEWEST: Final = 100
"""A table tells of this many of its newest matches."""


class PublishedMatch(Value):
    """A match of the journal: how many steps it has, and its header as the event of number 0."""

    uid: str
    steps: int
    header: MatchEvent


class JournalRecords(Struct):
    """The journal at `path`. One thread. `names` are those of the configuration; None: none are told."""

    path: Path
    names: Sequence[str] | None = None
    _heads: dict[str, MatchHead] = field(default_factory=dict)

    def look(self) -> list[PublishedMatch]:
        """The newest matches, the newest first; none where there is no journal. Raises `JournalError`."""
        if not self.path.exists():
            return []
        with closing(Journal.read(self.path)) as reader:
            names = None if self.names is None else named(self.names, reader.recall(NOTE))
            heads = reader.heads(NEWEST)
        self._heads = {head.uid: head for head in heads}
        return [PublishedMatch(head.uid, head.steps, _header(head, names)) for head in heads]

    def uid(self, number: int) -> str | None:
        """The identity of a match by its number in the journal, as of the last look."""
        return next((head.uid for head in self._heads.values() if head.id == number), None)

    def events(self, uid: str, sent: int) -> list[MatchEvent]:
        """The steps of a match after step `sent`, up to the first that cannot be read.

        Raises `JournalError`.
        """
        head, found = self._heads[uid], list[MatchEvent]()
        try:
            game = begin(log.read_header(loads(head.header))).game
            with closing(Journal.read(self.path)) as reader:
                _, steps, _ = reader.steps_after(head.id, max(0, sent - 1))
            after = ""
            for number, (record, at) in enumerate(steps, start=max(1, sent)):
                if number > sent:
                    found.append(MatchEvent(uid, number, at, after, step_record(game, record)))
                after = at
        except CompanionError as bad:  # also a game that is not installed here
            if isinstance(bad, JournalError) and not isinstance(bad, DamagedMatch):
                raise
        return found


def _header(head: MatchHead, names: Sequence[str] | None) -> MatchEvent:
    """The header as the event of number 0; with the names of the badges, unless `names` is None."""
    header = loads(head.header)
    record = {name: header[name] for name in OF_A_HEADER if name in header}
    record["started_at"] = head.started_at
    if names is not None:
        badges = record.get("badges") or range(1, record["seats"] + 1)
        record["names"] = [names[badge - 1] if 0 < badge <= len(names) else f"P{badge}" for badge in badges]
    return MatchEvent(head.uid, 0, head.started_at, "", record)
