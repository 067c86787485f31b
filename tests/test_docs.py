"""What README and docs tell: that it is there, that it can be typed, and that it runs."""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from firmware.cli import doc as cli_doc
from firmware.cli import main as cli
from firmware.config import configuration
from tools.pages import RECIPES, counts, lines_of

ROOT: Final = Path(__file__).parents[1]
README: Final = ROOT / "README.md"
PAGES: Final = (
    *sorted(ROOT.glob("README*.md")),
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
)
FENCED: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED: Final = re.compile(r"^ {4}(\S.*)$", re.MULTILINE)
SPAN: Final = re.compile(r"`(nimmt [^`]+)`")
TYPED: Final = re.compile(r"(?:\$ )?(?:sudo )?(?:\.venv/bin/)?(nimmt( .*)?|make run)$")
PLACEHOLDER: Final = re.compile(r"\[?[A-Z]{1,9}\]?")
FOR_PEOPLE: Final = {"run", "setup", "display", "hub"}
"""Commands that wait for people, a display or a network; their examples are only parsed."""
FINDS_FAULTS: Final = {"doctor", "status", "overlays"}
"""Commands that end with 1 where something is wrong with the machine, as it is on one without devices."""


INDEXED: Final = re.compile(r"pip3?(?: -\S+)* install (?:-\S+ )*['\"]?nimmt")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "SECURITY.md"], ids=lambda page: page.name)
def test_no_page_asks_a_package_index_for_the_program(page: Path) -> None:
    """It is on none: whoever took the name there would run code on the machines of readers."""
    assert INDEXED.findall(page.read_text(encoding="utf-8")) == []


def commands() -> dict[str, argparse.ArgumentParser]:
    return cli_doc.commands()


def lines_of_code(page: Path) -> Iterator[str]:
    """The lines of a page that people copy into a shell, as far as they are ours."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    for language, block in FENCED.findall(text):
        if language in ("", "sh", "bash", "console", "shell"):
            yield from block.splitlines()
    yield from INDENTED.findall(FENCED.sub("", text))


def examples(page: Path) -> list[str]:
    """What is to be typed, from `nimmt` or `make` on, without comments."""
    found = (TYPED.match(line.partition(" #")[0].strip()) for line in lines_of_code(page))
    return [one[1] for one in found if one]


def words_of(example: str) -> list[str]:
    """The words behind `nimmt`, up to a pipe or a redirection; a placeholder is something that would do."""
    words = []
    for word in shlex.split(example)[1:]:
        if word in ("|", ">", "<", "&&", ";", "2>"):
            break
        words.append("1" if PLACEHOLDER.fullmatch(word) else word)
    return words


def spoken(page: Path) -> list[str]:
    """Every command that a page names in its text: `nimmt show 3`. A list of all is no example."""
    if page.name == "commands.md":
        return []
    return [span for span in SPAN.findall(page.read_text(encoding="utf-8")) if "COMMAND" not in span]


TYPED_IN_DOCS: Final = sorted(
    {
        example
        for page in PAGES
        for example in (*examples(page), *spoken(page))
        if not example.startswith("make")
    }
)
RUN_IN_README: Final = [
    one for one in dict.fromkeys(examples(README)) if one.split()[1] not in FOR_PEOPLE or one == "make run"
]


def test_the_page_about_the_commands_has_the_help_of_each() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert page == cli_doc.as_markdown(), "write it again: make docs"


def test_there_are_examples_to_look_at() -> None:
    assert "make run" in RUN_IN_README
    assert any(example.startswith("nimmt demo") for example in RUN_IN_README)
    assert len(TYPED_IN_DOCS) > 15


def test_every_example_can_be_typed(capsys: pytest.CaptureFixture[str]) -> None:
    known, parser = commands(), cli.parser()
    for example in TYPED_IN_DOCS:
        words = words_of(example)
        if words[0] == "starter":
            continue  # it is made and tried in tests/test_docs_extending.py
        if len(words) == 1 and not words[0].startswith("-"):
            assert words[0] in known  # named without what else it wants
            continue
        try:
            parser.parse_args(words)
        except SystemExit as ended:
            refused = bool(ended.code)  # --help and --version end well
        else:
            refused = False
        assert not refused, f"{example}: {capsys.readouterr().err}"


@pytest.mark.parametrize("example", RUN_IN_README)
def test_every_example_of_the_readme_runs(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(ROOT / "docs" / "examples" / "laptop.toml", tmp_path / "table.toml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    if example == "make run":
        done = subprocess.run(
            made_without_fetching(), cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return
    words = words_of(example)
    pauses = ["--fast"] if words[0] == "demo" and "--fast" not in words else []
    try:
        status = cli.main([*words, *pauses])
    except SystemExit as ended:  # --version
        status = int(ended.code or 0)
    assert status in ({0, 1} if words[0] in FINDS_FAULTS else {0})


def made_without_fetching() -> list[str]:
    """`make run` in the environment that is there, whichever locks have changed since it was made."""
    if not (ROOT / ".venv" / "bin" / "nimmt").exists():
        pytest.skip("there is no environment of `make run` here")
    stamp = f".venv/run-{'.'.join(map(str, sys.version_info[:3]))}.stamp"
    return ["make", "--no-print-directory", f"PYTHON={sys.executable}", "-o", stamp, "run"]


@pytest.mark.parametrize(
    "example", sorted((ROOT / "docs" / "examples").glob("*.toml")), ids=lambda file: file.name
)
def test_every_example_of_a_configuration_can_be_used(example: Path) -> None:
    configuration.load(example)


@pytest.mark.parametrize(
    "block",
    [
        block
        for page in PAGES
        for language, block in FENCED.findall(page.read_text(encoding="utf-8"))
        if language == "toml" and "[project]" not in block  # that is a `pyproject.toml`
    ],
)
def test_every_piece_of_a_configuration_in_the_docs_can_be_used(block: str) -> None:
    configuration.parse(block, "the docs")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize(("name", "number"), list(counts(RECIPES.read_text(encoding="utf-8"))))
def test_what_a_recipe_cost_is_what_its_files_have(name: str, number: int) -> None:
    assert number == pytest.approx(lines_of(name), rel=0.15), "make docs"
