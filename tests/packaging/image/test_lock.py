"""What the image is built with: packages as in the lock, ours of one version, all in the list of parts."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from image import __main__ as build
from image import lock, parts_list
from image.commands import CannotBuild
from image.layout import ARCH, HERE
from image.lock import Package

from tests.packaging.image.debian_tools import EPOCH, needs


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


SITE = "usr/lib/nimmt-companion/lib/python3.13/site-packages"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with three libraries and a font."""
    for name, version, said in (
        ("pillow", "12.0.0", "License-Expression: MIT-CMU"),
        ("luma.oled", "3.16", "License: MIT License"),
        ("odd", "1+x", "License: a text\n of two lines"),
    ):
        folder = tmp_path / SITE / f"{name}-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n{said}\n")
    (tmp_path / SITE / "firmware").mkdir()
    (tmp_path / SITE / "firmware/letters.ttf").write_bytes(b"letters")
    return tmp_path


def test_the_list_is_what_spdx_asks_for_and_everything_is_in_it(root: Path) -> None:
    packages = [Package("libc6", "2.41-12"), Package("u-boot-rpi", "1:2025.01-3+deb13u1")]
    parts = [*parts_list.debian(packages), *parts_list.libraries(root), *parts_list.fonts(root)]
    made = parts_list.document("image", "1.2.3", parts, EPOCH)
    assert made == parts_list.document("image", "1.2.3", reversed(parts), EPOCH)
    document = json.loads(made)
    found = {(part["name"], part["versionInfo"], part["licenseDeclared"]) for part in document["packages"]}
    assert found >= {
        ("image", "1.2.3", "NOASSERTION"),
        ("libc6", "2.41-12", "NOASSERTION"),
        ("pillow", "12.0.0", "MIT-CMU"),
        ("luma.oled", "3.16", "MIT"),
        ("odd", "1+x", "NOASSERTION"),
    }
    assert "letters.ttf" in {name for name, *_ in found}
    assert document["spdxVersion"] == "SPDX-2.3"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
    identities = [part["SPDXID"] for part in document["packages"]]
    assert len(set(identities)) == len(identities)
    for part in document["packages"]:
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", part["SPDXID"])
        assert {"name", "downloadLocation", "filesAnalyzed", "licenseConcluded", "copyrightText"} <= set(part)
        for other in part.get("externalRefs", []):
            assert other["referenceCategory"] == "PACKAGE-MANAGER"
            assert re.fullmatch(r"pkg:(deb/debian|pypi)/[a-z0-9.+-]+@[^\s:+~]+", other["referenceLocator"])
