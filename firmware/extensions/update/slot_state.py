"""What there is to say about the slots of the card, and about a machine that has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.flashed.slots import SLOTS

if TYPE_CHECKING:
    from firmware.flashed.slots import Card


def state(card: Card) -> dict[str, Any]:
    """What there is to say about the slots, for people and programs. Raises `CompanionError`."""
    running = card.running
    if running is None:
        raise not_an_image()
    return {
        "running": running,
        "confirmed": card.confirmed,
        "on_trial": card.on_trial,
        "next_start_tries": card.tried,
        "versions": {slot: card.version(slot) for slot in SLOTS},
    }


def not_an_image() -> CompanionError:
    """The error of a machine that has no slots."""
    return CompanionError(
        say("this machine was not flashed as an image of nimmt-companion, so it has nothing to update"),
        say("install the newer package instead: sudo apt install ./nimmt-companion_*.deb"),
    )
