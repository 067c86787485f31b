"""Commands outside normal play: correcting a move, joining and leaving, setting up a table.

Nothing is changed here; the commands of normal play are in `moves`, `taking` and `counting`.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final

from companion.cards import Card, Seat, seat_number
from companion.games.eleven import rules
from companion.games.eleven.box import CARDS, DEALT, SEATS
from companion.games.eleven.commands import PlayCard
from companion.games.eleven.events import (
    CardReplaced,
    DealStopped,
    Event,
    MoveReopened,
    SeatJoined,
    SeatLeft,
    TableAdopted,
)
from companion.games.eleven.follow_up import settle
from companion.games.eleven.hands import listed, not_in_deck
from companion.games.eleven.moves import end_of_move, play_card
from companion.games.eleven.position import filled_in, position_faults
from companion.games.eleven.table import Laid, Table, TurnedUp, apply
from companion.refusals import impossible_position
from companion.ruling import Allowed, Because, Refused
from companion.text import Text, say

if TYPE_CHECKING:
    from companion.games.eleven.commands import Adopt, Correct
    from companion.games.eleven.options import Options

FEWEST: Final = SEATS[0]
MOST_FAULTS: Final = 2 * CARDS


def adopt(table: Table, adopt: Adopt, agreed: Options) -> Allowed[Event] | Refused:
    """The table as it was set up."""
    fact = filled_in(table, adopt)
    faults = position_faults(table, fact) if isinstance(fact, TableAdopted) else fact
    if isinstance(fact, TableAdopted) and not faults:
        return settle(table, [fact], agreed)
    fix = say("give every pile from bottom to top and the number of cards in every hand")
    return impossible_position(faults, rules.AS_IT_LIES, MOST_FAULTS, fix) or settle(table, [], agreed)


def correct(table: Table, correct: Correct, agreed: Options) -> Allowed[Event] | Refused:
    """Other cards in the latest move: those turned up stay in place, those played go where they fit."""
    if fault := _cannot_correct(table, correct):
        return fault
    instead = dict(zip(correct.remove, correct.add, strict=True))
    piles = {one.card: one.pile for one in table.newest if isinstance(one, TurnedUp)}
    events: list[Event] = []
    after = table
    if piles.keys() & instead.keys():
        for wrong, card in instead.items():
            if fault := not_in_deck(after, card):
                return fault
            events.append(CardReplaced(piles[wrong], wrong, card))
            after = apply(after, events[-1])
        return settle(table, events, agreed, _said(correct))
    again = _play_again(table, instead, agreed)
    return again if isinstance(again, Refused) else settle(table, again, agreed, _said(correct))


def _play_again(table: Table, instead: dict[Card, Card], agreed: Options) -> list[Event] | Refused:
    """The latest move from its beginning with other cards; a move that was ended is ended again."""
    events: list[Event] = [MoveReopened()]
    after = apply(table, events[0])
    mover = after.turn
    for one in (happened for happened in table.newest if isinstance(happened, Laid)):
        order = PlayCard(instead.get(one.card, one.card), _same_pile(one, instead))
        step = play_card(after, order, agreed) if after.turn == mover and after.waiting is None else None
        if step is None:
            return Refused(
                rules.NO_PENALTY,
                say("the other cards of this move do not fit with {cards}", cards=listed(instead.values())),
                say("undo the move and play it again"),
            )
        if isinstance(step, Refused):
            return step
        events += step.events
        after = reduce(apply, step.events, after)
    if after.moving and after.waiting is None and not table.moving:
        events += end_of_move(after, mover, agreed)
    return events


def _same_pile(one: Laid, instead: dict[Card, Card]) -> int | None:
    """A card that stays keeps its pile; a new one goes where it fits."""
    return None if one.card in instead or one.top is None else one.pile


def _cannot_correct(table: Table, correct: Correct) -> Refused | None:
    laid = [one.card for one in table.newest if isinstance(one, Laid)]
    alone = [
        one.card
        for one in table.newest
        if isinstance(one, TurnedUp) and (pile := table.pile(one.pile)) and pile.cards == (one.card,)
    ]
    can = (laid if table.before is not None else []) or alone
    if table.counting or table.waiting is not None or table.taking is not None or not can:
        return Refused(
            rules.NO_PENALTY,
            say("no card of the latest move can be replaced now"),
            say("undo back to the card that was wrong"),
        )
    if not correct.remove or len(correct.remove) != len(correct.add):
        return Refused(
            rules.NO_PENALTY,
            say("every wrong card needs exactly one replacement"),
            say("name as many cards to add as to remove"),
        )
    for card in correct.remove:
        if card not in can or correct.remove.count(card) > 1:
            return Refused(
                rules.NO_PENALTY,
                say("card {card} was not played or turned up in the latest move", card=card),
                say("use one of {cards}", cards=listed(can)),
            )
    return None


def _said(correct: Correct) -> Because:
    says = say(
        "latest move corrected: {out} removed, {came} added",
        out=listed(correct.remove),
        came=listed(correct.add),
    )
    return Because(rules.NO_PENALTY, says)


def leave(table: Table, seat: Seat, agreed: Options) -> Allowed[Event] | Refused:
    """A player leaves."""
    if seat not in table.players:
        return Refused(
            rules.PLAYERS,
            say("player {player} is not playing", player=seat_number(seat)),
            say("choose one of the players {players}", players=_numbers(table.players)),
        )
    if fault := _deal_has_begun(table):
        return fault
    if len(table.players) <= FEWEST:
        return Refused(
            rules.PLAYERS,
            say("at least {fewest} players must stay", fewest=FEWEST),
            say("start a new match"),
        )
    turn = table.after(seat) if table.turn == seat else table.turn
    says = say("player {player} leaves; the points are kept", player=seat_number(seat))
    event = SeatLeft(seat, turn, table.deck + table.sizes[seat])
    return settle(table, [event], agreed, Because(rules.LEFT, says))


def join(table: Table, seat: Seat, agreed: Options) -> Allowed[Event] | Refused:
    """A player joins."""
    if seat in table.players:
        return Refused(
            rules.PLAYERS,
            say("player {player} is already playing", player=seat_number(seat)),
            say("continue"),
        )
    free = [Seat(one) for one in range(min(len(table.sizes) + 1, SEATS[-1])) if one not in table.players]
    if seat not in free:
        return Refused(
            rules.PLAYERS,
            say("there is no player {seat}", seat=seat + 1),
            say("use a free player number: {players}", players=_numbers(free))
            if free
            else say("all {most} seats are taken, so nobody can join", most=SEATS[-1]),
        )
    if fault := _deal_has_begun(table):
        return fault
    says = say("player {player} joins", player=seat_number(seat))
    event = SeatJoined(seat, DEALT, table.deck - DEALT)
    return settle(table, [event], agreed, Because(rules.PLAYERS, says))


def _numbers(seats: tuple[Seat, ...] | list[Seat]) -> str:
    return ", ".join(str(seat_number(seat)) for seat in seats)


def _deal_has_begun(table: Table) -> Refused | None:
    if table.untouched:
        return None
    fix: Text = say("join or leave before the first card of a deal is turned up")
    return Refused(rules.PLAYERS, say("the deal has begun"), fix)


def end_deal(table: Table, agreed: Options) -> Allowed[Event] | Refused:
    """The deal ends now."""
    if table.due or table.moving or table.counting:
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two moves"),
            say("finish or undo the move first"),
        )
    return settle(table, [DealStopped()], agreed)
