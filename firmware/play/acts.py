"""What programs may do at the table through its socket, beside what devices do; see docs/table-socket.md."""

from typing import Annotated, ClassVar, Final, Literal, dataclass_transform

from msgspec import Meta

from companion.values import Value
from hardware.ports import ExtensionMessage, Message

LONGEST_ID: Final = 40
LONGEST_CODE: Final = 100

# In Python "$" also matches before a last line end.
Code = Annotated[str, Meta(pattern="^[ -~]+$(?!\n)", min_length=1, max_length=LONGEST_CODE)]
"""The text of a code, as a scanner would give it."""


class Expect(Value, forbid_unknown_fields=True):
    """The moment that an act is meant for: so many steps in the match, this page in front; None: whatever."""

    step: Annotated[int, Meta(ge=0)] | None = None
    page: str | None = None


ANY_TIME: Final = Expect()


@dataclass_transform(frozen_default=True)
class SocketAct(ExtensionMessage, frozen=True, tag_field="act", forbid_unknown_fields=True, kw_only=True):
    """An act that programs may do through the table's socket; see docs/table-socket.md.

    One act derives from this class: `class RollDice(SocketAct, tag="roll")`, with its own fields. `id` is
    what the client calls it, for the answer; `sender` whom it acts for: of each only some acts may wait.
    """

    OWNED: ClassVar[bool] = False
    """Only programs of the user of the game may do it, and of root."""

    kind: Literal["act"]
    id: Annotated[str, Meta(max_length=LONGEST_ID)] = ""
    sender: Annotated[str, Meta(max_length=LONGEST_ID)] = ""
    expect: Expect = ANY_TIME

    def message(self, now_s: float) -> Message:
        """What is posted, as by a device, at `now_s`. In the thread of the server; raises `InvalidRecord`."""
        return self
