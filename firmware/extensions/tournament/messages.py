"""What programs at the table's socket tell a table of a tournament, and what they are told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.core.codes import EVENING_BADGES
from companion.text.errors import quoted
from firmware.play.extension import SocketAct
from firmware.table_socket.acts import MalformedLine
from firmware.table_socket.forms import COUNT, NUMBER, OBJECT, STRING, list_of, object_of, or_null
from hardware.ports import ExtensionMessage

if TYPE_CHECKING:
    from collections.abc import Mapping


class SeatsGiven(ExtensionMessage, frozen=True):
    """Somebody who leads a tournament says who is to play here; None: the table is free again.

    `record` is an object as docs/table-socket.md has it, which is not checked yet.
    """

    IS_INPUT: ClassVar[bool] = True
    record: Mapping[str, Any] | None


def _read(record: Mapping[str, Any]) -> SeatsGiven:
    seats = record.get("seats")
    if seats is not None and not isinstance(seats, dict):
        raise MalformedLine(f"'seats' is {quoted(seats)}", "use an object, or null")
    return SeatsGiven(seats)


_BADGE: Final = {"type": "integer", "minimum": EVENING_BADGES[0], "maximum": EVENING_BADGES[-1]}
_SEATS: Final = object_of(
    {
        "title": STRING,
        "round": COUNT,
        "table": COUNT,
        "game": STRING,
        "options": OBJECT,
        "players": list_of(object_of({"badge": _BADGE, "name": STRING})),
    },
    {
        "elsewhere": {"type": "object", "additionalProperties": COUNT},
        "tournament": COUNT,
        "hands": or_null(object_of({"salt": STRING, "digests": list_of(list_of(STRING))})),
    },
)
_RESULT: Final = object_of(
    {
        "match": STRING,
        "steps": COUNT,
        "round": COUNT,
        "totals": list_of(NUMBER),
        "badges": list_of(COUNT),
        "confirmed": list_of(COUNT),
    }
)

ACTS: Final[Mapping[str, SocketAct]] = {"seats": SocketAct(_read, {"seats": or_null(_SEATS)})}

STATE: Final[Mapping[str, Mapping[str, Any]]] = {
    "result": or_null(_RESULT),
    "registered": or_null(object_of({"tournament": COUNT, "badges": list_of(COUNT)})),
}
