"""The evening in memory: which tables there are, what they say, which match is played there."""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects import postgresql, sqlite

from companion.values import Value, replace
from network.hub import schema
from network.mqtt.payloads import Malformed, State, decode, encode

MOST_BOXES: Final = 20_000
"""Tables of one hub; who can invent names could fill the memory otherwise."""


class TableNow(Value):
    """A table as it is now. `uid` is the match that is played there, or was played last; empty for none."""

    name: str
    label: str = ""
    device: str = ""
    online: bool = False
    seen_s: float = 0.0
    state: State | None = None
    uid: str = ""

    @property
    def title(self) -> str:
        return self.label or self.name

    @property
    def order(self) -> tuple[Any, ...]:
        """Tables in the order that people expect: table 2 before table 10."""
        digits = "".join(char for char in self.name if char.isdigit())
        return (self.name.rstrip("0123456789"), int(digits or 0), self.name)


class TablesNow:
    """All tables; written by the intake, read by every thread."""

    def __init__(self) -> None:
        self._boxes: dict[str, TableNow] = {}
        self._order: list[TableNow] = []
        """A box of each name, in the order of the names; its other fields may be old."""
        self._lock = threading.Lock()

    def boxes(self) -> list[TableNow]:
        """Every table, in the order of their names."""
        with self._lock:
            return [self._boxes[box.name] for box in self._order]

    def page(self, page: int, on_a_page: int) -> tuple[list[TableNow], int, int]:
        """The tables of a page, from 1, or of the last one; with its number, and how many pages there are."""
        with self._lock:
            pages = max(1, -(-len(self._order) // on_a_page))
            page = min(page, pages)
            here = self._order[(page - 1) * on_a_page : page * on_a_page]
            return [self._boxes[box.name] for box in here], page, pages

    def box(self, name: str) -> TableNow | None:
        return self._boxes.get(name)

    def set(self, name: str, **fields: Any) -> TableNow | None:  # noqa: ANN401 - fields of `Box`
        """Note something of a table; None where there are too many."""
        with self._lock:
            before = self._boxes.get(name)
            if before is None and len(self._boxes) >= MOST_BOXES:
                return None
            if before is None:
                before = TableNow(name)
                insort(self._order, before, key=lambda box: box.order)
            self._boxes[name] = after = replace(before, **fields)
            return after

    def load(self, db: Connection) -> None:
        """Read what was known when the hub ended; nobody is taken for connected until they say so."""
        at = schema.match.c
        newest = select(at.box, func.max(at.changed_s).label("at_s")).group_by(at.box).subquery()
        of_box = select(at.box, at.uid).join(
            newest, (at.box == newest.c.box) & (at.changed_s == newest.c.at_s)
        )
        uids: Mapping[str, str] = {row.box: row.uid for row in db.execute(of_box)}
        for row in db.execute(select(schema.box)).all():
            self.set(
                row.name,
                label=row.label,
                device=row.device,
                seen_s=row.seen_s,
                state=_state(row.state),
                uid=uids.get(row.name, ""),
            )
        for name in uids:
            self.set(name, uid=uids[name])


def keep(db: Connection, box: TableNow) -> None:
    """Write down what is known of a table."""
    fields = {
        "label": box.label,
        "device": box.device,
        "online": box.online,
        "seen_s": box.seen_s,
        "state": None if box.state is None else encode(box.state).decode(),
    }
    dialect = postgresql if db.dialect.name == "postgresql" else sqlite
    new = dialect.insert(schema.box).values(name=box.name, **fields)
    db.execute(new.on_conflict_do_update(index_elements=["name"], set_=fields))


def _state(text: str | None) -> State | None:
    try:
        return None if text is None else decode(State, text.encode())
    except Malformed:
        return None  # of another version
