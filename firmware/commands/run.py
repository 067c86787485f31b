"""`nimmt run`: the device, until it is told to stop."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from firmware.build import Rig
from firmware.config import load, load_or_last_good
from firmware.config_sections import JournalOptions
from firmware.screens.hello import Hello
from hardware.ports import DeviceFault

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from pathlib import Path


HELLO_S = 3.0


def config_store(environ: Mapping[str, str]) -> Path:
    """Where the last configuration that worked is kept: beside the journal that is used by default."""
    return JournalOptions().place(environ).with_name("last-good.toml")


def run(words: argparse.Namespace) -> int:
    """Play until SIGTERM or Ctrl-C.

    Raises `CompanionError` for a configuration or a journal that will not do.
    """
    problem = None
    if words.config is None:
        config = load(None)
    else:
        config, problem = load_or_last_good(words.config, config_store(os.environ))
    rig = Rig(config, words.journal or config.journal.place(os.environ))
    if problem is not None:
        rig.app.post(DeviceFault("configuration", problem.fault, problem.fix))
    try:
        signal.signal(signal.SIGTERM, lambda *_: rig.app.stop())
        rig.start()
        rig.app.desk.open(Hello(), lasts_s=None if rig.world.match else HELLO_S)
        rig.app.run()
    finally:
        rig.close()
    return 0
