"""Taking a pile, and where its bull card comes from. Nothing is changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.cards import Seat, listed_players, who
from companion.core.ruling import Refused
from companion.games.eleven import rules
from companion.games.eleven.box import NEW_PILES, PILE_FOR_BULL
from companion.games.eleven.events import Event, PileChosen, PileTaken, TurnPassed
from companion.games.eleven.follow_up import settle
from companion.games.eleven.legal import givers, not_asked
from companion.games.eleven.moves import not_on_turn
from companion.games.eleven.table import Pile, Table, pile_name
from companion.text.sentence import say

if TYPE_CHECKING:
    from companion.core.ruling import Allowed
    from companion.games.eleven.commands import BullFrom, Take
    from companion.games.eleven.options import Options


def take_pile(table: Table, order: Take, agreed: Options) -> Allowed[Event] | Refused:
    """A pile goes to a hand, or waits until it is known who gives the bull card."""
    if fault := not_on_turn(table, order.seat):
        return fault
    if table.moving:
        return Refused(
            rules.ONE_ACTION,
            say("{player} has already played in this move", player=who(table.turn)),
            say("end the move, or undo the card"),
        )
    pile = table.pile(order.pile)
    if pile is None:
        there = ", ".join(pile_name(one.number) for one in table.piles)
        return Refused(
            rules.TAKING,
            say("there is no pile {pile}", pile=order.pile + 1),
            say("take one of the piles {piles}", piles=there) if there else say("open a pile with any card"),
        )
    wanted = _draws(table, pile, agreed)
    if order.bull_from is not None and order.bull_from not in wanted:
        return _wrong_giver(order.bull_from, wanted)
    if order.bull_from is None and len(wanted) > 1:
        return settle(table, [PileChosen(pile.number, table.turn)], agreed)
    giver = order.bull_from if order.bull_from is not None else (wanted[0] if wanted else None)
    return _taken(table, pile, giver, agreed)


def draw_bull(table: Table, order: BullFrom, agreed: Options) -> Allowed[Event] | Refused:
    """The bull card of a player, for a pile that waits for it."""
    pile = None if table.taking is None else table.pile(table.taking)
    if pile is None:
        return Refused(
            rules.SUPPLY,
            say("nobody has to give a bull card now"),
            say(
                "you choose a giver when a pile of three is taken, the supply is empty and several have most"
            ),
        )
    if fault := not_asked(order.seat, table.turn):
        return fault
    wanted = givers(table, agreed)
    if order.giver not in wanted:
        return _wrong_giver(order.giver, wanted)
    return _taken(table, pile, order.giver, agreed)


def _draws(table: Table, pile: Pile, agreed: Options) -> tuple[Seat, ...]:
    """The players of whom one gives a bull card; none where the supply does, or nobody."""
    if len(pile.cards) < PILE_FOR_BULL or table.supply > 0:
        return ()
    return givers(table, agreed)


def _wrong_giver(giver: Seat, wanted: tuple[Seat, ...]) -> Refused:
    return Refused(
        rules.SUPPLY,
        say("{player} does not give a bull card", player=who(giver)),
        say("name one of the {players}", players=listed_players(wanted))
        if wanted
        else say("take the pile without naming a player"),
    )


def _taken(table: Table, pile: Pile, giver: Seat | None, agreed: Options) -> Allowed[Event]:
    bull = len(pile.cards) >= PILE_FOR_BULL and (table.supply > 0 or giver is not None)
    due = min(NEW_PILES, table.deck)  # a short deck gives what it has (H11-5)
    taken = PileTaken(pile.number, table.turn, pile.cards, bull, giver, due)
    return settle(table, [taken, TurnPassed(table.after(table.turn))], agreed)
