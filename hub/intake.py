"""Messages in: stored in batches, then confirmed, then folded, then shown. One thread does all of it.

What cannot be stored now is tried again; what does not fit into memory meanwhile is left out, for a table
sends again whatever was not confirmed.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from firmware.history.played_match import title_of
from firmware.history.summary import VERSION, result_of
from hub import evening, faults, schema
from hub.faults import Fault
from hub.store import Arrived
from mqtt import topics
from mqtt.payloads import Event, Had, Have, Malformed, Online, Result, State, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy import Connection

    from companion.match import Match
    from firmware.history.summary import Summary
    from hub.evening import Evening
    from hub.matches import Folded, Matches
    from hub.store import Grown, Store

Message = TypeVar("Message")

MOST_WAITING: Final = 50_000
"""Messages in memory."""

MOST_AT_ONCE: Final = 1000
"""Messages in one transaction."""

COLLECT_S: Final = 0.3
"""How long what is stored is collected before a table is told."""

STATE_S: Final = 2.0
"""How often the state of a table is read; a newer one comes with each of its steps."""

KEEP_S: Final = 20.0
"""How often what a table says of itself is written down while nothing important changes."""

WATCH_S: Final = 15.0
"""How often somebody looks for what does not come by itself."""

MISSING_S: Final = 60.0
"""Steps that are missing for so long are told."""

WRONG_CLOCK_S: Final = 300.0

_RETRY_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
_LONGEST_UID: Final = 64
_LONGEST_SEAL: Final = 16
_LONGEST_TIME: Final = 40
_LARGEST_NUMBER: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class _Message:
    topic: str
    payload: bytes
    at_s: float
    retained: bool


class Intake:
    """Takes what the broker gives. `publish` sends something to it, with its topic.

    `heard` and `turned` may be called from every thread; `work` from one, always the same. `now_s` is the
    time of day, `clock_s` a clock that only goes forward.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - its surroundings, and two clocks
        self,
        store: Store,
        matches: Matches,
        tables: Evening,
        publish: Callable[[str, bytes], None],
        now_s: Callable[[], float] = time.time,
        clock_s: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        self._store, self._matches, self._evening, self._publish = store, matches, tables, publish
        self._now_s, self._clock_s = now_s, clock_s
        self._ended = threading.Event()
        self._pause = pause or self._ended.wait
        self._waiting: queue.Queue[_Message | None] = queue.Queue(MOST_WAITING)
        self._left_out = 0
        self._had: dict[str, dict[str, Had]] = {}
        self._due: dict[str, float] = {}
        self._states: dict[str, _Message] = {}
        self._read_s: dict[str, float] = {}
        self._kept_s: dict[str, float] = {}
        self._told: dict[str, frozenset[Fault]] = {}
        self._scores: dict[str, object] = {}
        self._watched_s = 0.0
        self._connected: bool | None = None
        self._turns: deque[tuple[bool, float]] = deque()
        self.changed: list[Callable[[set[str]], None]] = []
        """Called with the tables of which something is new, after it is stored; with none: all of them."""
        self.on_result: list[Callable[[str, Result], None]] = []
        """Called with a table and the result it reports, after the steps that came before it are stored."""
        self.on_match: list[Callable[[str], None]] = []
        """Called with the uid of each match that has new steps."""

    def say(self, topic: str, payload: bytes) -> None:
        """Send something that the broker retains; from every thread."""
        self._publish(topic, payload)

    @property
    def connected(self) -> bool:
        """Whether there is a connection to the broker."""
        return bool(self._connected)

    def heard(self, topic: str, payload: bytes, at_s: float, retained: bool = False) -> None:  # noqa: FBT001, FBT002
        """Take a message. Never blocks."""
        try:
            self._waiting.put_nowait(_Message(topic, payload, at_s, retained))
        except queue.Full:
            self._left_out += 1

    def turned(self, connected: bool) -> None:  # noqa: FBT001 - it is what happened
        """Take that the connection to the broker is there, or gone. Never blocks."""
        self._turns.append((connected, self._now_s()))
        with suppress(queue.Full):
            self._waiting.put_nowait(None)

    def close(self) -> None:
        """Let `run` end."""
        self._ended.set()
        with suppress(queue.Full):
            self._waiting.put_nowait(None)

    def run(self) -> None:
        """Work until `close`."""
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
                self._failed = type(error).__name__
                self._pause(_RETRY_S[min(tries, len(_RETRY_S) - 1)])
                tries += 1
        self._tell_due()

    def _waiting_ones(self, patience_s: float) -> list[_Message]:
        found: list[_Message] = []
        if self._due:
            patience_s = min(patience_s, max(0.0, min(self._due.values()) - self._clock_s()))
        with suppress(queue.Empty):
            first = self._waiting.get(timeout=patience_s) if patience_s else self._waiting.get_nowait()
            if first is not None:
                found.append(first)
            while len(found) < MOST_AT_ONCE:
                one = self._waiting.get_nowait()
                if one is not None:
                    found.append(one)
        return found

    # ------------------------------------------------------------------------------------- one batch

    _failed = ""

    def _take(self, messages: list[_Message]) -> None:
        batch = _Batch()
        for message in messages:
            self._sort(message, batch)
        self._sort_states(batch)
        watching = self._clock_s() - self._watched_s >= WATCH_S
        grown: list[Grown] = []
        turns: list[tuple[bool, float]] = []
        if batch or self._turns or self._left_out or self._failed or watching:
            turns, left_out, failed = list(self._turns), self._left_out, self._failed
            with self._store.writing() as db:
                if batch.events:
                    grown = self._store.take(db, batch.events)
                self._write(db, batch, grown)
                self._write_own(db, turns, left_out, failed)
                if watching:
                    self._watch(db)
            for _ in turns:
                self._turns.popleft()
            self._left_out -= left_out
            self._failed = ""
            if watching:
                self._watched_s = self._clock_s()
        self._after(batch, grown, turned=bool(turns))

    def _sort(self, message: _Message, batch: _Batch) -> None:
        found = topics.of_table(message.topic)
        if found is None:
            batch.faults[Fault("rubbish", "", "", {"what": message.topic[:60]})] = message.at_s
            return
        box, name = found
        try:
            match name:
                case topics.EVENT:
                    batch.events.append(Arrived(box, _usable(decode(Event, message.payload)), message.at_s))
                case topics.STATE if message.payload:
                    self._states[box] = message
                case topics.ONLINE if message.payload:
                    batch.online.append((box, decode(Online, message.payload), message))
                case topics.RESULT if message.payload:
                    batch.results.append((box, decode(Result, message.payload)))
                case topics.HAVE if message.payload and not message.retained:
                    batch.have[box] = decode(Have, message.payload)
        except Malformed as bad:
            about = Fault("rubbish", box, name, {"what": f"{name}: {str(bad)[:100]}"})
            batch.faults[about] = message.at_s

    def _sort_states(self, batch: _Batch) -> None:
        """Read the states that were not read for a while."""
        now_s = self._clock_s()
        due = [box for box in self._states if now_s - self._read_s.get(box, -STATE_S) >= STATE_S]
        for box in due:
            message = self._states.pop(box)
            try:
                batch.states.append((box, decode(State, message.payload), message))
                self._read_s[box] = now_s
            except Malformed as bad:
                about = Fault("rubbish", box, topics.STATE, {"what": f"state: {str(bad)[:100]}"})
                batch.faults[about] = message.at_s

    def _write(self, db: Connection, batch: _Batch, grown: Iterable[Grown]) -> None:
        """Write down what tables say beside their steps."""
        for one in grown:
            self._evening.set(one.box, seen_s=batch.events[-1].at_s)
            if one.records:
                self._evening.set(one.box, uid=one.uid)
            batch.boxes.add(one.box)
        for box, online, message in batch.online:
            self._write_online(db, box, online, message)
            batch.boxes.add(box)
        for box, state, message in batch.states:
            self._write_state(db, box, state, message)
            batch.boxes.add(box)
        for fault, at_s in batch.faults.items():
            faults.tell(db, fault, at_s)
        now_s = self._clock_s()
        for name in batch.boxes:
            box_now = self._evening.box(name)
            if box_now is not None and now_s - self._kept_s.get(name, -KEEP_S) >= KEEP_S:
                evening.keep(db, box_now)
                self._kept_s[name] = now_s

    def _write_own(
        self, db: Connection, turns: Iterable[tuple[bool, float]], left_out: int, failed: str
    ) -> None:
        """Write down what happened to the hub itself."""
        for connected, at_s in turns:
            if connected:
                faults.settle(db, "broker", "", "", at_s)
            elif self._connected:
                faults.tell(db, Fault("broker"), at_s)
            self._connected = connected
        if left_out:
            faults.tell(db, Fault("too many", "", "", {"count": left_out}), self._now_s())
        if failed:
            faults.tell(db, Fault("database", "", "", {"cause": failed}), self._now_s())
            faults.settle(db, "database", "", "", self._now_s())

    def _write_online(self, db: Connection, name: str, online: Online, message: _Message) -> None:
        before = self._evening.box(name)
        if (
            before is not None
            and before.online
            and online.online
            and before.device not in ("", online.device)
        ):
            facts = {"device": before.device[:40], "other": online.device[:40]}
            faults.tell(db, Fault("same name", name, "", facts), message.at_s)
        if not online.online and before is not None and before.device not in ("", online.device):
            return  # the last word of a box that has been replaced
        fields: dict[str, Any] = {"online": online.online, "device": online.device}
        if online.name:
            fields["label"] = online.name[:60]
        if not message.retained or before is None:
            fields["seen_s"] = message.at_s
        after = self._evening.set(name, **fields)
        if after is None:
            return
        self._kept_s.pop(name, None)
        if online.online:
            faults.settle(db, "away", name, "", message.at_s)
        elif after.state is not None and after.state.match is not None and not after.state.match.over:
            faults.tell(db, Fault("away", name), message.at_s)

    def _write_state(self, db: Connection, name: str, state: State, message: _Message) -> None:
        fields: dict[str, Any] = {"state": state, "device": state.device}
        if state.name:
            fields["label"] = state.name[:60]
        if state.match is not None:
            fields["uid"] = state.match.uid[:_LONGEST_UID]
        if not message.retained:
            fields["seen_s"] = message.at_s
        self._evening.set(name, **fields)
        says = {Fault("health", name, one.id[:64], {"says": one.says[:200]}) for one in state.health}
        for told in state.faults:
            facts = {"steps": told.steps, "other": told.other[:60], "device": state.device[:40]}
            says.add(Fault(told.kind[:20], name, told.match[:64], facts))
        if not message.retained and (minutes := _minutes_wrong(state.at, message.at_s)):
            says.add(Fault("clock", name, "", {"minutes": minutes}))
        now = {(one.kind, one.about): one for one in says if one.kind in faults.SAYS}
        before = {(one.kind, one.about): one for one in self._told.get(name, frozenset())}
        for key in now.keys() - before.keys():
            faults.tell(db, now[key], message.at_s)
        for kind, about in before.keys() - now.keys():
            faults.settle(db, kind, name, about, message.at_s)
        self._told[name] = frozenset(now.values())

    def _watch(self, db: Connection) -> None:
        """Look for steps that are missing for long."""
        now_s = self._now_s()
        at = schema.match.c
        waiting = select(at.uid, at.box, at.steps, at.ahead, at.changed_s).where(at.ahead > at.steps)
        late = {
            (row.box, row.uid): {"have": row.steps, "seen": row.ahead}
            for row in db.execute(waiting)
            if now_s - row.changed_s > MISSING_S
        }
        for (box, uid), facts in late.items():
            faults.tell(db, Fault("missing", box, uid, facts), now_s)
        open_ = select(schema.fault.c.box, schema.fault.c.about).where(
            schema.fault.c.kind == "missing", schema.fault.c.settled_s.is_(None)
        )
        for row in db.execute(open_).all():
            if (row.box, row.about) not in late:
                faults.settle(db, "missing", row.box, row.about, now_s)

    # ------------------------------------------------------------------------------------- once it is stored

    def _after(self, batch: _Batch, grown: list[Grown], *, turned: bool) -> None:
        """Fold what is stored, note what is to be confirmed, and say what is new."""
        scored: list[Folded] = []
        for box in batch.boxes:
            self._known(box)
        for one in grown:
            self._known(one.box)[one.uid] = one.had
            self._due.setdefault(one.box, self._clock_s() + COLLECT_S)
            if one.records or one.new_header:
                scored += self._scored(self._matches.grow(one))
        for box, have in batch.have.items():
            scored += self._of_another_hub(box, have, batch)
        if scored:
            self._summarise(scored)
        for box, result in batch.results:
            for tell in self.on_result:
                tell(box, result)
        for one in grown:
            if one.records:
                for changed in self.on_match:
                    changed(one.uid)
        if turned:
            self._tell_again()
        if batch.boxes or turned:
            for show in self.changed:
                show(set() if turned else batch.boxes)

    def _tell_again(self) -> None:
        """Tell all tables once the broker is there again: one that was started anew may have kept nothing."""
        if self._connected:
            for name in self._had:
                self._due.setdefault(name, self._clock_s())

    def _known(self, box: str) -> dict[str, Had]:
        """How far the matches of a table are; one that was not seen before is told at once."""
        found = self._had.get(box)
        if found is None:
            found = self._had[box] = self._store.had(box)
            self._due[box] = self._clock_s()
        while len(found) > topics.NEWEST:
            del found[next(iter(found))]
        return found

    def _of_another_hub(self, box: str, have: Have, batch: _Batch) -> list[Folded]:
        """Look into the database for what another hub has stored."""
        before = self._known(box)
        if dict(have.matches) == before:
            return []
        now = self._had[box] = self._store.had(box)
        if dict(have.matches) != now:  # it was overtaken on its way
            self._due.setdefault(box, self._clock_s() + COLLECT_S)
        scored: list[Folded] = []
        for uid, had in now.items():
            if had != before.get(uid) and (folded := self._matches.catch_up(uid, had.steps)) is not None:
                scored += self._scored(folded)
                self._evening.set(box, uid=uid)
                batch.boxes.add(box)
        return scored

    def _scored(self, folded: Folded) -> list[Folded]:
        """The match itself if its score is another one since the last time."""
        match = folded.match
        if match is None and folded.fault is None:
            return []
        score = (folded.fault, match and (match.position.score_sheet, match.position.over))
        if self._scores.get(folded.uid) == score:
            return []
        self._scores[folded.uid] = score
        return [folded]

    def _summarise(self, scored: Iterable[Folded]) -> None:
        at = schema.match.c
        with self._store.writing() as db:
            for one in scored:
                row = db.execute(select(at.box, at.summary_steps).where(at.uid == one.uid)).first()
                if row is None:
                    continue
                if one.fault is not None:
                    faults.tell(
                        db, Fault("cannot follow", row.box, one.uid, {"number": one.fault - 1}), self._now_s()
                    )
                if one.match is not None and row.summary_steps < one.steps:
                    summary = json.dumps(self._summary(one.uid, one.match), ensure_ascii=False)
                    db.execute(
                        update(schema.match)
                        .where(at.uid == one.uid)
                        .values(summary=summary, summary_steps=one.steps)
                    )

    def _summary(self, uid: str, match: Match) -> Summary:
        """What a match amounts to. Of one that goes on it takes no more than the score that is in memory."""
        if match.position.over:
            whole = self._matches.whole(uid).match
            return result_of(match if whole is None else whole)
        seats, sheet = range(len(match.totals)), match.position.score_sheet
        return {
            "version": VERSION,
            "game": title_of(match),
            "high": match.scoring.high_wins,
            "over": False,
            "deal": match.position.deal,
            "seats": len(seats),
            "winners": [],
            "places": [[one.rank, one.total, list(one.seats)] for one in sheet.standings(match.players)],
            "points": [[row[seat] for row in sheet.deals if seat < len(row)] for seat in seats],
            "taken": None,
        }

    def _tell_due(self) -> None:
        """Tell the tables how far their matches are."""
        now_s = self._clock_s()
        for box in [box for box, due_s in self._due.items() if due_s <= now_s]:
            del self._due[box]
            self._publish(topics.table_topic(box, topics.HAVE), encode(Have(self._had[box])))


class _Batch:
    """The messages of one transaction, by what they are."""

    def __init__(self) -> None:
        self.events: list[Arrived] = []
        self.online: list[tuple[str, Online, _Message]] = []
        self.states: list[tuple[str, State, _Message]] = []
        self.results: list[tuple[str, Result]] = []
        self.have: dict[str, Have] = {}
        self.faults: dict[Fault, float] = {}
        self.boxes: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self.events or self.online or self.states or self.faults)


def _usable(event: Event) -> Event:
    """An event that the database can hold. Raises `Malformed`."""
    too_long = (
        len(event.match) > _LONGEST_UID or len(event.seal) > _LONGEST_SEAL or len(event.at) > _LONGEST_TIME
    )
    if too_long or not event.match or not 0 <= event.number <= _LARGEST_NUMBER:
        raise Malformed("its match, number, seal or time is beyond all bounds")
    return event


def _minutes_wrong(at: str, heard_s: float) -> int:
    """By how many minutes a clock is wrong; 0 where it is right, or says nothing."""
    try:
        wrong_s = datetime.fromisoformat(at).timestamp() - heard_s
    except (ValueError, OverflowError, OSError):
        return 0
    return round(wrong_s / 60) if abs(wrong_s) > WRONG_CLOCK_S else 0
