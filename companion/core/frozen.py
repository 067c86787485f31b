"""`replace` and `cached_property` for the values of this package: quick enough for every event.

A table has up to thirty fields, and each event makes a copy of it with some of them changed. `replace` of
`dataclasses` looks at the definition of each field, and then the constructor sets them one by one. Here
all of them are copied at once, which takes a fifth of the time. It needs a class without slots.

What is worked out from a value is worked out again for each of its copies, several times a command. Before
Python 3.12 `cached_property` of `functools` takes a lock for it, which costs more than most of what is kept
here. Two threads that ask at once would both work it out here, and get the same: the values are frozen.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

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


class _CachedProperty(Generic[T]):
    """A property that is worked out at the first use and kept beside the fields.

    It needs a class without slots.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type[Any], name: str) -> None:
        """The name under which the result is kept."""
        self._name = name

    def __get__(self, value: Any, owner: type[Any] | None = None) -> Any:  # noqa: ANN401 - of any class
        """What is worked out; Python asks only if the value does not keep it yet."""
        if value is None:
            return self
        # Not `setattr`, which frozen values refuse.
        kept = value.__dict__[self._name] = self._work_out(value)
        return kept


if TYPE_CHECKING:
    # So that names and types are checked, which no annotation of ours could say.
    from dataclasses import replace
    from functools import cached_property
else:
    cached_property = _CachedProperty
    replace = _replace

__all__ = ["cached_property", "replace"]
