"""`Value`: what the referee passes around. It never changes; `replace` gives a changed copy."""

from __future__ import annotations

from typing import dataclass_transform

from msgspec import Struct, field
from msgspec.structs import replace

__all__ = ["Value", "field", "replace"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True):
    """The base of all values: its fields are declared as those of a frozen dataclass.

    Values of one class with equal fields are equal. With `dict=True` a class can have `cached_property`: what
    is worked out from a value is kept beside its fields, and `replace` does not copy it.
    """
