"""Messages as the broker gave them, sorted: those of one transaction. And what tables say beside their steps.

That is whether they are there, how they are, what is wrong. It is written down here.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from companion.values import Value
from network.hub import evening, faults
from network.hub.evening import TablesNow
from network.hub.faults import HubFault
from network.hub.store import Grown, StoredEvent
from network.mqtt import topics
from network.mqtt.payloads import Event, Have, Malformed, Online, Registered, Result, State, decode

STATE_S: Final = 2.0
"""How often the state of a table is read; a newer one comes with each of its steps."""

LONGEST_UID: Final = 64
KEEP_S: Final = 20.0
"""How often what a table says of itself is written down while nothing important changes."""

WRONG_CLOCK_S: Final = 300.0
_LONGEST_SEAL: Final = 16
_LONGEST_TIME: Final = 40
_LARGEST_NUMBER: Final = 1_000_000


class ReceivedMessage(Value):
    """A message with the time at which it came."""

    topic: str
    payload: bytes
    at_s: float
    retained: bool


class Batch:
    """The messages of one transaction, by what they are."""

    def __init__(self) -> None:
        self.events: list[StoredEvent] = []
        self.online: list[tuple[str, Online, ReceivedMessage]] = []
        self.states: list[tuple[str, State, ReceivedMessage]] = []
        self.results: list[tuple[str, Result]] = []
        self.registered: list[tuple[str, Registered]] = []
        self.have: dict[str, Have] = {}
        self.faults: dict[HubFault, float] = {}
        self.boxes: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self.events or self.online or self.states or self.faults)


class Sorter:
    """Makes batches of messages. States are read at intervals; between them the newest one waits here."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._states: dict[str, ReceivedMessage] = {}
        self._read_s: dict[str, float] = {}

    def sort(self, messages: Iterable[ReceivedMessage]) -> Batch:
        """The messages, and the states that are due."""
        batch = Batch()
        for message in messages:
            self._sort(message, batch)
        self._sort_states(batch)
        return batch

    def _sort(self, message: ReceivedMessage, batch: Batch) -> None:
        found = topics.of_table(message.topic)
        if found is None:
            batch.faults[HubFault("rubbish", "", "", {"what": message.topic[:60]})] = message.at_s
            return
        box, name = found
        try:
            match name:
                case topics.EVENT:
                    batch.events.append(
                        StoredEvent(box, _usable(decode(Event, message.payload)), message.at_s)
                    )
                case topics.STATE if message.payload:
                    self._states[box] = message
                case topics.ONLINE if message.payload:
                    batch.online.append((box, decode(Online, message.payload), message))
                case topics.RESULT if message.payload:
                    batch.results.append((box, decode(Result, message.payload)))
                case topics.REGISTERED if message.payload:
                    batch.registered.append((box, decode(Registered, message.payload)))
                case topics.HAVE if message.payload and not message.retained:
                    batch.have[box] = decode(Have, message.payload)
        except Malformed as bad:
            about = HubFault("rubbish", box, name, {"what": f"{name}: {str(bad)[:100]}"})
            batch.faults[about] = message.at_s

    def _sort_states(self, batch: Batch) -> None:
        """Read the states that were not read for a while, and those of tables that come or go."""
        now_s = self._clock_s()
        turned = {box for box, _, _ in batch.online}
        due = [
            box for box in self._states if box in turned or now_s - self._read_s.get(box, -STATE_S) >= STATE_S
        ]
        for box in due:
            message = self._states.pop(box)
            try:
                batch.states.append((box, decode(State, message.payload), message))
                self._read_s[box] = now_s
            except Malformed as bad:
                about = HubFault("rubbish", box, topics.STATE, {"what": f"state: {str(bad)[:100]}"})
                batch.faults[about] = message.at_s


