"""The built card in an emulated Raspberry Pi: started, updated, broken, cut off; a table of results.

    python -m tests.packaging.try_image [--only NAME,NAME] [--cuts N] [--key FILE]
        dist/nimmt-VERSION-arm64.img

Needs root, and the packages of Debian that it names. Emulated are the processors, the
card, both serial lines, USB sticks, and a panel that nobody sees; not the firmware before U-Boot, Wi-Fi and
the watchdog. Takes half an hour.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from image.commands import PACKAGES, missing

from tests.packaging.try_image import runs
from tests.packaging.try_image.built import built
from tests.packaging.try_image.emulator import Dark, qemu
from tests.systemd.trial import PACE, NotDone, begun, status

RUNS: Final[dict[str, Callable[[runs.Bench], None]]] = {
    "file": built,
    "boot": runs.boot,
    "start": runs.start,
    "boards": runs.boards,
    "identity": runs.identities,
    "first": runs.first_start,
    "broken": runs.broken,
    "trial": runs.trial,
    "update": runs.update,
    "match": runs.match,
    "page": runs.page,
}


def main() -> int:
    """Do it; 0 if all went as it should, 1 if not, 2 where it cannot be done, 75 if it was not done."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--only", default=",".join(RUNS), help=f"some of: {','.join(RUNS)}")
    words.add_argument("--cuts", type=int, default=5, help="how often the plug is pulled during the match")
    words.add_argument("--key", type=Path, help="the key with which the image was built; for update")
    words.add_argument("image", type=Path)
    given = words.parse_args()
    chosen = given.only.split(",")
    if unknown := set(chosen) - set(RUNS):
        words.error(f"--only {' '.join(sorted(unknown))}: choose from {', '.join(RUNS)}")
    report = begun(missing(PACKAGES))
    machine = qemu()
    failed = not_done = False
    for name in chosen:
        began_s = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=machine.work) as place:
            bench = runs.Bench(machine, given.image, Path(place), report, given.cuts, given.key)
            try:
                RUNS[name](bench)
                assert not bench.failed, ", ".join(bench.failed)
            except NotDone as why:
                not_done = True
                report.did(name, f"NOT DONE: {why}")
            except AssertionError as why:
                late = isinstance(why, Dark) and PACE.has_slowed()
                failed, not_done = failed or not late, not_done or late
                report.did(name, f"{'NOT DONE: the machine has slowed' if late else 'FAILED'}: {why}")
            else:
                report.did(name, f"good, {time.monotonic() - began_s:.0f} s")
    sys.stdout.write(f"\n{given.image.name} in QEMU's Raspberry Pi\n\n{report.table()}\n")
    return status(failed=failed, not_done=not_done)


if __name__ == "__main__":
    sys.exit(main())
