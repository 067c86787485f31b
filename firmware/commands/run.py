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
from firmware.config import load, load_or_last_good
from firmware.config_sections import JournalOptions
from firmware.machine import Machine
from firmware.pulse import Pulse
from firmware.safe_mode import Refuge, refuge
from firmware.screens.hello import Hello
from firmware.service import forgiving, serve
from firmware.status import StatusFile
from hardware.ports import DeviceFault

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping


HELLO_S = 3.0


def config_store(environ: Mapping[str, str]) -> Path:
    """Where the last configuration that worked is kept: beside the journal that is used by default."""
    return JournalOptions().place(environ).with_name("last-good.toml")


def run(words: argparse.Namespace) -> int:
    """Play until SIGTERM or Ctrl-C.

    Raises `CompanionError` for a configuration or a journal that will not do, and what ended the program
    otherwise: whoever started it is to start it again.
    """
    faulthandler.enable()  # systemd ends a program that hangs by SIGABRT; then every stack is in the log
    ready = _safe(words) if words.safe else _normal(words)
    rig = Rig(ready.config, ready.journal)
    try:
        for fault in ready.faults:
            rig.app.post(fault)
        signal.signal(signal.SIGTERM, lambda *_: rig.app.stop())
        notifier = notify.notifier(os.environ)
        file = StatusFile(status.place(os.environ))
        rig.app.turned = Pulse(rig, notifier, Machine(ready.journal.parent), file, safe=words.safe).turn
        rig.app.desk.open(Hello(), lasts_s=None if rig.world.match else HELLO_S)
        serve(rig, notifier, (lambda: forgiving(rig, time.monotonic)) if words.safe else rig.app.run)
        file.remove()
    finally:
        rig.close()
    return 0


def _normal(words: argparse.Namespace) -> Refuge:
    problem = None
    if words.config is None:
        config = load(None)
    else:
        config, problem = load_or_last_good(words.config, config_store(os.environ))
    faults = () if problem is None else (DeviceFault("configuration", problem.fault, problem.fix),)
    return Refuge(config, words.journal or config.journal.place(os.environ), faults)


def _safe(words: argparse.Namespace) -> Refuge:
    import tempfile

    folder = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0] or tempfile.mkdtemp(prefix="nimmt-")
    spare = Path(folder) / "journal.sqlite"
    return refuge(words.config, words.journal, config_store(os.environ), spare, os.environ)
