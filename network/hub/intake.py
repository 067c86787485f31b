"""Messages in: stored in batches, then acknowledged, folded and shown. One thread does all of it.

A message is acknowledged to the broker once it is on disk. So the broker keeps what a hub has received but
not stored, and gives it no more than it can take. What the broker itself has lost is noticed by a step
without those before it: then the hub asks the table to send again what it does not have.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain, repeat
from secrets import token_hex
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from companion.values import Value
from network.hub import faults
from network.hub.evening import TablesNow
from network.hub.matches import Matches
from network.hub.reports import Batch, TableReports, read
from network.hub.store import MAX_MATCHES, Store, StoredEvents
from network.hub.tournament import Conductor
from network.mqtt import topics
from network.mqtt.broker import Received
from network.mqtt.payloads import BoxState, Have, MatchEvent, NewBadges, RoundResult, encode

MAX_AT_ONCE: Final = 1000
"""Messages in one transaction."""

PUBLISH_S: Final = 1.0
"""The pause between two messages to a table about how many steps are stored."""

REPEAT_S: Final = 60.0
"""After this long it is published again although nothing has come: a table that waits sends it again."""

ASK_S: Final = 5.0
"""The pause before a table is asked again to send what is missing."""

REFUSED_S: Final = 15.0
"""After this long what the broker refuses is tried again: its access list may be another one."""

_PATIENCE_S: Final = 0.3
_RETRY_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)


class BrokerChange(Value):
    """The connection to the broker is there or gone; on which topics the broker refuses what is published.

    `is_resumed`: the broker has kept what was sent in the meantime.
    """

    is_connected: bool
    is_resumed: bool = False
    refused: frozenset[str] = frozenset()
    at_s: float = 0.0


class Intake:
    """Stores what the broker gives, and knows the evening.

    `publish` sends something to the broker, with its topic; `acknowledge` says that a message is stored.
    `receive` and `changed_broker` may be called from every thread; `work` from one, always the same. `now_s`
    is the time of day, `clock_s` a clock that only goes forward.
    """

    def __init__(
        self,
        store: Store,
        publish: Callable[[str, bytes], object],
        acknowledge: Callable[[Received], None] = lambda _: None,
        now_s: Callable[[], float] = time.time,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.matches, self.tables = store, Matches(store), TablesNow()
        with store.reading() as db:
            self.tables.load(db)
        self._acknowledge, self._now_s, self._clock_s = acknowledge, now_s, clock_s
        self._ended = threading.Event()
        self._waiting: queue.SimpleQueue[Received | BrokerChange | None] = queue.SimpleQueue()
        self._reports = TableReports(self.tables)
        self._confirmations = Confirmations(store, publish, clock_s)
        self._broker: BrokerChange | None = None
        """The newest change; None: nothing was ever heard of a broker."""
        self._refused_s = 0.0
        self._failed = ""
        """The error of the database that is away; empty while it is there."""
        self.changed: list[Callable[[set[str] | None], None]] = []
        """Called with the tables that have something new, after it is stored; None: all of them."""
        self.conductor = Conductor(store, self.tables, self.matches, publish, now_s)
        """The tournament, which is given results after the steps that came before them are stored."""

    @property
    def away(self) -> str:
        """What cannot be reached, so that an old evening is shown: `broker`, `database`; empty: nothing."""
        return "database" if self._failed else "" if self._broker and self._broker.is_connected else "broker"

    def receive(self, received: Received) -> None:
        """Put a message that has come now into the queue. Never blocks."""
        self._waiting.put(received)

    def changed_broker(
        self, *, connected: bool, resumed: bool = False, refused: frozenset[str] = frozenset()
    ) -> None:
        """Put what has become of the connection to the broker into the queue. Never blocks."""
        self._waiting.put(BrokerChange(connected, resumed, refused, self._now_s()))

    def close(self) -> None:
        self._ended.set()
        self._waiting.put(None)

    def run(self) -> None:
        while not self._ended.is_set():
            self.work(_PATIENCE_S)

    def work(self, patience_s: float = 0.0) -> None:
        """Store what is in the queue, for which it waits this long, and publish what is due."""
        found = []
        with suppress(queue.Empty):
            found.append(self._waiting.get(timeout=patience_s))
            while len(found) < MAX_AT_ONCE:
                found.append(self._waiting.get_nowait())
        messages = [each for each in found if isinstance(each, Received)]
        changes = [each for each in found if isinstance(each, BrokerChange)]
        for pause_s in chain(_RETRY_S, repeat(_RETRY_S[-1])):
            try:
                self._store(messages, changes[-1] if changes else None)
                break
            except SQLAlchemyError as error:
                if self._ended.is_set():
                    return
                # Whatever was stored is recognised when it is tried again; nothing was acknowledged.
                if not self._failed:
                    self._failed = type(error).__name__
                    logging.getLogger(__name__).warning("the database is away: %s", self._failed)
                    self._notify(None)
                self._ended.wait(pause_s)
            except Exception:
                self._acknowledge_all(messages)  # else they would end the hub again after each start
                raise
        self._acknowledge_all(messages)

    def _acknowledge_all(self, messages: Sequence[Received]) -> None:
        for message in messages:
            self._acknowledge(message)

    # ------------------------------------------------------------------------------------- one batch

    def _store(self, messages: Sequence[Received], change: BrokerChange | None) -> None:
        batch, taken, failed = read(messages), StoredEvents({}), self._failed
        if batch or change or failed:
            with self.store.writing() as db:
                events = [
                    (said.box, said.message, said.at_s)
                    for said in batch.said
                    if isinstance(said.message, MatchEvent)
                ]
                if events:
                    taken = self.store.take(db, events)
                self._reports.write(db, batch, list(taken.matches.values()))
                if change:
                    self._write_change(db, change)
                if failed:
                    faults.report(db, ("database", "", ""), self._now_s(), {"cause": failed})
                    faults.settle(db, ("database", "", ""), self._now_s())
            self._failed = ""
        if change:
            self._broker = change
            if change.is_connected and not change.is_resumed:
                self._confirmations.ask_all()
        self._follow(batch, taken, concerns_all=bool(change or failed or self._retries_refused()))

    def _retries_refused(self) -> bool:
        if not (self._broker and self._broker.refused) or self._clock_s() - self._refused_s < REFUSED_S:
            return False
        self._refused_s = self._clock_s()
        return True

    def _write_change(self, db: Connection, change: BrokerChange) -> None:
        before = self._broker or BrokerChange(is_connected=False)
        if change.is_connected:
            faults.settle(db, ("broker", "", ""), change.at_s)
        elif before.is_connected:
            faults.report(db, ("broker", "", ""), change.at_s)
        for topic in sorted(change.refused ^ before.refused):
            box, name = topics.of_table(topic) or ("", topic)
            if topic in change.refused:
                faults.report(db, ("hub refused", box, name), change.at_s, {"other": name})
            else:
                faults.settle(db, ("hub refused", box, name), change.at_s)

    # ------------------------------------------------------------------------------------- once it is stored

    def _follow(self, batch: Batch, taken: StoredEvents, *, concerns_all: bool) -> None:
        if taken.matches:
            self.matches.note(taken.matches)
        for match in taken.matches.values():
            self.matches.grow(match)
        self.matches.write_summaries(self._now_s())
        self._confirmations.note(batch, taken)
        for said in batch.said:
            match said.message:
                case RoundResult() as result:
                    self.conductor.take_result(said.box, result)
                case NewBadges() as registered:
                    self.conductor.register(said.box, registered)
        for uid in taken.matches:
            self.conductor.check_result(uid)
        if concerns_all:
            self._confirmations.repeat()
        if batch or concerns_all:
            new = None if concerns_all else batch.boxes
            self._notify(new)
            self.conductor.seat(new)
        if self._broker is None or self._broker.is_connected:
            self._confirmations.publish_due()

    def _notify(self, tables: set[str] | None) -> None:
        for notify in self.changed:
            notify(tables)


class Confirmations:
    """Knows how many steps of the matches of each table are stored, and publishes that."""

    def __init__(
        self, store: Store, publish: Callable[[str, bytes], object], clock_s: Callable[[], float]
    ) -> None:
        self._store, self._publish, self._clock_s = store, publish, clock_s
        self._stored: dict[str, dict[str, int]] = {}
        self._asked: dict[str, tuple[str, float]] = {}
        """How each table was asked to send again, and when."""
        self._due: set[str] = set()
        self._published_s = self._repeated_s = float("-inf")

    def note(self, batch: Batch, taken: StoredEvents) -> None:
        for box in batch.boxes | taken.incomplete:
            if box not in self._stored:
                self._stored[box] = self._store.stored(box)
                self._ask(box)
        for match in taken.matches.values():
            stored = self._stored[match.box]
            stored[match.uid] = match.steps
            while len(stored) > MAX_MATCHES:
                del stored[next(iter(stored))]
            self._due.add(match.box)
        # A table says in its state how many steps there are: so the last one is missed, too.
        states = ((said.box, said.message.match) for said in batch.said if isinstance(said.message, BoxState))
        late = {box for box, match in states if match and self._stored[box].get(match.uid, 0) < match.steps}
        for box in late | taken.incomplete:
            if self._clock_s() - self._asked[box][1] >= ASK_S:
                self._ask(box)

    def _ask(self, box: str) -> None:
        self._asked[box] = token_hex(4), self._clock_s()
        self._due.add(box)

    def ask_all(self) -> None:
        for box in self._stored:
            self._ask(box)

    def repeat(self) -> None:
        """Publish it for all tables: a broker that was restarted may have kept nothing."""
        self._due.update(self._stored)

    def publish_due(self) -> None:
        now_s = self._clock_s()
        if now_s - self._repeated_s >= REPEAT_S:
            self._repeated_s = now_s
            self.repeat()
        if now_s - self._published_s >= PUBLISH_S:
            self._published_s = now_s
            for box in self._due:
                have = Have(self._stored[box], self._asked[box][0])
                self._publish(topics.table_topic(box, topics.HAVE), encode(have))
            self._due.clear()
