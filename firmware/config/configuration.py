"""The configuration of the device, read from a TOML file and checked as a whole.

A configuration that cannot be used is one `ConfigError` with all of its faults; `load_or_last_good` then
uses the copy of the last one that could.
"""

import logging
import re
import sys
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from companion.core import games
from companion.text.errors import CompanionError, did_you_mean
from companion.text.files import NotText
from companion.values import Value, field
from firmware import plugins
from firmware.bounded_file import keep, read_bounded
from firmware.config.keys import (
    ConfigError,
    Findings,
    Problem,
    keys_of,
    note_unknown,
    read_options,
    read_sections,
)
from firmware.config.pins import claims, conflicts
from firmware.config.sections import (
    CodesOptions,
    JournalOptions,
    KioskOptions,
    ScreenOptions,
    SocketOptions,
    SoundOptions,
    TableOptions,
)
from firmware.plugins import Unusable
from firmware.text.os_errors import reason_of
from firmware.text.toml import toml_in
from hardware.boards import BOARDS, BoardPreset, board
from hardware.errors import HardwareError
from hardware.registry import DRIVERS, driver, is_driver

_LOG: Final = logging.getLogger(__name__)

LARGEST_BYTES: Final = 64_000
"""No configuration is as large; a larger file is something else, and reading it could take for ever."""

_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)")
"""How `tomllib` says where."""

MOST_DOTS: Final = 100
"""In a line, without its comment: the memory that `tomllib` needs grows with the square of them."""

DEFAULT_DRIVERS: Final[Mapping[str, str]] = {
    "display": "terminal",
    "buttons": "none",
    "scanner": "none",
    "buzzer": "none",
}
"""The driver for a section that is neither in the file nor set by the board; runs on any machine."""

USUAL: Final = """\
[display]
driver = "oled"
[scanner]
driver = "auto"
"""
"""The most common devices, for use if the configuration cannot be read at all."""

BOARD_DRIVERS: Final[Mapping[str, str]] = {"display": "oled", "buttons": "gpio", "buzzer": "gpio"}
"""The drivers to which the options of a board apply."""

SECTION: Final = "rules"
"""The section of house rules, which has a table for each game."""

BOARD: Final = "board"
"""The key above all sections."""

BOARD_NAMES: Final = tuple(board.name for board in BOARDS)

SECTIONS: Final[Mapping[str, type[Any]]] = {
    "journal": JournalOptions,
    "table": TableOptions,
    "screen": ScreenOptions,
    "sound": SoundOptions,
    "codes": CodesOptions,
    "kiosk": KioskOptions,
    "socket": SocketOptions,
}
"""The sections that do not describe a device and are always there; see `sections` for all."""

Options = TypeVar("Options")


class ChosenDriver(Value):
    """The name of a driver in `hardware.registry.DRIVERS`, and an instance of its `Options`."""

    driver: str
    options: object


class Config(Value):
    """A valid configuration. `rules` are options by game, `board` is the name of the board, or empty.

    `added` are the options of optional parts by their class, as far as the file names their sections (see
    `section`); `unread` says what it names of parts that are not installed.
    """

    display: ChosenDriver
    buttons: ChosenDriver
    scanner: ChosenDriver
    buzzer: ChosenDriver
    journal: JournalOptions = field(default_factory=JournalOptions)
    table: TableOptions = field(default_factory=TableOptions)
    screen: ScreenOptions = field(default_factory=ScreenOptions)
    sound: SoundOptions = field(default_factory=SoundOptions)
    codes: CodesOptions = field(default_factory=CodesOptions)
    kiosk: KioskOptions = field(default_factory=KioskOptions)
    socket: SocketOptions = field(default_factory=SocketOptions)
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    board: str = ""
    added: Mapping[type[Any], Any] = field(default_factory=dict)
    unread: tuple[Unusable, ...] = ()

    def section(self, options: type[Options]) -> Options:
        """The options of an optional part; the defaults where the file does not name their section."""
        found: Options | None = self.added.get(options)
        return options() if found is None else found


