"""What was handed over as messages to send: what is new since the last time, numbered, and answers to acts.

For the thread of the server.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from companion.protocol import snapshot
from companion.protocol.snapshot import Localized, Render, TableSnapshot, sentence
from firmware.play.effects import Act, ActAnswered, Happening, SignalGiven, StepStored, WasRefused
from firmware.table_socket import messages
from firmware.table_socket.feed import Look, SeenTable


class EventWriter:
    """Knows what was sent to the clients, and so what is new."""

    def __init__(self) -> None:
        self.number = 0
        """Of the newest event."""
        self._seen: SeenTable | None = None
        self._snapshot: bytes | None = None

    def write(self, looks: Sequence[Look], *, events: bool) -> tuple[bytes, list[tuple[Act, bytes]]]:
        """The lines for all clients in one piece, and answers, each with its act.

        Without `events` only the answers.
        """
        if not looks:
            return b"", []
        newest, _ = looks[-1]
        before, self._seen, self._snapshot = self._seen, newest, None
        render = newest.render
        happened = [event for _, happened in looks for event in happened]
        answered = [event for event in happened if isinstance(event, ActAnswered)]
        answers = [(event.act, messages.line(_answer(event, render))) for event in answered]
        if not events:
            return b"", answers
        new = [_event(event, render) for event in happened if not isinstance(event, ActAnswered)]
        if before is None or before.match_id != newest.match_id:  # it has other steps
            return b"".join([*map(self._numbered, new), self.snapshot() or b""]), answers
        return b"".join(map(self._numbered, (*new, *_changes(before, newest)))), answers

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
        if isinstance(event, messages.TableEvent):
            return messages.line(replace(event, number=self.number))
        return messages.line({**event, "number": self.number})


def _changes(before: SeenTable, seen: SeenTable) -> Iterator[dict[str, Any]]:
    """What differs from what was sent last, of the same match."""
    if _at_table(before) != _at_table(seen):
        yield {"kind": "table", "table": _table(seen)}
    then = _values(before)
    for kind, values in _values(seen).items():
        if then[kind] != values:
            yield {"kind": kind, **values}


def _at_table(seen: SeenTable) -> tuple[object, ...]:
    """What the snapshot of the table depends on."""
    return seen.match, seen.match_id, seen.names, seen.translate, seen.digits


def _values(seen: SeenTable) -> dict[str, dict[str, Any]]:
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


def _table(seen: SeenTable) -> TableSnapshot | None:
    return (
        None
        if seen.match is None
        else snapshot.table_snapshot(seen.match, seen.people(), seen.render, seen.match_id)
    )


def _newest(seen: SeenTable) -> tuple[snapshot.PublicStep, ...]:
    """The newest steps of the match that were not undone, the oldest first."""
    found, at = list[snapshot.PublicStep](), seen.match
    while at is not None and at.newest is not None and len(found) < messages.NEWEST_STEPS:
        found.append(snapshot.public_step(at.newest, at, seen.render))
        at = at.before
    return tuple(found[::-1])


def _health(seen: SeenTable) -> tuple[messages.PublicIssue, ...]:
    return tuple(
        messages.PublicIssue(
            issue.id,
            issue.part,
            issue.severity,
            sentence(issue.says, seen.render),
            sentence(issue.fix, seen.render),
            issue.link,
        )
        for issue in seen.issues
    )


def _event(event: Happening, render: Render) -> messages.TableEvent:
    match event:
        case StepStored(match_id, step, match):
            return messages.StepEvent(0, match_id, snapshot.public_step(step, match, render))
        case WasRefused():
            return messages.RefusedEvent(0, *_refusal(event, render))
        case SignalGiven(signal):
            return messages.SignalEvent(0, signal)
        case _:
            raise TypeError(f"{event!r} is for event client")


def _refusal(refused: WasRefused, render: Render) -> tuple[str | None, Localized, Localized]:
    return refused.rule or None, sentence(refused.fault, render), sentence(refused.fix, render)


def _answer(answered: ActAnswered, render: Render) -> messages.TableAnswer:
    refusal = (UNSET,) * 3 if answered.refused is None else _refusal(answered.refused, render)
    return messages.TableAnswer(
        answered.act.request.id, not answered.why, answered.steps, answered.why or UNSET, *refusal
    )
