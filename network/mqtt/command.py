"""`nimmt mqtt`: tell an MQTT broker of the table, in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.commands.declared import AT_HOME, Command, Example
from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.service import sd_notify
from firmware.table_socket.place import OF_THE_SERVICE, place
from network.mqtt.config import MqttOptions

if TYPE_CHECKING:
    import argparse

    from network.mqtt.bridge import Bridge


def run(args: argparse.Namespace) -> int:
    """Tell the broker until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    from network.mqtt.bridge import Bridge, Setting
    from network.mqtt.device import device_of
    from network.mqtt.forget import forget

    config, t = load(args.config), spoken(args.config)
    options = config.section(MqttOptions)
    device = device_of(options)
    if args.what == "id":
        print(device.table)
        return 0
    if not options.host:
        print(t("no broker is configured: set host in the section [mqtt]"))
        return 0  # the service is installed, and has nothing to do
    if args.forget:
        forget(options, device)
        print(t("forgotten"))
        return 0
    journal: Path = args.journal or config.journal.place(os.environ)
    table: Path = args.table or (
        OF_THE_SERVICE if OF_THE_SERVICE.exists() and args.journal is None else place(os.environ, journal)
    )
    setting = Setting(table, journal, options, device, config.table.names, t.language)
    asyncio.run(_until_stopped(Bridge(setting)))
    return 0


async def _until_stopped(bridge: Bridge) -> None:
    loop = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(one, bridge.stop)
    sd_notify.notifier(os.environ).ready()
    await bridge.run()


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", choices=("id",), help="id: print the name of the table, instead of running"
    )
    parser.add_argument(
        "--forget", action="store_true", help="take back what the broker keeps of the table, and end"
    )
    parser.add_argument("--table", type=Path, metavar="FILE", help="use this socket of a table instead")


COMMAND = Command(
    help="tell an MQTT broker of the table: its state, every step, and how it is for Home Assistant",
    run=run,
    options=_options,
    config=True,
    journal=True,
    service=True,
    streams=frozenset(),
    examples=(Example("nimmt mqtt", given=AT_HOME),),
)
