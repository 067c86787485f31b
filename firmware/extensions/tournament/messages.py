"""What programs at the table's socket tell a table of a tournament, and what they are told of it."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta

from companion.core.codec import encode
from companion.core.codes import EVENING_BADGES
from companion.protocol.snapshot import Count, Payload
from companion.values import field
from firmware.play.extension import SocketAct
from hardware.ports import ExtensionMessage, Message


class SeatsGiven(ExtensionMessage, frozen=True):
    """Somebody who leads a tournament says who is to play here; None: the table is free again.

    `record` is an object as docs/table-socket.md has it, in which no value was checked yet.
    """

    IS_INPUT: ClassVar[bool] = True
    record: Mapping[str, Any] | None


class SeatOfAct(Payload):
    """A player, in the order of the seats."""

    badge: Annotated[int, Meta(ge=EVENING_BADGES[0], le=EVENING_BADGES[-1])]
    name: str


class HandsOfAct(Payload):
    """With what a table finds out whether a hand is the right one."""

    salt: str
    digests: tuple[tuple[str, ...], ...]


class SeatsOfAct(Payload):
    """Who is to play here, see docs/table-socket.md."""

    title: str
    round: Count
    table: Count
    game: str
    options: Mapping[str, Any]
    players: tuple[SeatOfAct, ...]
    elsewhere: Mapping[str, Count] = field(default_factory=dict)
    tournament: Count = 0
    hands: HandsOfAct | None = None


class GiveSeats(SocketAct, tag="seats"):
    """Who leads a tournament says who is to play here; None: the table is free again."""

    seats: SeatsOfAct | None

    def message(self, now_s: float) -> Message:
        """For the part of the table."""
        return SeatsGiven(None if self.seats is None else encode(self.seats))


class ResultNote(Payload):
    """The result of the match of the round; totals and badges are by seat."""

    match: str
    steps: Count
    round: Count
    totals: tuple[int, ...]
    badges: tuple[Count, ...]
    confirmed: tuple[Count, ...]


class RegisteredBadges(Payload):
    """The badges that were registered here, in their order."""

    tournament: Count
    badges: tuple[Count, ...]


ACTS: Final = (GiveSeats,)
STATE: Final[Mapping[str, Any]] = {"result": ResultNote | None, "registered": RegisteredBadges | None}
