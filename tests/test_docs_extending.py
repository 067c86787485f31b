"""The example of docs/extending.md: it is quoted rightly, it is installed, and the device uses it."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from firmware import plugins
from firmware.cli import main as cli
from firmware.config.configuration import load
from tests.firmware.evening import Device

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
QUOTED: Final = re.findall(r"^<!-- quoted: (\S+) -->\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the example as its wheel installs it."""
    folder = tmp_path_factory.mktemp("installed")
    build = "from setuptools import build_meta; build_meta.build_wheel('.')"
    example = tmp_path_factory.mktemp("example")
    for file in (ROOT / "docs/examples/starter").iterdir():
        if file.is_file():
            (example / file.name).write_bytes(file.read_bytes())
    subprocess.run([sys.executable, "-c", build], cwd=example, check=True, capture_output=True)
    shutil.unpack_archive(next(example.glob("*.whl")), folder, "zip")
    return folder


@pytest.fixture
def starter(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The example is installed beside the product."""
    monkeypatch.syspath_prepend(installed)
    yield
    sys.modules.pop("nimmt_starter", None)


@pytest.mark.parametrize(("file", "text"), QUOTED, ids=[text.split("\n")[0] for _, text in QUOTED])
def test_what_is_quoted_stands_in_the_file(file: str, text: str) -> None:
    whole = (ROOT / file).read_text(encoding="utf-8")
    assert text.strip() in whole


def test_every_group_that_is_named_is_read() -> None:
    groups = set(re.findall(r"^\| `(nimmt\.\w+)`", PAGE, re.MULTILINE))
    described = set(re.findall(r"^    (nimmt\.\w+) ", plugins.__doc__ or "", re.MULTILINE))
    assert groups == described | {"nimmt.drivers"}


@pytest.mark.usefixtures("starter")
def test_its_command_is_one_of_nimmt(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["starter", "--players", "1"]) == 0
    assert capsys.readouterr().out == "Player 1 begins.\n"
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "draw who begins" in capsys.readouterr().out


@pytest.mark.usefixtures("starter")
def test_its_section_is_read_and_its_faults_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text("[starter]\nplayers = 40\n", encoding="utf-8")
    assert cli.main(["config", "check", str(file)]) == 1
    assert "starter.players" in capsys.readouterr().err
    file.write_text("[starter]\nplayers = 3\n", encoding="utf-8")
    import nimmt_starter  # type: ignore[import-not-found] # it is installed by this test

    assert load(file).section(nimmt_starter.Options).players == 3


@pytest.mark.usefixtures("starter")
def test_its_page_opens_from_the_menu_of_the_device(tmp_path: Path) -> None:
    at = Device(tmp_path)
    at.people("hold-OK")
    rows = at.table.front.labels(at.table.session)  # type: ignore[attr-defined] # it is the menu
    at.people(" ".join(["DOWN"] * rows.index("WHO BEGINS?")) + " OK")
    assert at.page == "who_begins"
    at.people("OK UNDO")
    assert at.page == "start"
