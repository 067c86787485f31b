"""What is in each message: one class each, which is the only definition of it.

Seats count from 0 and badges from 1, as everywhere in this program. Times are those of the clock of the
sender, in UTC as ISO 8601; clocks of boxes can be wrong by years.

Every message has `version`, and reading is strict: it comes from a network. A value of another type, a
missing field, a text or a list of no reasonable length, a newer version and what no database can store (a
NUL, half a character) are `Malformed`. Fields that are not known are left out: a later version may have more
of them.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from msgspec import Meta, MsgspecError
from msgspec import json as form

from companion.core.codec import Kind, learned
from companion.core.game import Game
from companion.match.log import read_step, without_sentences
from companion.protocol.snapshot import Standing, Whole, public_events
from companion.values import Value, field
from firmware.extensions.tournament import messages as tournament
from network.mqtt import topics

LONGEST_BYTES: Final = 65_536
"""Of a message; the longest that a table sends is a tenth of it."""

encode: Final = form.encode

Item = TypeVar("Item")
Line = Annotated[str, Meta(max_length=4_000)]
Many = Annotated[tuple[Item, ...], Meta(max_length=1_000)]
Named = Annotated[Mapping[str, Item], Meta(max_length=1_000)]

_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""A NUL as JSON has it: behind no backslash that belongs to it. Half a character is no JSON for msgspec."""


class Malformed(ValueError):
    """A message does not have the documented form. It says what is wrong, in English: no player reads it."""


class TopicMessage(Value, tag_field="version", tag=1):
    """What is published on a topic. A reader of this version cannot read a higher one."""


class _Version(Value):
    version: Literal[1]


def decode(kind: type[Kind], data: bytes) -> Kind:
    """The message in some bytes. Raises `Malformed`, and nothing else, whatever the bytes are."""
    if len(data) > LONGEST_BYTES:
        raise Malformed(f"it has {len(data)} bytes, more than {LONGEST_BYTES}")
    if _NUL.search(data):
        raise Malformed("a text has a NUL")
    try:
        form.decode(data, type=learned(_Version))  # as a tag alone, it could be left out
        return form.decode(data, type=learned(kind))
    except (MsgspecError, UnicodeDecodeError, RecursionError) as bad:
        raise Malformed(str(bad)) from bad


class Online(TopicMessage):
    """Whether a table is there. The broker says by its last will that it is not."""

    device: Line
    """Of the box, not of its card: two boxes with the same card have different ones."""
    online: bool
    name: Line = ""
    program: Line = ""
    state_refused: bool = False
    """Whether the broker refuses its `state`, which names everything else that is refused."""


class MatchPlayer(Value):
    """Somebody at the table. `name` is null where the table does not send names; robots have badge 0."""

    seat: Whole
    badge: Whole
    name: Line | None
    plays: bool


class MatchStack(Value):
    """A row or a pile on the table; of a covered pile there is the top card only, and no heads."""

    name: Line
    cards: Many[Line]
    heads: Whole | None
    covered: bool


class MatchState(Standing):
    """The match in play, as people at the table may see it."""

    uid: Line
    """The same for every copy of the match, wherever it is."""
    number: Whole
    """In the journal of the table."""
    players: Many[MatchPlayer]
    waits_for: Many[Whole]
    """The seats that may act now."""
    waiting: Line
    """The same in words, in the language of the table."""
    stacks: Many[MatchStack]
    standing: Line = ""
    """The standing as a line of text, in the language of the table."""
    asks: Many[Mapping[str, Any]] = ()
    """What `waiting` says, each question as a template with its facts, to be said in any language."""


class BoxProblem(Value):
    """Something that is wrong with the box, as its status has it."""

    id: Line
    part: Line
    severity: Line
    says: Line


class Fault(Value):
    """Something that is wrong between a table and its broker, and that people have to know.

    - `same name`: another box, `other`, uses the name of this table.
    - `damaged`: the journal of the box cannot give step `steps` of `match`.
    - `malformed`: what came on topic `other` could not be read, or the game does not take it.
    - `refused`: the broker refuses what the table publishes on topic `other`.
    """

    kind: Line
    match: Line = ""
    steps: Whole = 0
    other: Line = ""


class BoxState(TopicMessage):
    """How things are at a table."""

    device: Line
    name: Line
    running: bool
    """Whether the game answers; if not, `match` is what was known last."""
    at: Line
    language: Line
    match: MatchState | None
    health: Many[BoxProblem] = ()
    temperature_c: Whole | None = None
    faults: Many[Fault] = ()


class MatchEvent(TopicMessage):
    """A step of a match, or with number 0 its header.

    The record of a step has `events` and `because`, with `redoes` the step that it does again, or only
    `voids`, the step that it takes back; see docs/referee.md. That of a header has `game`, `seats`,
    `options`, `first`, `started_at`, and where there are any `badges`, `robots` and `names`, one for each
    seat.
    """

    match: Line
    number: Whole
    at: Line
    """When it was stored; empty where that is not known."""
    after: Line
    """When the step before it was stored: a hub appends a step only to the history that it belongs to."""
    record: Named[Any]


class Have(TopicMessage):
    """How many steps of each match of a table the hub has stored, by their `uid`; others it does not know.

    They are the first ones, without a gap. Fewer than before: the hub wants the match again. The same message
    once more, after a minute: nothing has come since, so what was sent is lost.
    """

    matches: Named[Whole] = field(default_factory=dict)
    again: Line = ""
    """Another one than before: the hub has missed something, and wants again what it does not have."""


class Seating(TopicMessage, tournament.Seats):
    """Who is to play at this table in this round of a tournament.

    Before the first round, with round 0 and without players, badges can be registered at the table.
    """


class NewBadges(TopicMessage, tournament.RegisteredBadges):
    """The badges that were scanned at the table to take part in a tournament, all of them, in their order."""


class RoundResult(TopicMessage, tournament.ResultNote):
    """How a match of a tournament has ended; a match that is corrected sends it again.

    An undo leads to more `steps`, and to another result.
    """


class KeyPress(TopicMessage):
    """A key that somebody presses from afar."""

    key: Literal["undo", "mute"]


OF_TOPIC: Final[Mapping[str, type[TopicMessage]]] = {
    topics.ONLINE: Online,
    topics.STATE: BoxState,
    topics.EVENT: MatchEvent,
    topics.RESULT: RoundResult,
    topics.REGISTERED: NewBadges,
    topics.HAVE: Have,
    topics.SEATS: Seating,
    topics.PRESS: KeyPress,
}
"""What is in the messages of each topic."""

OF_A_HEADER: Final = ("game", "seats", "options", "first", "badges", "robots")


def step_record(game: Game, stored: Mapping[str, Any]) -> dict[str, Any]:
    """A step of the journal as the record of an event. Raises `InvalidRecord`."""
    step = read_step(stored, game)
    if step.voids is not None:
        return {"voids": step.voids}
    record: dict[str, Any] = {} if step.redoes is None else {"redoes": step.redoes}
    record["events"] = public_events(game, step)
    record["because"] = list(without_sentences(stored).get("because", ()))
    return record
