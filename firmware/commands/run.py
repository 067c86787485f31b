"""`nimmt run`: run the device until it is stopped."""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from firmware.card import faults
from firmware.commands.declared import Command, flag
from firmware.config.configuration import config_store, load, load_or_last_good
from firmware.service import sd_notify, status
from firmware.service.crashes import HOPELESS, TOO_MANY, CrashCounter
from firmware.service.health import as_fault
from firmware.service.machine import Machine
from firmware.service.power import Logind
from firmware.service.run import keep_running, serve
from firmware.service.status import StatusFile
from firmware.service.watchdog import Watchdog

if TYPE_CHECKING:
    from firmware.loop.runtime import Runtime
    from firmware.service.safe_mode import SafeStart


HELLO_S = 3.0
SPARE = "journal.sqlite"
_MIGRATION_S = 3600.0
"""How long the start may take that migrates a journal: a Zero migrates thousands of matches in it."""

_CONFIGURATION = "configuration"
"""Whose fault it is if the file cannot be used; safe mode calls it the same."""


def run(args: argparse.Namespace) -> int:
    """Play until SIGTERM or Ctrl-C; with `--safe`, or after three quick crashes, in safe mode.

    Raises `CompanionError` for an unusable configuration or journal, and what ended the program
    otherwise: the process that started it should start it again.
    """
    from firmware.loop.runtime import Runtime  # the help of all commands does not wait for the game
    from firmware.screens.before.start import HelloPage

    faulthandler.enable()  # systemd ends a program that hangs by SIGABRT; then every stack is in the log
    folder = status.runtime_folder(os.environ)
    crashes = CrashCounter(folder / "deaths.json" if folder else None)
    count = crashes.begin(time.monotonic())
    safe = count >= TOO_MANY or args.safe
    ready = _safe(args, folder, open_nothing=count >= HOPELESS) if safe else _normal(args, folder)
    machine = Machine(ready.journal.parent)
    is_kiosk = ready.config.kiosk.on or args.kiosk
    config = replace(ready.config, kiosk=replace(ready.config.kiosk, on=is_kiosk))
    kiosk, journal = None, ready.journal
    if is_kiosk:
        from firmware.kiosk.kiosk import empty_journal

        journal = empty_journal(folder or _new_folder("nimmt-kiosk-"))
    runtime = Runtime(config, journal)
    try:
        if is_kiosk:
            from firmware.kiosk.kiosk import install

            kiosk = install(runtime, ready.journal.parent, machine.local_time, celsius=machine.celsius)
        # Of a flashed box also what there was to tell at its start, such as faults of the files on its card.
        for fault in (*ready.faults, *(as_fault(name, bad) for name, bad in faults.kept())):
            runtime.app.post(fault)
        signal.signal(signal.SIGTERM, lambda *_: runtime.app.stop())
        notifier = sd_notify.notifier(os.environ)
        if notifier.listening:
            runtime.app.table.power = Logind(runtime.app.post)
        file = StatusFile(status.place(os.environ))
        watchdog = Watchdog(runtime, notifier, machine, file, safe=safe)
        runtime.app.turned = watchdog.turn
        if kiosk is None:
            runtime.app.table.open(HelloPage(), lasts_s=None if runtime.session.match else HELLO_S)
        run_loop = partial(keep_running, runtime, time.monotonic) if safe else runtime.app.run
        with nullcontext() if safe else _followed(runtime, ready, watchdog, args.config):
            serve(runtime, notifier, run_loop)
        file.remove()
        crashes.end()
    finally:
        if kiosk is not None:
            kiosk.save_counts()
        runtime.close()
    return 0


@contextmanager
def _followed(runtime: Runtime, ready: SafeStart, watchdog: Watchdog, file: Path | None) -> Iterator[None]:
    """Let other programs follow the table while the block runs, if the configuration wants it.

    `file` is the owner's configuration, which the table may then change: who changes it can have this program
    ended where the service manager starts it again.
    """
    options = runtime.config.socket
    if not options.on:
        yield
        return
    # A start without it does not wait for it.
    from firmware.table_socket.access import group_id, place
    from firmware.table_socket.server import TableSocket
    from firmware.table_socket.settings import Settings

    table = TableSocket(
        runtime.app,
        place(os.environ, ready.journal),
        lambda: watchdog.issues,
        group_id(options.group),
        group_id(options.act_group),
    )
    restart = runtime.app.stop if sd_notify.notifier(os.environ).listening else None
    is_used = all(fault.device != _CONFIGURATION for fault in ready.faults)
    table.settings = Settings(file, restart, is_used=is_used)

    def change(keys: Mapping[str, Mapping[str, object]]) -> None:
        table.settings.change(keys)
        table.settings = Settings(file, restart, is_used=is_used)  # the table uses them at once

    runtime.app.table.change_settings = None if file is None else change
    table.start()
    try:
        yield
    finally:
        table.close()


def _normal(args: argparse.Namespace, folder: Path | None) -> SafeStart:
    from firmware.journal.opening import is_older  # as above
    from firmware.service.safe_mode import SafeStart, set_spare_aside

    problem = None
    if args.config is None:
        config = load(None)
    else:
        config, problem = load_or_last_good(args.config, config_store(os.environ))
    if folder is not None:
        set_spare_aside(folder / SPARE)
    faults = () if problem is None else (as_fault(_CONFIGURATION, problem),)
    journal = args.journal or config.journal.place(os.environ)
    if is_older(journal):  # or the service manager would end the start before it is done, each time
        sd_notify.notifier(os.environ).starting(_MIGRATION_S)
    return SafeStart(config, journal, faults)


def _safe(args: argparse.Namespace, folder: Path | None, *, open_nothing: bool) -> SafeStart:
    from firmware.service.safe_mode import safe_start

    if folder is None:
        folder = _new_folder("nimmt-")
    store = config_store(os.environ)
    return safe_start(args.config, args.journal, store, folder / SPARE, os.environ, open_nothing=open_nothing)


def _new_folder(prefix: str) -> Path:
    import tempfile  # most starts do without

    return Path(tempfile.mkdtemp(prefix=prefix))


COMMAND = Command(
    help="play: start the configured device, or play in this terminal if there is no configuration",
    run=run,
    options=(
        lambda parser: parser.set_defaults(config=None),  # without a file it plays in this terminal
        flag("--safe", help="start in safe mode, without anything that may have failed"),
        flag("--kiosk", help="run as a kiosk for visitors, as with `[kiosk] on = true`"),
    ),
    config=True,
    journal=True,
    service=True,
    streams=frozenset(),
)
