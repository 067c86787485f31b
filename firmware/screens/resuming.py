"""Matches that were put away before they were over, and how the table goes on with one of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion import games
from firmware.screens.listing import Menu
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.desk import Desk
    from firmware.journal import MatchEntry


def go_on(desk: Desk) -> None:
    """Go on with the match that was put away; with several of them, ask which, the newest first."""
    entries = desk.world.put_away()
    if not entries:
        desk.say(desk.world.words("NO MATCH WAS PUT AWAY"))
    elif len(entries) == 1:
        _take_up(entries[0].id, desk)
    else:
        items = tuple((_label(entry), partial(_take_up, entry.id)) for entry in entries)
        desk.open(Menu(desk.world.words("GO ON WITH WHICH?"), items))


def _label(entry: MatchEntry) -> str:
    """Number, game and how many play, in up to 18 columns."""
    game = games.module(str(entry.header["game"])).TITLE
    return f"#{entry.id} {game[:10]} ×{entry.header['seats']}"


def _take_up(match_id: int, desk: Desk) -> None:
    desk.world.take_up(match_id)
    desk.setup = None
    desk.home()
    desk.signal(Signal.ACCEPTED)
    desk.say(desk.world.words("MATCH {match} GOES ON", match=match_id))
