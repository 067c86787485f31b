"""Messages as the broker gave them, sorted by what they are: those of one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from companion.values import Value
from network.hub.faults import HubFault
from network.hub.store import StoredEvent
from network.mqtt import topics
from network.mqtt.payloads import Event, Have, Malformed, Online, Registered, Result, State, decode

STATE_S: Final = 2.0
"""How often the state of a table is read; a newer one comes with each of its steps."""

LONGEST_UID: Final = 64
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