def added_names() -> tuple[str, ...]:
    """The sections that something is added to, each once."""
    return tuple(dict.fromkeys(point.target for point in plugins.added("config")))


def section_names() -> tuple[str, ...]:
    """The sections that do not describe a device; those of optional parts come last."""
    return (*SECTIONS, *(name for name in added_names() if name not in (*SECTIONS, *DRIVERS, SECTION, BOARD)))


def sections() -> dict[str, tuple[type[Any], ...]]:
    """All these sections with the structs of their keys. Imports all parts that are installed."""
    found = {name: (*_always(name), *added_to(name)[0]) for name in section_names()}
    return {name: options for name, options in found.items() if options}


def load(path: Path | None) -> Config:
    """The configuration in the file at `path`; without a file, the default for any computer.

    Raises `ConfigError`, also for a file that cannot be read.
    """
    if path is None:
        return parse("", "the default configuration")
    return parse_bytes(_read(path), str(path))


def config_store(environ: Mapping[str, str]) -> Path:
    """Where the last valid configuration is stored: beside the default journal."""
    return JournalOptions().place(environ).with_name("last-good.toml")


def load_or_last_good(path: Path, store: Path) -> tuple[Config, ConfigError | None]:
    """The configuration at `path`; if it is faulty, the copy in `store` of the last valid one.

    The returned error says that the copy is in use, and should be shown. Raises it if there is no usable
    copy either. A valid file is copied to `store`, which blocks for two syncs of the disk; if the copy cannot
    be written, this is only logged.
    """
    try:
        content = _read(path)
        config = parse_bytes(content, str(path))
    except ConfigError as error:
        with suppress(ConfigError):
            return load(store), error
        raise
    try:
        keep(content, store)
    except OSError as error:
        _LOG.warning("the configuration works, but no copy of it could be saved: %s", error)
    return config, None


def parse(text: str, where: str) -> Config:
    """The configuration in a TOML text; a `ConfigError` uses `where` as its name."""
    findings = Findings()
    try:
        _refuse_long_keys(text)
        config = _configured(tomllib.loads(text), findings)
    except (RecursionError, ValueError) as error:
        raise ConfigError(where, (_not_read(error, text),)) from error
    if config is None or findings.problems:
        raise ConfigError(where, tuple(findings.problems))
    return config


def choose(port: str, name: str, given: Mapping[str, object] | None = None) -> ChosenDriver:
    """The driver `name` for `port` ("display", ...) with these options, checked as if they came from a file.

    Raises `ConfigError`.
    """
    findings = Findings()
    chosen = _chosen(port, name, dict(given or {}), findings)
    if chosen is None:
        raise ConfigError(f"the choice of {name!r} for [{port}]", tuple(findings.problems))
    return chosen


def options_of(port: str, name: str) -> type[Any]:
    """The options struct of a driver; this imports the driver.

    Raises `HardwareError` if one of its libraries is not installed.
    """
    found = driver(port, name)
    # A driver that is alone in its file may leave its options beside it.
    options: type[Any] = getattr(found, "Options", None) or sys.modules[found.__module__].__dict__["Options"]
    return options


def preset_of(preset: BoardPreset) -> dict[str, dict[str, object]]:
    """The settings of a board, by section; sections that it does not set are left out."""
    fitted = {"display": preset.display, "buttons": preset.buttons, "buzzer": preset.buzzer}
    return {port: {"driver": BOARD_DRIVERS[port], **given} for port, given in fitted.items() if given}


