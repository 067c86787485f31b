"""What programs at the table's socket tell a table of a tournament, and what they are told of it."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta

from companion.core.codes import EVENING_BADGES
from companion.match.match import Terms
from companion.protocol.snapshot import Count, Payload
from companion.values import field
from firmware.play.acts import SocketAct


class Seated(Payload):
    """A player, in the order of the seats."""

    badge: Annotated[int, Meta(ge=EVENING_BADGES[0], le=EVENING_BADGES[-1])]
    name: str


class Seats(Payload):
    """Who is to play here, see docs/table-socket.md."""

    title: str
    round: Count
    table: Count
    game: str
    options: Mapping[str, Any]
    players: tuple[Seated, ...]
    """None if nobody plays here."""
    elsewhere: Mapping[str, Count] = field(default_factory=dict)
    """Badges that sit at another table, with its number."""
    tournament: Count = 0
    """While badges are registered, round 0: of which tournament."""
    seed: str = ""
    """Where all tables play the same deals, what they follow from; else empty."""

    @property
    def badges(self) -> tuple[int, ...]:
        return tuple(player.badge for player in self.players)

    def terms(self) -> Terms:
        """What is agreed for the match of this table."""
        return Terms(self.game, len(self.players), self.options, badges=self.badges)


class GiveSeats(SocketAct, tag="seats"):
    """Who leads a tournament says who is to play here; None: the table is free again."""

    IS_INPUT: ClassVar[bool] = True

    seats: Seats | None


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
