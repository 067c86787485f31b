"""A card that is scanned for a page instead of being played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.text.errors import UnknownCard
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.screens.parts.base import Controller
    from firmware.session.actions import CardAction


def read_card(action: CardAction, controller: Controller) -> str | None:
    """The name of a card of the game in play; None, with the reason shown, for any other code."""
    match, t = controller.session.playing, controller.session.translate
    if action.game and action.game != controller.session.code:
        controller.signal(Signal.REFUSED)
        controller.say(t("CARD OF ANOTHER GAME"))
        return None
    try:
        return match.game.card(match.position.table, action.card)
    except UnknownCard:
        controller.signal(Signal.REFUSED)
        controller.say(t("UNKNOWN CARD {card}", card=action.card[:4]))
        return None
