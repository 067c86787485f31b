"""The examples in the docstrings of the drivers: configuration, lines of Python and pins are right."""

import ast
import inspect
import re

import pytest

from firmware.config.configuration import parse
from hardware.boards import PIN_OF
from hardware.registry import DRIVERS, driver

WRITTEN = [
    (port, name)
    for port, names in DRIVERS.items()
    for name, place in names.items()
    if not place.startswith("hardware.drivers.simulated:")
]


def example(port: str, name: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", inspect.getdoc(driver(port, name)) or "", re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("port", "name"), WRITTEN)
def test_the_configuration_of_an_example_chooses_the_driver_that_it_stands_at(port: str, name: str) -> None:
    config = parse(example(port, name, "toml"), "the example")
    assert getattr(config, port).driver == name


@pytest.mark.parametrize(("port", "name"), WRITTEN)
def test_the_device_of_an_example_can_be_made_as_it_is_written(port: str, name: str) -> None:
    kind = driver(port, name)
    names: dict[str, object] = {}
    for statement in ast.parse(example(port, name, "python")).body:
        if isinstance(statement, ast.Expr):
            called = ast.unparse(statement)
            assert re.match(r"print|(\w+)\.(\w+)\(", called)
            method = re.findall(r"\b[a-z]+\.(\w+)\(", called)[0]
            assert hasattr(kind, method)
        else:
            exec(compile(ast.Module([statement], []), "the example", "exec"), names)  # noqa: S102 - ours
    assert any(isinstance(one, kind) for one in names.values())


@pytest.mark.parametrize(("port", "name"), WRITTEN)
def test_a_pin_of_the_header_is_the_one_of_its_gpio(port: str, name: str) -> None:
    text = " ".join((inspect.getdoc(driver(port, name)) or "").split())
    for gpio, pin in re.findall(r"GPIO (\d+) (?:is |\()pin (\d+)", text):
        assert PIN_OF[int(gpio)] == int(pin)
