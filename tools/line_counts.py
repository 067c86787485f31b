"""`python -m tools.line_counts`: the numbers of lines that CONTRIBUTING.md tells, counted.

    about 140<!-- lines of hardware/drivers/png_display.py --> lines

Of a folder its Python files are counted. Two digits are enough for people, and change rarely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "CONTRIBUTING.md"
_COUNT: Final = re.compile(r"([\d,]+)(<!-- lines of (\S+) -->)")


def lines_of(name: str) -> int:
    """How many lines a file or a folder of the repository has."""
    path = ROOT / name
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def told(text: str) -> Iterator[tuple[str, int]]:
    """What is counted in a text, and the number that stands there."""
    for number, _, name in _COUNT.findall(text):
        yield name, int(number.replace(",", ""))


def counted(text: str) -> str:
    """The text with numbers as they are now."""
    return _COUNT.sub(lambda found: f"{_rounded(lines_of(found[3])):,}{found[2]}", text)


def _rounded(number: int) -> int:
    return int(float(f"{number:.2g}"))


if __name__ == "__main__":
    PAGE.write_text(counted(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
