"""The pages of docs: all of them are in the index, their examples run, and the places they name exist."""

import re
from pathlib import Path
from typing import Final

import pytest

import companion
from companion.core import games
from tools.pages import PAGES as WRITTEN
from tools.pages import RECIPES

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
PAGES: Final = (*sorted(ROOT.glob("README*.md")), ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md")))
INDEX: Final = (DOCS / "README.md").read_text(encoding="utf-8")
API: Final = (DOCS / "api.md").read_text(encoding="utf-8")
PLACE: Final = re.compile(r"`([a-z_]+/[a-z_/.-]*[a-z_.-])`")
"""A file or a folder as pages name it: with a slash, in small letters."""
INSIDE: Final = (ROOT, ROOT / "firmware", DOCS)
PRIVATE: Final = re.compile(
    r"\b((?i:glass|anew|whoever|mend(?:ed|ing|s)?|put (?:right|away)|as it lies|on turn|of this house)"
    r"|booklet \d|S\d\d)\b"
)
"""Words that readers stumble over, and references that nobody can look up."""
GENERATED: Final = {"commands.md", "configuration.md", *(f"{key}.md" for key in games.GAMES)}
"""Pages with texts of the program, which are looked at where they are written."""


def anchors_of(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_in_the_index() -> None:
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in INDEX, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_heading_that_is_linked_to_exists(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        file, _, anchor = link.partition("#")
        if anchor and "://" not in link:
            there = (page.parent / file).resolve() if file else page
            assert anchor in anchors_of(there), link


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md", "docs/adding-a-game.md"])
def test_every_place_in_the_code_that_is_named_exists(name: str) -> None:
    named = PLACE.findall((ROOT / name).read_text(encoding="utf-8"))
    assert named or name.endswith("game.md")
    assert [place for place in named if not any((folder / place).exists() for folder in INSIDE)] == []


def test_every_test_that_a_page_names_exists() -> None:
    files = list(ROOT.joinpath("tests").rglob("test_*.py"))
    there = {file.name for file in files}
    for file in files:
        there.update(re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"\btest_\w+(?:\.py)?", page.read_text("utf-8"))}
    assert len(named) > 30
    assert sorted(named - there) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_in_plain_words(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))
    assert page.name in GENERATED or PRIVATE.findall(text) == []


@pytest.mark.parametrize("file", sorted(WRITTEN.keys() - {RECIPES}), ids=lambda file: file.name)
def test_what_the_program_writes_of_a_page_is_up_to_date(file: Path) -> None:
    page = file.read_text(encoding="utf-8")
    assert WRITTEN[file](page) == page, "write it again: make docs"


def test_the_example_of_the_library_is_short() -> None:
    code = API.partition("```python\n")[2].partition("```")[0]
    assert 5 < len(code.strip().splitlines()) < 12


@pytest.mark.parametrize("name", companion.__all__)
def test_every_public_name_of_the_library_is_explained(name: str) -> None:
    assert re.search(rf"^\| .*`{name}\b", API, re.MULTILINE), name