def _configured(tables: Mapping[str, object], findings: Findings) -> Config | None:
    names = section_names()
    note_unknown(tables, [BOARD, *DRIVERS, *names, SECTION], "", findings)
    preset = _preset(tables, findings)
    devices = {port: _device(port, tables, preset.get(port, {}), findings) for port in DRIVERS}
    others: dict[type[Any], Any] = {}
    unread: list[Unusable] = []
    for name in names:
        if (table := _table(name, tables, findings)) is not None:
            added, faults = added_to(name) if table else ([], [])
            options = (*_always(name), *added)
            if faults and (unknown := table.keys() - {key.name for one in options for key in keys_of(one)}):
                # It may be theirs, and what is not installed must not keep anybody from playing.
                table = {key: value for key, value in table.items() if key not in unknown}
                unread += faults
            others |= read_sections(options, table, name, findings)
    rules = _read_rules(tables, findings)
    used = {port: chosen for port, chosen in devices.items() if chosen is not None}
    for moves, stays in conflicts(
        claim for port, chosen in used.items() for claim in claims(port, chosen.options)
    ):
        fix = "move it to a free GPIO" if stays.purpose else "move one of the two to a free GPIO"
        fault = f"GPIO{moves.gpio} is already used by {stays}"
        findings.add(moves.path, moves.gpio, fault, fix)
    if findings.problems:
        return None
    return Config(
        display=used["display"],
        buttons=used["buttons"],
        scanner=used["scanner"],
        buzzer=used["buzzer"],
        **{name: others.pop(options) for name, options in SECTIONS.items()},
        rules=rules,
        board=str(tables.get(BOARD, "")),
        added=others,
        unread=tuple(unread),
    )


def added_to(section: str) -> tuple[list[type[Any]], list[Unusable]]:
    """The structs that are added to a section, and what is wrong with those that cannot be used."""
    found: list[type[Any]] = []
    faults = []
    for point in plugins.added("config"):
        if point.target == section:
            try:
                found.append(_options(point))
            except Unusable as bad:
                faults.append(bad)
    return found, faults


def _options(point: plugins.EntryPoint) -> type[Any]:
    what = f"the section [{point.target}]"
    found: type[Any] = plugins.load(point, what)
    try:
        keys_of(found)
    except TypeError as bad:  # no struct, or one with a type that no file can hold
        whose = plugins.whose(point, what)
        raise Unusable(f"{whose} cannot be read: {bad}", plugins.update(point)) from bad
    return found


def _always(name: str) -> tuple[type[Any], ...]:
    return (SECTIONS[name],) if name in SECTIONS else ()


def _preset(tables: Mapping[str, object], findings: Findings) -> Mapping[str, Mapping[str, object]]:
    name = tables.get(BOARD, "")
    if name == "":
        return {}
    if not isinstance(name, str):
        findings.add(BOARD, name, "is not text", _one_of(BOARD_NAMES))
        return {}
    if name not in BOARD_NAMES:
        findings.add(BOARD, name, "is not a known board", did_you_mean(name, BOARD_NAMES))
        return {}
    return preset_of(board(name))


def _device(
    port: str, tables: Mapping[str, object], preset: Mapping[str, object], findings: Findings
) -> ChosenDriver | None:
    """The keys of the section over those of the board. Another driver takes nothing from the board."""
    table = _table(port, tables, findings)
    if table is None:
        return None
    if not table and not preset:
        return _chosen(port, DEFAULT_DRIVERS[port], {}, findings)
    if table.get("driver", preset.get("driver")) == preset.get("driver"):
        table = {**preset, **table}
    if "driver" not in table:
        findings.add(f"{port}.driver", None, "is missing", f"add it: one of {', '.join(DRIVERS[port])}")
        return None
    name = table.pop("driver")
    if not isinstance(name, str):
        findings.add(f"{port}.driver", name, "is not text", _one_of(DRIVERS[port]))
        return None
    return _chosen(port, name, table, findings)


