"""What each key of the configuration may hold, derived from the options structs.

The reader and the documentation both use this, so they cannot disagree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, structs
from msgspec.structs import FieldInfo

from companion.text.sentence import Text, say
from companion.values import Value
from hardware.options import Option

REQUIRED: Final[Any] = object()
"""The default of a key that has none."""

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")

_ONE: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
}
_MANY: Final[Mapping[type, str]] = {int: "whole numbers", str: "texts"}
_SAID: Final[Mapping[tuple[type, type], Text]] = {
    (bool, object): say("true or false"),
    (int, object): say("a whole number"),
    (float, object): say("a number"),
    (str, object): say("text"),
    (int, tuple): say("a list of whole numbers"),
    (str, tuple): say("a list of texts"),
    (int, dict): say("a table of whole numbers"),
    (str, dict): say("a table of texts"),
}


class Key(Value):
    """One key: `item` is bool, int, float or str; `shape` says whether it is one value, a list or a table.

    `low` and `high` are inclusive and apply to every number in it. `among`, if not empty, lists the allowed
    values: of the value, of each item of a list, or of each *name* in a table.
    """

    name: str
    item: type
    shape: type  # object: one value; tuple: a list; dict: a table with names
    about: str
    default: Any
    low: float | None
    high: float | None
    among: tuple[Any, ...]

    @property
    def required(self) -> bool:
        """Whether the key is required."""
        return self.default is REQUIRED

    def kind(self) -> str:
        """The type for the documentation: "whole number"."""
        if self.shape is tuple:
            return f"list of {_MANY[self.item]}"
        if self.shape is dict:
            return f"table of {_MANY[self.item]}"
        return _ONE[self.item]

    def said_kind(self) -> Text:
        """The type in a sentence: "a whole number"."""
        return _SAID[self.item, self.shape]

    def limits(self) -> Text | None:
        """The limits in words ("0 to 255", "at least 1"), if there are any; numbers as in the file."""
        if self.low is not None and self.high is not None:
            return say("{low} to {high}", low=plain(self.low), high=plain(self.high))
        if self.low is not None:
            return say("at least {low}", low=plain(self.low))
        return None if self.high is None else say("at most {high}", high=plain(self.high))


def keys_of(options: type[Any]) -> tuple[Key, ...]:
    """The keys of an options struct, in the order of its fields.

    Raises `TypeError` for a field of an unsupported type, which is a mistake in the class.
    """
    known: Any = options
    return _keys_of(known)


@cache  # annotations are text until they are asked for, and that costs half a millisecond for each class
def _keys_of(options: Any) -> tuple[Key, ...]:  # noqa: ANN401 - mypy takes no class of anything for hashable
    hints = get_type_hints(options, include_extras=True)
    return tuple(_key(one, hints[one.name], options) for one in structs.fields(options))


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
    """The name of a key, in quotes where it needs them."""
    return str(name) if _BARE.fullmatch(str(name)) else plain(str(name))


def _key(one: FieldInfo, hint: object, owner: type[Any]) -> Key:
    about = Option("")
    if get_origin(hint) is Annotated:
        hint, about = get_args(hint)
    item, shape = _type_of(hint, f"{owner.__qualname__}.{one.name}")
    return Key(one.name, item, shape, about.about, _default_of(one), about.low, about.high, about.among)


def _default_of(one: FieldInfo) -> object:
    if one.default_factory is not NODEFAULT:
        return one.default_factory()
    return REQUIRED if one.default is NODEFAULT else one.default


def _type_of(hint: object, where: str) -> tuple[type, type]:
    if get_origin(hint) in {Union, UnionType}:
        rest = [part for part in get_args(hint) if part is not NoneType]
        if len(rest) == 1:  # TOML has no null: a key that may be None is one that may be left out
            return _type_of(rest[0], where)
    if isinstance(hint, type) and hint in _ONE:
        return hint, object
    match get_origin(hint), get_args(hint):
        case origin, (item, last) if origin is tuple and last is Ellipsis and item in _MANY:
            return item, tuple
        case origin, (name, item) if origin is dict and name is str and item in _MANY:
            return item, dict
    message = f"{where} is of a type that a configuration file does not have: {hint}"
    raise TypeError(message)
