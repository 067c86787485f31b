"""The rulings of 11 nimmt!: which commands are legal and what follows from them. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import seat_number
from companion.games.eleven import rules
from companion.games.eleven.commands import (
    Adopt,
    BullFrom,
    Choose,
    Command,
    Correct,
    Done,
    Hand,
    HandCard,
    Play,
    PlayCard,
    Take,
    TurnUp,
)
from companion.games.eleven.corrections import adopt, correct, end_deal, join, leave
from companion.games.eleven.counting import card_seen, counted, rest_taken_as_known
from companion.games.eleven.following import allowed
from companion.games.eleven.laying import end_of_move
from companion.games.eleven.playing import chosen, not_on_turn, played, played_card, turned_up
from companion.games.eleven.taking import drew, took
from companion.lifecycle import EndDeal, Join, Leave
from companion.ruling import Refused
from companion.text import say

if TYPE_CHECKING:
    from companion.games.eleven.agreed import Agreed
    from companion.games.eleven.events import Event
    from companion.games.eleven.table import Table
    from companion.ruling import Allowed


def judge(table: Table, command: Command, agreed: Agreed) -> Allowed[Event] | Refused:
    """The ruling on a command."""
    if table.over:
        return Refused(rules.OUT, say("the deal is over"), say("deal again, or undo"))
    match command:
        case Hand():
            return counted(table, command, agreed)
        case HandCard():
            return card_seen(table, command, agreed)
        case Done() if table.counting:
            return rest_taken_as_known(table, command, agreed)
        case Adopt():
            return adopt(table, command, agreed)
        case Correct():
            return correct(table, command, agreed)
        case Leave(seat):
            return leave(table, seat, agreed)
        case Join(seat):
            return join(table, seat, agreed)
        case EndDeal():
            return end_deal(table, agreed)
        case _:
            return _counts_hands(table) or _moved(table, command, agreed)


def _moved(table: Table, command: Command, agreed: Agreed) -> Allowed[Event] | Refused:
    """The ruling on a command of a move."""
    match command:
        case TurnUp():
            return turned_up(table, command, agreed)
        case Play():
            return played(table, command, agreed)
        case PlayCard():
            return played_card(table, command, agreed)
        case Choose():
            return chosen(table, command, agreed)
        case Done():
            return _done(table, command, agreed)
        case Take():
            return took(table, command, agreed)
        case BullFrom():
            return drew(table, command, agreed)
    raise TypeError(command)  # pragma: no cover - the orders beside the game are handled above


def _counts_hands(table: Table) -> Refused | None:
    seat = table.next_hand
    if seat is None:
        return None
    return Refused(
        rules.OUT,
        say("the deal is over, and the hands are being counted"),
        say("count player {player}'s hand", player=seat_number(seat)),
    )


def _done(table: Table, order: Done, agreed: Agreed) -> Allowed[Event] | Refused:
    if fault := not_on_turn(table, order.seat):
        return fault
    if not table.laid:
        return Refused(
            rules.ONE_ACTION,
            say("player {player} has not played a card yet", player=seat_number(table.turn)),
            say("play a card, or take a pile"),
        )
    return allowed(table, end_of_move(table, table.turn, agreed), agreed)
