"""What tables are told: how far each match is stored. They send what is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from network.mqtt import topics
from network.mqtt.payloads import Had, Have, encode

if TYPE_CHECKING:
    from network.hub.store import Grown, Store

COLLECT_S: Final = 0.3
"""How long what is stored is collected before a table is told that has more to send, and waits for it."""

LIVE_S: Final = 1.0
"""The same for single steps, which are played just now: so a table is told less often than it plays. It sends
again what was not confirmed after `network.mqtt.forward.AGAIN_S`."""

_BACKLOG: Final = 10
"""So many steps at once were not played just now."""


class Confirmations:
    """Knows how far the matches of each table are, and tells them. `clock_s` only goes forward."""

    def __init__(
        self, store: Store, publish: Callable[[str, bytes], None], clock_s: Callable[[], float]
    ) -> None:
        self._store, self._publish, self._clock_s = store, publish, clock_s
        self._had: dict[str, dict[str, Had]] = {}
        self._due: dict[str, float] = {}

    @property
    def due_in_s(self) -> float | None:
        """Seconds until a table is to be told; None while none is."""
        return max(0.0, min(self._due.values()) - self._clock_s()) if self._due else None

    def known(self, box: str) -> dict[str, Had]:
        """How far the matches of a table are; one that was not seen before is told at once."""
        found = self._had.get(box)
        if found is None:
            found = self._had[box] = self._store.had(box)
            self._due[box] = self._clock_s()
        while len(found) > topics.NEWEST:
            del found[next(iter(found))]
        return found

    def note(self, grown: Grown) -> None:
        """Note how far a match is stored."""
        self.known(grown.box)[grown.uid] = grown.had
        due_s = self._clock_s() + (LIVE_S if 0 < len(grown.records) < _BACKLOG else COLLECT_S)
        self._due[grown.box] = min(due_s, self._due.get(grown.box, due_s))

    def overtaken(self, box: str, have: Have) -> dict[str, Had]:
        """The matches of a table of which another hub has stored more, as it has told the table."""
        before = self.known(box)
        if dict(have.matches) == before:
            return {}
        now = self._had[box] = self._store.had(box)
        if dict(have.matches) != now:  # it was overtaken on its way
            self._due.setdefault(box, self._clock_s() + COLLECT_S)
        return {uid: had for uid, had in now.items() if had != before.get(uid)}

    def read_again(self, box: str) -> None:
        """Tell a table at once what the database has now: it may be less than before."""
        self._had[box] = self._store.had(box)
        self._due[box] = self._clock_s()

    def tell_again(self) -> None:
        """Tell all tables: a broker that was restarted may have kept nothing."""
        for name in self._had:
            self._due.setdefault(name, self._clock_s())

    def tell_due(self) -> None:
        """Tell the tables that are due."""
        now_s = self._clock_s()
        for box in [box for box, due_s in self._due.items() if due_s <= now_s]:
            del self._due[box]
            self._publish(topics.table_topic(box, topics.HAVE), encode(Have(self._had[box])))
