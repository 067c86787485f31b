"""What is done in a tournament, as values, and their records for a database or a file.

The kinds and the names of the fields are stored for ever.
"""

from collections.abc import Mapping
from typing import Any, Final, get_args

from companion.core.codec import Record, decode
from companion.values import Value, field

MEET: Final = "meet"
SWISS: Final = "swiss"


class Opened(Record, tag="opened"):
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


class Registered(Record, tag="registered"):
    """A player comes, before the first round or later."""

    badge: int
    name: str


class Renamed(Record, tag="renamed"):
    """A player's name was written wrong."""

    badge: int
    name: str


class Withdrew(Record, tag="withdrew"):
    """A player leaves. What was played counts for everybody."""

    badge: int


class Returned(Record, tag="returned"):
    """A player who left plays again from the next draw on."""

    badge: int


class Drawn(Record, tag="drawn"):
    """The seats of a round. As long as no result is in, a round may be drawn again."""

    round: int
    tables: tuple[tuple[int, ...], ...]
    """By table from 1, the badges in the order of the seats."""
    final: bool = False


class ResultTold(Record, tag="result"):
    """A box tells the end of a match; also again, after an undo or a corrected score in the same match."""

    round: int
    table: int
    match: str
    heads: tuple[int, ...]
    """The totals, in the order of the seats of the draw."""


class ResultUndone(Record, tag="result_undone"):
    """The end of the match was undone at the box: it goes on."""

    round: int
    table: int
    match: str


class Confirmed(Record, tag="confirmed"):
    """A player confirms the result of the table with the badge."""

    round: int
    table: int
    badge: int


class Corrected(Record, tag="corrected"):
    """The director enters a result, or puts one right. Says why."""

    round: int
    table: int
    heads: tuple[int, ...]
    reason: str


class Closed(Record, tag="closed"):
    """A round is over; a box can no longer change its results."""

    round: int


class Finished(Record, tag="finished"):
    """The tournament is over."""


PlayerAct = Registered | Renamed | Withdrew | Returned
ResultAct = ResultTold | ResultUndone | Confirmed | Corrected
Act = Opened | PlayerAct | Drawn | ResultAct | Closed | Finished


class LogEntry(Value):
    """One entry of the log: its number from 1, when it was done and by whom, as the hub tells it."""

    number: int
    act: Act
    by: str = ""
    at: str = ""


def from_record(record: object) -> Act:
    """The act of a record. Raises `InvalidRecord`, naming the invalid field."""
    act: Act = decode(record, get_args(Act))
    return act
