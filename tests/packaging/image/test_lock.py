"""What the image is built with: Debian's packages are those of the lock, ours are of one version."""

import subprocess
from pathlib import Path

import pytest
from image import __main__ as build
from image import lock
from image.commands import CannotBuild
from image.layout import ARCH, HERE
from image.lock import Package

from tests.packaging.image.debian_tools import needs


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


ROOT = Path(__file__).parents[3]


@needs("dpkg-deb")
def test_packages_of_two_versions_do_not_get_into_one_image(tmp_path: Path) -> None:
    def deb(name: str, version: str, arch: str = ARCH) -> Path:
        (tmp_path / name / "DEBIAN").mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: {version}\nArchitecture: {arch}\nMaintainer: x\nDescription: x\n"
        )
        made = tmp_path / f"{name}_{version}_{arch}.deb"
        subprocess.run(["dpkg-deb", "--build", tmp_path / name, made], check=True, capture_output=True)
        return made

    table, page = deb("nimmt-companion", "1.0"), deb("nimmt-web", "1.0")
    assert build._build((table, page), None, (), tmp_path).named("img").name == f"nimmt-1.0-{ARCH}.img"
    with pytest.raises(CannotBuild, match=r"several versions: 1\.0, 1\.1"):
        build._build((table, page, deb("nimmt-web", "1.1")), None, (), tmp_path)
    with pytest.raises(CannotBuild, match="is not for"):
        build._build((deb("nimmt-companion", "1.0", "all"),), None, (), tmp_path)
