"""The few files that come from npm: fetched by its client, compared with their hash, put in their places.

packaging/locks/npm.json names the package, its version, the hash of its archive, why it is used, and which of
its files go where. Nothing of npm runs: its client only fetches the archive.

`python -m tools.npm_files [NAME ...]` fetches what is missing.
"""

import base64
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
LOCK: Final = ROOT / "packaging/locks" / "npm.json"


def main(names: Sequence[str]) -> int:
    """Fetch the packages of these names, or all; the exit status is 1 if one cannot be had."""
    for name, package in packages().items():
        if names and name not in names:
            continue
        stamp = ROOT / "build" / f"npm-{name}-{package['version']}.stamp"
        places = [ROOT / place for place in package["files"].values()]
        if stamp.exists() and all(place.exists() for place in places):
            continue
        try:
            put(package, archive(name, package))
        except (OSError, subprocess.SubprocessError, ValueError, tarfile.TarError, KeyError) as error:
            print(f"{name} {package['version']} cannot be had: {error}", file=sys.stderr)  # noqa: T201
            return 1
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
    return 0


def packages() -> dict[str, Any]:
    """What the lock says, by the name of the package."""
    found: dict[str, Any] = json.loads(LOCK.read_text(encoding="utf-8"))
    return found


def archive(name: str, package: Mapping[str, Any]) -> bytes:
    """The archive of a package. Raises `ValueError` where it is not the one of the lock."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(  # noqa: S603
            ["npm", "pack", "--ignore-scripts", "--silent", f"{name}@{package['version']}"],  # noqa: S607
            cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=1200,
        )  # fmt: skip
        (packed,) = Path(folder).glob("*.tgz")
        content = packed.read_bytes()
    kind, _, expected = package["integrity"].partition("-")
    if kind != "sha512" or base64.b64encode(hashlib.sha512(content).digest()).decode() != expected:
        raise ValueError("its archive is not the one of packaging/locks/npm.json")
    return content


def put(package: Mapping[str, Any], content: bytes) -> None:
    """Write the files of an archive to their places."""
    with tarfile.open(fileobj=io.BytesIO(content)) as packed:
        for inside, place in package["files"].items():
            file = packed.extractfile(f"package/{inside}")
            if file is None:
                raise KeyError(inside)
            target = ROOT / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
