"""Who watches a table: the game thread tells it what happens, and asks it about messages of its own.

All methods are called by the game thread, which waits for them. So they keep what they are told and return
at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from companion.match.match import Step
    from companion.text.sentence import Text
    from firmware.screens.parts.base import Page
    from hardware.ports import Message, Signal


class Observer(Protocol):
    """What is told of a table, in the order in which it happens."""

    def takes(self, message: Message) -> bool:
        """Whether a message is to be answered, asked just before; False drops it."""

    def answered(self, message: Message, *, counted: bool) -> None:
        """A message was answered. `counted` is False for a code that was just scanned, and for waking up."""

    def stepped(self, step: Step) -> None:
        """A step was stored, and is now part of the match in play."""

    def refused(self, rule: str, fault: Text, fix: Text) -> None:
        """Something was refused; `rule` is the key of the rule that forbids it, or empty."""

    def signalled(self, signal: Signal) -> None:
        """A signal was given, also where the sound is off."""

    def looked(self, page: Page, bits: bytes) -> None:
        """The page in front was drawn: its picture without the heartbeat, as `Canvas.bits` has it."""


class Nobody:
    """No observer."""

    def takes(self, message: Message) -> bool:
        """Every message is answered."""
        return True

    def answered(self, message: Message, *, counted: bool) -> None:
        """Nothing."""

    def stepped(self, step: Step) -> None:
        """Nothing."""

    def refused(self, rule: str, fault: Text, fix: Text) -> None:
        """Nothing."""

    def signalled(self, signal: Signal) -> None:
        """Nothing."""

    def looked(self, page: Page, bits: bytes) -> None:
        """Nothing."""