def _usable(event: Event) -> Event:
    """An event that the database can hold. Raises `Malformed`."""
    too_long = (
        len(event.match) > LONGEST_UID or len(event.seal) > _LONGEST_SEAL or len(event.at) > _LONGEST_TIME
    )
    if too_long or not event.match or not 0 <= event.number <= _LARGEST_NUMBER:
        raise Malformed("its match, number, seal or time is beyond all bounds")
    return event


class TableReports:
    """Writes down what tables say of themselves: in the evening, which is in memory, and in the database."""

    def __init__(self, tables: TablesNow, clock_s: Callable[[], float]) -> None:
        self._evening, self._clock_s = tables, clock_s
        self._kept_s: dict[str, float] = {}
        self._told: dict[str, frozenset[HubFault]] = {}

    def write(self, db: Connection, batch: Batch, grown: Iterable[Grown]) -> None:
        for one in grown:
            fields: dict[str, Any] = {"seen_s": batch.events[-1].at_s}
            if one.records:
                fields["uid"] = one.uid
            self._evening.set(one.box, **fields)
            batch.boxes.add(one.box)
        for box, online, message in batch.online:
            self._write_online(db, box, online, message)
            batch.boxes.add(box)
        for box, state, message in batch.states:
            self._write_state(db, box, state, message)
            batch.boxes.add(box)
        for box, _, message in batch.online:
            now = self._evening.box(box)
            match = None if now is None or now.online or now.state is None else now.state.match
            if match is not None and not match.over:
                faults.tell(db, HubFault("away", box), message.at_s)
        for fault, at_s in batch.faults.items():
            faults.tell(db, fault, at_s)
        now_s = self._clock_s()
        for name in sorted(batch.boxes):  # in one order, so that no two hubs wait for each other
            box_now = self._evening.box(name)
            if box_now is not None and now_s - self._kept_s.get(name, -KEEP_S) >= KEEP_S:
                evening.keep(db, box_now)
                self._kept_s[name] = now_s

    def _write_online(self, db: Connection, name: str, online: Online, message: ReceivedMessage) -> None:
        before = self._evening.box(name)
        if (
            before is not None
            and before.online
            and online.online
            and before.device not in ("", online.device)
        ):
            facts = {"device": before.device[:40], "other": online.device[:40]}
            faults.tell(db, HubFault("same name", name, "", facts), message.at_s)
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

    def _write_state(self, db: Connection, name: str, state: State, message: ReceivedMessage) -> None:
        fields: dict[str, Any] = {"state": state, "device": state.device}
        if state.name:
            fields["label"] = state.name[:60]
        if state.match is not None:
            fields["uid"] = state.match.uid[:LONGEST_UID]
        if not message.retained:
            fields["seen_s"] = message.at_s
        self._evening.set(name, **fields)
        says = {HubFault("health", name, one.id[:64], {"says": one.says[:200]}) for one in state.health}
        for told in state.faults:
            facts = {"steps": told.steps, "other": told.other[:60], "device": state.device[:40]}
            says.add(HubFault(told.kind[:20], name, told.match[:64], facts))
        if not message.retained and (minutes := _minutes_wrong(state.at, message.at_s)):
            says.add(HubFault("clock", name, "", {"minutes": minutes}))
        now = {(one.kind, one.about): one for one in says if one.kind in faults.SAYS}
        before = {(one.kind, one.about): one for one in self._told.get(name, frozenset())}
        for key in now.keys() - before.keys():
            faults.tell(db, now[key], message.at_s)
        for kind, about in before.keys() - now.keys():
            faults.settle(db, kind, name, about, message.at_s)
        self._told[name] = frozenset(now.values())


def _minutes_wrong(at: str, heard_s: float) -> int:
    """By how many minutes a clock is wrong; 0 where it is right, or says nothing."""
    try:
        wrong_s = datetime.fromisoformat(at).timestamp() - heard_s
    except (ValueError, OverflowError, OSError):
        return 0
    return round(wrong_s / 60) if abs(wrong_s) > WRONG_CLOCK_S else 0
