"""A table as it is at one moment, beside its match: what is open, what is said, whose card comes next."""

from collections.abc import Mapping
from typing import Final

from companion.match.match import Match
from companion.values import Value, field
from firmware.play.clocks import ChoiceClock, TurnClock
from firmware.play.page import AnyPage
from firmware.play.pages import Pages
from firmware.session.actions import Chord, Hold
from hardware.ports import Light

NOT_SCANNED: Final = ("", float("-inf"))

Moment = tuple[int | None, int]
"""A match and the number of a step: a step that is made after an undo has another number."""


class TableState(Value):
    """What is open, said and held at a table beside its match. It never changes: what is done replaces it.

    Seconds of the clock of the table.
    """

    now_s: float = 0.0
    active_s: float = 0.0
    """When somebody has done something for the last time."""
    light: Light = Light.FULL
    muted: bool = False

    pages: Pages = Pages()
    setup: AnyPage | None = None
    """The page that is shown while no match is in play; None is the start page."""
    notice: str = ""
    """The line over the page."""
    notice_until_s: float = 0.0
    refused: AnyPage | None = None
    """What the line is about, where it is a band: WHY opens it, OK takes the band away."""
    since: tuple[AnyPage | None, float] = (None, 0.0)
    """The page in front, and since when it is as it is."""
    seen: Mapping[Moment, frozenset[str]] = field(default_factory=dict)
    """Which results people have acknowledged. It is stored nowhere."""

    scanned: tuple[str, float] = NOT_SCANNED
    """The newest code, and when it was scanned."""
    turn: TurnClock = TurnClock()
    choice: ChoiceClock = ChoiceClock()
    early: tuple[int, AnyPage] | None = None
    """The step of the newest card that came right after a ruling, and the page for one too many."""
    chord: Chord = Chord()
    """The keys that are held down together to change the language."""
    hold: Hold = Hold()
    """The key that is held down to switch the machine off."""
    unstored: Match | None = None
    """The match in which something could not be stored: nothing is tried again there by itself."""
    kept: Mapping[type[Value], Value] = field(default_factory=dict)
    """What a kiosk, or an optional part, must know at the next action: each a value of its own class."""
