"""What the controller asks a kiosk for, if the box is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from firmware.screens.parts.base import VisitorAction
    from hardware.ports import Light, Message


class Kiosk(Protocol):
    """What takes the place of the table's own ways while strangers play: see `firmware.kiosk`."""

    @property
    def light(self) -> Light:
        """How bright the display is."""

    @property
    def counts_down(self) -> bool:
        """Whether seconds are counted on the display."""

    def takes(self, message: Message, now_s: float) -> bool:
        """Answer a message; False leaves it to the table."""

    def offers_languages(self, now_s: float) -> bool:
        """Show a visitor who holds two keys down the list of languages; False leaves it to the table."""

    def tick(self, now_s: float) -> None:
        """Let time pass."""

    def count(self, what: VisitorAction) -> None:
        """Count what a visitor has done."""

    def speak(self, language: str) -> None:
        """Say everything in a language until the next visitor comes."""

    def figures(self) -> dict[str, object]:
        """What the status says of it."""
