"""Records in few bytes: what all records of a kind have in common is stored once for the whole journal.

Of `{"kind": "card_placed", "card": 33, "seat": 2}` only the numbers are new each time. The rest is its
shape, `[["kind","card_placed"],"card","seat"]`: the names in their order, and with some names their text. The
table `shape` gives every shape a number. A record is stored as a list: the number of its shape, then the
values that the shape leaves open. A list begins with 0, and numbers and texts are stored as they are:

    shape 12   [["kind","card_placed"],"card","seat","takes"]
    stored     [12,33,2,[0,90,77]]
    means      {"kind":"card_placed","card":33,"seat":2,"takes":[90,77]}

This knows no game and loses nothing: any JSON object comes back as it was, its names in the same order. A
record that begins with `{` is stored in full; older versions of the journal did that.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FIXED: Final = frozenset({"kind", "rule", "text", "plural"})
"""Names whose texts are part of the shape, because few texts ever occur with them."""

_LIST: Final = 0
_OF_PARTS: Final = (dict, list, tuple)

_JSON: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

Shape: TypeAlias = tuple[str | tuple[str, str], ...]
"""The names of an object in their order; a name with its text where the text is part of the shape."""


def written(value: object) -> str:
    """The JSON text of a value: compact, in the given order, non-ASCII characters unchanged.

    Raises TypeError or ValueError for values that JSON cannot hold, which are programming mistakes.
    """
    return _JSON.encode(value)


class Shapes:
    """The shapes of one journal by number, 1 or more, and the numbers of the shapes."""

    def __init__(self) -> None:
        self._shapes: list[Shape] = []
        self._numbers: dict[Shape, int] = {}

    def __len__(self) -> int:
        return len(self._shapes)

    def learn(self, texts: Iterable[str]) -> None:
        """Add the next shapes, as they are stored. Raises ValueError for what is no shape."""
        for text in texts:
            before = len(self._shapes)
            if self._number(_read(text)) != before + 1:
                raise ValueError("a shape that is there twice")

    def texts(self, after: int) -> list[str]:
        """The shapes above this number, as they are stored."""
        return [written(shape) for shape in self._shapes[after:]]

    def short(self, record: Mapping[str, object]) -> str:
        """A record as it is stored. Shapes that it needs and that are not there are added.

        Raises TypeError or ValueError, as `written` does, for what JSON cannot hold; its names are texts.
        """
        return written(self._short(dict(record)))

    def full(self, stored: str) -> dict[str, Any]:
        """A record as it was before `short`. Raises ValueError for what was never a record."""
        value = json.loads(stored)
        if not stored.startswith("{"):
            try:
                value = self._full(value)
            except (IndexError, TypeError, RecursionError) as bad:
                raise ValueError("a record of no known shape") from bad
        if not isinstance(value, dict):
            raise ValueError("a record that is no object")  # noqa: TRY004 - what is wrong is the text
        return value

    @staticmethod
    def text_of(stored: str, record: dict[str, Any]) -> str:
        """The JSON of a record that was read, in the form that its seal covers."""
        return stored if stored.startswith("{") else written(record)

    def _number(self, shape: Shape) -> int:
        number = self._numbers.get(shape)
        if number is None:
            self._shapes.append(shape)
            number = self._numbers[shape] = len(self._shapes)
        return number

    def _short(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, dict):
            shape: list[str | tuple[str, str]] = []
            rest = []
            for name, part in value.items():
                if not isinstance(name, str):
                    raise TypeError(f"a record whose name is no text: {name!r}")
                if name in FIXED and isinstance(part, str):
                    shape.append((name, part))
                else:
                    shape.append(name)
                    rest.append(self._short(part) if isinstance(part, _OF_PARTS) else part)
            return [self._number(tuple(shape)), *rest]
        return [_LIST, *[self._short(part) if isinstance(part, _OF_PARTS) else part for part in value]]

    def _full(self, value: list[Any]) -> Any:  # noqa: ANN401 - any JSON value
        number, *rest = value
        parts = [self._full(part) if isinstance(part, list) else part for part in rest]
        if number == _LIST:
            return parts
        found: dict[str, Any] = {}
        at = 0
        for name in self._shapes[number - 1]:
            if isinstance(name, str):
                found[name] = parts[at]
                at += 1
            else:
                found[name[0]] = name[1]
        if at != len(parts) or number < 0:
            raise ValueError("a record with too many values")
        return found


def _read(text: str) -> Shape:
    value = json.loads(text)
    if not isinstance(value, list):
        raise ValueError("a shape that is no list")  # noqa: TRY004 - what is wrong is the text
    shape: list[str | tuple[str, str]] = []
    for name in value:
        match name:
            case str():
                shape.append(name)
            case [str() as fixed, str() as meaning]:
                shape.append((fixed, meaning))
            case _:
                raise ValueError("a shape with something else than names")
    return tuple(shape)
