"""What the game thread hands over: the table at one moment, and what happened since the moment before.

All of it is frozen, or never changed once it is made, so any thread may read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.core.cards import Seat
from companion.values import Value, field
from firmware.history.players import badge_of, called

if TYPE_CHECKING:
    from companion.match.match import Match
    from companion.protocol.snapshot import Render
    from firmware.play.happenings import Happening
    from firmware.screens.parts.base import Change
    from firmware.service.health import Issue
    from firmware.text.translation import Translator
    from hardware.ports import Light


class Seen(Value):
    """The table as it was when the page in front was looked at.

    `names` are by badge, from badge 1. `page` is the name of the page, `bits` its picture without the
    heartbeat.
    """

    match: Match | None
    match_id: int | None
    names: tuple[str, ...]
    translate: Translator
    digits: str
    page: str
    goes_on: bool
    joined: tuple[int, ...] | None
    refusal: str
    notice: str
    light: Light
    bits: bytes
    issues: tuple[Issue, ...]
    changes: tuple[Change, ...] = ()
    """Whose points OK would change on the page in front."""
    parts: Mapping[str, Any] = field(default_factory=dict)
    """What optional parts tell, by name."""

    # Worked out by who asks: the game thread has cards to draw.

    def people(self) -> tuple[tuple[int, str], ...]:
        """Badge and name of each player, by seat."""
        if self.match is None:
            return ()
        terms, seats = self.match.terms, [Seat(seat) for seat in range(len(self.match.totals))]
        badges = [badge_of(terms, seat) for seat in seats]
        return tuple([(one, called(one, seat, self.names)) for one, seat in zip(badges, seats, strict=True)])

    @property
    def render(self) -> Render:
        """Gives a sentence in the language of the table; the display calls players by shorter names."""
        return self.translate.calling([name for _, name in self.people()]).say


class Handover(Value):
    """One look of the game thread. `number` counts them, so that a lost one is noticed."""

    number: int
    seen: Seen
    happened: tuple[Happening, ...]
