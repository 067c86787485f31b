"""What people have to know of an evening, and of which nobody else would notice: the list of the director.

A fault is told once for what it is about, however often it happens; then it says how often and when. It
stays until it ends by itself, if it can, or until the director dismisses it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select, update

from network.hub.schema import fault as table
from network.hub.schema import upsert

MAX_OF_A_KIND: Final = 200
"""Faults of one kind that are kept: a hostile client may have a name for each message."""

_MAX_LISTED: Final = 200
"""Faults that are listed."""

FROM_TABLES: Final = ("same name", "damaged", "malformed", "refused")
"""Kinds that a table reports by itself."""

BY_TOPIC: Final = ("malformed", "refused")
"""Kinds that a table tells of the topic `other`: one fault for each."""

FaultKey = tuple[str, str, str]
"""What makes two faults the same: kind, table (empty for the hub itself) and what it is about."""


def report(db: Connection, key: FaultKey, now_s: float, facts: Mapping[str, Any] | None = None) -> None:
    """Write a fault down; one that is there already happened once more, and is open again."""
    kind, box, about = key
    named = {"kind": kind, "box": box, "about": about[:64]}
    if db.execute(select(table.c.id).filter_by(**named)).scalar() is None:
        of_kind = select(table.c.id).where(table.c.kind == kind).limit(1).offset(MAX_OF_A_KIND - 1)
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
    return db.execute(select(table).order_by(*order).limit(_MAX_LISTED)).all()


def count_open(db: Connection) -> int:
    return len(db.execute(select(table.c.id).where(table.c.settled_s.is_(None)).limit(1000)).all())


def length(db: Connection) -> str:
    """Another text whenever the list of faults is another one."""
    at = table.c
    count, largest = func.count, func.max
    sums = count(), func.sum(at.times), largest(at.last_s), count(at.settled_s), largest(at.settled_s)
    return ".".join(map(str, db.execute(select(*sums)).one()))
