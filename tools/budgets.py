"""`python -m tools.budgets` counts the lines of each part, and compares them with budgets.toml.

It prints every part with its lines and its budget. The exit status is 1 when a part has more lines than its
budget, or so few that the budget should be lowered. `--lower` writes the smaller budgets, there and in
docs/architecture.md. It counts every line of the Python files that git knows or would add.
"""

import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
BUDGETS: Final = "tools/budgets.toml"

SLACK: Final = 50
"""Lines that a part may have fewer than its budget before the budget has to follow."""

_TABLE: Final = re.compile(
    r"(?<=^\| part \| folders \| budget \|\n\|---\|---\|--:\|\n)(?:\|.*\n)+", re.MULTILINE
)


class CodePart(NamedTuple):
    """A part of the repository: the files and folders it consists of, and how many lines it may have."""

    name: str
    paths: Sequence[str]
    budget: int
    aim: int


def parts(root: Path = ROOT) -> list[CodePart]:
    """The parts with their budgets, in the order of the file."""
    declared = tomllib.loads((root / BUDGETS).read_text(encoding="utf-8"))["part"]
    return [CodePart(**part) for part in declared]


def count_lines(root: Path, declared: Iterable[CodePart]) -> Counter[str]:
    """Lines by the name of a part. Raises `ValueError` for a file that belongs to no part."""
    owners = {path: part.name for part in declared for path in part.paths}
    lines = Counter[str]()
    for name in _python_files(root):
        path = Path(name)
        owner = next((owners[place] for place in map(str, (path, *path.parents)) if place in owners), None)
        if owner is None:
            raise ValueError(f"{name} belongs to no part: add its folder to {BUDGETS}")
        lines[owner] += len((root / name).read_text(encoding="utf-8").splitlines())
    return lines


def _python_files(root: Path) -> Iterator[str]:
    git = ("git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py")
    for name in sorted(set(subprocess.check_output(git, text=True).split("\0"))):  # noqa: S603
        if name and (root / name).exists():
            yield name


def faults(declared: Iterable[CodePart], lines: Mapping[str, int]) -> Iterator[str]:
    """Each part that is over its budget, or whose budget should be lower, in a sentence."""
    for part in declared:
        count = lines[part.name]
        if count > part.budget:
            yield f"{part.name}: {count - part.budget} lines over its budget of {part.budget}; see {BUDGETS}"
        elif count < part.budget - SLACK:
            yield f"{part.name}: has {count} lines; lower its budget: python -m tools.budgets --lower"


def lowered(text: str, declared: Iterable[CodePart], lines: Mapping[str, int]) -> str:
    """The text of budgets.toml, with the number of lines as the budget of each part that has fewer."""
    for part in declared:
        budget = min(part.budget, lines[part.name])
        text = re.sub(
            rf'(name = "{re.escape(part.name)}"\npaths = .*\nbudget = )\d+', rf"\g<1>{budget}", text
        )
    return text


def architecture_page(page: str) -> str:
    """docs/architecture.md with the budgets of today."""
    return _TABLE.sub(lambda _: "".join(map(_row, parts())), page)


def _row(part: CodePart) -> str:
    return f"| {part.name} | {', '.join(f'`{path}`' for path in part.paths)} | {part.budget:,} |\n"


def report(declared: Sequence[CodePart], lines: Mapping[str, int]) -> Iterator[str]:
    """A table of the parts: name, lines, budget, aim. The tests stand below the sum of the product."""
    product = [part for part in declared if part.paths != ["tests"]]
    tests = [part for part in declared if part not in product]
    yield f"{'part':48} {'lines':>7} {'budget':>7} {'aim':>7}"
    for part in product:
        yield _line(part.name, lines[part.name], part.budget, part.aim)
    yield _line(
        "product",
        sum(lines[part.name] for part in product),
        sum(part.budget for part in product),
        sum(part.aim for part in product),
    )
    for part in tests:
        yield _line(part.name, lines[part.name], part.budget, part.aim)


def _line(name: str, lines: int, budget: int, aim: int) -> str:
    return f"{name:48} {lines:7,} {budget:7,} {aim:7,}"


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Print the table, and what is wrong on stderr; gives the exit status."""
    declared = parts(root)
    lines = count_lines(root, declared)
    if "--lower" in arguments:
        file, page = root / BUDGETS, root / "docs/architecture.md"
        file.write_text(lowered(file.read_text(encoding="utf-8"), declared, lines), encoding="utf-8")
        page.write_text(architecture_page(page.read_text(encoding="utf-8")), encoding="utf-8")
        declared = parts(root)
    print(*report(declared, lines), sep="\n")  # noqa: T201 - the answer of a tool
    found = list(faults(declared, lines))
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)  # noqa: T201
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
