"""What tables say of themselves beside their steps: whether they are there, how they are, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from network.hub import evening, faults
from network.hub.batch import LONGEST_UID, Batch, ReceivedMessage
from network.hub.evening import TablesNow
from network.hub.faults import HubFault
from network.hub.store import Grown
from network.mqtt.payloads import Online, State

KEEP_S: Final = 20.0
"""How often what a table says of itself is written down while nothing important changes."""

WRONG_CLOCK_S: Final = 300.0


class TableReports:
    """Writes down what tables say of themselves: in the evening, which is in memory, and in the database."""

    def __init__(self, tables: TablesNow, clock_s: Callable[[], float]) -> None:
        self._evening, self._clock_s = tables, clock_s
        self._kept_s: dict[str, float] = {}
        self._told: dict[str, frozenset[HubFault]] = {}

    def write(self, db: Connection, batch: Batch, grown: Iterable[Grown]) -> None:
        """Write down what tables say beside their steps."""
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
        for name in batch.boxes:
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
