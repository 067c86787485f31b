"""What a client may send, declared: a line is read as an act, or as a wish about the settings.

What is wrong with a line is told in English: who writes a client reads it, nobody at a table.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta
from msgspec.json import Decoder

from companion.core.codes import BADGES
from companion.protocol.snapshot import Payload
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import can_be_seen
from firmware.history.players import LONGEST
from firmware.play.acts import LONGEST_CODE, LONGEST_ID, Code, SocketAct
from hardware.ports import ChoiceMade, Key, KeyPressed, Message, NameTyped, Press, Scanned

LONGEST_LINE: Final = 16_384
"""Bytes of a line from a client, without its end."""

_JSON: Final = Decoder()  # unlike that of Python it takes no half characters, which could not be sent back


Typed = Annotated[
    str, Meta(pattern="^[ -~\u0660-\u0669\u06f0-\u06f9\u2212]+$(?!\n)", min_length=1, max_length=LONGEST_CODE)
]
"""What somebody types: the text of a code, or a number, in Arabic or Persian digits as well."""


class Scan(SocketAct, tag="scan"):
    """A code that the scanner reads."""

    code: Code

    def message(self, now_s: float) -> Message:
        return Scanned(self.code, now_s)


class TypeText(SocketAct, tag="type"):
    """What is typed on a keyboard at the table."""

    text: Typed

    def message(self, now_s: float) -> Message:
        return Scanned(self.text, now_s, typed=True)


class PressKey(SocketAct, tag="key"):
    """A key."""

    key: Key
    press: Press = Press.SHORT

    def message(self, now_s: float) -> Message:
        return KeyPressed(self.key, self.press, now_s)


class NameBadge(SocketAct, tag="name"):
    """A name for a badge; an empty one gives it back to the configuration."""

    badge: Annotated[int, Meta(ge=BADGES[0], le=BADGES[-1])]
    name: Annotated[str, Meta(max_length=LONGEST)]

    def message(self, now_s: float) -> Message:
        """The same from a page. Raises `InvalidRecord`."""
        if not can_be_seen(self.name) or (self.name.strip() and not any(map(str.isalpha, self.name))):
            fix = f"use up to {LONGEST} characters with a letter among them, or none"
            raise InvalidRecord(f"'name' is {quoted(self.name)}", fix)
        return NameTyped(self.badge, " ".join(self.name.split()))


class GiveAnswer(SocketAct, tag="answer"):
    """An answer to the open question: one of its choices."""

    choice: Code

    def message(self, now_s: float) -> Message:
        return ChoiceMade(self.choice)


ACTS: Final[tuple[type[SocketAct], ...]] = (Scan, TypeText, PressKey, NameBadge, GiveAnswer)
"""Every act of a table without optional parts."""


class LineHead(Payload):
    """What every line of a client has: its kind, and what the client calls the request, for the answer."""

    kind: Literal["act", "settings"]
    id: Annotated[str, Meta(max_length=LONGEST_ID)] = ""


class SettingsRequest(
    Payload, tag="settings", tag_field="kind", forbid_unknown_fields=True, rename={"new": "set"}
):
    """The wish to read the configuration, or to change it; see docs/table-socket.md.

    `new` has values by section and key, where None removes a key. `of` is that of the file as the client
    knows it. With `restart` the game is started again.
    """

    id: Annotated[str, Meta(max_length=LONGEST_ID)] = ""
    new: Mapping[str, Mapping[str, Any]] | None = None
    of: str = ""
    restart: bool = False


def name_of(act: type[SocketAct]) -> str:
    return str(act.__struct_config__.tag)


def read_line(line: bytes) -> Any:  # noqa: ANN401 - any JSON
    """What a line of a client says. Raises `InvalidRecord`."""
    try:
        return _JSON.decode(line)
    except (ValueError, RecursionError) as bad:
        raise InvalidRecord("this is not JSON", "send one object in one line") from bad


def act_of(record: Mapping[str, Any], acts: Iterable[type[SocketAct]]) -> type[SocketAct]:
    """Which act a record is. Raises `InvalidRecord`."""
    given, known = record.get("act"), {name_of(act): act for act in acts}
    if not isinstance(given, str) or given not in known:
        raise InvalidRecord(f"'act' is {quoted(given)}", str(did_you_mean(str(given), sorted(known))))
    return known[given]
