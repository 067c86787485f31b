"""A table as it is at one moment: its match, what is open, what is said, whose card comes next."""

from collections.abc import Mapping
from typing import Final, Protocol

from companion.core.game import RandomSource
from companion.match.match import Match
from companion.values import Value, field
from firmware.config.configuration import Config
from firmware.play.clocks import ChoiceClock, TurnClock
from firmware.play.extension import Extension, Kept, Kiosk
from firmware.play.flow import base_page
from firmware.play.pages import Pages
from firmware.screens.parts.base import Page, Part, StepResult
from firmware.screens.turn.refusal import EarlyCard
from firmware.session.actions import Chord, Hold
from firmware.session.session import Session
from firmware.session.state import SessionState
from hardware.ports import Light

NOT_SCANNED: Final = ("", float("-inf"))

Moment = tuple[int | None, int]
"""A match and the number of a step: a step that is made after an undo has another number."""


class Power(Protocol):
    """The switch of the machine: `firmware.service.power`. Both methods return at once and raise nothing.

    The machine ends the program with SIGTERM. If it refuses, a thread posts a `DeviceFault` of "power".
    """

    def off(self) -> None:
        """Switch off."""

    def restart(self) -> None:
        """Switch off and on again."""


class Equipment(Value):
    """What belongs to a table from its start to its end."""

    config: Config
    session: Session
    """Makes the sessions of its moments (`Session.at`)."""
    extensions: tuple[Extension, ...] = ()
    kiosk: Kiosk | None = None
    """What answers visitors where the box is a kiosk; None at an ordinary table."""
    chance: RandomSource | None = None
    """What deals cards where the box plays; None: by chance."""
    power: Power | None = None
    """The switch of the machine; None where this program may not use it."""


class Table(Value):
    """The state of a table. It never changes: what is done replaces it. Seconds of the controller's clock."""

    equipment: Equipment
    state: SessionState
    """The match, and what the journal has noted."""

    now_s: float = 0.0
    active_s: float = 0.0
    """When somebody has done something for the last time."""
    light: Light = Light.FULL
    muted: bool = False

    pages: Pages = Pages()
    setup: Page | None = None
    """The page that is shown while no match is in play; None is the start page."""
    notice: str = ""
    """The line over the page."""
    notice_until_s: float = 0.0
    since: tuple[Page, float] | None = None
    """The page in front that goes on by itself, and since when it is there."""
    ok_waits: tuple[Page, float] | None = None
    """The page in front, if its OK does nothing at first (`OK_WAITS_S`), and when it opened."""
    seen: Mapping[Moment, frozenset[str]] = field(default_factory=dict)
    """Which results people have acknowledged. It is stored nowhere."""

    scanned: tuple[str, float] = NOT_SCANNED
    """The newest code, and when it was scanned."""
    turn: TurnClock = TurnClock()
    choice: ChoiceClock = ChoiceClock()
    early: tuple[int, EarlyCard] | None = None
    """The newest card that came right after a ruling, with the number of its step."""
    chord: Chord = Chord()
    """The keys that are held down together to change the language."""
    hold: Hold = Hold()
    """The key that is held down to switch the machine off."""
    unstored: Match | None = None
    """The match in which something could not be stored: nothing is tried again there by itself."""
    kept: Mapping[type[Value], Value] = field(default_factory=dict)
    """What a kiosk, or an optional part, must know at the next action: each a value of its own class."""


class TableReader:
    """What can be read of a table (`ReadableTable`): `table`, and the `session` of its state."""

    table: Table
    session: Session

    @property
    def config(self) -> Config:
        return self.table.equipment.config

    @property
    def extensions(self) -> tuple[Extension, ...]:
        return self.table.equipment.extensions

    def extension(self, kind: type[Part]) -> Part:
        """The optional part of this class at this table. Raises `LookupError` where it is not installed."""
        for one in self.extensions:
            if isinstance(one, kind):
                return one
        raise LookupError(kind.__name__)

    @property
    def kiosk(self) -> Kiosk | None:
        return self.table.equipment.kiosk

    def kept(self, kind: type[Kept]) -> Kept:
        """What was kept of this class, or its defaults."""
        value = self.table.kept.get(kind)
        return value if isinstance(value, kind) else kind()

    @property
    def chance(self) -> RandomSource | None:
        return self.table.equipment.chance

    @property
    def can_switch_off(self) -> bool:
        return self.table.equipment.power is not None

    @property
    def now_s(self) -> float:
        return self.table.now_s

    @property
    def pages(self) -> Pages:
        return self.table.pages

    @property
    def setup(self) -> Page | None:
        return self.table.setup

    @property
    def notice(self) -> str:
        return self.table.notice

    @property
    def light(self) -> Light:
        return self.table.light

    @property
    def muted(self) -> bool:
        return self.table.muted

    @property
    def unstored(self) -> Match | None:
        return self.table.unstored

    @property
    def front(self) -> Page:
        return self.table.pages.front or self.base

    @property
    def covers_question(self) -> bool:
        """Whether the page in front lies over the one for the open question."""
        return bool(self.table.pages.opened)

    @property
    def base(self) -> Page:
        """The page of the open question, beneath all others; it is computed, and kept nowhere."""
        seen = [one for one in (StepResult.RULING, StepResult.DEAL) if self.has_seen(one)]
        page = base_page(self.session, seen, self.table.setup)
        for one in self.extensions:
            page = one.page(page, self)
        return page

    def has_seen(self, result: str) -> bool:
        """Whether players have acknowledged this result of the newest step.

        Of a match that was read back from the journal, all that people have played past counts as seen: else
        an UNDO would show an old ruling as if it were new.
        """
        past = self.moment[1] < self.session.played_past
        return past or result in self.table.seen.get(self.moment, ())

    @property
    def moment(self) -> Moment:
        """The match, and the number of its newest step."""
        match = self.session.match
        return self.session.match_id, match.newest.number if match is not None and match.newest else 0

    @property
    def counts_down(self) -> bool:
        """Whether the display changes within a second although nobody does anything."""
        counting = self.kiosk is not None and self.kiosk.counts_down(self.front)
        return bool(self.table.hold.held or self.table.chord.held or counting or self.front.stays_s)
