"""Messages in: stored in batches, then confirmed, then folded, then shown. One thread does all of it.

What cannot be stored now is tried again; what does not fit into memory meanwhile is left out, for a table
sends again whatever was not confirmed.
"""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from network.hub import faults, schema
from network.hub.evening import TablesNow
from network.hub.matches import HubMatch, Matches, Summaries
from network.hub.reports import Batch, ReceivedMessage, TableReports, sort
from network.hub.store import Grown, Store
from network.hub.tournament import Conductor
from network.mqtt import topics
from network.mqtt.payloads import Had, Have, encode

MOST_WAITING: Final = 50_000
"""Messages in memory."""

MOST_AT_ONCE: Final = 1000
"""Messages in one transaction."""

BETWEEN_S: Final = 0.03
"""Between the beginnings of two transactions. A step alone is stored at once; of many that come one after the
other, those of this time share a transaction, which costs as much as five to ten steps."""

WATCH_S: Final = 15.0
"""How often somebody looks for what does not come by itself."""

MISSING_S: Final = 60.0
"""Steps that are missing for so long are told."""


COLLECT_S: Final = 0.3
"""How long what is stored is collected before a table is told that has more to send, and waits for it."""

LIVE_S: Final = 1.0
"""The same for single steps, which are played just now: so a table is told less often than it plays. It sends
again what was not confirmed after `network.mqtt.forward.AGAIN_S`."""

_BACKLOG: Final = 10
"""So many steps at once were not played just now."""

_RETRY_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)


