"""`nimmt mqtt`: tell an MQTT broker of the table, in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, flag, option
from firmware.commands.records import place
from firmware.commands.table import TABLE, table_of
from firmware.config.configuration import load
from firmware.service import sd_notify
from firmware.session.language import translator
from network.mqtt import topics
from network.mqtt.config import MqttOptions

if TYPE_CHECKING:
    import argparse

    from network.mqtt.device import TableDevice

_WAIT_S = 60.0  # for the broker to answer


def forget(options: MqttOptions, device: TableDevice) -> None:
    """Empty each retained topic of the table. Raises `CompanionError` if no broker takes that."""
    from network.mqtt.broker import Broker  # the help of all commands does without its library

    changed = threading.Event()
    # As itself, so that a table that still reports is sent away.
    broker = Broker(options, device.client, changed=changed.set)
    broker.start()
    try:
        connected = changed.wait(_WAIT_S) and broker.is_connected
        own = [topics.table_topic(device.table, name) for name in topics.RETAINED]
        retained = (topics.discovery_topic(options.discovery_prefix, device.client), *own)
        if not connected or not all(broker.publish(topic, b"", wait_s=_WAIT_S) for topic in retained):
            fix = "see whether it runs, and whether [mqtt] has its name, user and password"
            raise CompanionError(f"the broker at {options.broker} has not answered", fix)
    finally:
        broker.close()


def run(args: argparse.Namespace) -> int:
    """Tell the broker until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    from network.mqtt.bridge import Bridge
    from network.mqtt.device import device_of

    config = load(args.config)
    options = config.section(MqttOptions)
    device = device_of(options)
    if args.what == "id":
        print(device.table)
        return 0
    if not options.broker:
        print("no broker is configured: set broker in the section [mqtt]")
        return 0  # the service is installed, and has nothing to do
    if args.forget:
        forget(options, device)
        print("forgotten")
        return 0
    table, journal, language = table_of(args, config), place(args, config), translator(config).language

    async def until_stopped() -> None:
        bridge = Bridge(table, journal, options, device, names=config.table.names, language=language)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, bridge.stop)
        sd_notify.notifier(os.environ).ready()
        await bridge.run()

    asyncio.run(until_stopped())
    return 0


COMMAND = Command(
    help="report the table to an MQTT broker: its state, every step, and discovery for Home Assistant",
    run=run,
    options=(
        option("what", nargs="?", choices=("id",), help="id: print the name of the table, then exit"),
        flag("--forget", help="delete what the broker keeps about the table, then exit"),
        TABLE,
    ),
    config=True,
    journal=True,
    service=True,
    streams=frozenset(),
)
