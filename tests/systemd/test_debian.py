"""What the package promises, as far as it can be told without building it; `make try-deb` installs it."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

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


def test_the_other_packages_have_the_same_version_and_delete_little() -> None:
    needs = {"nimmt-web": ["nimmt-companion"], "nimmt-mqtt": ["nimmt-companion"]}
    more = {"nimmt-hub": ["nimmt-companion", *needs], "nimmt-camera": ["nimmt-companion"]}
    for name, others in {**needs, **more}.items():
        control = (DEBIAN / name / "control").read_text()
        assert all(f"{other} (= @VERSION@)," in control for other in others)
        removed = re.findall(r"\brm (.*)$", (DEBIAN / name / "postrm").read_text(), re.MULTILINE)
        own = f"{INSTALLED_FOLDER}/{PHONES} {INSTALLED_FOLDER}/{CERTIFICATE}"
        assert removed == ([f"-f {own}"] if name == "nimmt-web" else [])