def _chosen(port: str, name: str, given: Mapping[str, object], findings: Findings) -> ChosenDriver | None:
    if not is_driver(port, name):
        fix = did_you_mean(name, DRIVERS[port])
        findings.add(f"{port}.driver", name, "is not a known driver", fix)
        return None
    try:
        options = options_of(port, name)
    except HardwareError as error:
        findings.add(f"{port}.driver", name, error.fault, error.check)
        return None
    read = read_options(options, given, port, findings)
    return None if read is None else ChosenDriver(name, read)


def _table(name: str, tables: Mapping[str, object], findings: Findings) -> dict[str, object] | None:
    table = tables.get(name, {})
    if isinstance(table, dict):
        return dict(table)
    fix = f"write [{name}] on a line, and its keys below"
    findings.add(name, table, "is a value, not a section", fix)
    return None


def _one_of(names: Iterable[str]) -> str:
    return f"write one of: {', '.join(names)}"


def _read_rules(tables: Mapping[str, object], findings: Findings) -> Mapping[str, Mapping[str, Any]]:
    """The options by game, each set checked by the game itself; every fault is reported."""
    given = tables.get(SECTION, {})
    if not isinstance(given, dict):
        findings.add(SECTION, given, "is a value, not a section", "write [rules.six], and options below")
        return {}
    rules: dict[str, Mapping[str, Any]] = {}
    for key, options in given.items():
        path = f"{SECTION}.{key}"
        if key not in games.GAMES:
            findings.add(path, None, "is not a known game", did_you_mean(key, games.GAMES))
        elif not isinstance(options, dict):
            findings.add(path, options, "is a value, not a section", f"write [{path}], and options below")
        else:
            for fault in _faults_of_rules(key, options):
                findings.add(path, None, fault.fault.removeprefix("options").lstrip(".: "), fault.fix)
            rules[key] = options
    return rules


def _faults_of_rules(key: str, options: Mapping[str, Any]) -> list[CompanionError]:
    """Why no number of players can play with these options, for each option that alone allows none."""
    module, found = games.module(key), list[CompanionError]()
    for seats in module.SEATS:
        try:
            module.make(seats, options)
        except CompanionError as bad:
            found = found or [bad]
        else:
            return []
    each = ({name: value} for name, value in options.items() if len(options) > 1)
    return [fault for alone in each for fault in _faults_of_rules(key, alone)] or found


def _read(path: Path) -> bytes:
    try:
        return read_bounded(path, LARGEST_BYTES)
    except OSError as error:
        fault = f"cannot be read: {reason_of(error)}"
        fix = "give a file that exists and can be read"
        raise ConfigError(str(path), (Problem("", "", fault, fix),)) from error


def parse_bytes(content: bytes, where: str) -> Config:
    """The configuration in the content of a file, whatever editor has saved it. Raises `ConfigError`."""
    try:
        return parse(toml_in(content), where)
    except NotText as bad:
        raise ConfigError(where, (Problem("", "", bad.fault, bad.fix),)) from bad


def _refuse_long_keys(text: str) -> None:
    """Raise `RecursionError` for a line that is no key that `tomllib` should see."""
    if any(line.partition("#")[0].count(".") > MOST_DOTS for line in text.splitlines()):
        raise RecursionError("a key has too many parts")


def _not_read(error: RecursionError | ValueError, text: str) -> Problem:
    """The problem with what is no TOML, or TOML that no key could need."""
    if isinstance(error, RecursionError):
        return Problem("", "", "has lists or tables too deep within each other to be read", "remove them")
    found = _PLACE.search(str(error))
    where = " in line {}, character {}".format(*found.groups()) if found else ""
    fix = 'look there for a missing quote, bracket or =, quotes other than ", or a name that is there twice'
    place = text.split("\n")[int(found[1]) - 1][int(found[2]) - 1 :] if found else ""
    if (sign := place[:1]) and not " " <= sign <= "~":
        what = unicodedata.name(sign, f"a control character, U+{ord(sign):04X}")
        fix = f'delete what stands there ({what}); for a quote, a space or a digit type ", a space or 0 to 9'
    return Problem("", "", f"is not valid TOML{where}", fix)
