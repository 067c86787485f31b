"""What the image is built with: every tool is named with its package, our packages are of one version."""

import subprocess
from pathlib import Path

import pytest
from image import __main__ as build
from image.commands import CannotBuild
from image.layout import ARCH

from tests.packaging.image.debian_tools import needs

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
