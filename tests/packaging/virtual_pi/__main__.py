"""The box in a virtual Raspberry Pi: booted, played on, its plug pulled; one table of what came of it.

    python -m tests.packaging.virtual_pi [--long] [--only NAME] [--minutes N]
        nimmt-companion_*_amd64.deb

QEMU runs Debian with its systemd and the built packages. The kernel's simulated GPIO is its header, a
simulated panel hangs on its I2C bus, its scanner is a USB device that is really unplugged, and its card
forgets what was not flushed. Needs root and the packages qemu-system-x86, mmdebstrap and e2fsprogs. Leaves
nothing behind but a cache in build/virtual-pi; takes about a quarter of an hour, with --long two hours.
"""

import argparse
import shutil
import signal
import sys
import time
from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from tests.packaging.virtual_pi.cuts import negative_control, power_cuts
from tests.packaging.virtual_pi.machine import NotStarted, NotUp, PressedTooLong
from tests.packaging.virtual_pi.place import Place, TimeIsUp, furnish
from tests.systemd.trial import PACE, Report, begun, status
from tests.whole.table import Lost

CUTS: Final = 20
CUTS_LONG: Final = 200
MINUTES: Final = 45.0
MINUTES_LONG: Final = 240.0
_NEEDS: Final = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "debugfs": "e2fsprogs",
}


def main() -> int:
    """Do it; 0 if all went as it should, 1 if not, 2 where it cannot be done, 75 if it was not done."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--suite", default="bookworm", help="which Debian: bookworm (12) or trixie (13)")
    words.add_argument("--long", action="store_true", help=f"{CUTS_LONG} power cuts instead of {CUTS}")
    words.add_argument("--minutes", type=float, help="the longest that it may take")
    words.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="one of: cut control",
    )
    words.add_argument("debs", type=Path, nargs="+", metavar="deb", help="the game, then further packages")
    given = words.parse_args()
    cuts = CUTS_LONG if given.long else CUTS
    runs: dict[str, Callable[[Place, Report], None]] = {
        "cut": lambda place, report: power_cuts(place, report, cuts),
        "control": negative_control,
    }
    chosen = given.only or list(runs)
    if unknown := set(chosen) - set(runs):
        words.error(f"--only {' '.join(sorted(unknown))}: choose from {', '.join(runs)}")
    report = begun(sorted({package for program, package in _NEEDS.items() if not shutil.which(program)}))
    began_s = time.monotonic()
    place = furnish(given.suite, given.debs, given.minutes or (MINUTES_LONG if given.long else MINUTES))
    report.did("kernel and card are there", f"{time.monotonic() - began_s:.0f} s")
    for number in (signal.SIGINT, signal.SIGTERM):  # everything is cleaned away first, which takes a minute
        signal.signal(number, lambda *_: place.stop.set())
    ends = {ended(name, partial(runs[name], place, report), report) for name in chosen}
    took_min = (time.monotonic() - began_s) / 60
    how = place.accelerator.partition(",")[0]
    sys.stdout.write(
        f"\n{given.debs[0].name} on Debian {given.suite}, Linux {place.kernel.version}, QEMU with {how}, "
        f"{took_min:.0f} min\n\n{report.table()}\n"
    )
    return status(failed=End.FAILED in ends, not_done=End.NOT_DONE in ends)


class End(Enum):
    """How one of the runs has ended."""

    GOOD = "good"
    FAILED = "FAILED"
    NOT_DONE = "NOT DONE"
    """It could not be made, or was broken off: neither a fault of the product nor a proof."""


def ended(name: str, run: Callable[[], None], report: Report) -> End:
    """One of the runs. What is lost is a failure on any machine, what comes too late only at an even pace."""
    end, why = End.GOOD, ""
    try:
        run()
    except TimeIsUp:
        end, why = End.NOT_DONE, "it was to end"
    except NotStarted as dark:
        end, why = End.NOT_DONE, f"the machine did not start: {dark}"
    except PressedTooLong as busy:
        end, why = End.NOT_DONE, f"the machine is too busy: {busy}"
    except NotUp as late:
        slowed = PACE.has_slowed()
        end, why = (End.NOT_DONE, f"the machine has slowed: {late}") if slowed else (End.FAILED, str(late))
    except (Lost, AssertionError) as failed:
        end, why = End.FAILED, f"{type(failed).__name__} {failed}"
    if end is not End.GOOD:
        report.did(name, f"{end.value}: {why}")
    return end


if __name__ == "__main__":
    sys.exit(main())
