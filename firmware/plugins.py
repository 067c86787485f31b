"""What other distributions add: they name it by entry points, and it is found, imported and checked here.

An entry point of a distribution leads from a name to a module, or to an object in one:

    [project.entry-points."nimmt.games"]
    highest = "nimmt_highest"

The groups:

    nimmt.games      a game: its key in options, logs and the protocol leads to the module that offers what
                     `companion.core.games.GameModule` asks for
    nimmt.parts      an optional part: its name leads to a `Part`, which names all that it adds. The commands
                     of a part stand in brackets behind it, `"nimmt_dice:PART [dice]"`: so who types one
                     is told what to install, where a part of this product is not installed

The optional parts of this product come the same way; they may lack a package (`NotInstalled`). What will not
do is left out and reported, and everything else works.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from companion.core import games
from companion.text.errors import CompanionError
from companion.values import Value, replace

OWN: Final = "nimmt-companion"
"""This product among the distributions."""

GAMES: Final = "nimmt.games"
PARTS: Final = "nimmt.parts"
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,19}")
_CODE: Final = re.compile(r"[0-9A-Z]{2}")
_TAKEN: Final = frozenset({"all", "other"})
"""Words that stand where the key of a game can stand."""


class Part(Value, kw_only=True):
    """An optional part: all that it adds, as "module:object", or ".module:object" of its own package.

    Nothing of it is imported before it is needed. Where several parts add to one command or section, what
    follows a dot in the name tells them apart, as in `demo.dice`.
    """

    commands: Mapping[str, str] = {}
    """By the word that people type: a `firmware.commands.declared.Command`."""
    options: Mapping[str, str] = {}
    """By the command that they are added to: an `Addition`."""
    sheets: Mapping[str, str] = {}
    """By the word behind `nimmt print`: a `Sheet`."""
    config: Mapping[str, str] = {}
    """By the section of the configuration, which may be there already: the struct of its keys."""
    table: str = ""
    """What it does at the table, its pages among it: a `firmware.play.table.Extension`."""
    report: str = ""
    """What it says of a match in a report: a `firmware.history.report.Section`."""
    check: str = ""
    """What `nimmt doctor` says of it: a function of the configuration that gives `Finding`s."""
    start: str = ""
    """What it tells at the start of a flashed box: see `firmware.card.faults`."""


class EntryPoint(Value, order=True):
    """A name that a distribution offers in a group, and the "module" or "module:attribute" it leads to."""

    name: str
    value: str
    distribution: str
    version: str
    commands: tuple[str, ...] = ()
    """What stands in brackets behind the value."""

    @property
    def module(self) -> str:
        return self.value.partition(":")[0].strip()

    @property
    def attribute(self) -> str:
        """The name of the object in the module; empty if it is the module itself."""
        return self.value.partition(":")[2].strip()

    @property
    def target(self) -> str:
        """What it adds to: the name up to a dot."""
        return self.name.partition(".")[0]

    @property
    def source(self) -> str:
        return f"{self.distribution} {self.version}".strip()


class Unusable(CompanionError):
    """What is installed but cannot be used; the fault names the distribution it comes from."""


class NotInstalled(Unusable):
    """A part of this product whose package, or a library of it, is not installed."""


def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """What the distributions on `sys.path` offer in a group, sorted by name and value.

    Of a distribution that is there twice, the first one counts. The files are read once for each `sys.path`.
    """
    return tuple(sorted(point for named, point in _all(tuple(sys.path)) if named == group))


def load(point: EntryPoint, what: str) -> Any:  # noqa: ANN401 - whatever the distribution has there
    """What an entry point leads to; `what` it is begins the sentence of a fault. Raises `Unusable`."""
    try:
        found: Any = import_module(point.module)
        for name in filter(None, point.attribute.split(".")):
            found = getattr(found, name)
    except ModuleNotFoundError as missing:
        raise lacking(point, what, missing) from missing
    # It is somebody else's code, and whatever it raises, everything else has to work.
    except (Exception, SystemExit) as bad:
        raise Unusable(*_not_imported(point, what, bad)) from bad
    return found


def added(field: str) -> tuple[EntryPoint, ...]:
    """What the parts name in a field of `Part`, sorted by name; of one that is not installed its commands."""
    return tuple(sorted(point for part in entry_points(PARTS) for point in _named_by(part, field)))


def _named_by(part: EntryPoint, field: str) -> Iterator[EntryPoint]:
    found = _part(part)
    named: Mapping[str, str] | str = {} if found is None else getattr(found, field)
    if found is None and field == "commands":
        named = dict.fromkeys(part.commands, ".command:COMMAND")
    for name, value in ({part.name: named} if isinstance(named, str) else named).items():
        if value:
            yield replace(part, name=name, value=part.module + value if value.startswith(".") else value)


@lru_cache
def _part(point: EntryPoint) -> Part | None:
    """What a part adds; None where it is not installed or, which the log says, where it cannot be used."""
    what, bad = f"the part {point.name!r}", None
    try:
        if isinstance(found := load(point, what), Part):
            return found
        bad = Unusable(f"{whose(point, what)} is not a Part", update(point))
    except NotInstalled:
        return None
    except Unusable as unusable:
        bad = unusable
    _warn(point, bad)
    return None


def parts(field: str) -> Iterator[tuple[str, Any]]:
    """The name and the object of all that the parts name in a field of `Part`.

    What is not installed is left out, and so is what cannot be imported, with a line in the log.
    """
    for point in added(field):
        try:
            yield point.name, load(point, f"the part {point.name!r}")
        except NotInstalled:
            continue
        except Unusable as bad:
            _warn(point, bad)


def _warn(point: EntryPoint, bad: Unusable) -> None:
    import logging  # most starts need no log

    logging.getLogger(__name__).warning("%s: %s", point.name, bad)


def lacking(point: EntryPoint, what: str, missing: ModuleNotFoundError) -> Unusable:
    """The error for a module that is missing: of a part of this product, its package has to be installed."""
    if point.distribution != OWN:
        return Unusable(*_not_imported(point, what, missing))
    part = point.module.split(".")[-2]
    name = missing.name or ""
    package = f"nimmt-{part}" if f"{point.module}.".startswith(f"{name}.") else name
    return NotInstalled(
        f"{what} needs {package}, which is not installed",
        f"install it: sudo apt install ./nimmt-{part}_*.deb, in a clone: pip install -e '.[{part}]'",
    )


def whose(point: EntryPoint, what: str) -> str:
    """What it is and where it comes from, for the beginning of a sentence."""
    return f"{what} of {point.source}"


def update(point: EntryPoint) -> str:
    """What people can do who have installed it."""
    return f"update it, or remove it with: pip uninstall {point.distribution}"


def _not_imported(point: EntryPoint, what: str, bad: BaseException) -> tuple[str, str]:
    why = f"{type(bad).__name__}: {bad}".partition("\n")[0]
    return f"{whose(point, what)} cannot be imported: {why}", update(point)


# ---------------------------------------------------------------------------------------- reading the files


@lru_cache(maxsize=1)
def _all(path: tuple[str, ...]) -> tuple[tuple[str, EntryPoint], ...]:
    """Every entry point of our groups, with its group.

    importlib.metadata would give the same, but importing it costs a Zero 2 W a quarter of a second, and
    reading these few files costs hardly anything.
    """
    infos: list[tuple[str, str]] = []
    for folder in path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - pathlib costs time here
        except OSError:  # a zip file, or a folder that is not there
            continue
        infos += [(folder, name) for name in sorted(names) if name.endswith((".dist-info", ".egg-info"))]
    # An egg-info may be what building a wheel has left in a checkout: what is installed counts more.
    infos.sort(key=lambda info: info[1].endswith(".egg-info"))
    found: list[tuple[str, EntryPoint]] = []
    seen = set()
    for folder, info in infos:
        distribution, _, version = info.rpartition(".")[0].partition("-")
        distribution = re.sub(r"[-_.]+", "-", distribution)
        if distribution.lower() not in seen:
            seen.add(distribution.lower())
            text = _text_of(os.path.join(folder, info, "entry_points.txt"))  # noqa: PTH118 - see above
            found += _points(text, distribution, version.partition("-")[0])
    return tuple(found)


def _text_of(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:  # noqa: PTH123 - see above
            return opened.read()
    except OSError:
        return ""


def _points(text: str, distribution: str, version: str) -> Iterator[tuple[str, EntryPoint]]:
    group = ""
    for line in map(str.strip, text.splitlines() if "[nimmt." in text else ()):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1].strip()
        elif group.startswith("nimmt.") and not line.startswith(("#", ";")) and "=" in line:
            name, _, value = line.partition("=")
            value, _, extras = value.partition("[")
            commands = tuple(re.findall(r"[\w-]+", extras))
            yield group, EntryPoint(name.strip(), value.strip(), distribution, version, commands)


# ---------------------------------------------------------------------------------------------------- games


def add_installed_games() -> tuple[Unusable, ...]:
    """Register every installed game, in the order of their keys; gives what is wrong with the others.

    A game that is there already, from an earlier call, is left as it is. `companion` does no input or output,
    so the program looks for them, once and before the command.
    """
    faults = []
    for point in entry_points(GAMES):
        if games.GAMES.get(point.name) == point.value:
            continue
        try:
            _check_name(point)
            _check(point, load(point, _game(point)))
        except Unusable as bad:
            faults.append(bad)
        else:
            games.register(point.name, point.value)
    return tuple(faults)


def _game(point: EntryPoint) -> str:
    return f"the game {point.name!r}"


def _check_name(point: EntryPoint) -> None:
    game = whose(point, _game(point))
    if not _KEY.fullmatch(point.name) or point.name in _TAKEN:
        raise Unusable(
            f"{game} cannot have this name",
            "its author has to choose another one: up to 20 small letters, digits and underscores",
        )
    if point.name in games.GAMES:
        raise Unusable(f"{game} has the name of a game that is there already", update(point))
    if point.attribute:
        raise Unusable(
            f"{game} names {point.value!r}, which is not a module",
            f"its author has to name the module alone: {point.module!r}",
        )


def _check(point: EntryPoint, module: ModuleType) -> None:
    game = whose(point, _game(point))
    if missing := games.lacking(module):
        raise Unusable(f"{game} lacks {', '.join(missing)}", update(point))
    if not _CODE.fullmatch(module.CODE):
        raise Unusable(
            f"{game} has the code {module.CODE!r} on its cards",
            "its author has to choose two characters, capitals or digits",
        )
    for key in games.GAMES:
        if games.module(key).CODE == module.CODE:
            raise Unusable(f"{game} has the code {module.CODE!r} on its cards, as {key!r} has", update(point))
