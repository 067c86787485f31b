"""The box knows none of its optional parts, and works without any of them."""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]
BOX: Final = ("companion", "hardware", "firmware")
OPTIONAL: Final = ("companion/robots", "companion/tournament", "firmware/extensions", "network")
NAMES: Final = re.compile(
    r"robots?\b|robot_|tournament|mqtt|broker|\bhubs?\b"
    r"|\bweb\b(?! page| address)|web_|_web|(?-i:\bWeb[A-Z])|website|televisions?\b"
    r"|\bpaired\b|\bpairing\b|_phone|phone_|page for phones"
    r"|nimmt.update|update_file|(?:firmware|extensions).update",
    re.IGNORECASE,
)
"""How a line would name an optional part. A web address is none, nor is the phone in a pocket."""
IMPORTS: Final = re.compile(
    r"^ *(?:from|import) (?:companion\.(?:robots|tournament)|firmware\.extensions|network)\b.*"
    r"|^ *from (?:companion|firmware) import [^\n(]*(?:\([^)]*)?\b(?:robots|tournament|extensions)\b",
    re.MULTILINE,
)
ROBOTS: Final = {
    "companion/match/log.py": "the header of a log says at which seats no person plays",
    "companion/match/match.py": "the same, in `Terms`",
    "firmware/history/players.py": "reads it: such a player has a name, and no badge",
    "firmware/screens/turn/table.py": "waits for no card of such a player",
    "firmware/session/session.py": "reads it",
    "firmware/session/table_notes.py": "keeps it while players join",
}
"""Where the word "robots" of the stored log stands, and why: a match that was played keeps its players."""
CATALOGUES: Final = "firmware/text/catalogues"
"""The translations of the whole product, as translators get them."""


def files() -> list[Path]:
    """The files of the box, whatever is in them."""
    return [
        file
        for package in BOX
        for file in sorted((ROOT / package).rglob("*"))
        if file.suffix in {".py", ".html", ".txt", ".toml", ".json"}
        and not file.relative_to(ROOT).as_posix().startswith((*OPTIONAL, CATALOGUES))
    ]


def test_no_file_of_the_box_imports_an_optional_part() -> None:
    imported = [(file, IMPORTS.findall(file.read_text(encoding="utf-8"))) for file in files()]
    assert [(file, found) for file, found in imported if found] == []


def test_no_line_of_the_box_names_an_optional_part() -> None:
    named, of_the_log = [], set()
    for file in files():
        name = file.relative_to(ROOT).as_posix()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            words = {found.group().lower() for found in NAMES.finditer(line)}
            if name in ROBOTS and words:
                of_the_log.add(name)
                words -= {"robot", "robots", "robot_"}
            named += [f"{name}:{number}: {line.strip()}"] if words else []
    assert named == []
    assert set(ROBOTS) == of_the_log, "these name it no more"


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the box as its own wheel would install it: no optional part, and no entry points."""
    place, away = tmp_path_factory.mktemp("box"), {ROOT / name for name in OPTIONAL}
    for package in BOX:
        shutil.copytree(
            ROOT / package,
            place / package,  # with what is compiled, which fits as the times of the files stay
            ignore=lambda folder, names: [name for name in names if Path(folder) / name in away],
        )
    about = place / "nimmt_companion-0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nimmt-companion\nVersion: 0\n")
    return place


MATCH: Final = ("demo", "--fast", "--seed", "7")
_STARTED: Final = """
import atexit, json, re, sys
place, libraries, told, *words = sys.argv[1:]
sys.path = [place, *sys.path, libraries]
calls = 0

def count(frame, event, arg):
    global calls
    calls += event == "call"

def tell():
    sys.setprofile(None)
    peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())
    with open(told, "w") as file:
        json.dump({"modules": sorted(sys.modules), "peak_kib": int(peak[1]), "calls": calls}, file)

atexit.register(tell)
sys.setprofile(count)
sys.argv = ["nimmt", *words]
from firmware.cli.main import main
sys.exit(main())
"""
"""Work is counted in calls of functions, as the time that it takes depends on what else runs."""


def started(place: Path, *words: str) -> tuple[str, dict[str, Any]]:
    """What `nimmt` prints when it lies at `place`, and what it needed for that.

    Without `site` the libraries are there, but nothing else that is installed beside them.
    """
    libraries = sysconfig.get_path("purelib")
    with TemporaryDirectory() as folder:
        told = Path(folder) / "told.json"
        done = subprocess.run(
            [sys.executable, "-S", "-P", "-c", _STARTED, place, libraries, told, *words],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout, json.loads(told.read_text())


@pytest.mark.slow
def test_the_box_alone_plays_a_match_with_less(box: Path) -> None:
    said, alone = started(box, *MATCH)
    said_whole, everything = started(ROOT, *MATCH)
    assert "won with the fewest points" in said
    assert said == said_whole
    assert not [name for name in alone["modules"] if name.replace(".", "/").startswith(OPTIONAL)]
    assert set(alone["modules"]) < set(everything["modules"])
    assert len(alone["modules"]) < 0.95 * len(everything["modules"])
    assert alone["peak_kib"] < 0.95 * everything["peak_kib"]
    assert alone["calls"] < 0.97 * everything["calls"]  # most of them play the match


@pytest.mark.slow
def test_the_box_alone_offers_its_own_commands_only(box: Path) -> None:
    said, alone = started(box, "--help")
    said_whole, everything = started(ROOT, "--help")
    commands = [set(re.findall(r"^    ([a-z]+)\b", one, re.MULTILINE)) for one in (said, said_whole)]
    assert {"run", "demo", "export", "print"} <= commands[0]
    assert commands[1] - commands[0] == {"hub", "mqtt", "review", "speak", "teach", "update", "web"}
    assert len(alone["modules"]) < 0.95 * len(everything["modules"])
    assert alone["calls"] < 0.95 * everything["calls"]
