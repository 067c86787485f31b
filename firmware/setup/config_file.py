"""The configuration that the set-up has made, as text and as a file."""

import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from itertools import chain, count
from pathlib import Path
from typing import Final

from firmware.bounded_file import keep, read_bounded
from firmware.config.configuration import LARGEST_BYTES, SECTION, options_of, parse, preset_of, section_names
from firmware.config.keys import keys_of, plain
from firmware.text.toml import toml_in
from firmware.text.translation import ASK
from hardware.boards import board as board_named
from hardware.registry import DRIVERS

_HEAD: Final = """# Written by `nimmt setup`. Only what differs from the defaults is here;
# docs/configuration.md lists every key.
"""
_WIDE: Final = 100

NEW_DEVICE: Final[Mapping[str, Mapping[str, object]]] = {"screen": {"language": ASK}}
"""What is set for a device that had no configuration yet: its first page asks for the language."""


def as_toml(tables: Mapping[str, object], about_board: str, kept: Mapping[str, Mapping[str, object]]) -> str:
    """The text of the file: a comment over each key; `kept` are sections of the old file, or `NEW_DEVICE`.

    Raises `ConfigError` if `nimmt config check` would not accept it.
    """
    lines = [_HEAD]
    if "board" in tables:
        lines += [f"board = {plain(tables['board'])}    # {about_board}", ""]
    for section in DRIVERS:
        given = tables.get(section)
        if isinstance(given, dict):
            lines += [*_section(section, given, str(tables.get("board", ""))), ""]
    for section, values in kept.items():
        note = "the first page of the device asks" if kept is NEW_DEVICE else "as it was before"
        lines += [f"[{section}]    # {note}"]
        lines += [f"{name} = {plain(value)}" for name, value in values.items()]
        lines.append("")
    text = "\n".join(lines).rstrip() + "\n"
    parse(text, "the configuration of this setup")
    return text


def not_about_devices(file: Path) -> dict[str, dict[str, object]]:
    """The sections of an old configuration that no step asks for; none if it cannot be read."""
    try:
        tables = tomllib.loads(toml_in(read_bounded(file, LARGEST_BYTES)))
    except (OSError, ValueError, RecursionError):
        return {}
    return {
        name: table
        for name, table in tables.items()
        if name in (*section_names(), SECTION) and isinstance(table, dict)
    }


def save(text: str, file: Path) -> Path | None:
    """Write it, completely or not at all; gives the name of the backup of an old file. Raises `OSError`."""
    backup, mode = None, 0o644
    if file.exists():
        mode = file.stat().st_mode & 0o777
        # FILE.bak, then FILE.bak2, FILE.bak3 ...: a new backup never replaces an old one.
        names = (file.with_name(f"{file.name}.bak{end}") for end in chain([""], count(2)))
        backup = next(place for place in names if not place.exists())
        keep(file.read_bytes(), backup, mode)
    keep(text.encode(), file, mode)
    return backup


def _section(section: str, given: Mapping[str, object], board: str) -> Iterator[str]:
    preset = preset_of(board_named(board)).get(section, {}) if board else {}
    driver = str(given.get("driver") or preset.get("driver"))
    about = {key.name: key.about for key in keys_of(options_of(section, driver))}
    yield f"[{section}]"
    for name, value in given.items():
        if name in about:
            yield from textwrap.wrap(about[name], _WIDE, initial_indent="# ", subsequent_indent="# ")
        yield f"{name} = {f'0x{value:02X}' if name == 'address' else plain(value)}"
