"""docs/records.md says what the commands about played matches do: each of its examples runs, in its order."""

import re
import shlex
from pathlib import Path

import pytest

from firmware.cli import main as cli
from firmware.commands.export import FORMATS
from firmware.history.spreadsheets import COLUMNS
from tests.firmware.past_evenings import Evenings

ROOT = Path(__file__).parents[3]
COMMANDS = cli.every_command()[0]
RECORDS = [name for name, one in COMMANDS.items() if "records.md" in one.epilog]
PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^    (nimmt .*)$", PAGE, flags=re.MULTILINE)


@pytest.mark.slow
def test_every_example_of_the_page_runs_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "elsewhere"
    made.mkdir()
    other = Evenings(made, ("ciao-of-four",))
    (tmp_path / "evening.jsonl").write_text(other.said("export"), encoding="utf-8")
    evenings = Evenings(tmp_path, ("score-put-right", "match-of-four"))
    monkeypatch.chdir(tmp_path)
    for example in EXAMPLES:
        assert evenings.said(*shlex.split(example)[1:]), example
    names = {file.name for file in tmp_path.iterdir()}
    day = "nimmt-2026-02-21"
    for ending in ("bgsplay", "svg"):
        assert f"{day}-match-2.{ending}" in names
    assert f"{day}-matches-1-to-2.html" in names
    assert evenings.path.with_name("journal.sqlite.before-restore-1").exists()


@pytest.mark.parametrize("name", RECORDS)
def test_every_command_is_on_the_page_with_an_example(name: str) -> None:
    assert f"`nimmt {name}`" in PAGE
    assert any(example.split()[1] == name for example in EXAMPLES)


def test_every_format_and_column_is_on_the_page() -> None:
    for name in (*FORMATS, *(name for name, *_ in COLUMNS)):
        assert f"`{name}`" in PAGE
