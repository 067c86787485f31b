"""Who may act, browsers that were paired with a code that the hub prints; what they do, and the log of it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Row, insert, select

from network.hub import faults, schema

if TYPE_CHECKING:
    from network.hub.store import Store
    from network.web.pairing import Phone

_DIGITS: Final = 8
"""A code stays until it is used, and who guesses from many addresses must not find it in an evening."""


class PairingCode:
    """The code that pairs a browser. It is used once; then there is another."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show, self._code = show, ""
        self._renew()

    def take(self, code: str) -> bool:
        right = secrets.compare_digest(code.encode(), self._code.encode())
        if right:
            self._renew()
        return right

    def _renew(self) -> None:
        self._code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
        self._show(self._code)


def note(db: Connection, who: Phone, facts: Mapping[str, Any], now_s: float, *, reason: str = "") -> None:
    """Write down what a director did. It belongs into the transaction that does it."""
    columns = {"at_s": now_s, "who": f"{who.name} ({who.id})", "facts": facts, "reason": reason[:500]}
    db.execute(insert(schema.act_log).values(**columns))


def log(db: Connection, most: int = 200) -> Sequence[Row[Any]]:
    return db.execute(select(schema.act_log).order_by(schema.act_log.c.id.desc()).limit(most)).all()


def dismiss(store: Store, who: Phone, body: Mapping[str, Any]) -> bool:
    """Dismiss the fault whose number `id` is; False if there is none."""
    number = body.get("id")
    if not (type(number) is int and 0 < number < 2**53):
        return False
    with store.writing() as db:
        found = faults.dismiss(db, number, time.time())
        if found is not None:
            facts = {"table": found.box, "kind": found.kind, "facts": found.facts}
            note(db, who, facts, time.time())
    return found is not None
