"""Matches that were put away before they were over, and how the table goes on with one of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion import games
from firmware.screens.menu_page import Menu
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.journal.store import MatchEntry
    from firmware.play.controller import Controller


def resume_suspended(controller: Controller) -> None:
    """Go on with the match that was put away; with several of them, ask which, the newest first."""
    entries = controller.session.suspended()
    if not entries:
        controller.say(controller.session.translate("NO MATCH WAS PUT AWAY"))
    elif len(entries) == 1:
        _resume(entries[0].id, controller)
    else:
        items = tuple((_label(entry), partial(_resume, entry.id)) for entry in entries)
        controller.open(Menu(controller.session.translate("GO ON WITH WHICH?"), items))


def _label(entry: MatchEntry) -> str:
    """Number, game and how many play, in up to 18 columns."""
    game = games.module(str(entry.header["game"])).TITLE
    return f"#{entry.id} {game[:10]} ×{entry.header['seats']}"


def _resume(match_id: int, controller: Controller) -> None:
    controller.session.resume_match(match_id)
    controller.setup = None
    controller.home()
    controller.signal(Signal.ACCEPTED)
    controller.say(controller.session.translate("MATCH {match} GOES ON", match=match_id))
