"""What `import companion` offers to other programs."""

import ast
import doctest
import inspect
import subprocess
import sys

import pytest

import companion


def test_the_example_in_the_docstring_is_what_really_happens() -> None:
    example = doctest.DocTestFinder(recurse=False).find(companion, "companion")[0]
    runner = doctest.DocTestRunner()
    runner.run(example)
    assert runner.summarize(verbose=False).failed == 0
    assert len(example.examples) == 7


@pytest.mark.parametrize("name", companion.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(companion, name) is not None
    assert name in dir(companion)


def test_public_names_are_promised_to_programs_and_to_type_checkers_alike() -> None:
    tree = ast.parse(inspect.getsource(companion))
    promised = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        for line in node.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }
    assert promised == set(companion.__all__)


def test_a_name_that_is_not_there_is_missed_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Gamer'"):
        _ = companion.Gamer


def test_importing_the_package_alone_brings_in_nothing_else() -> None:
    told = "import companion, sys; print(*(name for name in sys.modules if name.startswith('companion.')))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
