"""What an action at a table leads to beside the new table: stored first, then sounded, then told.

All of it is frozen, or never changed once it is made, so any thread may read it.
"""

from enum import Enum
from typing import Literal

from companion.match.match import Match, Step
from companion.text.sentence import Text
from companion.values import Value
from firmware.journal.writes import Write
from firmware.play.acts import SocketAct
from hardware.ports import Message, Signal


class Act(Value):
    """What a client does at the table: what it has sent, and the same as a message of a device."""

    client: int
    request: SocketAct
    message: Message


class StepStored(Value):
    """A step was stored and became part of a match, which is now `match`."""

    match_id: int | None
    step: Step
    match: Match


class WasRefused(Value):
    """Something was refused; `rule` is empty where no rule forbids it."""

    rule: str
    fault: Text
    fix: Text


class SignalGiven(Value):
    """A signal was given, also where the sound is off."""

    signal: Signal


class ActAnswered(Value):
    """An act was answered: the numbers of the steps it led to, or why it was not accepted."""

    act: Act
    steps: tuple[int, ...] = ()
    why: Literal["refused", "changed", "repeated"] | None = None
    refused: WasRefused | None = None


Happening = StepStored | WasRefused | SignalGiven | ActAnswered
"""What those who watch are told."""


class PlainEffect(Enum):
    """What has no facts of its own; the value says what happens."""

    SWITCH_OFF = "the machine is switched off"
    RESTART = "the machine is switched off and on again"
    IGNORED = "the message does not count: the same scan again, or a key that only woke the display"
    COUNTS_DUE = "what was counted is written"


class VisitorAction(Enum):
    """What visitors of a kiosk do, as it is counted; the value is the column of the counts."""

    VISITOR = "visitors"
    LESSON_BEGUN = "lessons_begun"
    LESSON_FINISHED = "lessons_finished"
    DEAL_BEGUN = "deals_begun"
    DEAL_FINISHED = "deals_finished"
    SCAN = "scans"
    BAD_SCAN = "bad_scans"
    STUCK_KEY = "stuck_keys"
    """Something holds a key down."""


class Counted(Value):
    """A visitor of a kiosk has done something that is counted."""

    what: VisitorAction


Effect = Write | StepStored | WasRefused | SignalGiven | PlainEffect | Counted
