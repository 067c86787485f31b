"""A Debian in a folder, from the apt sources of this machine; nothing of ours is put into it here."""

import platform
import shutil
import subprocess
import zlib
from collections.abc import Sequence
from pathlib import Path


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
