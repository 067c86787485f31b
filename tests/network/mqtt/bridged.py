"""A bridge in a thread of its own, beside a table and a broker."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from network.mqtt import broker, topics
from network.mqtt.bridge import Bridge, BridgeSetup
from network.mqtt.config import MqttOptions
from network.mqtt.device import Device
from network.mqtt.payloads import Event, Have, decode, encode
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    import pytest

    from tests.network.mqtt.mosquitto import Listener

DEVICE = Device("0123456789ab", "3", "Table 3")


@contextmanager
def bridge(
    folder: Path, port: int, device: Device = DEVICE, players: tuple[str, ...] = (), **options: Any
) -> Iterator[Bridge]:
    """What `nimmt mqtt` runs, for the table in this folder."""
    setting = BridgeSetup(
        folder / "table.sock",
        folder / "journal.sqlite",
        replace(MqttOptions(host="127.0.0.1", port=port, table=device.table), **options),
        device,
        players,
    )
    made: list[Bridge] = []
    ready = threading.Event()

    async def serve() -> None:
        made.append(Bridge(setting))
        ready.set()
        await made[0].run()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(PATIENCE_S)
    try:
        yield made[0]
    finally:
        made[0].stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bridge look for a broker again at once."""
    monkeypatch.setattr(broker, "TRIES_S", (1, 1))


@dataclass
class StoringHub:
    """Stores steps that follow, once each; those that do not follow are named."""

    matches: dict[str, list[Event]] = field(default_factory=dict)
    headers: dict[str, Event] = field(default_factory=dict)
    foreign: set[tuple[str, int]] = field(default_factory=set)
    again: str = ""

    def hear(self, event: Event) -> None:
        if event.number == 0:
            self.headers[event.match] = event
            return
        events = self.matches.setdefault(event.match, [])
        if event.number > len(events) + 1:
            return
        if event.number <= len(events):
            belongs = events[event.number - 1] == event
        else:
            belongs = event.after == (events[-1].at if events else "")
        if not belongs:
            self.foreign.add((event.match, event.number))
        elif event.number == len(events) + 1:
            events.append(event)

    def have(self) -> Have:
        return Have({uid: len(self.matches.get(uid, ())) for uid in self.headers}, self.again)


class Hub(StoringHub):
    """One that hears the steps of one table at a broker, and says how far it has come."""

    def __init__(self, listener: Listener) -> None:
        super().__init__()
        self._listener = listener
        self.deaf = False
        """It hears nothing, as one that is cut off."""
        self._lock = threading.Lock()
        listener.on_message.append(self._message)

    def _message(self, topic: str, data: bytes) -> None:
        if not self.deaf and topic == topics.table_topic(DEVICE.table, topics.EVENT):
            with self._lock:
                self.hear(decode(Event, data))

    def told(self) -> Have:
        with self._lock:
            return self.have()

    def tell(self, again: str = "") -> None:
        self.again = again or self.again
        self._listener.say(topics.table_topic(DEVICE.table, topics.HAVE), encode(self.told()))
