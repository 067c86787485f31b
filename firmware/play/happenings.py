"""What has happened at a table, told to those who watch it; and what a program beside the box does there.

All of it is frozen, or never changed once it is made, so any thread may read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.values import Value

if TYPE_CHECKING:
    from companion.match.match import Match, Step
    from companion.text.sentence import Text
    from firmware.play.extension import SocketAct
    from hardware.ports import Message, Signal


class Act(Value):
    """What a client does at the table: what it has sent, and the same as a message of a device."""

    client: int
    said: SocketAct
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