class Intake:
    """Takes what the broker gives, and knows the evening. `publish` sends something to it, with its topic.

    `heard` and `turned` may be called from every thread; `work` from one, always the same. `now_s` is the
    time of day, `clock_s` a clock that only goes forward.
    """

    def __init__(
        self,
        store: Store,
        publish: Callable[[str, bytes], None],
        now_s: Callable[[], float] = time.time,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.matches, self.tables = store, Matches(store), TablesNow()
        with store.reading() as db:
            self.tables.load(db)
        self._now_s, self._clock_s = now_s, clock_s
        self._ended = threading.Event()
        self._waiting: queue.SimpleQueue[ReceivedMessage | None] = queue.SimpleQueue()
        self._left_out = 0
        self._reports = TableReports(self.tables, clock_s)
        self._confirmations = Confirmations(store, publish, clock_s)
        self._summaries = Summaries(store, self.matches, now_s)
        self._watched_s = 0.0
        self._began_s = float("-inf")
        self._connected: bool | None = None
        self._refused: frozenset[str] = frozenset()
        self._refused_told: frozenset[str] = frozenset()
        """Topics on which the broker refuses what the hub publishes: now, and as the database has it."""
        self._failed = ""
        """The error of the database that is away; empty while it is there."""
        self._turns: deque[tuple[bool, float]] = deque()
        self._over_again: deque[tuple[str, str]] = deque()
        self.changed: list[Callable[[set[str]], None]] = []
        """Called with the tables that have something new, after it is stored; with none: all of them."""
        self.conductor = Conductor(store, self.tables, self.matches, publish, now_s)
        """The tournament, which hears of results after the steps that came before them are stored."""

    @property
    def away(self) -> str:
        """What cannot be reached, so that an old evening is shown: `broker`, `database`; empty: nothing."""
        return "database" if self._failed else "" if self._connected else "broker"

    def heard(self, topic: str, payload: bytes, retained: bool = False) -> None:  # noqa: FBT001, FBT002
        """Take a message that has come now. Never blocks."""
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put(ReceivedMessage(topic, payload, self._now_s(), retained))
        else:
            self._left_out += 1

    def turned(self, connected: bool) -> None:  # noqa: FBT001 - it is what happened
        """Take that the connection to the broker is there, or gone. Never blocks."""
        self._turns.append((connected, self._now_s()))
        self._waiting.put(None)

    def refused(self, refused: frozenset[str]) -> None:
        """Take on which topics the broker refuses what the hub publishes. Never blocks."""
        self._refused = refused
        self._waiting.put(None)

    def started_over(self, box: str, uid: str) -> None:
        """Take that a match of a table was forgotten in the database (`Store.start_over`). Never blocks."""
        self._over_again.append((box, uid))
        self._waiting.put(None)

    def close(self) -> None:
        self._ended.set()
        self._waiting.put(None)

    def run(self) -> None:
        while not self._ended.is_set():
            self.work(COLLECT_S)

    def work(self, patience_s: float = 0.0) -> None:
        """Take what is waiting, for which it waits so long, and tell what is due."""
        messages = self._waiting_ones(patience_s)
        tries = 0
        while True:
            try:
                self._take(messages)
                break
            except SQLAlchemyError as error:
                if self._ended.is_set():
                    return
                # Whatever was stored is known when it is tried again; nothing was confirmed.
                if not self._failed:
                    self._failed = type(error).__name__
                    self._tell(set())
                self._ended.wait(_RETRY_S[min(tries, len(_RETRY_S) - 1)])
                tries += 1
        self._confirmations.tell_due()

    def _waiting_ones(self, patience_s: float) -> list[ReceivedMessage]:
        found: list[ReceivedMessage] = []
        due_in_s = self._confirmations.due_in_s
        if due_in_s is not None:
            patience_s = min(patience_s, due_in_s)
        with suppress(queue.Empty):
            first = self._waiting.get(timeout=patience_s) if patience_s else self._waiting.get_nowait()
            if first is not None:
                found.append(first)
            if patience_s and (left_s := self._began_s + BETWEEN_S - self._clock_s()) > 0:
                self._ended.wait(left_s)
            while len(found) < MOST_AT_ONCE:
                one = self._waiting.get_nowait()
                if one is not None:
                    found.append(one)
        if found:
            self._began_s = self._clock_s()
        return found

    # ------------------------------------------------------------------------------------- one batch

    def _take(self, messages: list[ReceivedMessage]) -> None:
        batch = sort(messages)
        watching = self._clock_s() - self._watched_s >= WATCH_S
        grown: list[Grown] = []
        turns: list[tuple[bool, float]] = []
        failed, refused = self._failed, self._refused
        if batch or self._turns or self._left_out or failed or watching or refused != self._refused_told:
            turns, left_out = list(self._turns), self._left_out
            with self.store.writing() as db:
                if batch.events:
                    grown = self.store.take(db, batch.events)
                self._reports.write(db, batch, grown)
                self._write_own(db, turns, left_out, failed)
                self._write_refused(db, refused)
                if watching:
                    self._watch(db)
            for _ in turns:
                self._turns.popleft()
            self._left_out -= left_out
            self._failed, self._refused_told = "", refused
            if watching:
                self._watched_s = self._clock_s()
        # What the broker has refused is told again: its access list may be another one.
        self._after(batch, grown, turned=bool(turns or failed or (watching and refused)))

    def _write_own(
        self, db: Connection, turns: Iterable[tuple[bool, float]], left_out: int, failed: str
    ) -> None:
        for connected, at_s in turns:
            if connected:
                faults.settle(db, ("broker", "", ""), at_s)
            elif self._connected:
                faults.tell(db, ("broker", "", ""), at_s)
            self._connected = connected
        if left_out:
            faults.tell(db, ("too many", "", ""), self._now_s(), {"count": left_out})
        if failed:
            faults.tell(db, ("database", "", ""), self._now_s(), {"cause": failed})
            faults.settle(db, ("database", "", ""), self._now_s())

    def _write_refused(self, db: Connection, refused: frozenset[str]) -> None:
        for topic in sorted(refused ^ self._refused_told):
            box, name = topics.of_table(topic) or ("", topic)
            key = "hub refused", box, name
            if topic in refused:
                faults.tell(db, key, self._now_s(), {"other": name})
            else:
                faults.settle(db, key, self._now_s())

    def _watch(self, db: Connection) -> None:
        """Look for steps that are missing for long."""
        now_s, at, fault = self._now_s(), schema.match.c, schema.fault.c
        waiting = select(at.uid, at.box, at.steps, at.ahead).where(
            at.ahead > at.steps, at.changed_s < now_s - MISSING_S
        )
        late = {("missing", row.box, row.uid): (row.steps, row.ahead) for row in db.execute(waiting)}
        for key, (have, seen) in late.items():
            faults.tell(db, key, now_s, {"have": have, "seen": seen})
        told = select(fault.kind, fault.box, fault.about).filter_by(kind="missing", settled_s=None)
        for row in db.execute(told).all():
            if tuple(row) not in late:
                faults.settle(db, tuple(row), now_s)

    # ------------------------------------------------------------------------------------- once it is stored

    def _after(self, batch: Batch, grown: list[Grown], *, turned: bool) -> None:
        """Fold what is stored, note what is to be confirmed, and say what is new."""
        while self._over_again:
            box, uid = self._over_again.popleft()
            self._forget(uid)
            self._confirmations.read_again(box)
            batch.boxes.add(box)
        self._summaries.keep(self._fold(batch, grown))
        for box, result in batch.results:
            self.conductor.hear(box, result)
        for box, registered in batch.registered:
            self.conductor.register(box, registered)
        for one in grown:
            if one.records:
                self.conductor.stepped(one.uid)
        if turned and self._connected:
            self._confirmations.tell_again()
        if batch.boxes or turned:
            new: set[str] = set() if turned else batch.boxes
            self._tell(new)
            self.conductor.seen(new)

    def _tell(self, tables: set[str]) -> None:
        for show in self.changed:
            show(tables)

    def _fold(self, batch: Batch, grown: list[Grown]) -> list[HubMatch]:
        """Let the matches follow what is stored, here and by another hub; gives those that have changed."""
        folded: list[HubMatch] = []
        for box in batch.boxes:
            self._confirmations.known(box)
        for one in grown:
            self._confirmations.note(one)
            if one.records or one.new_header:
                folded.append(self.matches.grow(one))
        for box, have in batch.have.items():
            before = dict(self._confirmations.known(box))
            for uid, had in self._confirmations.overtaken(box, have).items():
                if uid in before and not self.store.goes_on(uid, before[uid]):
                    self._forget(uid)  # another hub has started over with it
                caught_up = self.matches.catch_up(uid, had.steps)
                if caught_up is not None:
                    folded.append(caught_up)
                    self.tables.set(box, uid=uid)
                    batch.boxes.add(box)
        return folded

    def _forget(self, uid: str) -> None:
        """Forget what follows from the former history of a match."""
        self.matches.forget(uid)
        self._summaries.forget(uid)


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
        self.known(grown.box)[grown.uid] = grown.had
        due_s = self._clock_s() + (LIVE_S if 0 < len(grown.records) < _BACKLOG else COLLECT_S)
        self._due[grown.box] = min(due_s, self._due.get(grown.box, due_s))

    def overtaken(self, box: str, have: Have) -> dict[str, Had]:
        """The matches of a table that another hub has stored more of, as it has told the table."""
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
        now_s = self._clock_s()
        for box in [box for box, due_s in self._due.items() if due_s <= now_s]:
            del self._due[box]
            self._publish(topics.table_topic(box, topics.HAVE), encode(Have(self._had[box])))
