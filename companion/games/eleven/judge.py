"""The rulings of 11 nimmt!: which commands are legal and what follows from them. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.cards import who
from companion.core.lifecycle import EndDeal, Join, Leave
from companion.core.ruling import Refused
from companion.games.eleven import rules
from companion.games.eleven.commands import (
    Adopt,
    BullFrom,
    Choose,
    Command,
    Correct,
    Done,
    ForgetHands,
    Hand,
    HandCard,
    Play,
    PlayCard,
    Register,
    Take,
    TurnUp,
)
from companion.games.eleven.corrections import adopt, correct, end_deal, join, leave
from companion.games.eleven.counting import count_hand, count_known_rest, see_card
from companion.games.eleven.follow_up import settle
from companion.games.eleven.moves import choose_pile, end_of_move, not_on_turn, play, play_card, turn_up
from companion.games.eleven.registering import forget, hands_first, register
from companion.games.eleven.taking import draw_bull, take_pile
from companion.text.sentence import say

if TYPE_CHECKING:
    from companion.core.ruling import Allowed
    from companion.games.eleven.events import Event
    from companion.games.eleven.options import Options
    from companion.games.eleven.table import Table


def judge(table: Table, command: Command, agreed: Options) -> Allowed[Event] | Refused:
    """The ruling on a command."""
    if table.over and not isinstance(command, Correct):
        return Refused(rules.OUT, say("the deal is over"), say("deal again, or undo"))
    match command:
        case Hand():
            return count_hand(table, command, agreed)
        case HandCard():
            return see_card(table, command, agreed)
        case Done() if table.counting:
            return count_known_rest(table, command, agreed)
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
            return _counts_hands(table) or _judge_move(table, command, agreed)


def _judge_move(table: Table, command: Command, agreed: Options) -> Allowed[Event] | Refused:
    """The ruling on a command of a move, or about a hand that is scanned."""
    match command:
        case Register():
            return register(table, command, agreed)
        case ForgetHands():
            return forget(table, agreed)
        case TurnUp():
            return hands_first(table, agreed) or turn_up(table, command, agreed)
        case Play():
            return play(table, command, agreed)
        case PlayCard():
            return play_card(table, command, agreed)
        case Choose():
            return choose_pile(table, command, agreed)
        case Done():
            return _done(table, command, agreed)
        case Take():
            return take_pile(table, command, agreed)
        case BullFrom():
            return draw_bull(table, command, agreed)
    raise TypeError(command)  # pragma: no cover - the orders beside the game are handled above


def _counts_hands(table: Table) -> Refused | None:
    seat = table.next_hand
    if seat is None:
        return None
    return Refused(
        rules.OUT,
        say("the deal is over, and the hands are being counted"),
        say("count {player}'s hand", player=who(seat)),
    )


def _done(table: Table, order: Done, agreed: Options) -> Allowed[Event] | Refused:
    if fault := not_on_turn(table, order.seat):
        return fault
    if not table.laid:
        return Refused(
            rules.ONE_ACTION,
            say("{player} has not played a card yet", player=who(table.turn)),
            say("play a card, or take a pile"),
        )
    return settle(table, end_of_move(table, table.turn, agreed), agreed)
