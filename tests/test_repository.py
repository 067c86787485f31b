"""Rules of the repository that the linters cannot check; the others stand in pyproject.toml."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]

# Nothing of this can tell the time, roll dice, or reach outside the process.
CALM: Final = frozenset(
    [
        "__future__",
        "abc",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "hashlib",
        "heapq",
        "inspect",
        "itertools",
        "json",
        "keyword",
        "math",
        "msgspec",
        "numbers",
        "operator",
        "re",
        "statistics",
        "string",
        "textwrap",
        "types",
        "typing",
        "unicodedata",
        "zlib",
    ]
)
# They import by name, when something is first asked for: a game, a public name.
IMPORT_BY_NAME: Final = (ROOT / "companion/__init__.py", ROOT / "companion/core/games.py")
TABLES_OF_TEXT: Final = ROOT / "companion/text/spreadsheet.py"
"""It writes CSV, into memory."""
REACHES_OUT: Final = frozenset({"__import__", "breakpoint", "eval", "exec", "input", "open", "print"})
REFEREE: Final = sorted(
    path for path in (ROOT / "companion").rglob("*.py") if "robots" not in path.relative_to(ROOT).parts
)


def modules_imported_by(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("path", REFEREE, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_ruling_can_depend_on_nothing_but_the_table(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    allowed = CALM | {"companion"} | ({"threading"} if path.name == "codec.py" else set())
    if path in IMPORT_BY_NAME:
        allowed |= {"importlib"}
    if path == TABLES_OF_TEXT:
        allowed |= {"csv"}
    assert modules_imported_by(tree) - allowed == set()
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called & REACHES_OUT == set()


@pytest.mark.parametrize("lock", sorted(ROOT.glob("packaging/locks/*.lock")), ids=lambda path: path.name)
def test_every_package_is_named_by_its_hash_and_not_by_a_place(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    for package in text.replace("\\\n", " ").splitlines():
        if package and not package.lstrip().startswith("#"):
            assert "==" in package
            assert "--hash=sha256:" in package


def test_the_box_and_the_developer_run_the_same_versions() -> None:
    def versions(name: str) -> set[str]:
        lines = (ROOT / "packaging/locks" / name).read_text(encoding="utf-8").splitlines()
        named = (line for line in lines if "==" in line and not line.startswith((" ", "#")))
        return {line.rstrip(" \\").partition(" ;")[0] for line in named}

    assert versions("run.lock") <= versions("dev.lock")


def test_whatever_make_fetches_is_named_by_its_hash() -> None:
    recipes = (ROOT / "Makefile").read_text().replace("\\\n", " ").splitlines()
    fetching = [line for line in recipes if re.search(r"\bpip\b.* install\b|\bPIP\) install\b", line)]
    assert len(fetching) > 2
    assert [line for line in fetching if "--require-hashes" not in line and "--no-index" not in line] == []
