"""The messages of one transaction, sorted; and what tables say beside their steps, of how they are."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection

from companion.values import Value, field
from network.hub import faults
from network.hub.evening import TablesNow
from network.hub.faults import FaultKey
from network.hub.store import MatchUpdate, ReceivedEvent
from network.mqtt import payloads, topics
from network.mqtt.broker import Received
from network.mqtt.payloads import Event, Malformed, Online, Registered, Result, State, decode

LONGEST_UID: Final = 64
WRONG_CLOCK_S: Final = 300.0
_LONGEST_TIME: Final = 40
_LARGEST_NUMBER: Final = 1_000_000


class ReceivedMessage(Value):
    """A message with the time at which it came."""

    received: Received
    at_s: float


class Batch(Struct):
    """The messages of one transaction, by what they are, each with its table."""

    events: list[ReceivedEvent] = field(default_factory=list)
    online: list[tuple[str, Online, ReceivedMessage]] = field(default_factory=list)
    states: dict[str, tuple[State, ReceivedMessage]] = field(default_factory=dict)
    """The newest of each table."""
    results: list[tuple[str, Result]] = field(default_factory=list)
    registered: list[tuple[str, Registered]] = field(default_factory=list)
    faults: dict[FaultKey, tuple[float, dict[str, Any]]] = field(default_factory=dict)
    """When each was noticed, and its facts."""
    boxes: set[str] = field(default_factory=set)
    """The tables that have something new, as it is written."""

    def __bool__(self) -> bool:
        return bool(self.events or self.online or self.states or self.faults)


def sort(messages: Iterable[ReceivedMessage]) -> Batch:
    """The messages by what they are; what is rubbish is among the faults."""
    batch = Batch()
    for one in messages:
        found = topics.of_table(one.received.topic)
        if found is None:
            batch.faults["rubbish", "", ""] = one.at_s, {"what": one.received.topic[:60]}
            continue
        try:
            _sort(*found, one, batch)
        except Malformed as bad:
            batch.faults["rubbish", *found] = one.at_s, {"what": f"{found[1]}: {str(bad)[:100]}"}
    return batch


def _sort(box: str, name: str, message: ReceivedMessage, batch: Batch) -> None:
    payload = message.received.payload
    if not payload and name != topics.EVENT:
        return  # the broker keeps nothing there any more
    match decode(payloads.OF_TOPIC[name], payload):
        case Event() as event:
            batch.events.append(ReceivedEvent(box, _usable(event), message.at_s))
        case State() as state:
            batch.states[box] = state, message
        case Online() as online:
            batch.online.append((box, online, message))
        case Result() as result:
            batch.results.append((box, result))
        case Registered() as registered:
            batch.registered.append((box, registered))


def _usable(event: Event) -> Event:
    """An event that the database can hold. Raises `Malformed`."""
    if not 0 < len(event.match) <= LONGEST_UID or max(len(event.at), len(event.after)) > _LONGEST_TIME:
        raise Malformed("its match or its time is too long")
    if not 0 <= event.number <= _LARGEST_NUMBER:
        raise Malformed("its number is beyond all bounds")
    return event


class TableReports:
    """Notes what tables say of themselves: in the evening, and in the faults of the database."""

    def __init__(self, tables: TablesNow) -> None:
        self._evening = tables
        self._told: dict[str, Mapping[FaultKey, dict[str, Any]]] = {}

    def write(self, db: Connection, batch: Batch, matches: Iterable[MatchUpdate]) -> None:
        for one in matches:
            fields: dict[str, Any] = {"seen_s": batch.events[-1].at_s}
            if one.rows:
                fields["uid"] = one.uid
            self._evening.set(one.box, **fields)
            batch.boxes.add(one.box)
        for box, online, message in batch.online:
            self._write_online(db, box, online, message)
            batch.boxes.add(box)
        for box, (state, message) in batch.states.items():
            self._write_state(db, box, state, message)
            batch.boxes.add(box)
        for box, _, message in batch.online:
            now = self._evening.box(box)
            match = None if now is None or now.online or now.state is None else now.state.match
            if match is not None and not match.over:
                faults.tell(db, ("away", box, ""), message.at_s)
        for key, (at_s, facts) in batch.faults.items():
            faults.tell(db, key, at_s, facts)

    def _write_online(self, db: Connection, name: str, online: Online, message: ReceivedMessage) -> None:
        before = self._evening.box(name)
        if before is not None and before.device not in ("", online.device):
            if not online.online:
                return  # the last word of a box that has been replaced
            if before.online:
                facts = {"device": before.device[:40], "other": online.device[:40]}
                faults.tell(db, ("same name", name, ""), message.at_s, facts)
        fields: dict[str, Any] = {"online": online.online, "device": online.device}
        if online.name:
            fields["label"] = online.name[:60]
        if not message.received.retained or before is None:
            fields["seen_s"] = message.at_s
        if self._evening.set(name, **fields) is None or not online.online:
            return
        faults.settle(db, ("away", name, ""), message.at_s)
        refused: FaultKey = "refused", name, topics.STATE
        if online.state_refused:
            faults.tell(db, refused, message.at_s, {"other": topics.STATE})
        else:
            faults.settle(db, refused, message.at_s)

    def _write_state(self, db: Connection, name: str, state: State, message: ReceivedMessage) -> None:
        fields: dict[str, Any] = {"state": state, "device": state.device}
        if state.name:
            fields["label"] = state.name[:60]
        if state.match is not None:
            fields["uid"] = state.match.uid[:LONGEST_UID]
        if not message.received.retained:
            fields["seen_s"] = message.at_s
        self._evening.set(name, **fields)
        now: dict[FaultKey, dict[str, Any]] = {
            ("health", name, one.id[:64]): {"says": one.says[:200]} for one in state.health
        }
        for told in state.faults:
            if told.kind in faults.SAYS:
                facts = {"steps": told.steps, "other": told.other[:60], "device": state.device[:40]}
                about = told.other if told.kind in faults.BY_TOPIC else told.match
                now[told.kind, name, about[:64]] = facts
        if not message.received.retained and (minutes := _minutes_wrong(state.at, message.at_s)):
            now["clock", name, ""] = {"minutes": minutes}
        before = self._told.get(name, {})
        for key in now.keys() - before.keys():
            faults.tell(db, key, message.at_s, now[key])
        for key in before.keys() - now.keys():
            faults.settle(db, key, message.at_s)
        self._told[name] = now


def _minutes_wrong(at: str, heard_s: float) -> int:
    """By how many minutes a clock is wrong; 0 where it is right, or says nothing."""
    try:
        wrong_s = datetime.fromisoformat(at).timestamp() - heard_s
    except (ValueError, OverflowError, OSError):
        return 0
    return round(wrong_s / 60) if abs(wrong_s) > WRONG_CLOCK_S else 0
