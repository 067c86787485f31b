"""What tables say: read from the messages of the broker; and what they say beside their steps, noted.

That is whether they are there, how they are, what is wrong.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, ValidationError, convert
from sqlalchemy import Connection

from companion.values import Value, field
from network.hub import faults
from network.hub.evening import TablesNow
from network.hub.faults import FaultKey
from network.hub.store import MatchUpdate
from network.mqtt import payloads, topics
from network.mqtt.broker import Received
from network.mqtt.payloads import BoxState, Line, Malformed, Many, MatchEvent, Online, TopicMessage, decode

LONGEST_UID: Final = 64
WRONG_CLOCK_S: Final = 300.0
_LONGEST_TIME: Final = 40
_LARGEST_NUMBER: Final = 10_000
"""Steps of a match; the longest have some thirteen hundred."""


class _Header(Value):
    """What the header of every match has, as far as lists show it."""

    game: Line
    seats: Annotated[int, Meta(ge=1, le=99)]
    badges: Many[int] = ()
    robots: Many[Line | None] = ()
    names: Many[Line | None] = ()


class TableMessage(Value):
    """What a table has said. `is_new`: now; else the broker had kept it."""

    box: str
    message: TopicMessage
    at_s: float
    is_new: bool


class Batch(Struct):
    """What is read from the messages of one transaction."""

    said: list[TableMessage] = field(default_factory=list)
    rubbish: dict[FaultKey, tuple[float, str]] = field(default_factory=dict)
    """What is no message of a table: when it came, and what it is."""
    boxes: set[str] = field(default_factory=set)
    """The tables that have something new, as it is written."""

    def __bool__(self) -> bool:
        return bool(self.said or self.rubbish)


def read(messages: Iterable[Received]) -> Batch:
    batch = Batch()
    for received in messages:
        found = topics.of_table(received.topic)
        if found is None:
            batch.rubbish["rubbish", "", ""] = received.at_s, received.topic[:60]
        elif received.payload or found[1] == topics.EVENT:  # else the broker keeps nothing there any more
            try:
                message = _usable(decode(payloads.OF_TOPIC[found[1]], received.payload))
            except Malformed as bad:
                batch.rubbish["rubbish", *found] = received.at_s, f"{found[1]}: {str(bad)[:100]}"
            else:
                batch.said.append(TableMessage(found[0], message, received.at_s, not received.retained))
    return batch


def _usable(message: TopicMessage) -> TopicMessage:
    """A message that the database can hold. Raises `Malformed`."""
    if isinstance(message, MatchEvent):
        times = max(len(message.at), len(message.after))
        if not 0 < len(message.match) <= LONGEST_UID or times > _LONGEST_TIME:
            raise Malformed("its match or its time is too long")
        if not 0 <= message.number <= _LARGEST_NUMBER:
            raise Malformed("its number is beyond all bounds")
        if message.number == 0:
            try:
                convert(message.record, _Header)
            except ValidationError as bad:
                raise Malformed(f"its header: {bad}") from bad
    return message


class TableReports:
    """Notes what tables say of themselves: in the evening, and in the faults of the database."""

    def __init__(self, tables: TablesNow) -> None:
        self._evening = tables
        self._told: dict[str, Mapping[FaultKey, dict[str, Any]]] = {}

    def write(self, db: Connection, batch: Batch, matches: Sequence[MatchUpdate]) -> None:
        for match in matches:
            fields: dict[str, Any] = {"seen_s": batch.said[-1].at_s}
            self._evening.set(match.box, **fields, **({"uid": match.uid} if match.rows else {}))
            batch.boxes.add(match.box)
        for said in batch.said:
            match said.message:
                case Online() as online:
                    self._write_online(db, said, online)
                case BoxState() as state:
                    self._write_state(db, said, state)
        for said in batch.said:
            now = self._evening.box(said.box)
            if isinstance(said.message, Online) and now and not now.online and now.is_playing:
                faults.report(db, ("away", said.box, ""), said.at_s)
        for key, (at_s, what) in batch.rubbish.items():
            faults.report(db, key, at_s, {"what": what})
        batch.boxes.update(said.box for said in batch.said if isinstance(said.message, Online | BoxState))

    def _write_online(self, db: Connection, said: TableMessage, online: Online) -> None:
        name, before = said.box, self._evening.box(said.box)
        if before is not None and before.device not in ("", online.device):
            if not online.online:
                return  # the last word of a box that has been replaced
            if before.online:
                facts = {"device": before.device[:40], "other": online.device[:40]}
                faults.report(db, ("same name", name, ""), said.at_s, facts)
        fields = _of_box(said, online) | {"online": online.online}
        if before is None:
            fields["seen_s"] = said.at_s
        if self._evening.set(name, **fields) is None or not online.online:
            return
        faults.settle(db, ("away", name, ""), said.at_s)
        refused: FaultKey = "refused", name, topics.STATE
        if online.state_refused:
            faults.report(db, refused, said.at_s, {"other": topics.STATE})
        else:
            faults.settle(db, refused, said.at_s)

    def _write_state(self, db: Connection, said: TableMessage, state: BoxState) -> None:
        name = said.box
        fields = _of_box(said, state) | {"state": state}
        if state.match is not None:
            fields["uid"] = state.match.uid[:LONGEST_UID]
        self._evening.set(name, **fields)
        now: dict[FaultKey, dict[str, Any]] = {
            ("health", name, problem.id[:64]): {"says": problem.says[:200]} for problem in state.health
        }
        for told in state.faults:
            if told.kind in faults.FROM_TABLES:
                facts = {"steps": told.steps, "other": told.other[:60], "device": state.device[:40]}
                about = told.other if told.kind in faults.BY_TOPIC else told.match
                now[told.kind, name, about[:64]] = facts
        if said.is_new and (minutes := _minutes_wrong(state.at, said.at_s)):
            now["clock", name, ""] = {"minutes": minutes}
        before = self._told.get(name, {})
        for key in now.keys() - before.keys():
            faults.report(db, key, said.at_s, now[key])
        for key in before.keys() - now.keys():
            faults.settle(db, key, said.at_s)
        self._told[name] = now


def _of_box(said: TableMessage, message: Online | BoxState) -> dict[str, Any]:
    """What both messages say of a box, as fields of a `TableNow`."""
    seen = {"seen_s": said.at_s} if said.is_new else {}
    return {"device": message.device, **({"label": message.name[:60]} if message.name else {}), **seen}


def _minutes_wrong(at: str, heard_s: float) -> int:
    """By how many minutes a clock is wrong; 0 where it is right, or says nothing."""
    try:
        wrong_s = datetime.fromisoformat(at).timestamp() - heard_s
    except (ValueError, OverflowError, OSError):
        return 0
    return round(wrong_s / 60) if abs(wrong_s) > WRONG_CLOCK_S else 0
