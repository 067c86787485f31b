"""What the trials share: a Debian in a folder, and a table that says what was done and what came of it."""

import os
import platform
import shutil
import subprocess
import sys
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from tests import patience

HANG_S: Final = 7200.0
"""What does not come within this time hangs. Nothing else depends on it: however busy this machine is, what
is only slow is waited for."""
comes = partial(patience.comes, look_s=0.1, within_s=HANG_S)


@dataclass
class Report:
    """What was tried and what came of it."""

    rows: list[tuple[str, str]] = field(default_factory=list)

    def did(self, what: str, result: str) -> None:
        self.rows.append((what, result))
        sys.stderr.write(f"{what}: {result}\n")

    def table(self) -> str:
        rows = (f"| {what} | {result} |" for what, result in self.rows)
        return "\n".join(["| what was done | what came of it |", "|---|---|", *rows])


def begun(packages: Collection[str]) -> Report:
    """A report for a trial that may begin. Without root or these packages the program ends with 2."""
    if os.geteuid() or packages:
        sys.stderr.write(f"this needs root, and: apt install {' '.join(packages)}\n")
        sys.exit(2)
    return Report()


def unpack(suite: str, packages: Sequence[str], cache: Path, folder: Path) -> None:
    """Lay a minimal Debian with these packages into a new folder. Needs root and mmdebstrap.

    It is made once and kept in `cache`; its name depends on the packages.
    """
    base = cache / f"{suite}-{zlib.crc32(' '.join(packages).encode()):08x}.tar"
    if not base.exists():
        cache.mkdir(parents=True, exist_ok=True)
        draft = base.with_suffix(".new.tar")
        subprocess.run(
            [
                *("mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}"),
                *(suite, str(draft), str(_sources(suite, cache))),
            ],
            check=True,
        )
        draft.rename(base)
    folder.mkdir()
    subprocess.run(["tar", "-C", str(folder), "--numeric-owner", "-xf", str(base)], check=True)
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")


def _sources(suite: str, cache: Path) -> Path:
    """The apt sources of this machine, as they would be for that Debian."""
    here = platform.freedesktop_os_release()["VERSION_CODENAME"]
    listed, made = Path("/etc/apt/sources.list.d/debian.sources"), cache / f"{suite}.sources"
    if not listed.exists():
        listed, made = Path("/etc/apt/sources.list"), cache / f"{suite}.list"
    made.write_text(listed.read_text().replace(here, suite))
    return made
