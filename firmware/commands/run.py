"""`nimmt run`: the device, until it is told to stop."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from firmware.build import Rig
from firmware.config import load

if TYPE_CHECKING:
    import argparse


def run(words: argparse.Namespace) -> int:
    """Play until SIGTERM or Ctrl-C.

    Raises `CompanionError` for a configuration or a journal that will not do.
    """
    config = load(words.config)
    rig = Rig(config, words.journal or config.journal.place(os.environ))
    try:
        signal.signal(signal.SIGTERM, lambda *_: rig.app.stop())
        rig.start()
        rig.app.run()
    finally:
        rig.close()
    return 0
