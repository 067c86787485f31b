"""Cards that took a row and of which nobody knows the owner: play goes on, and the owner is named later."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.game import PlaysOnWithoutOwner
from firmware.screens.parts.base import Controller, Item
from firmware.screens.parts.choice import Confirm
from firmware.screens.turn.corrections import PickPlayers

if TYPE_CHECKING:
    from companion.core.ask import Ask
    from companion.match.match import Match


def owners_missing(match: Match, table: object) -> bool:
    """Whether a table of this match has cards whose owner is not known."""
    return isinstance(match.game, PlaysOnWithoutOwner) and bool(match.game.unclaimed(table))


def not_verified(match: Match) -> bool:
    """Whether cards of the deal in progress or of a finished one that was not corrected were left out."""
    if not isinstance(match.game, PlaysOnWithoutOwner):
        return False
    if not match.position.over and match.game.unclaimed(match.position.table):
        return True
    deals = match.position.score_sheet.deals
    finished = ((points, match.finished(number)) for number, points in enumerate(deals, start=1))
    return any(
        table is not None and match.game.unclaimed(table) and match.game.points(table) == points
        for points, table in finished
    )


def ask_to_play_on(ask: Ask, controller: Controller) -> bool:
    """Ask whether to play on without an owner; False where the game cannot."""
    match, t = controller.session.playing, controller.session.translate
    if not isinstance(match.game, PlaysOnWithoutOwner):
        return False
    command = match.game.without_owner(ask.card)
    follows = t("NOBODY TAKES THE POINTS, AND THE DEAL IS NOT VERIFIED. YOU CAN NAME THE OWNER LATER: MENU.")
    controller.open(Confirm(t("NOBODY KNOWS?"), follows, t("NO OWNER"), lambda at: at.propose(command)))
    return True


def owner_items(controller: Controller) -> tuple[Item, ...]:
    """An item of the menu for each card whose owner can still be named."""
    match, t = controller.session.playing, controller.session.translate
    game = match.game
    if not isinstance(game, PlaysOnWithoutOwner):
        return ()
    tables = (match.position.table, match.position.finished)
    cards = next((found for table in tables if table is not None and (found := game.unclaimed(table))), ())
    return tuple((t("OWNER OF {card}", card=card), _asks_owner(card)) for card, _ in cards)


def _asks_owner(card: str) -> Callable[[Controller], None]:
    def named(badges: tuple[int, ...], at: Controller) -> None:
        seat = at.session.seat(badges[0])
        game = at.session.playing.game
        if seat is None:
            at.say(at.session.translate("NOT IN THIS MATCH"))
        elif isinstance(game, PlaysOnWithoutOwner):
            at.propose(game.claim(card, seat))

    def ask(controller: Controller) -> None:
        title = controller.session.translate("WHO PLAYED {card}?", card=card)
        controller.open(PickPlayers(title, named, 1))

    return ask
