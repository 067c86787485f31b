"""The tutorial about adding a game: its code is that of the example, and what it shows is what one gets."""

import re
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Final

import pytest

from firmware import plugins

pytestmark = pytest.mark.usefixtures("games_of_before")

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
BLOCK: Final = re.compile(r"^(?:<!-- quoted: (\S+) -->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS: Final = BLOCK.findall(PAGE)
QUOTED: Final = [(file, code) for file, _, code in BLOCKS if file]
SCRIPTS: Final = [code for file, language, code in BLOCKS if language == "python" and not file]
LEFT_OUT: Final = re.compile(r"^ *\.\.\.\n", re.MULTILINE)


@pytest.mark.parametrize(("file", "code"), QUOTED, ids=[code.partition("\n")[0] for _, code in QUOTED])
def test_quoted_code_is_in_its_file_in_this_order(file: str, code: str) -> None:
    rest = "\n" + (ROOT / file).read_text(encoding="utf-8")
    for part in LEFT_OUT.split(code):
        _, found, rest = rest.partition("\n" + part)
        assert found, f"this is not in {file}, or not behind the part before it:\n{part}"
        rest = "\n" + rest


def test_every_step_quotes_the_example() -> None:
    steps = PAGE.partition("## Write it")[2].partition("\n## ")[0].split("\n### ")[1:]
    assert len(steps) == 9
    for step in steps:
        assert "<!-- quoted: tests/fifth_game/take_the_highest.py -->\n```python\n" in step, step
    assert len(SCRIPTS) == 2


def test_the_match_in_nine_lines_prints_what_the_page_says() -> None:
    code = SCRIPTS[0]
    assert len(code.split("\n\n")) == 2
    assert len([line for line in code.splitlines() if line]) == 9
    output = StringIO()
    with redirect_stdout(output):
        exec(code, {})  # noqa: S102 - our own page
    assert f"{code}```\n\n```text\n{output.getvalue()}```\n" in PAGE


@pytest.mark.parametrize("words", re.findall(r"^ {4}\.venv/bin/python play\.py (.*)$", PAGE, re.MULTILINE))
def test_the_program_that_knows_the_game_plays_and_prints_it(words: str, tmp_path: Path) -> None:
    if words.startswith("run "):  # it waits for people; only its options are read
        words = words.replace("run ", "run --help ", 1)
    if words.startswith("demo "):
        words += " --fast"
    (tmp_path / "play.py").write_text(SCRIPTS[1])
    done = subprocess.run(
        [sys.executable, "play.py", *words.split()],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_distribution_offers_the_game_by_the_entry_point_and_a_broken_one_is_reported_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (toml,) = (code for _, language, code in BLOCKS if language == "toml")
    project = tomllib.loads(toml)["project"]
    ((key, module),) = project["entry-points"][plugins.GAMES].items()
    (tmp_path / f"{module}.py").write_text("raise ValueError('oops')\n")
    info = tmp_path / f"{module}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    (info / "entry_points.txt").write_text(f"[{plugins.GAMES}]\n{key} = {module}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    (bad,) = plugins.add_installed_games()
    assert f"```text\nnimmt: {bad.fault}\n  {bad.fix}\n```\n" in PAGE
