"""What is in each message: one class each, which is the only definition of it.

Seats count from 0 and badges from 1, as everywhere in this program. Times are those of the clock of the
sender, in UTC as ISO 8601; clocks of boxes can be wrong by years.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - a message is read by these annotations
from typing import Any, Final

from companion.values import Value, field
from network.mqtt import topics
from network.mqtt.form import LONGEST_BYTES, VERSION, Malformed, decode, encode, schema

__all__ = [
    "LONGEST_BYTES", "OF_TOPIC", "VERSION", "Event", "Fault", "Had", "Hands", "Have", "Malformed", "Match",
    "Online", "Place", "Player", "Press", "Problem", "Registered", "Result", "Seated", "Seats", "Seen",
    "Stack", "State", "decode", "encode", "schema",
]  # fmt: skip


class Online(Value):
    """Whether a table is there. The broker says by its last will that it is not."""

    device: str
    """Of the box, not of its card: two boxes with the same card have different ones."""
    online: bool
    name: str = ""
    """What people call the table."""
    program: str = ""
    """The version of the program."""
    run: str = ""
    """Another one after each start: two boxes that both have the identity `device` differ in it."""


class Player(Value):
    """Somebody at the table. `name` is null where the table does not send names; robots have badge 0."""

    seat: int
    badge: int
    name: str | None
    plays: bool


class Place(Value):
    """A place in the standing; several seats share it in a tie."""

    rank: int
    seats: tuple[int, ...]
    total: int


class Stack(Value):
    """A row or a pile on the table; of a covered pile there is the top card only, and no heads."""

    name: str
    cards: tuple[str, ...]
    heads: int | None
    covered: bool


class Match(Value):
    """The match in play, as people at the table may see it."""

    uid: str
    """The same for every copy of the match, wherever it is."""
    number: int
    """In the journal of the table."""
    game: str
    title: str
    over: bool
    deal: int
    turn: int
    turns: int
    """0 where the game has no fixed number."""
    steps: int
    players: tuple[Player, ...]
    totals: tuple[int, ...]
    points: tuple[int, ...]
    """Of the deal in progress."""
    places: tuple[Place, ...]
    winners: tuple[int, ...] | None
    """Null while the match goes on."""
    waits_for: tuple[int, ...]
    """The seats that may act now."""
    waiting: str
    """The same as a sentence in the language of the table."""
    stacks: tuple[Stack, ...]
    standing: str = ""
    """The standing as a line of text, in the language of the table."""


class Problem(Value):
    """Something that is wrong with the box, as its status has it."""

    id: str
    part: str
    severity: str
    says: str


FAULTS: Final = ("same name", "behind", "differs", "damaged", "malformed")
"""What can be wrong between a table and a hub, see `Fault`."""


class Fault(Value):
    """Something between a table and a hub that people have to decide.

    - `same name`: another box, `other`, uses the name of this table.
    - `behind`: the hub has `other` steps of `match`, the box only `steps`: it has an older journal.
    - `differs`: the first `steps` steps of `match` are not those that the hub has.
    - `damaged`: the journal of the box cannot give step `steps` of `match`.
    - `malformed`: what came on topic `other` could not be read, or the game does not take it.
    """

    kind: str
    match: str = ""
    steps: int = 0
    other: str = ""


class State(Value):
    """How things are at a table."""

    device: str
    name: str
    running: bool
    """Whether the game answers; if not, `match` is what was known last."""
    at: str
    """The clock of the box."""
    language: str
    match: Match | None
    health: tuple[Problem, ...] = ()
    temperature_c: int | None = None
    faults: tuple[Fault, ...] = ()


class Event(Value):
    """A step of a match, or with number 0 its header.

    The record of a step has `events` and `because`, with `redoes` the step that it does again, or only
    `voids`, the step that it takes back; see docs/referee.md. That of a header has `game`, `seats`,
    `options`, `first`, `started_at`, and where there are any `badges`, `robots` and `names`, one for each
    seat.
    """

    match: str
    number: int
    at: str
    """When it was stored; empty where that is not known."""
    seal: str
    """See `network.mqtt.seals`."""
    record: Mapping[str, Any]


class Had(Value):
    """How far a hub has come with a match: `steps` without a gap, and the seal of the last of them.

    `header` is the seal of the header that it has. Both are empty where it has none.
    """

    steps: int
    seal: str = ""
    header: str = ""


class Have(Value):
    """How far a hub has come with the matches of a table, by their `uid`; others it does not know."""

    matches: Mapping[str, Had] = field(default_factory=dict)


class Seated(Value):
    """A player who is to sit at a table, in the order of the seats."""

    badge: int
    name: str


class Hands(Value):
    """With what a table finds out whether a hand is the right one, where all tables play the same deals."""

    salt: str
    """Of the round."""
    digests: tuple[tuple[str, ...], ...]
    """Of each hand, by deal and in each by seat, as `companion.tournament.hand_digest` makes them."""


class Seats(Value):
    """Who is to play at this table in this round of a tournament.

    Before the first round, with round 0 and without players, badges can be registered at the table.
    """

    title: str
    """Of the tournament."""
    round: int
    table: int
    """The number that people know the table by."""
    game: str
    options: Mapping[str, Any]
    players: tuple[Seated, ...]
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Badges that are to sit at another table, with its number."""
    tournament: int = 0
    """In round 0: another number for each tournament of the hub."""
    hands: Hands | None = None
    """Only where all tables play the same deals."""


class Registered(Value):
    """The badges that were scanned at the table to take part in a tournament, all of them, in their order."""

    tournament: int
    """As in the seats."""
    badges: tuple[int, ...]


class Result(Value):
    """How a match of a tournament has ended; a match that is corrected sends it again."""

    match: str
    steps: int
    """So many steps the match had: an undo leads to more, and to another result."""
    seal: str
    round: int
    totals: tuple[int, ...]
    badges: tuple[int, ...]
    """By seat, as `totals`."""
    confirmed: tuple[int, ...]
    """The badges that were scanned to confirm it."""


class Seen(Value):
    """What a hub made of a result."""

    match: str
    steps: int
    accepted: bool
    says: str = ""


class Press(Value):
    """A key that somebody presses from afar; see `KEYS`."""

    key: str


KEYS: Final = ("undo", "mute")
"""What can be pressed from afar."""

OF_TOPIC: Final[Mapping[str, type[Any]]] = {
    topics.ONLINE: Online,
    topics.STATE: State,
    topics.EVENT: Event,
    topics.RESULT: Result,
    topics.REGISTERED: Registered,
    topics.HAVE: Have,
    topics.SEATS: Seats,
    topics.SEEN: Seen,
    topics.PRESS: Press,
}
"""What is in the messages of each topic."""
