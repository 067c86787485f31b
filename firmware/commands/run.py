"""`nimmt run`: the device, until it is told to stop."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from firmware import notify, status
from firmware.build import Rig
from firmware.config import config_store, load, load_or_last_good
from firmware.deaths import TOO_MANY, Deaths
from firmware.machine import Machine
from firmware.power import Logind
from firmware.pulse import Pulse
from firmware.safe_mode import Refuge, put_by, refuge
from firmware.screens.hello import Hello
from firmware.service import forgiving, serve
from firmware.status import StatusFile
from hardware.ports import DeviceFault

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping


HELLO_S = 3.0
SPARE = "journal.sqlite"


def run(words: argparse.Namespace) -> int:
    """Play until SIGTERM or Ctrl-C; with `--safe`, or after three quick deaths, in safe mode.

    Raises `CompanionError` for a configuration or a journal that will not do, and what ended the program
    otherwise: whoever started it is to start it again.
    """
    faulthandler.enable()  # systemd ends a program that hangs by SIGABRT; then every stack is in the log
    folder = _runtime_folder(os.environ)
    deaths = Deaths(folder / "deaths.json" if folder else None)
    safe = deaths.begin(time.monotonic()) >= TOO_MANY or words.safe
    ready = _safe(words, folder) if safe else _normal(words, folder)
    rig = Rig(ready.config, ready.journal)
    try:
        for fault in ready.faults:
            rig.app.post(fault)
        signal.signal(signal.SIGTERM, lambda *_: rig.app.stop())
        notifier = notify.notifier(os.environ)
        if notifier.listening:
            rig.app.desk.power = Logind(rig.app.post)
        file = StatusFile(status.place(os.environ))
        rig.app.turned = Pulse(rig, notifier, Machine(ready.journal.parent), file, safe=safe).turn
        rig.app.desk.open(Hello(), lasts_s=None if rig.world.match else HELLO_S)
        serve(rig, notifier, (lambda: forgiving(rig, time.monotonic)) if safe else rig.app.run)
        file.remove()
        deaths.end()
    finally:
        rig.close()
    return 0


def _normal(words: argparse.Namespace, folder: Path | None) -> Refuge:
    problem = None
    if words.config is None:
        config = load(None)
    else:
        config, problem = load_or_last_good(words.config, config_store(os.environ))
    if folder is not None:
        put_by(folder / SPARE)
    faults = () if problem is None else (DeviceFault("configuration", problem.fault, problem.fix),)
    return Refuge(config, words.journal or config.journal.place(os.environ), faults)


def _safe(words: argparse.Namespace, folder: Path | None) -> Refuge:
    if folder is None:
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="nimmt-"))
    return refuge(words.config, words.journal, config_store(os.environ), folder / SPARE, os.environ)


def _runtime_folder(environ: Mapping[str, str]) -> Path | None:
    """The folder in memory that the service manager made for us."""
    given = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(given) if given else None
