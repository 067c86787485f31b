"""`Value`: what the referee passes around. It never changes; `replace` gives a changed copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, dataclass_transform, overload

from msgspec import Struct, field
from msgspec.structs import replace

__all__ = ["Value", "cached_property", "field", "replace", "with_item"]

Computed = TypeVar("Computed")
Item = TypeVar("Item")


def with_item(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    """The same items, but for the one at a place. Raises `IndexError`."""
    if not 0 <= place < len(items):
        raise IndexError(f"there is no place {place}")
    return (*items[:place], item, *items[place + 1 :])


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True):
    """The base of all values, declared as frozen dataclasses; those of one class with equal fields are equal.

    With `dict=True` a class can have a `cached_property`, which `replace` does not copy.
    """


class cached_property(Generic[Computed]):  # noqa: N801 - used as `property` is
    """A property of a `Value` with `dict=True` that is computed when it is first asked for.

    It is `functools.cached_property` without the lock that this takes in Python 3.11: two threads that ask at
    once compute the same.
    """

    def __init__(self, compute: Callable[[Any], Computed]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, _owner: type[Any], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, value: None, owner: type[Any]) -> cached_property[Computed]: ...

    @overload
    def __get__(self, value: object, owner: type[Any]) -> Computed: ...

    def __get__(self, value: object, owner: type[Any]) -> cached_property[Computed] | Computed:
        if value is None:
            return self
        computed = value.__dict__[self._name] = self._compute(value)
        return computed
