"""The built card in an emulated Raspberry Pi: started, updated, broken, cut off; a table of results.

    python -m tests.packaging.try_image [--only NAME,NAME] [--cuts N] [--key FILE]
        dist/nimmt-VERSION-arm64.img

Needs root, and the packages of Debian that it names. Emulated are the processors, the
card, both serial lines and USB sticks; not the firmware before U-Boot, Wi-Fi and
the watchdog. Takes an hour, on a busy machine several.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from image.commands import PACKAGES, missing

from tests.packaging.try_image import play, runs, updates
from tests.packaging.try_image.built import built
from tests.packaging.try_image.emulator import qemu
from tests.systemd.trial import begun

RUNS: Final[dict[str, Callable[[runs.Bench], None]]] = {
    "file": built,
    "boot": runs.boot,
    "update": updates.update,
    "match": play.match,
}


def main() -> int:
    """Do it; 0 if all went as it should, 1 if not, 2 where it cannot be done."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--only", default=",".join(RUNS), help=f"some of: {','.join(RUNS)}")
    words.add_argument("--cuts", type=int, default=5, help="how often the card is looked at in the match")
    words.add_argument("--key", type=Path, help="the key with which the image was built; for update")
    words.add_argument("image", type=Path)
    given = words.parse_args()
    chosen = given.only.split(",")
    if unknown := set(chosen) - set(RUNS):
        words.error(f"--only {' '.join(sorted(unknown))}: choose from {', '.join(RUNS)}")
    report = begun(missing(PACKAGES))
    machine = qemu()
    failed = False
    for name in chosen:
        began_s = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=machine.work) as place:
            bench = runs.Bench(machine, given.image, Path(place), report, given.cuts, given.key)
            try:
                RUNS[name](bench)
                assert not bench.failed, ", ".join(bench.failed)
            except AssertionError as why:
                failed = True
                report.did(name, f"FAILED: {why}")
            else:
                report.did(name, f"good, {time.monotonic() - began_s:.0f} s")
    sys.stdout.write(f"\n{given.image.name} in QEMU's Raspberry Pi\n\n{report.table()}\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
