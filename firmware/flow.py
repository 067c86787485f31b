"""Which page belongs to the state of the match; the page itself and its answers are in `screens`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.game import Verb
from firmware.screens.ending import DealEnd, MatchEnd
from firmware.screens.ruling import RulingList
from firmware.screens.start import Players, Start
from firmware.screens.table import Collecting, Deal, Home
from firmware.screens.taking import ChooseRow, WhoPlayed

if TYPE_CHECKING:
    from firmware.screens.base import Page
    from firmware.world import World


def resumed(world: World) -> Page | None:
    """The set-up page that was open when the device went off, with those who had joined."""
    joining = world.joining()
    return Players(games.first(), joining) if joining else None


def base(world: World, seen: set[tuple[str, int]], setup: Page | None) -> Page:
    """The page to show when nothing lies on top of it.

    `seen` holds what people have acknowledged, by the number of the step that led to it.
    """
    match = world.match
    if match is None:
        return setup or Start()
    newest = match.newest.number if match.newest else 0
    ask = match.asks[0] if match.asks else None
    position = match.position
    if position.finished is not None and (
        ask is None or (ask.verb in (Verb.LAY, Verb.PICK) and not ask.have)
    ):
        if match.game.board(position.finished).newest and ("ruling", newest) not in seen:
            return RulingList(position.finished)
        if ("deal", newest) not in seen:
            return DealEnd()
    if ask is None:
        return MatchEnd()
    match ask.verb:
        case Verb.LAY | Verb.PICK:
            return Deal(ask)
        case Verb.CHOOSE:
            return ChooseRow(ask)
        case Verb.CLAIM:
            return WhoPlayed(ask)
        case Verb.PLAY:
            if ask.have:
                return Collecting(ask)
            if match.game.board(position.table).newest and ("ruling", newest) not in seen:
                return RulingList(position.table)
            return Home(ask)
