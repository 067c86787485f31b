"""`replace` for the values of this package: like that of `dataclasses`, but quick enough for every event.

A table has up to thirty fields, and each event makes a copy of it with some of them changed. That of
`dataclasses` looks at the definition of each field, and then the constructor sets them one by one. Here
all of them are copied at once, which takes a fifth of the time. It needs a class without slots.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

T = TypeVar("T")

_NAMES: Final[dict[type[Any], tuple[str, ...]]] = {}
"""The names of the fields of a class."""


def _replace(value: T, /, **changes: object) -> T:
    """A copy of a frozen dataclass with these fields changed.

    The class has no slots, and all of its fields are arguments of its constructor, which is not called. What
    was worked out from the value (`cached_property`) is not copied. Raises `TypeError` for a field that the
    class does not have.
    """
    cls = type(value)
    if cls not in _NAMES:
        _NAMES[cls] = tuple(field.name for field in fields(value))  # type: ignore[arg-type] # it is a dataclass
    names, kept = _NAMES[cls], vars(value)
    if len(kept) > len(names):
        kept = {name: kept[name] for name in names}
    values = {**kept, **changes}
    if len(values) > len(names):
        raise TypeError(f"{cls.__name__} has no field {', '.join(changes.keys() - set(names))}")
    copy = object.__new__(cls)
    object.__setattr__(copy, "__dict__", values)
    return copy


if TYPE_CHECKING:
    # So that names and types of the changes are checked, which no annotation of ours could say.
    from dataclasses import replace
else:
    replace = _replace

__all__ = ["replace"]
