"""The keys of an options struct, what each may hold, and reading them from a table of a TOML file.

The reader and the documentation both use the same keys, so they cannot disagree. A fault does not stop the
reading: it is noted, and the next key is looked at all the same.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, structs

from companion.text.errors import CompanionError, did_you_mean
from companion.text.sentence import Text, say
from companion.values import Value, field, replace
from hardware.options import Option

REQUIRED: Final[Any] = object()
"""The default of a key that has none."""

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST_SHOWN: Final = 60

_KINDS: Final[Mapping[tuple[Any, Any], Text]] = {
    (bool, object): say("true or false"),
    (int, object): say("a whole number"),
    (float, object): say("a number"),
    (str, object): say("text"),
    (int, tuple): say("a list of whole numbers"),
    (str, tuple): say("a list of strings"),
    (int, dict): say("a table of whole numbers"),
    (str, dict): say("a table of strings"),
}


class Field(Value):
    """One key: `item` is bool, int, float or str; `shape` says whether it is one value, a list or a table.

    `low` and `high` are inclusive and apply to every number in it. `among`, if not empty, lists the allowed
    values: of the value, of each item of a list, or of each *name* in a table.
    """

    name: str
    item: type
    shape: type = object  # object: one value; tuple: a list; dict: a table with names
    about: str = ""
    default: Any = None
    low: float | None = None
    high: float | None = None
    among: tuple[Any, ...] = ()
    in_file: bool = False
    locked_by: str = ""

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    def kind(self) -> Text:
        """The type in a sentence: "a whole number"."""
        return _KINDS[self.item, self.shape]

    def limits(self) -> Text | None:
        """The limits in words ("0 to 255", "at least 1"), if there are any; numbers as in the file."""
        if self.low is not None and self.high is not None:
            return say("{low} to {high}", low=plain(self.low), high=plain(self.high))
        if self.low is not None:
            return say("at least {low}", low=plain(self.low))
        return None if self.high is None else say("at most {high}", high=plain(self.high))


def keys_of(options: type[Any]) -> tuple[Field, ...]:
    """The keys of an options struct, in the order of its fields.

    Raises `TypeError` for a field of an unsupported type, which is a mistake in the class.
    """
    known: Any = options
    return _keys_of(known)


@cache  # annotations are text until they are asked for, and that costs half a millisecond for each class
def _keys_of(options: Any) -> tuple[Field, ...]:  # noqa: ANN401 - mypy takes no class of anything for hashable
    hints = get_type_hints(options, include_extras=True)
    return tuple(_key(info, hints[info.name], options) for info in structs.fields(options))


def _key(info: structs.FieldInfo, hint: Any, owner: type[Any]) -> Field:  # noqa: ANN401 - any annotation
    about = Option("")
    if get_origin(hint) is Annotated:
        hint, about = get_args(hint)
    if get_origin(hint) in {Union, UnionType}:
        rest = [part for part in get_args(hint) if part is not NoneType]
        if len(rest) == 1:  # TOML has no null: a key that may be None is one that may be left out
            (hint,) = rest
    item, shape = hint, object
    match get_origin(hint), get_args(hint):
        case origin, (item, last) if origin is tuple and last is Ellipsis:
            shape = tuple
        case origin, (name, item) if origin is dict and name is str:
            shape = dict
    if (item, shape) not in _KINDS:
        message = (
            f"{owner.__qualname__}.{info.name} is of a type that a configuration file does not have: {hint}"
        )
        raise TypeError(message)
    default = REQUIRED if info.default is NODEFAULT else info.default
    if info.default_factory is not NODEFAULT:
        default = info.default_factory()
    limits = about.low, about.high, about.among
    return Field(info.name, item, shape, about.about, default, *limits, about.in_file, about.locked_by)


def plain(value: object) -> str:
    """A value in TOML syntax; whole floats without a fraction, so that 4000000 is not 4e+06."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04X}" for c in escaped) + '"'
        case float() if value.is_integer():
            return str(int(value))
        case list() | tuple():
            return "[" + ", ".join(plain(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{_name(name)} = {plain(item)}" for name, item in value.items()) + "}"
    return str(value)


def _name(name: object) -> str:
    return str(name) if _BARE.fullmatch(str(name)) else plain(str(name))


# ------------------------------------------------------------------------------------------- faults


class Problem(Value):
    """One fault of a configuration file.

    `path` is the key ("scanner.baud", "buttons.pins.ok"), empty for the whole file; `came` is the value in
    TOML syntax, empty if there is none; `fault` and `fix` have no full stop.
    """

    path: str
    came: str
    fault: str
    fix: str

    def __str__(self) -> str:
        """One line: `scanner.baud = "fast": is text, not a whole number (write ...)`."""
        place = f"{self.path} = {self.came}" if self.came else self.path
        said = f"{self.fault} ({self.fix})"
        return f"{place}: {said}" if place else said


class ConfigError(CompanionError, ValueError):
    """A configuration cannot be used; `problems` holds all faults, at least one.

    `where` names the file. The text of the error is one line for the file and one for each problem.
    """

    def __init__(self, where: str, problems: tuple[Problem, ...]) -> None:
        faults = "one fault" if len(problems) == 1 else f"{len(problems)} faults"
        super().__init__(f"{where} has {faults}: {problems[0]}", "fix the file, then run: nimmt config check")
        self.where = where
        self.problems = problems

    def __str__(self) -> str:
        """The file, then each problem on a line of its own."""
        return "\n".join([f"{self.where} cannot be used:", *(f"  {problem}" for problem in self.problems)])


class Findings(Struct):
    """Collects the problems of one reading."""

    problems: list[Problem] = field(default_factory=list)

    def add(self, path: str, came: object, fault: Text | str, fix: Text | str) -> None:
        """Report one problem; `came` is the value that was read, or None if there is none."""
        text = "" if came is None else plain(came)
        if len(text) > _LONGEST_SHOWN:
            text = text[: _LONGEST_SHOWN - 3] + "..."
        self.problems.append(Problem(path, text, str(fault), str(fix)))


# ------------------------------------------------------------------------------------------ reading


def read_options(options: type[Any], table: Mapping[str, object], path: str, findings: Findings) -> Any:  # noqa: ANN401 - an instance of `options`, which only the caller knows
    """An instance of `options` from `table`, or None if there was a fault.

    `path` is the name of the section; the path of each problem starts with it.
    """
    return read_sections([options], table, path, findings)[options]


def read_sections(
    options: Sequence[type[Any]], table: Mapping[str, object], path: str, findings: Findings
) -> dict[type[Any], Any]:
    """As `read_options`, for structs that share a section: each gives its own keys."""
    keys = {struct: {key.name: key for key in keys_of(struct)} for struct in options}
    note_unknown(table, [name for known in keys.values() for name in known], path, findings)
    return {struct: _read_keys(struct, known, table, path, findings) for struct, known in keys.items()}


def _read_keys(
    options: type[Any], keys: Mapping[str, Field], table: Mapping[str, object], path: str, findings: Findings
) -> Any:  # noqa: ANN401 - as above
    before = len(findings.problems)
    given: dict[str, object] = {}
    for name, key in keys.items():
        if name in table:
            given[name] = _read_value(key, table[name], f"{path}.{name}", findings)
        elif key.required:
            fix = f"add it: {name} is {key.about}"
            findings.add(f"{path}.{name}", None, "is missing", fix)
    if len(findings.problems) > before:
        return None
    try:
        return options(**given)
    except CompanionError as error:
        findings.add(path, None, error.fault, error.fix)
    except ValueError as error:
        fix = f"change the values in [{path}]"
        findings.add(path, None, str(error), fix)
    return None


def note_unknown(table: Iterable[str], known: Iterable[str], path: str, findings: Findings) -> None:
    """Report each unknown name in `table`, with the nearest known one."""
    names = sorted(known)
    for name in table:
        if name not in names:
            place = f"{path}.{name}" if path else name
            nothing = "remove it: there is nothing to set here"
            findings.add(place, None, "is not a known key", did_you_mean(name, names) if names else nothing)


def _read_value(key: Field, came: object, path: str, findings: Findings) -> object:
    match key.shape, came:
        case shape, list() if shape is tuple:
            for number, item in enumerate(came):
                _check_item(key, item, f"{path}[{number}]", findings, key.among)
            return tuple(float(item) if key.item is float else item for item in came)
        case shape, dict() if shape is dict:
            for name, item in came.items():
                if key.among and name not in key.among:
                    note_unknown([name], list(map(str, key.among)), path, findings)
                _check_item(key, item, f"{path}.{name}", findings, ())
            return dict(came)
        case shape, _ if shape is object:
            right = _check_item(key, came, path, findings, key.among)
            return float(came) if right and key.item is float and isinstance(came, int) else came
    findings.add(path, came, f"is not {key.kind()}", f"write {key.kind()}: {key.about}")
    return came


def _check_item(key: Field, came: object, path: str, findings: Findings, among: tuple[Any, ...]) -> bool:
    item = replace(key, shape=object, among=among)
    if not _is_a(key.item, came):
        findings.add(path, came, f"is not {item.kind()}", f"write {_needed(item)}")
    elif among and came not in among:
        near = did_you_mean(came, among) if isinstance(came, str) else f"write {_needed(item)}"
        findings.add(path, came, "is not allowed", near)
    elif isinstance(came, (int, float)) and _is_outside(came, key):
        findings.add(path, came, "is out of range", f"write {_needed(item)}")
    elif isinstance(came, str) and any(unicodedata.category(letter) == "Cc" for letter in came):
        findings.add(path, came, "has a control character", "remove it")
    else:
        return True
    return False


def _is_a(item: type, came: object) -> bool:
    if isinstance(came, bool):
        return item is bool
    if item is float:
        return isinstance(came, int) or (isinstance(came, float) and math.isfinite(came))
    return isinstance(came, item)


def _is_outside(came: float, key: Field) -> bool:
    return (key.low is not None and came < key.low) or (key.high is not None and came > key.high)


def _needed(key: Field) -> str:
    """The type, the limits and the allowed values, one after the other."""
    among = f"one of: {', '.join(map(plain, key.among))}" if key.among else None
    return ", ".join(
        str(part)
        for part in ("text in quotes" if key.item is str else key.kind(), key.limits(), among)
        if part is not None
    )
