"""What was handed over as lines to send: the events since the last time, numbered, and the answers to acts.

For the thread of the server.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from companion.values import Value
from firmware.table_socket.seen import Answered, Signalled, Stepped, WasRefused
from firmware.table_socket.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from firmware.table_socket.seen import Handover, Happening, Seen


def line(record: Mapping[str, Any]) -> bytes:
    """An object as a line."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Told(Value):
    """The lines for all clients in one piece, and those for one each, with its number.

    `lost`: something was not handed over, so that nobody knows what is missing.
    """

    events: bytes = b""
    answers: tuple[tuple[int, bytes], ...] = ()
    lost: bool = False


class Teller:
    """Knows what the clients have been told, and so what is new."""

    def __init__(self) -> None:
        self.number = 0
        """Of the newest event."""
        self._seen: Seen | None = None
        self._table: dict[str, Any] | None = None
        self._handed = 0
        self._snapshot: bytes | None = None

    def tell(self, handed: Sequence[Handover], *, told: bool) -> Told:
        """What to say of what was handed over; no events are made where nobody is `told` them."""
        if not handed:
            return Told()
        lost = handed[0].number != self._handed + 1
        newest = handed[-1]
        self._handed = newest.number
        self._snapshot = None
        view = View(newest.seen)
        happened = [one for handover in handed for one in handover.happened]
        answers = [
            (one.act.client, line(_answer(one, view))) for one in happened if isinstance(one, Answered)
        ]
        if not told:
            self._seen, self._table = newest.seen, None
            return Told(b"", tuple(answers), lost)
        records = [_happening(one, view) for one in happened if not isinstance(one, Answered)]
        records += self._changes(newest.seen, view)
        return Told(b"".join(map(self._event, records)), tuple(answers), lost)

    def snapshot(self) -> bytes | None:
        """Everything as it was told last, as a line; None before there is anything to tell."""
        if self._snapshot is None and self._seen is not None:
            self._snapshot = line(View(self._seen).snapshot(self.number))
        return self._snapshot

    def _event(self, record: dict[str, Any]) -> bytes:
        self.number += 1
        kind = record.pop("kind")
        return line({"kind": kind, "number": self.number, **record})

    def _changes(self, seen: Seen, view: View) -> Iterator[dict[str, Any]]:
        """What differs from what was told last; from now on this is it."""
        before, self._seen = self._seen, seen
        language = view.language()
        if before is None or View(before).language() != language:
            yield {"kind": "language", **language}
        if before is None or _at_table(before) != _at_table(seen):
            table = view.table()
            if table != self._table:
                self._table = table
                yield {"kind": "table", "table": table}
        if before is None or View(before).page() != view.page():
            yield {"kind": "page", "page": view.page()}
        if before is None or before.notice != seen.notice:
            yield {"kind": "notice", "notice": seen.notice}
        if before is None or (before.bits, before.light) != (seen.bits, seen.light):
            yield {"kind": "picture", "picture": view.picture()}
        if before is None or before.issues != seen.issues:
            yield {"kind": "health", "health": view.health()}
        for name, value in seen.parts.items():
            if (before.parts[name] if before else None) != value:
                yield {"kind": name, name: value}


def _at_table(seen: Seen) -> tuple[object, ...]:
    """What the object of the table depends on."""
    return seen.match, seen.match_id, seen.names, seen.translate, seen.digits


def _happening(one: Happening, view: View) -> dict[str, Any]:
    match one:
        case Stepped(match_id, step, match):
            return {"kind": "step", "match": match_id, "step": view.step(step, match)}
        case WasRefused():
            return {"kind": "refused", **view.refused(one)}
        case Signalled(signal):
            return {"kind": "signal", "signal": signal.value}
        case _:
            raise TypeError(f"{one!r} is for one client")


def _answer(one: Answered, view: View) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": "answer",
        "id": one.act.id,
        "accepted": not one.why,
        "steps": list(one.steps),
    }
    if one.why:
        record["why"] = one.why
    if one.refused is not None:
        record |= view.refused(one.refused)
    return record
