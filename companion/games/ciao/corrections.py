"""The orders beside the game: correcting a card, joining and leaving, setting a table up.

Nothing is changed here; the commands of normal play are in `judge`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.ciao import rules
from companion.games.ciao.box import DEALT, SEATS
from companion.games.ciao.cards import face
from companion.games.ciao.commands import Play
from companion.games.ciao.effects import lay
from companion.games.ciao.events import PlayReopened
from companion.games.ciao.explain import player, words
from companion.games.ciao.follow_up import EventBuilder
from companion.games.ciao.legal import not_held, not_playing
from companion.games.ciao.position import fill_in, position_faults
from companion.games.ciao.table import Stage
from companion.lifecycle import SeatJoined, SeatLeft
from companion.refusals import cannot_join, cannot_leave, impossible_position
from companion.ruling import Allowed, Because, Refused
from companion.text import say

if TYPE_CHECKING:
    from companion.cards import Seat
    from companion.games.ciao.commands import Adopt, Correct
    from companion.games.ciao.events import Event
    from companion.games.ciao.table import Table

MOST_FAULTS: Final = 100


def adopt(table: Table, order: Adopt) -> Allowed[Event] | Refused:
    """Take over the table as people say it is."""
    position = fill_in(table, order)
    faults = position_faults(table, position)
    fix = say("correct what is named, or leave it out")
    if fault := impossible_position(faults, rules.SET_UP, MOST_FAULTS, fix):
        return fault
    events = EventBuilder(table)
    events.add_reason(Because(rules.SET_UP, say("the table is set up as given")))
    events.add(position)
    empty = [seat for seat in table.players if not position.hand_sizes[seat]]
    if empty:
        events.win(empty[0])
    elif position.top and face(position.top) is None:
        # A joker without its symbol: its player is asked, as if it had just been played.
        events.ask(Stage.NAME, events.table.by)
    return events.allow()


def correct(table: Table, order: Correct) -> Allowed[Event] | Refused:
    """Replace the latest card by the one that was really played, and play that one.

    `before` is the table before the latest card, and is forgotten when somebody draws: from then on
    somebody has acted on the wrong card, and only an undo leads back.
    """
    if table.before is None or not table.discards:
        return Refused(
            rules.CORRECTED,
            say("no card can be corrected now: none was played since the last draw"),
            say("undo back to the card that was wrong"),
        )
    wrong = table.discards[-1]
    if len(order.remove) != 1 or len(order.add) != 1 or order.remove[0] not in (wrong, table.top):
        return Refused(
            rules.CORRECTED,
            say("only the latest card, {card}, can be corrected", card=words(wrong)),
            say("name {card} and the card that was really played", card=words(wrong)),
        )
    card, before, seat = order.add[0], table.before, table.by
    if fault := not_held(before, seat, card):
        return fault
    events = EventBuilder(table)
    said = say("{card} was played, not {wrong}", wrong=words(wrong), card=words(card))
    events.add(PlayReopened())
    events.add_reason(Because(rules.CORRECTED, said))
    again = lay(before, seat, Play(card, seat))
    if isinstance(again, Refused):
        return Refused(again.rule, again.fault, say("undo, and scan what was really played"))
    events.add(*again.events)
    return events.allow()


def leave(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """Let a player go."""
    if fault := not_playing(table, seat):
        return fault
    stay = say("end the deal instead, or start a new match")
    if fault := cannot_leave(table.players, SEATS[0], rules.PLAYERS, stay):
        return fault
    if not table.fresh:
        return Refused(
            rules.BETWEEN_DEALS,
            say("the deal has begun"),
            say("leave before the first card of the next deal, or end this deal"),
        )
    said = say("{player} leaves; the points are kept", player=player(seat))
    return Allowed((SeatLeft(seat),), (Because(rules.BETWEEN_DEALS, said),))


def join(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """Let a player come."""
    if fault := cannot_join(table.players, len(table.hands), SEATS[-1], seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        return Refused(
            rules.BETWEEN_DEALS,
            say("the deal has begun"),
            say("join before the first card of the next deal"),
        )
    if DEALT * (len(table.players) + 1) > table.agreed.size:
        return Refused(
            rules.DECK,
            say("the deck has only {cards} cards", cards=table.agreed.size),
            say("at most {players} can play with it", players=len(table.players)),
        )
    said = say("{player} joins", player=player(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.BETWEEN_DEALS, said),))


def end_deal(table: Table) -> Allowed[Event] | Refused:
    """End the deal now."""
    if table.stage not in (Stage.TURN, Stage.DRAWN, Stage.RACE):
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two cards"),
            say("answer the open question first"),
        )
    events = EventBuilder(table)
    events.stop()
    return events.allow()
