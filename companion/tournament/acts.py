"""What is done in a tournament, as values, and their records for a database or a file.

The kinds and the names of the fields are stored for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import say
from companion.values import Value, field

if TYPE_CHECKING:
    from collections.abc import Mapping

MEET: Final = "meet"
SWISS: Final = "swiss"


class Opened(Value):
    """The tournament begins with these rules; they stay as they are."""

    title: str
    seed: str
    """Any text, told to everybody before the first round: a date, numbers that were drawn in public."""
    rounds: int = 4
    pairing: str = SWISS
    """"swiss", or "meet": everybody meets as many others as possible, whatever the score."""
    game: str = "six"
    options: Mapping[str, Any] = field(default_factory=lambda: {"end": {"deals": 3}})
    largest: int = 5
    """The most players at a table: 4 or 5."""
    final: int = 4
    """How many play the final table: 4 or 5; 0 without a final."""
    duplicate: bool = False
    """Whether all tables of a round play the same deals."""
    lowest_wins: bool = True
    secret: str = ""
    """What the same deals at all tables follow from; nobody is told it before the end. Empty: the seed."""

    @property
    def seed_of_deals(self) -> str:
        """What the deals follow from. The seed is told to everybody, so it would tell everybody the hands."""
        return self.secret or self.seed


class Registered(Value):
    """A player comes, before the first round or later."""

    badge: int
    name: str


class Renamed(Value):
    """A player's name was written wrong."""

    badge: int
    name: str


class Withdrew(Value):
    """A player leaves. What was played counts for everybody."""

    badge: int


class Returned(Value):
    """A player who left plays again from the next draw on."""

    badge: int


class Drawn(Value):
    """The seats of a round. As long as no result is in, a round may be drawn again."""

    round: int
    tables: tuple[tuple[int, ...], ...]
    """By table from 1, the badges in the order of the seats."""
    final: bool = False


class ResultTold(Value):
    """A box tells the end of a match; also again, after an undo or a corrected score in the same match."""

    round: int
    table: int
    match: str
    heads: tuple[int, ...]
    """The totals, in the order of the seats of the draw."""


class ResultUndone(Value):
    """The end of the match was undone at the box: it goes on."""

    round: int
    table: int
    match: str


class Confirmed(Value):
    """A player confirms the result of the table with the badge."""

    round: int
    table: int
    badge: int


class Corrected(Value):
    """The director enters a result, or puts one right. Says why."""

    round: int
    table: int
    heads: tuple[int, ...]
    reason: str


class Closed(Value):
    """A round is over; a box can no longer change its results."""

    round: int


class Finished(Value):
    """The tournament is over."""


Act = (
    Opened
    | Registered
    | Renamed
    | Withdrew
    | Returned
    | Drawn
    | ResultTold
    | ResultUndone
    | Confirmed
    | Corrected
    | Closed
    | Finished
)

KINDS: Final[Mapping[str, type[Any]]] = {
    "opened": Opened,
    "registered": Registered,
    "renamed": Renamed,
    "withdrew": Withdrew,
    "returned": Returned,
    "drawn": Drawn,
    "result": ResultTold,
    "result_undone": ResultUndone,
    "confirmed": Confirmed,
    "corrected": Corrected,
    "closed": Closed,
    "finished": Finished,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


class Entry(Value):
    """One entry of the log: its number from 1, when it was done and by whom, as the hub tells it."""

    number: int
    act: Act
    by: str = ""
    at: str = ""


def kind_of(act: Act) -> str:
    """The stored word for an act."""
    return _NAMES[type(act)]


def to_record(act: Act) -> dict[str, Any]:
    """An act as an object for JSON."""
    record: dict[str, Any] = {"kind": kind_of(act)}
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if name == "tables":
            value = [list(table) for table in value]
        record[name] = list(value) if isinstance(value, tuple) else value
    return record


def from_record(record: Any) -> Act:  # noqa: ANN401 - it comes from outside, anything may come
    """The act of a record. Raises `InvalidRecord`, naming the field that will not do."""
    if not isinstance(record, dict):
        raise InvalidRecord(say("{record} is no object", record=quoted(record)), _FIX)
    name = record.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise InvalidRecord(
            say("a tournament has no act {kind}", kind=quoted(name)), did_you_mean(str(name), KINDS)
        )
    known = KINDS[name].__annotations__
    values: dict[str, Any] = {}
    for key, value in record.items():
        if key == "kind":
            continue
        if key not in known or not _is(known[key], value):
            raise InvalidRecord(say("'{key}' is {value}", key=key, value=quoted(value)), _FIX)
        values[key] = _tuples(value) if isinstance(value, list) else value
    try:
        act: Act = KINDS[name](**values)
    except TypeError:
        raise InvalidRecord(say("something is missing in {record}", record=quoted(record)), _FIX) from None
    return act


_FIX: Final = say("restore the log of the tournament from a backup")


def _is(kind: str, value: object) -> bool:
    """Whether a value has the type of a field, by its annotation."""
    match kind:
        case "int":
            return type(value) is int
        case "bool":
            return type(value) is bool
        case "str":
            return isinstance(value, str)
        case "tuple[int, ...]":
            return isinstance(value, list) and all(type(one) is int for one in value)
        case "tuple[tuple[int, ...], ...]":
            return isinstance(value, list) and all(_is("tuple[int, ...]", one) for one in value)
        case _:
            return isinstance(value, dict)


def _tuples(value: list[Any]) -> tuple[Any, ...]:
    return tuple(tuple(one) if isinstance(one, list) else one for one in value)
