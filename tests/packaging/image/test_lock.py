"""The lock of Debian's packages: made for what is asked for today, and precise about what differs."""

from pathlib import Path

import pytest
from image import lock
from image.commands import CannotBuild
from image.layout import HERE
from image.lock import Package


def test_it_was_made_for_the_packages_that_are_asked_for() -> None:
    names = {one.name for one in lock.locked(lock.INSTALLED)}
    assert set(lock.wanted(HERE / "packages.txt")) <= names
    assert {"libc6", "bash", "libpython3.13-stdlib"} <= names  # what they need is locked as well
    taken = {one.name for one in lock.locked(lock.TAKEN_APART)}
    assert set(lock.wanted(HERE / "boot_packages.txt")) - taken == {"linux-image-arm64"}
    assert any(name.startswith("linux-image-6.") for name in taken)


def test_one_that_was_made_for_other_packages_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "packages.lock"
    file.write_text(lock.text([], []).replace(lock.seal(), "0" * 64))
    with pytest.raises(CannotBuild, match="LOCK=1"):
        lock.locked(lock.INSTALLED, file)
    with pytest.raises(CannotBuild, match="LOCK=1"):
        lock.locked(lock.INSTALLED, tmp_path / "missing.lock")


def test_what_differs_is_named() -> None:
    assert lock.difference([Package("a", "1")], [Package("a", "1")]) == ""
    said = lock.difference([Package("a", "2")], [Package("a", "1")])
    assert said == "a 1 is not there; a 2 is not in the lock"
