"""`nimmt mqtt`: tell an MQTT broker of the table, in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.commands.language import spoken
from firmware.config.configuration import load
from firmware.service import sd_notify
from firmware.table_socket.place import OF_THE_SERVICE, place

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from network.mqtt.bridge import Bridge


def run(args: argparse.Namespace) -> int:
    """Tell the broker until SIGTERM or Ctrl-C. Raises `CompanionError` where that cannot be."""
    config = load(args.config)
    t = spoken(args.config)
    try:
        from network.mqtt.bridge import Bridge, Setting
        from network.mqtt.device import device_of
        from network.mqtt.forget import forget
    except ModuleNotFoundError as missing:
        raise CompanionError(
            say("the broker needs {package}, which is not installed", package=missing.name or ""),
            say("install the package nimmt-mqtt, or nimmt-companion[mqtt]"),
        ) from missing
    device = device_of(config.mqtt)
    if args.what == "id":
        print(device.table)
        return 0
    if not config.mqtt.host:
        print(t("no broker is configured: set host in the section [mqtt]"))
        return 0  # the service is installed, and has nothing to do
    if args.forget:
        forget(config.mqtt, device)
        print(t("forgotten"))
        return 0
    journal: Path = args.journal or config.journal.place(os.environ)
    table: Path = args.table or (
        OF_THE_SERVICE if OF_THE_SERVICE.exists() and args.journal is None else place(os.environ, journal)
    )
    setting = Setting(table, journal, config.mqtt, device, config.table.names, t.language)
    asyncio.run(_until_stopped(Bridge(setting)))
    return 0


async def _until_stopped(bridge: Bridge) -> None:
    loop = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(one, bridge.stop)
    sd_notify.notifier(os.environ).ready()
    await bridge.run()
