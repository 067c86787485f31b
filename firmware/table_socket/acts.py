"""What a client may send: a line is read as an act, or as the wish for a snapshot.

What is wrong with a line is told in English: who writes a client reads it, nobody at a table.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from companion.core.codes import BADGES
from companion.text.errors import did_you_mean, quoted
from companion.values import Value
from firmware.history.given_names import LONGEST
from hardware.ports import (
    ChoiceMade,
    Key,
    KeyPressed,
    NameTyped,
    Press,
    Scanned,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.play.extension import SocketAct
    from hardware.ports import Message

LONGEST_LINE: Final = 16_384
"""Bytes of a line from a client, without its end."""

KINDS: Final = ("act", "settings", "snapshot")
"""What a client may ask for."""

LONGEST_ID: Final = 40
LONGEST_CODE: Final = 100

REFUSED: Final = "refused"
CHANGED: Final = "changed"
REPEATED: Final = "repeated"
BUSY: Final = "busy"
NOT_ALLOWED: Final = "not allowed"
MALFORMED: Final = "malformed"
WHY: Final = (REFUSED, CHANGED, REPEATED, BUSY, NOT_ALLOWED, MALFORMED)
"""Why an act was not accepted."""

_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "scan": frozenset({"code"}),
    "type": frozenset({"text"}),
    "key": frozenset({"key", "press"}),
    "name": frozenset({"badge", "name"}),
    "answer": frozenset({"choice"}),
}
"""Every act of a table without optional parts, and what is said of it."""

_ALWAYS: Final = frozenset({"kind", "id", "act", "expect"})


class MalformedLine(ValueError):
    """A line that is no request: what is wrong with it, and what to send instead."""

    def __init__(self, fault: str, fix: str) -> None:
        super().__init__(f"{fault}: {fix}")
        self.fault = fault
        self.fix = fix


class Act(Value):
    """What a client does at the table: the message to post, and for whom the answer is.

    `step` and `page`: it counts only while this is the number of steps of the match, and this page is in
    front; None: whatever they are.
    """

    client: int
    id: str
    message: Message
    step: int | None = None
    page: str | None = None


def read_line(line: bytes) -> dict[str, Any]:
    """A line of a client as an object. Raises `MalformedLine`."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as bad:
        raise MalformedLine("this is not JSON", "send one object in one line") from bad
    if not isinstance(record, dict):
        raise MalformedLine(f"{quoted(record)} is not an object", "send one object in one line")
    if record.get("kind") not in KINDS:
        raise MalformedLine(f"'kind' is {quoted(record.get('kind'))}", f"use {', '.join(map(quoted, KINDS))}")
    return record


def id_of(record: Mapping[str, Any]) -> str:
    """The name that a client gives an act, for the answer. Raises `MalformedLine`."""
    given = record.get("id", "")
    if not isinstance(given, str) or len(given) > LONGEST_ID:
        raise MalformedLine(f"'id' is {quoted(given)}", f"use a text of up to {LONGEST_ID} characters")
    return given


def is_owned(record: Mapping[str, Any], parts: Mapping[str, SocketAct]) -> bool:
    """Whether only programs of the user of the game may do this act, and of root."""
    act = record.get("act")
    return isinstance(act, str) and act in parts and parts[act].owned


def read_act(record: Mapping[str, Any], client: int, now_s: float, parts: Mapping[str, SocketAct]) -> Act:
    """The act that a record stands for. Raises `MalformedLine`.

    `now_s` is the time of its message, `parts` are the acts that optional parts add.
    """
    act = record.get("act")
    if not isinstance(act, str) or (act not in _FIELDS and act not in parts):
        raise MalformedLine(
            f"'act' is {quoted(act)}", str(did_you_mean(str(act), sorted({*_FIELDS, *parts})))
        )
    known = _ALWAYS | (_FIELDS[act] if act in _FIELDS else {*parts[act].fields, *parts[act].optional})
    for field in record:
        if field not in known:
            fix = str(did_you_mean(field, sorted(known)))
            raise MalformedLine(f"{act!r} has an unknown field {quoted(field)}", fix)
    step, page = _expected(record.get("expect", {}))
    message = _MESSAGES[act](record, now_s) if act in _FIELDS else parts[act].read(record)
    return Act(client, id_of(record), message, step, page)


def _expected(expect: object) -> tuple[int | None, str | None]:
    if not isinstance(expect, dict) or expect.keys() - {"step", "page"}:
        raise MalformedLine(
            f"'expect' is {quoted(expect)}", 'use an object such as {"step": 31, "page": "home"}'
        )
    step, page = expect.get("step"), expect.get("page")
    if step is not None and type(step) is not int:
        raise MalformedLine(f"'step' is {quoted(step)}", "use the number of a step")
    if page is not None and not isinstance(page, str):
        raise MalformedLine(f"'page' is {quoted(page)}", "use the name of a page")
    return step, page


def read_code(record: Mapping[str, Any], field: str) -> str:
    """The text of a code, as a scanner would give it. Raises `MalformedLine`."""
    text = record.get(field)
    if isinstance(text, str) and text.isascii() and text.isprintable() and 0 < len(text) <= LONGEST_CODE:
        return text
    raise MalformedLine(f"{field!r} is {quoted(text)}", f"use 1 to {LONGEST_CODE} printable ASCII characters")


def _scan(record: Mapping[str, Any], now_s: float) -> Message:
    return Scanned(read_code(record, "code"), now_s)


def _type(record: Mapping[str, Any], now_s: float) -> Message:
    return Scanned(read_code(record, "text"), now_s, typed=True)


def _key(record: Mapping[str, Any], now_s: float) -> Message:
    key, press = record.get("key"), record.get("press", Press.SHORT.value)
    keys, presses = [one.value for one in Key], [one.value for one in Press]
    if key not in keys:
        raise MalformedLine(f"'key' is {quoted(key)}", str(did_you_mean(str(key), keys)))
    if press not in presses:
        raise MalformedLine(f"'press' is {quoted(press)}", str(did_you_mean(str(press), presses)))
    return KeyPressed(Key(key), Press(press), now_s)


def _name(record: Mapping[str, Any], now_s: float) -> Message:  # noqa: ARG001 - like the others
    badge, name = record.get("badge"), record.get("name")
    if type(badge) is not int or badge not in BADGES:
        raise MalformedLine(f"'badge' is {quoted(badge)}", f"use {BADGES[0]} to {BADGES[-1]}")
    if not isinstance(name, str) or not _is_name(name):
        fix = f"use up to {LONGEST} characters with a letter among them, or none"
        raise MalformedLine(f"'name' is {quoted(name)}", fix)
    return NameTyped(badge, " ".join(name.split()))


def _is_name(name: str) -> bool:
    seen = name.replace("\u200c", "")  # it parts two letters in Persian names, and cannot be seen
    return len(name) <= LONGEST and seen.isprintable() and (not name.strip() or any(map(str.isalpha, name)))


def _answer(record: Mapping[str, Any], now_s: float) -> Message:  # noqa: ARG001 - like the others
    return ChoiceMade(read_code(record, "choice"))


_MESSAGES: Final = {
    "scan": _scan,
    "type": _type,
    "key": _key,
    "name": _name,
    "answer": _answer,
}
