"""Take back everything that a broker keeps of this table: its state, and what Home Assistant knows of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from companion.text.sentence import say
from network.mqtt import topics
from network.mqtt.broker import Broker
from network.mqtt.payloads import Online, encode

if TYPE_CHECKING:
    from network.mqtt.config import MqttOptions
    from network.mqtt.device import Device

WAIT_S: Final = 20.0
"""For the broker to answer."""


def forget(options: MqttOptions, device: Device, wait_s: float = WAIT_S) -> None:
    """Empty each retained topic of the table. Raises `CompanionError` if no broker takes that."""
    changed = threading.Event()
    online = topics.table_topic(device.table, topics.ONLINE)
    # As itself, so that a table that still reports is sent away.
    broker = Broker(
        options, device.client, (online, encode(Online(device.id, online=False))), (), changed.set
    )
    broker.start()
    try:
        connected = changed.wait(wait_s) and broker.is_connected
        retained = [
            topics.table_topic(device.table, name)
            for name in (topics.STATE, topics.RESULT, topics.REGISTERED, topics.ONLINE)
        ]
        if not connected or not all(
            broker.flush(topic, b"", wait_s) for topic in (topics.discovery_topic(device.table), *retained)
        ):
            raise CompanionError(
                say("the broker at {host} has not answered", host=options.host),
                say("see whether it runs, and whether [mqtt] has its name, user and password"),
            )
    finally:
        broker.close()
