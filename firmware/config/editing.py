"""A configuration file as a form: every key with its text, its limits and what the file says; and changes.

Of the devices, the keys of the drivers that are chosen now are described.

When some keys are changed, comments, order and all other keys stay as they are. The file is changed line by
line, and then read again: if it does not say exactly what it should, it is not changed. So a file that is
written in an unusual way is safe, but has to be changed by hand.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from companion.core import games
from companion.text.errors import CompanionError
from companion.values import Value
from firmware.config.configuration import (
    BOARD_NAMES,
    DEFAULT_DRIVERS,
    SECTION,
    options_of,
    parse,
    preset_of,
    sections,
)
from firmware.config.keys import Field, keys_of, plain
from hardware.boards import board as board_named
from hardware.errors import HardwareError, sentence
from hardware.registry import DRIVERS, is_driver

Changes: TypeAlias = "Mapping[str, Mapping[str, object]]"
"""New values by section ("" above all sections, "rules.six" for house rules) and key.

None removes the key, so that its default counts.
"""

_HEADER: Final = re.compile(r"^\s*\[\s*([A-Za-z0-9_.-]+)\s*\]\s*(?:#.*)?$")
_KEY: Final = re.compile(r"^\s*([A-Za-z0-9_-]+)\s*=")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")

BOARD: Final = Field(
    "board",
    str,
    about=sentence("the board that everything is connected to; it sets [display], [buttons] and [buzzer]"),
    default="",
    among=("", *BOARD_NAMES),
)

ANY: Final[type[Any]] = dict
"""The item of a house rule that is more than one value, such as `{target = 66}`."""

_ITEMS: Final[Mapping[str, type[Any]]] = {"boolean": bool, "integer": int, "string": str}


class DescribedKey(Value):
    """A key, what the file says of it (None: nothing), and what counts where it says nothing.

    `is_locked`: it is changed in the file itself only, see `hardware.options.option`.
    """

    key: Field
    given: Any
    usual: Any
    is_locked: bool = False


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
        about = sentence("which device it is; save to see the settings of another one")
        names = tuple(DRIVERS[port])
        key = Field("driver", str, about=about, default=usual_driver, among=names)
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
        yield Section(name, tuple(setting for struct in options for setting in _settings(struct, given, {})))


def _rules(tables: Mapping[str, Any]) -> Iterator[Section]:
    """House rules, by the schema that each game has for them."""
    rules = _table(tables, SECTION)
    for game in games.GAMES:
        given = _table(rules, game)
        properties: Mapping[str, Mapping[str, Any]] = games.module(game).options_schema()["properties"]
        settings = tuple(
            DescribedKey(_rule(name, schema), given.get(name), None) for name, schema in properties.items()
        )
        yield Section(f"{SECTION}.{game}", settings)


def _rule(name: str, schema: Mapping[str, Any]) -> Field:
    among = tuple(schema.get("enum", ()))
    item = _ITEMS.get(str(schema.get("type")), ANY)
    if among and len({type(value) for value in among}) == 1:
        item = type(among[0])
    among = () if item is bool else among
    return Field(name, item, low=schema.get("minimum"), high=schema.get("maximum"), among=among)


def _settings(
    options: type[Any], given: Mapping[str, Any], usual: Mapping[str, object]
) -> Iterator[DescribedKey]:
    for key in keys_of(options):
        default = None if key.required else key.default
        is_locked = key.in_file or bool(given.get(key.locked_by))
        yield DescribedKey(key, given.get(key.name), usual.get(key.name, default), is_locked)


def _table(tables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = tables.get(name, {})
    return found if isinstance(found, dict) else {}


# ------------------------------------------------------------------------------------------ changing


def changed(text: str, changes: Changes, where: str) -> str:
    """The text of a file with these changes, checked as the file is; `where` is its name in an error.

    Raises `ConfigError` for what cannot be used, and `CompanionError` for a file that cannot be changed here.
    """
    try:
        wanted = tomllib.loads(text)
        lines = text.splitlines()
        for section, values in changes.items():
            for name, value in values.items():
                _note(wanted, section, name, value)
                lines = _line_changed(lines, section, name, value)
        new = "\n".join(lines).rstrip("\n") + "\n"
        same = tomllib.loads(new) == wanted
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, TypeError):
        same, new, wanted = False, "", {}
    if same:
        _refuse_locked(wanted, changes)
    if not same:
        raise CompanionError(
            f"{where} is written in a way that cannot be changed from here",
            "change it with an editor; `nimmt config check` says whether it is right",
        )
    parse(new, where)
    return new


def _refuse_locked(tables: Mapping[str, Any], changes: Changes) -> None:
    """Raise `CompanionError` where one of the changes may only be made in the file itself."""
    for section in (*_devices(tables, {}), *_others(tables)):
        new = changes.get(section.name, {})
        for setting in section.settings:
            if setting.is_locked and setting.key.name in new:
                raise CompanionError(
                    f"{section.name}.{setting.key.name} can only be changed in the file itself",
                    "change it with an editor at the box, or on the card of a box that was flashed",
                )


def _note(tables: dict[str, Any], section: str, name: str, value: object) -> None:
    table = tables
    for part in section.split(".") if section else ():
        table = table.setdefault(part, {})
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value


def _line_changed(lines: list[str], section: str, name: str, value: object) -> list[str]:
    if not _BARE.fullmatch(name) or not all(map(_BARE.fullmatch, section.split(".") if section else ())):
        raise ValueError(name)
    begin, end = _body(lines, section)
    for at in range(begin, end):
        found = _KEY.match(lines[at])
        if found is not None and found[1] == name:
            after = _end_of_value(lines, at)
            new = [] if value is None else [f"{name} = {plain(value)}{_comment(lines[at:after])}"]
            return [*lines[:at], *new, *lines[after:]]
    if value is None:
        return lines
    new = [f"{name} = {plain(value)}"]
    if begin > len(lines):  # there is no such section
        return [*lines, *([""] if lines and lines[-1].strip() else []), f"[{section}]", *new]
    last = max((at + 1 for at in range(begin, end) if lines[at].strip()), default=begin)
    if not section:  # above all sections, but below what is said there of the whole file
        new += [""] if last < len(lines) and lines[last].strip() else []
    return [*lines[:last], *new, *lines[last:]]


def _body(lines: list[str], section: str) -> tuple[int, int]:
    """Where the keys of a section are; beyond the last line if there is no such section."""
    headers = [(at, found[1]) for at, line in enumerate(lines) if (found := _HEADER.match(line))]
    ends = [at for at, _ in headers] + [len(lines)]
    if not section:
        return 0, ends[0]
    for number, (at, name) in enumerate(headers):
        if name == section:
            return at + 1, ends[number + 1]
    return len(lines) + 1, len(lines) + 1


def _end_of_value(lines: list[str], at: int) -> int:
    """The line after a value, which may be a list over several lines."""
    for after in range(at + 1, len(lines) + 1):
        if _is_toml("\n".join(lines[at:after])):
            return after
    raise ValueError(lines[at])


def _comment(lines: list[str]) -> str:
    if len(lines) > 1:
        return ""
    (line,) = lines
    for place, letter in enumerate(line):
        if letter == "#" and _is_toml(line[:place]):
            bare = line[:place].rstrip()
            return line[len(bare) :]
    return ""


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
