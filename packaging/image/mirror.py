"""Where packages come from: the mirror that this machine's own apt uses. No address is in this repository."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from image.commands import CannotBuild, run
from image.layout import SUITE

KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
COMPONENTS: Final = "main non-free-firmware"
"""The firmware of the Raspberry Pi and of its wireless chip is not free software."""


def sources() -> str:
    """Lines for a sources.list of our Debian. Raises `CannotBuild` where apt has no mirror of Debian."""
    asked = ("apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Origin: Debian")
    listed = run(*asked, epoch=0).decode().splitlines()
    here = _codename()
    mirrors = dict(line.split(" ", 1) for line in reversed(listed))
    if here not in mirrors:
        raise CannotBuild("apt of this machine has no mirror of Debian: see /etc/apt/sources.list")
    lines = [(mirrors[here], SUITE), (mirrors.get(f"{here}-updates", mirrors[here]), f"{SUITE}-updates")]
    if security := mirrors.get(f"{here}-security"):
        lines.append((security, f"{SUITE}-security"))
    return "".join(f"deb [signed-by={KEYRING}] {mirror} {suite} {COMPONENTS}\n" for mirror, suite in lines)


def _codename() -> str:
    words = dict(
        line.partition("=")[::2] for line in Path("/etc/os-release").read_text().splitlines() if "=" in line
    )
    return words.get("VERSION_CODENAME", "")
