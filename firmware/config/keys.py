"""What each key of the configuration may hold, derived from the options dataclasses.

The reader and the documentation both use this, so they cannot disagree.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, Field, dataclass, fields
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Mapping

REQUIRED: Final[Any] = object()
"""The default of a key that has none."""

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")

_ONE: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
}
_ARTICLE: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
}
_MANY: Final[Mapping[type, str]] = {int: "whole numbers", str: "texts"}


@dataclass(frozen=True, slots=True)
class Key:
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

    def kind(self, *, article: bool = False) -> str:
        """The type in words: "whole number" or, with its article, "a whole number"."""
        words = _ARTICLE if article else _ONE
        if self.shape is tuple:
            return f"{'a ' if article else ''}list of {_MANY[self.item]}"
        if self.shape is dict:
            return f"{'a ' if article else ''}table of {_MANY[self.item]}"
        return words[self.item]

    def limits(self) -> str:
        """The limits in words ("0 to 255", "at least 1"), or nothing."""
        if self.low is not None and self.high is not None:
            return f"{plain(self.low)} to {plain(self.high)}"
        if self.low is not None:
            return f"at least {plain(self.low)}"
        return "" if self.high is None else f"at most {plain(self.high)}"


def keys_of(options: type[Any]) -> tuple[Key, ...]:
    """The keys of an options dataclass, in the order of its fields.

    Raises `TypeError` for a field of an unsupported type, which is a mistake in the class.
    """
    hints = get_type_hints(options)
    return tuple(_key(one, hints[one.name], options) for one in fields(options) if one.init)


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


def _key(one: Field[Any], hint: object, owner: type[Any]) -> Key:
    item, shape = _type_of(hint, f"{owner.__qualname__}.{one.name}")
    return Key(
        name=one.name,
        item=item,
        shape=shape,
        about=one.metadata.get("about", ""),
        default=_default_of(one),
        low=one.metadata.get("low"),
        high=one.metadata.get("high"),
        among=one.metadata.get("among", ()),
    )


def _default_of(one: Field[Any]) -> object:
    if one.default is not MISSING:
        return one.default
    if one.default_factory is not MISSING:
        return one.default_factory()
    return REQUIRED


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
