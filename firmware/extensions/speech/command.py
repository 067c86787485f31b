"""`nimmt speak`: the voice of the table, in a process of its own."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from firmware.commands.declared import Command, flag, option
from firmware.commands.table import RETRY_S, SILENCE_S, TABLE, table_of
from firmware.config.configuration import load
from firmware.extensions.speech.config import SpeechOptions
from firmware.session.language import translator
from firmware.table_socket.client import TableClient

if TYPE_CHECKING:
    import argparse

    from firmware.extensions.speech.speaking import Announcer


def run(args: argparse.Namespace) -> int:
    """Say what happens at the table until SIGTERM or Ctrl-C.

    With `--try` one sentence. Raises `CompanionError`, also where it cannot be heard.
    """
    # Help is shown without waiting for these.
    from firmware.extensions.speech.speaking import Announcer, try_out
    from firmware.service import sd_notify

    config = load(args.config)
    options = config.section(SpeechOptions)
    if options.driver == "off":
        print("no voice is configured: set driver in the section [speech]")
        return 0  # the service is installed, and has nothing to do
    if args.try_it:
        try_out(options, translator(config).language)
        print("one sentence was played")
        return 0
    announcer = Announcer(
        options, _minute_of_day, partial(print, flush=True) if args.text else lambda _: None
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: announcer.end())
    threading.Thread(target=_follow, args=(announcer, table_of(args, config)), daemon=True).start()
    sd_notify.notifier(os.environ).ready()
    announcer.run()
    return 0


def _follow(announcer: Announcer, at: Path) -> None:
    """Read the table's socket for ever; a table that is away or hangs is tried again."""
    while True:
        with suppress(CompanionError, OSError, ValueError), TableClient(at, SILENCE_S) as table:
            announcer.read(table)
        announcer.disconnected()
        threading.Event().wait(RETRY_S)


def _minute_of_day() -> int:
    now = time.localtime()
    return 60 * now.tm_hour + now.tm_min


COMMAND = Command(
    help="say aloud what happens at the table",
    run=run,
    options=(
        option("--try", action="store_true", dest="try_it", help="say one sentence, then exit"),
        flag("--text", help="also print what is said"),
        TABLE,
    ),
    config=True,
    journal=True,
    service=True,
    streams=frozenset(),
)
