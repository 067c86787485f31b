"""Who may act, browsers that were paired with a code that the hub prints; what they do, and the log of it."""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Row, insert, select

from network.hub import faults, schema

if TYPE_CHECKING:
    from network.hub.store import Store
    from network.web.pairing import Phone

MAX_WRONG: Final = 20
"""After so many wrong codes from whatever addresses, who has typed one of them waits."""

PAUSE_S: Final = 120.0
"""For so long a wrong code counts."""


class PairingCode:
    """The code that pairs a browser. It is used once; then there is another.

    Wrong ones never change it: who can guess from many addresses could keep directors out by that. They wait
    instead, and who has not been wrong can still type it. `now_s` only goes forward.
    """

    def __init__(self, show: Callable[[str], None], now_s: Callable[[], float] = time.monotonic) -> None:
        self._show, self._now_s = show, now_s
        self._wrong: deque[tuple[float, str]] = deque(maxlen=1000)
        """When a wrong code came, and from which address."""
        self._code = ""
        self._renew()

    def waits(self, address: str) -> bool:
        """Whether no code is taken from this address for now."""
        while self._wrong and self._wrong[0][0] <= self._now_s() - PAUSE_S:
            self._wrong.popleft()
        return len(self._wrong) >= MAX_WRONG and any(wrong == address for _, wrong in self._wrong)

    def take(self, code: str, address: str) -> bool:
        right = secrets.compare_digest(code.encode(), self._code.encode())
        if right:
            self._renew()
        else:
            self._wrong.append((self._now_s(), address))
        return right

    def _renew(self) -> None:
        self._code = f"{secrets.randbelow(1_000_000):06}"
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
