"""Messages in: stored in batches, then acknowledged, folded and shown. One thread does all of it.

A message is acknowledged to the broker once it is on disk. So the broker keeps what a hub has heard but not
stored, and gives it no more than it can take. What the broker itself has lost is noticed by a step without
those before it: then the hub asks the table to send again what it does not have.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from secrets import token_hex
from typing import Final, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from companion.values import Value
from network.hub import faults
from network.hub.evening import TablesNow
from network.hub.matches import Matches
from network.hub.reports import Batch, TableReports, read
from network.hub.store import MOST_MATCHES, Store, Taken
from network.hub.tournament import Conductor
from network.mqtt import topics
from network.mqtt.broker import Received
from network.mqtt.payloads import Event, Have, Registered, Result, State, encode

MOST_AT_ONCE: Final = 1000
"""Messages in one transaction."""

TELL_S: Final = 1.0
"""So often a table is told at most how many steps are stored."""

REPEAT_S: Final = 60.0
"""So often it is told again although nothing has come: a table that waits for more sends it again."""

ASK_S: Final = 5.0
"""So often a table is asked at most to send again what is missing."""

REFUSED_S: Final = 15.0
"""What the broker refuses is tried again after so long: its access list may be another one."""

_PATIENCE_S: Final = 0.3
_RETRY_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)


class BrokerChange(Value):
    """The connection to the broker is there or gone; on which topics the broker refuses what is published.

    `is_resumed`: the broker has kept what was said in the meantime.
    """

    is_connected: bool
    is_resumed: bool = False
    refused: frozenset[str] = frozenset()
    at_s: float = 0.0


_News: TypeAlias = Received | BrokerChange | None


class Intake:
    """Takes what the broker gives, and knows the evening.

    `publish` sends something to the broker, with its topic; `acknowledge` says that a message is stored.
    `heard` and `changed_broker` may be called from every thread; `work` from one, always the same. `now_s` is
    the time of day, `clock_s` a clock that only goes forward.
    """

    def __init__(
        self,
        store: Store,
        publish: Callable[[str, bytes], None],
        acknowledge: Callable[[Received], None] = lambda _: None,
        now_s: Callable[[], float] = time.time,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.matches, self.tables = store, Matches(store), TablesNow()
        with store.reading() as db:
            self.tables.load(db)
        self._publish, self._acknowledge = publish, acknowledge
        self._now_s, self._clock_s = now_s, clock_s
        self._ended = threading.Event()
        self._waiting: queue.SimpleQueue[_News] = queue.SimpleQueue()
        self._reports = TableReports(self.tables)
        self._confirmations = Confirmations(store, publish, clock_s)
        self._connected: bool | None = None
        self._refused: frozenset[str] = frozenset()
        self._refused_s = 0.0
        self._failed = ""
        """The error of the database that is away; empty while it is there."""
        self.changed: list[Callable[[set[str] | None], None]] = []
        """Called with the tables that have something new, after it is stored; None: all of them."""
        self.conductor = Conductor(store, self.tables, self.matches, publish, now_s)
        """The tournament, which hears of results after the steps that came before them are stored."""

    @property
    def away(self) -> str:
        """What cannot be reached, so that an old evening is shown: `broker`, `database`; empty: nothing."""
        return "database" if self._failed else "" if self._connected else "broker"

    def heard(self, received: Received) -> None:
        """Take a message that has come now. Never blocks."""
        self._waiting.put(received)

    def changed_broker(
        self, *, connected: bool, resumed: bool = False, refused: frozenset[str] = frozenset()
    ) -> None:
        """Take what has become of the connection to the broker. Never blocks."""
        self._waiting.put(BrokerChange(connected, resumed, refused, self._now_s()))

    def close(self) -> None:
        self._ended.set()
        self._waiting.put(None)

    def run(self) -> None:
        while not self._ended.is_set():
            self.work(_PATIENCE_S)

    def work(self, patience_s: float = 0.0) -> None:
        """Take what is waiting, for which it waits so long, and tell what is due."""
        news = self._news(patience_s)
        messages = [one for one in news if isinstance(one, Received)]
        changes = [one for one in news if isinstance(one, BrokerChange)]
        tries = 0
        while True:
            try:
                self._take(messages, changes)
                break
            except SQLAlchemyError as error:
                if self._ended.is_set():
                    return
                # Whatever was stored is known when it is tried again; nothing was acknowledged.
                if not self._failed:
                    self._failed = type(error).__name__
                    self._tell(None)
                self._ended.wait(_RETRY_S[min(tries, len(_RETRY_S) - 1)])
                tries += 1
            except Exception:
                self._acknowledge_all(messages)  # else they would end the hub again after each start
                raise
        self._acknowledge_all(messages)

    def _acknowledge_all(self, messages: Iterable[Received]) -> None:
        for one in messages:
            self._acknowledge(one)

    def _news(self, patience_s: float) -> list[_News]:
        found: list[_News] = []
        with suppress(queue.Empty):
            found.append(self._waiting.get(timeout=patience_s) if patience_s else self._waiting.get_nowait())
            while len(found) < MOST_AT_ONCE:
                found.append(self._waiting.get_nowait())
        return found

    # ------------------------------------------------------------------------------------- one batch

    def _take(self, messages: Sequence[Received], changes: Sequence[BrokerChange]) -> None:
        batch, taken, failed = read(messages), Taken({}), self._failed
        if batch or changes or failed:
            with self.store.writing() as db:
                said = ((one.box, one.message, one.at_s) for one in batch.said)
                events = [(box, event, at_s) for box, event, at_s in said if isinstance(event, Event)]
                if events:
                    taken = self.store.take(db, events)
                self._reports.write(db, batch, list(taken.matches.values()))
                self._write_changes(db, changes)
                if failed:
                    faults.tell(db, ("database", "", ""), self._now_s(), {"cause": failed})
                    faults.settle(db, ("database", "", ""), self._now_s())
            self._failed = ""
        for change in changes:
            self._connected, self._refused = change.is_connected, change.refused
            if change.is_connected and not change.is_resumed:
                self._confirmations.ask_all()
        self._after(batch, taken, is_turned=bool(changes or failed or self._tries_again()))

    def _tries_again(self) -> bool:
        if not self._refused or self._clock_s() - self._refused_s < REFUSED_S:
            return False
        self._refused_s = self._clock_s()
        return True

    def _write_changes(self, db: Connection, changes: Sequence[BrokerChange]) -> None:
        connected, before = self._connected, self._refused
        for change in changes:
            if change.is_connected:
                faults.settle(db, ("broker", "", ""), change.at_s)
            elif connected:
                faults.tell(db, ("broker", "", ""), change.at_s)
            for topic in sorted(change.refused ^ before):
                box, name = topics.of_table(topic) or ("", topic)
                key = "hub refused", box, name
                if topic in change.refused:
                    faults.tell(db, key, change.at_s, {"other": name})
                else:
                    faults.settle(db, key, change.at_s)
            connected, before = change.is_connected, change.refused

    # ------------------------------------------------------------------------------------- once it is stored

    def _after(self, batch: Batch, taken: Taken, *, is_turned: bool) -> None:
        for match in taken.matches.values():
            self.matches.grow(match)
        self.matches.write_summaries(self._now_s())
        self._confirmations.note(batch, taken)
        for said in batch.said:
            match said.message:
                case Result() as result:
                    self.conductor.take_result(said.box, result)
                case Registered() as registered:
                    self.conductor.register(said.box, registered)
        for uid in taken.matches:
            self.conductor.stepped(uid)
        if is_turned:
            self._confirmations.tell_again()
        if batch or is_turned:
            new = None if is_turned else batch.boxes
            self._tell(new)
            self.conductor.seen(new)
        if self._connected is not False:
            self._confirmations.tell_due()

    def _tell(self, tables: set[str] | None) -> None:
        for show in self.changed:
            show(tables)


class Confirmations:
    """Knows how many steps of the matches of each table are stored, and tells them."""

    def __init__(
        self, store: Store, publish: Callable[[str, bytes], None], clock_s: Callable[[], float]
    ) -> None:
        self._store, self._publish, self._clock_s = store, publish, clock_s
        self._stored: dict[str, dict[str, int]] = {}
        self._asked: dict[str, tuple[str, float]] = {}
        """How each table was asked to send again, and when."""
        self._due: set[str] = set()
        self._told_s = self._repeated_s = float("-inf")

    def note(self, batch: Batch, taken: Taken) -> None:
        for box in batch.boxes | taken.incomplete:
            if box not in self._stored:
                self._stored[box] = self._store.stored(box)
                self._ask(box)
        for match in taken.matches.values():
            stored = self._stored[match.box]
            stored[match.uid] = match.steps
            while len(stored) > MOST_MATCHES:
                del stored[next(iter(stored))]
            self._due.add(match.box)
        # A table says in its state how many steps there are: so the last one is missed, too.
        states = {one.box: one.message.match for one in batch.said if isinstance(one.message, State)}
        late = {
            box
            for box, match in states.items()
            if match is not None and self._stored[box].get(match.uid, 0) < match.steps
        }
        now_s = self._clock_s()
        for box in late | taken.incomplete:
            if now_s - self._asked[box][1] >= ASK_S:
                self._ask(box)

    def _ask(self, box: str) -> None:
        self._asked[box] = token_hex(4), self._clock_s()
        self._due.add(box)

    def ask_all(self) -> None:
        for box in self._stored:
            self._ask(box)

    def tell_again(self) -> None:
        """Tell all tables: a broker that was restarted may have kept nothing."""
        self._due.update(self._stored)

    def tell_due(self) -> None:
        now_s = self._clock_s()
        if now_s - self._repeated_s >= REPEAT_S:
            self._repeated_s = now_s
            self.tell_again()
        if now_s - self._told_s >= TELL_S:
            self._told_s = now_s
            for box in self._due:
                have = Have(self._stored[box], self._asked[box][0])
                self._publish(topics.table_topic(box, topics.HAVE), encode(have))
            self._due.clear()
