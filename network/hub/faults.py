"""What people have to know of an evening, and of which nobody else would notice: the list of the director.

A fault is told once for what it is about, however often it happens; then it says how often and when. It
stays until it ends by itself, if it can, or until the director dismisses it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select, update

from companion.text.sentence import Text, say
from network.hub.schema import fault as table
from network.hub.schema import upsert

MOST_OF_A_KIND: Final = 200
"""Faults of one kind that are kept: a hostile client may have a name for each message."""

_MOST: Final = 200
"""Faults that are listed."""

SAYS: Final[Mapping[str, tuple[Text, Text]]] = {
    "other history": (
        say("The table sends step {number} of a match with different content than before."),
        say("An older journal was restored there: what the table has now counts. Or its SD card was copied."),
    ),
    "moved": (
        say("A match that began at table {other} continues here."),
        say("That is right if the table was given another name. If not, a card with its journal was copied."),
    ),
    "cannot follow": (
        say("The referee cannot follow the match after step {number}. The table itself can go on."),
        say("Take its result from the display. The hub may be older than the program of the table."),
    ),
    "rubbish": (
        say("Something came under the name of this table that no table sends: {what}"),
        say("Somebody else may have its password. See docs/mqtt.md for the broker's access rights."),
    ),
    "clock": (
        say("The clock of the box is wrong by {minutes} minutes. Times are those of the hub."),
        say("Give the box a network with a time server, or set its clock."),
    ),
    "same name": (
        say("Two boxes have the name of this table: {device} and {other}."),
        say("Give one of them another name: [mqtt] table."),
    ),
    "damaged": (
        say("The journal of the box is damaged at step {steps} of a match."),
        say("At the box: nimmt doctor, then nimmt restore."),
    ),
    "malformed": (
        say("The box could not read a message: {other}"),
        say("Somebody else may be publishing to the broker. See docs/mqtt.md for its access rights."),
    ),
    "refused": (
        say("The broker refuses what the table sends: {other}"),
        say("See docs/mqtt.md for its access rights, and whether the table logs in under its own name."),
    ),
    "hub refused": (
        say("The broker refuses what the hub sends to this table: {other}"),
        say("See docs/mqtt.md for the access rights of the hub."),
    ),
    "result": (
        say("A result from the box was rejected: {says}"),
        say("Compare it with the tournament page, and correct the result there if it is wrong."),
    ),
    "deal": (
        say("Cards were dealt that the list of this round gives to somebody else: {cards}"),
        say("Look at the table which cards were mixed up, then decide about its result."),
    ),
    "health": (say("The box has a problem: {says}"), say("Look at its display.")),
    "away": (
        say("The table is not connected, and a match is being played there."),
        say("Nothing is lost: it sends everything as soon as it is connected again."),
    ),
    "broker": (
        say("The hub was not connected to the broker."),
        say("Nothing is lost: the tables send everything that was not stored."),
    ),
    "database": (
        say("The database could not be written: {cause}"),
        say("Nothing is lost: the tables send everything that was not stored."),
    ),
}
"""What each kind says, and what to do. Facts stand in braces."""

OF_MATCHES: Final = ("other history", "moved", "cannot follow")
"""Kinds that are about a match."""

BY_TOPIC: Final = ("malformed", "refused")
"""Kinds that a table tells of the topic `other`: one fault for each."""

FaultKey = tuple[str, str, str]
"""What makes two faults the same: kind, table (empty for the hub itself) and what it is about."""


def report(db: Connection, key: FaultKey, now_s: float, facts: Mapping[str, Any] | None = None) -> None:
    """Write a fault down; one that is there already happened once more, and is open again."""
    kind, box, about = key
    named = {"kind": kind, "box": box, "about": about[:64]}
    if db.execute(select(table.c.id).filter_by(**named)).scalar() is None:
        of_kind = select(table.c.id).where(table.c.kind == kind).limit(1).offset(MOST_OF_A_KIND - 1)
        if db.execute(of_kind).scalar() is not None:
            return
    again = {"facts": facts or {}, "last_s": now_s}
    more = {"times": table.c.times + 1, "settled_s": None}
    upsert(db, table, named, {**again, "first_s": now_s}, {**again, **more})


def settle(db: Connection, key: FaultKey, now_s: float) -> None:
    """Note that a fault has ended by itself."""
    kind, box, about = key
    ended = update(table).filter_by(kind=kind, box=box, about=about, settled_s=None)
    db.execute(ended.values(settled_s=now_s))


def dismiss(db: Connection, number: int, now_s: float) -> Row[Any] | None:
    """Note that the director has dismissed a fault, and give it; None if there is none of that number."""
    db.execute(update(table).where(table.c.id == number).values(settled_s=now_s))
    return db.execute(select(table).where(table.c.id == number)).first()


def listed(db: Connection) -> Sequence[Row[Any]]:
    """The faults as rows of their table, open ones first, then the newest first."""
    order = (table.c.settled_s.is_not(None), table.c.last_s.desc(), table.c.id)
    return db.execute(select(table).order_by(*order).limit(_MOST)).all()


def count_open(db: Connection) -> int:
    return len(db.execute(select(table.c.id).where(table.c.settled_s.is_(None)).limit(1000)).all())


def length(db: Connection) -> str:
    """Another text whenever the list of faults is another one."""
    at = table.c
    sums = select(
        func.count(),
        func.sum(at.times),
        func.max(at.last_s),
        func.count(at.settled_s),
        func.max(at.settled_s),
    )
    return ".".join(map(str, db.execute(sums).one()))
