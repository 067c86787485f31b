"""A bridge in a thread of its own, beside a table and a broker."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from network.mqtt import broker
from network.mqtt.bridge import Bridge
from network.mqtt.config import MqttOptions
from network.mqtt.device import TableDevice
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    import pytest

DEVICE = TableDevice("0123456789ab", "3", "Table 3")


@contextmanager
def bridge(
    folder: Path, port: int, device: TableDevice = DEVICE, players: tuple[str, ...] = (), **options: Any
) -> Iterator[Bridge]:
    """What `nimmt mqtt` runs, for the table in this folder."""
    config = MqttOptions(f"127.0.0.1:{port}", table=device.table, **options)
    made: list[Bridge] = []
    ready = threading.Event()

    async def serve() -> None:
        made.append(Bridge(folder / "table.sock", folder / "journal.sqlite", config, device, names=players))
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
