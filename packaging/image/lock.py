"""The lock: which version of each Debian package is in the image, so that two builds use the same."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from image.commands import CannotBuild
from image.layout import HERE, SUITE

FILE: Final = HERE / "packages.lock"
INSTALLED: Final = "installed"
TAKEN_APART: Final = "taken apart"


@dataclass(frozen=True, slots=True, order=True)
class Package:
    """A package of Debian in one version."""

    name: str
    version: str


def wanted(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line and not line.startswith("#")]


def seal() -> str:
    """What the lock has to be made again for: the wanted packages and the release of Debian."""
    asked = [SUITE, *wanted(HERE / "packages.txt"), "", *wanted(HERE / "boot_packages.txt")]
    return hashlib.sha256("\n".join(asked).encode()).hexdigest()


def text(installed: Iterable[Package], taken_apart: Iterable[Package]) -> str:
    lines = [f"# Written by: make image LOCK=1\nfor {seal()}"]
    for title, packages in ((INSTALLED, installed), (TAKEN_APART, taken_apart)):
        lines += [f"[{title}]", *(f"{package.name} {package.version}" for package in sorted(packages))]
    return "\n".join(lines) + "\n"


def locked(title: str, file: Path = FILE) -> list[Package]:
    """The packages below that title. Raises `CannotBuild` if the lock was made for other wishes."""
    hint = "make it again with: make image LOCK=1"
    if not file.exists():
        raise CannotBuild(f"there is no {file.name}; {hint}")
    lines = file.read_text().splitlines()
    if f"for {seal()}" not in lines:
        raise CannotBuild(f"{file.name} was made for other packages; {hint}")
    start = lines.index(f"[{title}]") + 1
    end = next((at for at in range(start, len(lines)) if lines[at].startswith("[")), len(lines))
    return [Package(*line.split(" ")) for line in lines[start:end]]


def difference(got: Iterable[Package], expected: Iterable[Package]) -> str:
    """What is not as it is locked, in words; empty if all is."""
    have, want = set(got), set(expected)
    words = [f"{package.name} {package.version} is not there" for package in sorted(want - have)]
    words += [f"{package.name} {package.version} is not in the lock" for package in sorted(have - want)]
    return "; ".join(words)
