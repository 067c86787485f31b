"""What was handed over as messages to send: what is new since the last time, numbered, and answers to acts.

For the thread of the server.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from companion.protocol import snapshot
from companion.protocol.snapshot import Render, Sentence, TableSnapshot, sentence
from firmware.play.effects import ActAnswered, Happening, SignalGiven, StepStored, WasRefused
from firmware.table_socket import messages
from firmware.table_socket.feed import Look, Seen


class EventWriter:
    """Knows what was sent to the clients, and so what is new."""

    def __init__(self) -> None:
        self.number = 0
        """Of the newest event."""
        self._seen: Seen | None = None
        self._table: TableSnapshot | None = None
        self._snapshot: bytes | None = None

    def write(self, looks: Sequence[Look], *, events: bool) -> tuple[bytes, list[tuple[int, bytes]]]:
        """The lines for all clients in one piece, and answers, each with the number of its client.

        Without `events` only the answers.
        """
        if not looks:
            return b"", []
        newest, _ = looks[-1]
        self._snapshot = None
        render = newest.render
        happened = [one for _, happened in looks for one in happened]
        answers = [
            (one.act.client, messages.line(_answer(one, render)))
            for one in happened
            if isinstance(one, ActAnswered)
        ]
        if not events:
            self._seen, self._table = newest, None
            return b"", answers
        told = [self._numbered(_event(one, render)) for one in happened if not isinstance(one, ActAnswered)]
        told += [self._numbered(one) for one in self._changes(newest)]
        return b"".join(told), answers

    def snapshot(self) -> bytes | None:
        """Everything as it was sent last, as a line; None before there is anything to send."""
        if self._snapshot is None and self._seen is not None:
            seen = self._seen
            whole = {"kind": "snapshot", "number": self.number, "table": _table(seen), "steps": _newest(seen)}
            for values in _values(seen).values():
                whole |= values
            self._snapshot = messages.line(whole)
        return self._snapshot

    def _numbered(self, event: Any) -> bytes:  # noqa: ANN401 - an event, or its values
        self.number += 1
        if isinstance(event, messages.Event):
            return messages.line(replace(event, number=self.number))
        return messages.line({**event, "number": self.number})

    def _changes(self, seen: Seen) -> Iterator[dict[str, Any]]:
        """What differs from what was sent last; from now on this is it."""
        before, self._seen = self._seen, seen
        if before is None or _at_table(before) != _at_table(seen):
            table = _table(seen)
            if table != self._table:
                self._table = table
                yield {"kind": "table", "table": table}
        then = {} if before is None else _values(before)
        for kind, values in _values(seen).items():
            if then.get(kind) != values:
                yield {"kind": kind, **values}


def _at_table(seen: Seen) -> tuple[object, ...]:
    """What the snapshot of the table depends on."""
    return seen.match, seen.match_id, seen.names, seen.translate, seen.digits


def _values(seen: Seen) -> dict[str, dict[str, Any]]:
    """The values of a snapshot, by the kind of the event that tells of others; without table and steps."""
    t = seen.translate
    return {
        "language": {"language": t.language, "digits": seen.digits, "calendar": t.calendar},
        "page": {"page": seen.page},
        "notice": {"notice": seen.notice},
        "picture": {"picture": seen.picture},
        "health": {"health": _health(seen)},
        **{name: {name: value} for name, value in seen.parts.items()},
    }


def _table(seen: Seen) -> TableSnapshot | None:
    return (
        None
        if seen.match is None
        else snapshot.table_snapshot(seen.match, seen.people(), seen.render, seen.match_id)
    )


def _newest(seen: Seen) -> tuple[snapshot.PublicStep, ...]:
    """The newest steps of the match that were not undone, the oldest first."""
    found, at = list[snapshot.PublicStep](), seen.match
    while at is not None and at.newest is not None and len(found) < messages.NEWEST_STEPS:
        found.append(snapshot.public_step(at.newest, at, seen.render))
        at = at.before
    return tuple(found[::-1])


def _health(seen: Seen) -> tuple[messages.PublicIssue, ...]:
    return tuple(
        messages.PublicIssue(
            one.id,
            one.part,
            one.severity,
            sentence(one.says, seen.render),
            sentence(one.fix, seen.render),
            one.link,
        )
        for one in seen.issues
    )


def _event(one: Happening, render: Render) -> messages.Event:
    match one:
        case StepStored(match_id, step, match):
            return messages.StepEvent(0, match_id, snapshot.public_step(step, match, render))
        case WasRefused():
            return messages.RefusedEvent(0, *_refusal(one, render))
        case SignalGiven(signal):
            return messages.SignalEvent(0, signal)
        case _:
            raise TypeError(f"{one!r} is for one client")


def _refusal(refused: WasRefused, render: Render) -> tuple[str | None, Sentence, Sentence]:
    return refused.rule or None, sentence(refused.fault, render), sentence(refused.fix, render)


def _answer(one: ActAnswered, render: Render) -> messages.Answer:
    refusal = (UNSET,) * 3 if one.refused is None else _refusal(one.refused, render)
    return messages.Answer(one.act.said.id, not one.why, one.steps, one.why or UNSET, *refusal)
