"""Each part of the repository has a budget of lines, which `make check` holds."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tools import budgets

ROOT: Final = Path(__file__).parents[2]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two parts of 300 lines each, and the tool that `make check` runs."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/budgets.py", tmp_path / "tools")
    declared = (
        f'[[part]]\nname = "{name}"\npaths = ["{path}"]\nbudget = {budget}\naim = 200\n'
        for name, path, budget in (("one", "a", 300), ("inner", "a/b", 300), ("tools", "tools", 1000))
    )
    (tmp_path / budgets.BUDGETS).write_text("\n".join(declared))
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/first.py").write_text("x = 1\n" * 300)
    (tmp_path / "a/b/second.py").write_text("x = 1\n" * 300)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    return tmp_path


def check(repository: Path) -> subprocess.CompletedProcess[str]:
    rules = (ROOT / "Makefile").read_text()
    assert re.search(r"^check:.* check-lines\b", rules, re.MULTILINE)
    recipe = re.search(r"^check-lines:.*\n\t\$\(IN_VENV\) (-m tools.budgets)\n", rules, re.MULTILINE)
    assert recipe
    return subprocess.run(
        [sys.executable, *recipe[1].split()], cwd=repository, capture_output=True, text=True, check=False
    )


def test_a_part_with_200_lines_too_many_turns_the_check_red(repository: Path) -> None:
    (repository / "a/b/third.py").write_text("x = 1\n" * 200)
    done = check(repository)
    assert done.returncode == 1
    assert "inner: 200 lines over its budget of 300" in done.stderr
    assert re.search(r"^inner +500 +300 +200$", done.stdout, re.MULTILINE)
    assert "one:" not in done.stderr


def test_a_part_that_got_smaller_gets_the_smaller_budget(repository: Path) -> None:
    (repository / "a/first.py").write_text("x = 1\n" * 120)
    assert "one: has 120 lines; lower its budget" in check(repository).stderr
    declared = budgets.parts(repository)
    lines = budgets.count_lines(repository, declared)
    file = repository / budgets.BUDGETS
    file.write_text(budgets.lowered(file.read_text(), declared, lines))
    assert {part.name: part.budget for part in budgets.parts(repository)} == dict(lines)
    done = check(repository)
    assert (done.returncode, done.stderr) == (0, "")
