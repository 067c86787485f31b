"""The box knows none of its optional parts, and works without any of them."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]
BOX: Final = ("companion", "hardware", "firmware")
OPTIONAL: Final = ("companion/robots", "companion/tournament", "firmware/extensions", "network")

NAMES: Final = re.compile(
    r"nimmt.(?:web|mqtt|hub)\b|(?:Web|Mqtt|Hub)Options|tournament|arena|\bmqtt\b|\bhub\b|\brobots?\b",
    re.IGNORECASE,
)
"""How an optional part would be named; "update" and "web" alone are words of every program."""

STORED: Final = {
    "companion/core/game.py": "hands that nobody may see, with an example",
    "companion/games/ciao/__init__.py": "the same",
    "companion/games/ciao/registering.py": "the same",
    "companion/games/eleven/__init__.py": "the same",
    "companion/games/eleven/registering.py": "the same",
    "companion/match/legal_commands.py": "the same",
    "companion/match/log.py": "the header of a log says at which seats no person plays",
    "companion/match/match.py": "the same, in `Terms`",
    "firmware/history/best_results.py": "reads it",
    "firmware/history/players.py": "reads it: such a player has a name, and no badge",
    "firmware/commands/stored.py": "reads it",
    "firmware/session/earlier_matches.py": "reads it",
    "firmware/session/player_names.py": "reads it",
    "firmware/session/session.py": "reads it",
    "firmware/session/table_notes.py": "keeps it while players join",
}
"""Where a word of the stored log stands, and why."""


def sources() -> list[Path]:
    """The files of the box."""
    return [
        file
        for package in BOX
        for file in sorted((ROOT / package).rglob("*.py"))
        if not file.relative_to(ROOT).as_posix().startswith(OPTIONAL)
    ]


def test_no_file_of_the_box_imports_an_optional_part() -> None:
    found = []
    for file in sources():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            found += [f"{file}: {name}" for name in names if name.replace(".", "/").startswith(OPTIONAL)]
    assert found == []


def test_no_line_of_the_box_names_an_optional_part() -> None:
    named = {}
    for file in sources():
        lines = file.read_text(encoding="utf-8").splitlines()
        here = [f"{number}: {line.strip()}" for number, line in enumerate(lines, 1) if NAMES.search(line)]
        if here:
            named[file.relative_to(ROOT).as_posix()] = here
    assert {file: lines for file, lines in named.items() if file not in STORED} == {}
    assert set(STORED) <= set(named), "these name it no more"


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed box: the wheel of the product without the optional parts."""
    source, installed = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("box")
    away = {ROOT / name for name in OPTIONAL}

    def ignored(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name == "__pycache__" or Path(folder) / name in away}

    for package in BOX:
        shutil.copytree(ROOT / package, source / package, ignore=ignored)
    shutil.copytree(ROOT / "LICENSES", source / "LICENSES")
    for name in ("setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = re.sub(r"^\[project\.entry-points\..*?(?=^\[)", "", project, flags=re.MULTILINE | re.DOTALL)
    assert "entry-points" not in project
    (source / "pyproject.toml").write_text(project, encoding="utf-8")
    alone = ("--no-index", "--no-deps", "--no-build-isolation")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")
    subprocess.run([*pip, *alone, "--wheel-dir", source / "made", source], check=True)
    (wheel,) = (source / "made").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    return installed


_STARTED: Final = """
import atexit, json, re, sys
place, libraries, told, *words = sys.argv[1:]
sys.path = [place, *sys.path, libraries]

def tell():
    peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())
    with open(told, "w") as file:
        json.dump({"modules": sorted(sys.modules), "peak_kib": int(peak[1])}, file)

atexit.register(tell)
sys.argv = ["nimmt", *words]
from firmware.cli.main import main
sys.exit(main())
"""


def started(place: Path, folder: Path, *words: str) -> tuple[str, dict[str, Any]]:
    """What `nimmt` prints when it is installed at `place`, and what it needed for that.

    Without `site` the libraries are there, but nothing else that is installed beside them.
    """
    libraries = sysconfig.get_path("purelib")
    told = folder / f"{place.name}.json"
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", _STARTED, place, libraries, told, *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(told.read_text())


@pytest.mark.slow
def test_the_box_alone_plays_a_match_with_less(box: Path, tmp_path: Path) -> None:
    words = ("demo", "--fast", "--seed", "7")
    said, alone = started(box, tmp_path, *words)
    said_whole, whole = started(ROOT, tmp_path, *words)
    assert "won with the fewest points" in said
    assert said == said_whole
    assert not [name for name in alone["modules"] if name.replace(".", "/").startswith(OPTIONAL)]
    assert set(alone["modules"]) < set(whole["modules"])
    assert alone["peak_kib"] < whole["peak_kib"]


@pytest.mark.slow
def test_the_box_alone_offers_its_own_commands_only(box: Path, tmp_path: Path) -> None:
    said, _ = started(box, tmp_path, "--help")
    whole, _ = started(ROOT, tmp_path, "--help")
    commands = [set(re.findall(r"^    ([a-z]+)\b", one, re.MULTILINE)) for one in (said, whole)]
    assert {"run", "demo", "export", "print"} <= commands[0]
    assert commands[1] - commands[0] == {"arena", "hub", "mqtt", "review", "update", "web"}
