"""The configuration as data for a form: every key with its text, its limits, and what the file says.

Of the devices, the keys of the drivers that are chosen now are described.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.core import games
from companion.values import Value
from firmware.config.configuration import (
    BOARD_NAMES,
    DEFAULT_DRIVERS,
    options_of,
    preset_of,
    sections,
)
from firmware.config.keys import REQUIRED, Key, keys_of
from firmware.config.reader import SECTION
from hardware.boards.boards import board as board_named
from hardware.errors import HardwareError, sentence
from hardware.registry import DRIVERS, is_driver

BOARD: Final = Key(
    name="board",
    item=str,
    shape=object,
    about=sentence("the board that everything is connected to; it sets [display], [buttons] and [buzzer]"),
    default="",
    low=None,
    high=None,
    among=("", *BOARD_NAMES),
)

ANY: Final[type[Any]] = dict
"""The item of a house rule that is more than one value, such as `{target = 66}`."""

_ITEMS: Final[Mapping[str, type[Any]]] = {"boolean": bool, "integer": int, "string": str}


class DescribedKey(Value):
    """A key, what the file says of it (None: nothing), and what counts where it says nothing."""

    key: Key
    given: Any
    usual: Any


class Section(Value):
    """A section of the file: `name` is "" for what stands above all sections, or such as "rules.six"."""

    name: str
    settings: tuple[DescribedKey, ...]


def described(text: str) -> tuple[Section, ...]:
    """Every section with its keys. Raises `tomllib.TOMLDecodeError` for a text that is no TOML."""
    tables = tomllib.loads(text)
    board = tables.get("board", "")
    preset = preset_of(board_named(board)) if board in BOARD_NAMES else {}
    top = Section("", (DescribedKey(BOARD, tables.get("board"), ""),))
    return (top, *_devices(tables, preset), *_others(tables), *_rules(tables))


def _devices(tables: Mapping[str, Any], preset: Mapping[str, Mapping[str, object]]) -> Iterator[Section]:
    for port in DRIVERS:
        given = _table(tables, port)
        usual = preset.get(port, {})
        usual_driver = str(usual.get("driver", DEFAULT_DRIVERS[port]))
        name = given.get("driver", usual_driver)
        if name != usual_driver:
            usual = {}  # another driver takes nothing from the board
        about = sentence("which device it is; save to see the keys of another one")
        names = tuple(DRIVERS[port])
        key = Key("driver", str, object, about, usual_driver, None, None, names)
        settings = [DescribedKey(key, given.get("driver"), usual_driver)]
        if isinstance(name, str) and is_driver(port, name):
            try:
                options = options_of(port, name)
            except HardwareError:  # a library of it is not installed, so it cannot be used
                options = None
            if options is not None:
                settings += _settings(options, given, usual)
        yield Section(port, tuple(settings))


def _others(tables: Mapping[str, Any]) -> Iterator[Section]:
    for name, options in sections().items():
        given = _table(tables, name)
        yield Section(name, tuple(setting for one in options for setting in _settings(one, given, {})))


def _rules(tables: Mapping[str, Any]) -> Iterator[Section]:
    """House rules, by the schema that each game has for them."""
    rules = _table(tables, SECTION)
    for game in games.GAMES:
        given = _table(rules, game)
        properties: Mapping[str, Mapping[str, Any]] = games.module(game).options_schema()["properties"]
        settings = tuple(
            DescribedKey(_rule(name, one), given.get(name), None) for name, one in properties.items()
        )
        yield Section(f"{SECTION}.{game}", settings)


def _rule(name: str, one: Mapping[str, Any]) -> Key:
    among = tuple(one.get("enum", ()))
    item = _ITEMS.get(str(one.get("type")), ANY)
    if among and len({type(value) for value in among}) == 1:
        item = type(among[0])
    among = () if item is bool else among
    return Key(name, item, object, "", None, one.get("minimum"), one.get("maximum"), among)


def _settings(
    options: type[Any], given: Mapping[str, Any], usual: Mapping[str, object]
) -> Iterator[DescribedKey]:
    for key in keys_of(options):
        default = None if key.default is REQUIRED else key.default
        yield DescribedKey(key, given.get(key.name), usual.get(key.name, default))


def _table(tables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = tables.get(name, {})
    return found if isinstance(found, dict) else {}
