"""Making a kiosk of a running device."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.core.game import RandomSource
from firmware.kiosk.counts import FILE, Counts
from firmware.kiosk.kiosk import Kiosk
from firmware.play.runtime import Runtime

JOURNAL: Final = "kiosk.sqlite"
"""The journal of a kiosk: nothing that visitors do is kept in the one of the household."""


def empty_journal(folder: Path) -> Path:
    """The path of the journal of a kiosk in a folder; what an earlier run left there is removed."""
    for file in folder.glob(f"{JOURNAL}*"):
        with suppress(OSError):
            file.unlink()
    return folder / JOURNAL


def install(
    runtime: Runtime,
    folder: Path | None = None,
    clock: Callable[[], datetime | None] = lambda: None,
    rng: RandomSource | None = None,
    celsius: Callable[[], int | None] = lambda: None,
) -> Kiosk:
    """Make a kiosk of a device before its loop runs. The counts are kept in `folder`; None: in memory only.

    `clock` gives the time of day at this place; None while the clock of the machine is not set. `rng`
    deals cards to visitors; None: by chance. `celsius` is the temperature of the machine, if it is known.
    """
    kiosk = Kiosk(runtime.config, Counts(None if folder is None else folder / FILE), clock, celsius)
    runtime.app.controller.use_kiosk(kiosk, rng)
    return kiosk
