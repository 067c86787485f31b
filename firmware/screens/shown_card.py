"""A card that is shown to a page instead of being played: what it is called, or that it is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import UnknownCard
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.acts import CardAct
    from firmware.desk import Desk


def shown_card(act: CardAct, desk: Desk) -> str | None:
    """The name of a card of the game in play, as it lies on the table; None, and told, for any other."""
    match, t = desk.world.playing, desk.world.words
    if act.game and act.game != desk.world.code:
        desk.signal(Signal.REFUSED)
        desk.say(t("CARD OF ANOTHER GAME"))
        return None
    try:
        return match.game.card(match.position.table, act.card)
    except UnknownCard:
        desk.signal(Signal.REFUSED)
        desk.say(t("{card} IS NO CARD HERE", card=act.card[:4]))
        return None
