"""`Value`: what the referee passes around. It never changes; `replace` gives a changed copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, dataclass_transform, overload

from msgspec import Struct, field
from msgspec.structs import replace

__all__ = ["Value", "cached", "field", "replace", "with_item"]

Worked = TypeVar("Worked")
Item = TypeVar("Item")


def with_item(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    """The same items, but for the one at a place. Raises `IndexError`."""
    if not 0 <= place < len(items):
        raise IndexError(f"there is no place {place}")
    return (*items[:place], item, *items[place + 1 :])


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True):
    """The base of all values: its fields are declared as those of a frozen dataclass.

    Values of one class with equal fields are equal. With `dict=True` a class can have properties that are
    `cached`: what is worked out from a value is kept beside its fields, and `replace` does not copy it.
    """


class cached(Generic[Worked]):  # noqa: N801 - used as `property` is
    """A property of a `Value` with `dict=True` that is worked out when it is first asked for.

    It is `functools.cached_property` without the lock that this takes in Python 3.11: two threads that ask at
    once work out the same.
    """

    def __init__(self, work_out: Callable[[Any], Worked]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, _owner: type[Any], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, value: None, owner: type[Any]) -> cached[Worked]: ...

    @overload
    def __get__(self, value: object, owner: type[Any]) -> Worked: ...

    def __get__(self, value: object, owner: type[Any]) -> cached[Worked] | Worked:
        if value is None:
            return self
        worked = value.__dict__[self._name] = self._work_out(value)
        return worked
