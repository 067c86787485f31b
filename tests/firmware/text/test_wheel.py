"""The wheel has all catalogues, and its program speaks by them wherever it is."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from firmware.text.translation import LANGUAGES, Translator, catalogue_of
from tools.texts import PACKAGES, ROOT


@pytest.mark.slow
def test_whoever_installs_the_wheel_has_every_language(tmp_path: Path) -> None:
    source, made, installed = tmp_path / "source", tmp_path / "made", tmp_path / "installed"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "LICENSES", source / "LICENSES")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    # As pip does it for packaging/debian/build; the packages for Debian unpack this wheel.
    built = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    made.mkdir()
    subprocess.run([sys.executable, "-c", built, made], cwd=source, check=True, capture_output=True)
    (wheel,) = made.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    for language in LANGUAGES:
        here = catalogue_of(language).with_suffix(".mo")
        catalogue = installed / here.relative_to(ROOT)
        assert catalogue.read_bytes() == here.read_bytes()
        assert not catalogue.with_suffix(".po").exists()
    asked = (
        "import sys; sys.path.insert(0, sys.argv[1]); from firmware.text.translation import Translator; "
        "sys.stdout.reconfigure(encoding='utf-8'); print(Translator('fa')('TOTALS'))"
    )
    said = subprocess.run(
        [sys.executable, "-P", "-c", asked, installed],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert said.stdout.strip() == Translator("fa")("TOTALS") != "TOTALS"
