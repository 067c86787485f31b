"""What the package promises, as far as it can be told without building it; `make try-deb` installs it."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from network.web.config import CERTIFICATE, INSTALLED_FOLDER, PHONES

ROOT = Path(__file__).parents[2]
DEBIAN = ROOT / "packaging/debian"


def preinst(folder: Path, *words: str, anyway: str = "") -> tuple[int, str]:
    """Run the script as dpkg does, with the status in `folder` instead of /run/nimmt."""
    script = folder / "preinst"
    text = (DEBIAN / "preinst").read_text()
    assert "/run/nimmt/status.json" in text
    script.write_text(text.replace("/run/nimmt/status.json", str(folder / "status.json")))
    done = subprocess.run(
        ["sh", str(script), *words],
        env={**os.environ, "NIMMT_ANYWAY": anyway},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def status(folder: Path, *, playing: bool, pid: int) -> None:
    (folder / "status.json").write_text(json.dumps({"format": 1, "pid": pid, "playing": playing}) + "\n")


def test_an_upgrade_is_refused_in_the_middle_of_a_match_and_says_what_to_do(tmp_path: Path) -> None:
    status(tmp_path, playing=True, pid=os.getpid())
    refused, said = preinst(tmp_path, "upgrade", "0.1.0", "0.2.0")
    assert refused == 1
    assert "systemctl stop nimmt-companion" in said
    assert preinst(tmp_path, "upgrade", "0.1.0", "0.2.0", anyway="1") == (0, "")
    assert preinst(tmp_path, "install") == (0, "")


def test_the_package_has_libraries_for_every_python_that_it_accepts() -> None:
    built = re.search(r'^pythons="(.*)"$', (DEBIAN / "build").read_text(), re.MULTILINE)
    assert built is not None
    needs = re.search(r"^Depends: (.*)$", (DEBIAN / "control").read_text(), re.MULTILINE)
    assert needs is not None
    for version in built[1].split():
        major, minor = map(int, version.split("."))
        assert f"python3 (>= {version})" in needs[1]
        assert f"python3 (<< {major}.{minor + 1})" in needs[1]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={built[1].split()[0]}"


def test_the_other_packages_are_of_the_same_version_and_delete_only_phones_and_certificate_of_the_page() -> (
    None
):
    needs = {"nimmt-web": ["nimmt-companion"], "nimmt-mqtt": ["nimmt-companion"]}
    more = {"nimmt-hub": ["nimmt-companion", *needs], "nimmt-camera": ["nimmt-companion"]}
    for name, others in {**needs, **more}.items():
        control = (DEBIAN / name / "control").read_text()
        assert all(f"{other} (= @VERSION@)," in control for other in others)
        removed = re.findall(r"\brm (.*)$", (DEBIAN / name / "postrm").read_text(), re.MULTILINE)
        own = f"{INSTALLED_FOLDER}/{PHONES} {INSTALLED_FOLDER}/{CERTIFICATE}"
        assert removed == ([f"-f {own}"] if name == "nimmt-web" else [])


def test_no_script_writes_where_the_owner_of_the_machine_decides() -> None:
    for script in ("preinst", "postinst", "prerm", "postrm"):
        for line in (DEBIAN / script).read_text().splitlines():
            assert "--write" not in line
            assert not re.search(r">+ *(/boot|/etc)", line)


def test_the_licence_of_the_package_is_the_licence_of_the_product() -> None:
    def words(text: str) -> list[str]:
        return [word for word in text.split() if word != "."]

    licence = words((ROOT / "LICENSE").read_text().partition("Permission is")[2])
    packaged = (DEBIAN / "copyright").read_text()
    assert words(packaged.partition("Permission is")[2].partition("\nFiles:")[0]) == licence
    letters = words((ROOT / "LICENSES/OFL-1.1.txt").read_text().partition("SIL OPEN FONT LICENSE Version")[2])
    assert words(packaged.partition("SIL OPEN FONT LICENSE Version")[2].partition("Comment:")[0]) == letters


def build_step(name: str) -> str:
    """One of the functions of the build, as the shell reads it."""
    found = re.search(rf"^{name}\(\) {{.*?^}}$", (DEBIAN / "build").read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def test_libraries_come_without_their_tests_and_no_shared_library_can_be_run(tmp_path: Path) -> None:
    for name in ("sqlalchemy/testing/assertions.py", "sqlalchemy/engine.so", "anyio/pytest_plugin.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch(mode=0o755)
    record = tmp_path / "sqlalchemy-2.dist-info/RECORD"
    record.parent.mkdir()
    record.write_text("sqlalchemy/engine.so,,\nsqlalchemy/testing/assertions.py,,\n")
    for step in ("without_tests", "without_modes"):
        text = (DEBIAN / "build").read_text()
        for libraries in ("site", "page", "bridge", "many"):
            assert f'{step} "${libraries}"' in text
        subprocess.run(["sh", "-euc", f'{build_step(step)}\n{step} "$1"', "sh", tmp_path], check=True)
    left = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    assert left == {"sqlalchemy/engine.so", "sqlalchemy-2.dist-info/RECORD"}
    assert (tmp_path / "sqlalchemy/engine.so").stat().st_mode & 0o777 == 0o644
    assert record.read_text() == "sqlalchemy/engine.so,,\n"


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="apt install dpkg")
def test_a_new_package_takes_the_place_of_that_of_another_version(tmp_path: Path) -> None:
    (tmp_path / "root/DEBIAN").mkdir(parents=True)
    (tmp_path / "control").write_text(
        "Package: x\nVersion: @VERSION@\nArchitecture: @ARCH@\nMaintainer: x\nDescription: x\n"
    )
    (tmp_path / "dist").mkdir()
    for old in ("x_1.0_arm64.deb", "x_1.0_amd64.deb", "x-y_1.0_arm64.deb"):
        (tmp_path / "dist" / old).touch()
    variables = "version=1.1 arch=arm64 SOURCE_DATE_EPOCH=1790000000"
    script = f"{variables}\n{build_step('packed')}\npacked root x control"
    subprocess.run(["sh", "-euc", script], cwd=tmp_path, check=True, capture_output=True)
    assert {file.name for file in (tmp_path / "dist").iterdir()} == {
        *("x_1.1_arm64.deb", "x_1.0_amd64.deb", "x-y_1.0_arm64.deb")
    }
