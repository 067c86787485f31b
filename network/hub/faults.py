"""What people have to know of an evening, and of which nobody else would notice: the list of the director.

A fault is told once for what it is about, however often it happens; then it says how often and when. It
stays until it ends by itself, if it can, or until the director puts it aside.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, func, select, update

from companion.text.sentence import Text, say
from companion.values import Value, field
from network.hub.schema import fault as table
from network.hub.schema import upsert

MOST_OF_A_KIND: Final = 200
"""Faults of one kind that are kept: a hostile client may have a name for each message."""

_MOST: Final = 200
"""Faults that are listed."""

SAYS: Final[Mapping[str, tuple[Text, Text]]] = {
    "contradicts": (
        say("Step {number} of a match came a second time with other content. The first one counts."),
        say("The box may have been set back to an older journal. Compare both, then decide at the table."),
    ),
    "not after": (
        say("Step {number} does not follow the step before it. It was not stored."),
        say("The box may have been set back to an older journal, or somebody else sends under its name."),
    ),
    "moved": (
        say("A match that began at table {other} continues here."),
        say("That is right if the table was given another name. If not, a card with its journal was copied."),
    ),
    "two headers": (
        say("The match has another beginning than the one that is kept, which counts."),
        say("The box may have been set back to an older journal."),
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
    "behind": (
        say("The box has fewer steps of a match than the hub: an older journal was restored."),
        say("What the hub has is kept. End the match at the box, or let the box get a newer backup."),
    ),
    "differs": (
        say("The box has another history of a match than the hub. Both are kept."),
        say("Compare them, then decide at the table."),
    ),
    "damaged": (
        say("The journal of the box is damaged at step {steps} of a match."),
        say("At the box: nimmt doctor, then nimmt restore."),
    ),
    "malformed": (
        say("The box could not read a message: {other}"),
        say("Somebody else may be publishing to the broker. See docs/mqtt.md for its access rights."),
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
    "missing": (
        say("Steps of a match are missing: the hub has {have}, and step {seen} has come."),
        say("The table sends them again. If this stays for minutes, start nimmt-mqtt at the box again."),
    ),
    "broker": (
        say("The hub was not connected to the broker."),
        say("Nothing is lost: the tables send everything that was not stored."),
    ),
    "database": (
        say("The database could not be written: {cause}"),
        say("Nothing is lost: the tables send everything that was not stored."),
    ),
    "too many": (
        say("More messages arrived than could be stored: {count} were dropped."),
        say("The tables send them again. If it happens often, run one more hub."),
    ),
}
"""What each kind says, and what to do. Facts stand in braces."""


OF_HISTORY: Final = ("contradicts", "not after", "two headers", "behind", "differs")
"""Kinds in which a box has another history of a match: the director may take that of the box."""


class HubFault(Value, eq=False):
    """A fault: its kind, the table (empty for the hub itself), what it is about, and the facts of its text.

    Two are the same if they differ in their facts only.
    """

    kind: str
    box: str = ""
    about: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HubFault) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str, str]:
        return self.kind, self.box, self.about


class StoredFault(Value):
    """A fault as it is kept."""

    id: int
    fault: HubFault
    first_s: float
    last_s: float
    times: int
    settled_s: float | None


def tell(db: Connection, fault: HubFault, now_s: float) -> None:
    """Write a fault down; one that is there already happened once more, and is open again."""
    where = (table.c.kind == fault.kind) & (table.c.box == fault.box) & (table.c.about == fault.about)
    known = db.execute(select(table.c.id).where(where)).scalar()
    if known is None:
        of_kind = select(table.c.id).where(table.c.kind == fault.kind).limit(1).offset(MOST_OF_A_KIND - 1)
        if db.execute(of_kind).scalar() is not None:
            return
    facts = json.dumps(fault.facts, ensure_ascii=False)
    key = {"kind": fault.kind, "box": fault.box, "about": fault.about}
    again = {"facts": facts, "last_s": now_s, "times": table.c.times + 1, "settled_s": None}
    upsert(db, table, key, {"facts": facts, "first_s": now_s, "last_s": now_s}, again)


def settle(db: Connection, kind: str, box: str, about: str | None, now_s: float) -> None:
    """Note that a fault has ended; without `about` all of that kind at that table."""
    where = (table.c.kind == kind) & (table.c.box == box) & table.c.settled_s.is_(None)
    if about is not None:
        where &= table.c.about == about
    db.execute(update(table).where(where).values(settled_s=now_s))


def put_aside(db: Connection, number: int, now_s: float) -> HubFault | None:
    """Note that the director has put a fault aside, and give it; None if there is none of that number."""
    db.execute(update(table).where(table.c.id == number).values(settled_s=now_s))
    return _of(db, number)


def of_history(db: Connection, number: int) -> HubFault | None:
    """The fault of this number, if a box has another history of a match there."""
    found = _of(db, number)
    return found if found is not None and found.kind in OF_HISTORY else None


def _of(db: Connection, number: int) -> HubFault | None:
    row = db.execute(select(table).where(table.c.id == number)).first()
    return None if row is None else HubFault(row.kind, row.box, row.about, json.loads(row.facts))


def listed(db: Connection) -> Sequence[StoredFault]:
    """The faults, open ones first, then the newest first."""
    rows = db.execute(
        select(table).order_by(table.c.settled_s.is_not(None), table.c.last_s.desc(), table.c.id).limit(_MOST)
    )
    return [
        StoredFault(
            one.id, HubFault(one.kind, one.box, one.about, json.loads(one.facts)), one.first_s, one.last_s,
            one.times, one.settled_s,
        )
        for one in rows
    ]  # fmt: skip


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
