"""What the options of all games have in common: they are read by their declaration, for a number of seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import fields

from companion.core.cards import Seat
from companion.core.codec import read
from companion.text.errors import InvalidRecord, quoted
from companion.text.sentence import say
from companion.values import Value, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Options = TypeVar("Options", bound=Value)


def read_agreed(
    kind: type[Options], options: Mapping[str, Any], title: str, seats: int, possible: range
) -> Options:
    """The options of a game for a number of seats. Raises `InvalidRecord`, naming what will not do."""
    agreed = read(dict(options), kind, "options")
    if seats not in possible:
        raise InvalidRecord(
            say("the number of seats is {seats}", seats=quoted(seats)),
            say("use {least} to {most} for {title}", least=possible[0], most=possible[-1], title=title),
        )
    return agreed


def hands_of(hands: tuple[int, ...], possible: range) -> tuple[Seat, ...]:
    """The seats whose hands are scanned, each once, in order. Raises `InvalidRecord`."""
    for seat in hands:
        if not 0 <= seat < possible[-1]:
            raise InvalidRecord(
                say("{path} is {value}", path="options.hands", value=quoted(list(hands))),
                say("use seats from 0 to {seats}", seats=possible[-1] - 1),
            )
    return tuple(Seat(seat) for seat in sorted(set(hands)))


def without(retired: Iterable[str], agreed: Options) -> Options:
    """The options with the defaults of those that are accepted and have no effect."""
    defaults = {one.name: one.default for one in fields(agreed) if one.name in retired}
    return replace(agreed, **defaults)
