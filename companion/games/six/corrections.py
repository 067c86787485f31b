"""The orders beside the game: correcting a turn, joining and leaving, taking a table over.

Nothing is changed here; the commands of normal play are in `judge`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.cards import HIGHEST, Seat, who
from companion.core.lifecycle import SeatJoined, SeatLeft
from companion.core.refusals import cannot_join, cannot_leave, cannot_swap, impossible_position, not_playing
from companion.core.ruling import Allowed, Because, Refused
from companion.games.six import rules
from companion.games.six.box import KNOWN_DECK_SEATS, ROWS, SEATS
from companion.games.six.events import DealEnded, Event, OwnersSwapped, RowChosen, TurnReopened
from companion.games.six.follow_up import settle
from companion.games.six.hands import owner_of, possible_owners, wrong_hand
from companion.games.six.legal import not_free, played_already
from companion.games.six.position import filled_in, played_by, position_faults, too_few
from companion.text.sentence import Text, count, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.cards import Card
    from companion.games.six.commands import (
        Adopt,
        Correct,
    )
    from companion.games.six.events import TableAdopted
    from companion.games.six.table import Table

MOST_FAULTS: Final = 2 * HIGHEST


def adopt(table: Table, order: Adopt) -> Allowed[Event] | Refused:
    """Take over the table as people say it is."""
    fact = filled_in(table, order)
    faults = position_faults(table, order, fact)
    fix = say("give four rows of one to five ascending cards, each card only once")
    if too_few(table, order, fact):
        fix = say(
            "give four rows of one to five ascending cards, each card only once, and every card that was "
            "played; leave taken out, or say in missing how many are in nobody's pile"
        )
    if fault := impossible_position(faults, rules.TAKEN_OVER, MOST_FAULTS, fix):
        return fault
    return Allowed((fact,), tuple(Because(rules.TAKEN_OVER, says) for says in _kept(table, order, fact)))


def _kept(table: Table, order: Adopt, fact: TableAdopted) -> Iterator[Text]:
    """The finished turns, what stayed because it was left out, and what had to change with the rows."""
    yield count(
        "the table is set up after {count} finished turn",
        "the table is set up after {count} finished turns",
        fact.turn,
    )
    if order.taken is None:
        for seat, (before, now) in enumerate(zip(table.taken, fact.taken, strict=True)):
            player = who(Seat(seat))
            if now:
                yield count(
                    "{player} keeps {count} card taken in this deal",
                    "{player} keeps {count} cards taken in this deal",
                    len(now),
                    player=player,
                )
            if back := tuple(card for card in before if card not in now):
                yield say("{cards} in a row now: no longer counted for {player}", cards=back, player=player)
    here, played = sum(map(len, (*fact.rows, *fact.taken))), played_by(table, fact.turn)
    if here < played:
        yield say(
            "{here} of the {played} cards played are in rows and piles; nobody is charged for the others",
            here=here,
            played=played,
        )


def correct(table: Table, order: Correct) -> Allowed[Event] | Refused:
    """Replace cards of the newest turn, and place it again from its beginning."""
    newest = table.newest
    if table.before is None or not newest or table.ended:
        return Refused(
            rules.NO_PENALTY,
            say("this deal has no turn that can be corrected"),
            say("undo back to the turn that was wrong"),
        )
    here = {card for card, _ in newest}
    for card in order.remove:
        if card not in here:
            return Refused(
                rules.NO_PENALTY,
                say("card {card} was not played in this turn", card=card),
                say("use one of {cards}", cards=tuple(sorted(here))),
            )
    keep = [(card, seat) for card, seat in newest if card not in order.remove]
    start = table.before
    if len(keep) + len(order.add) > len(start.players):
        return Refused(
            rules.ONE_CARD_EACH,
            say(
                "{cards} cards for {players} players",
                cards=len(keep) + len(order.add),
                players=len(start.players),
            ),
            say("remove one of the cards"),
        )
    cards, seats = [card for card, _ in keep], [seat for _, seat in keep]
    for card in order.add:
        if fault := not_free(start, card):
            return fault
        if card in cards:
            return Refused(
                rules.ONE_OF_EACH,
                say("card {card} is already in this turn", card=card),
                say("add the card that is missing"),
            )
        owner = owner_of(start, card)
        free = [seat for seat in possible_owners(start) if seat not in seats]
        if start.hands is not None and owner is None and len(free) <= seats.count(None):
            return wrong_hand(card, None, None)
        if owner is not None and owner in seats:
            return played_already(owner, cards[seats.index(owner)])
        cards.append(card)
        seats.append(owner)
    events: list[Event] = [TurnReopened(tuple(cards), tuple(seats))]
    if len(cards) == len(start.players) and (chosen := _chosen_before(table)) is not None:
        card, row = chosen
        if card == min(cards):  # it fits nowhere still, and its player has called the row already
            events.append(RowChosen(card, row))
    return settle(table, events, Because(rules.NO_PENALTY, _said(order)))


def _chosen_before(table: Table) -> tuple[Card, int] | None:
    """The card of the newest turn that fitted nowhere and the row chosen for it, if one was."""
    if table.chosen is not None and table.shown:
        return table.lowest.card, table.chosen
    low = next((one for one in table.placed if one.rule == rules.LOWEST_CARD.key), None)
    return None if low is None else (low.card, low.row)


def _said(order: Correct) -> Text:
    return say(
        "latest turn corrected: {out} removed, {came} added",
        out=order.remove or say("nothing"),
        came=order.add or say("nothing"),
    )


def swap(table: Table, seats: tuple[Seat, ...]) -> Allowed[Event] | Refused:
    """Exchange two owners."""
    if fault := cannot_swap(table.players, seats, rules.OWNER, rules.PLAYERS):
        return fault
    if not table.whole.isdisjoint(seats):
        return Refused(
            rules.IN_HAND,
            say("the hands are known, and with them every owner"),
            say("undo the wrong card instead"),
        )
    if not any(owner in seats for _, owner in table.newest):
        return Refused(
            rules.OWNER,
            say("neither player owns a card of the latest turn"),
            say("only owners in the latest turn can be swapped; undo to change an earlier turn"),
        )
    one, other = map(who, seats)
    said = say("{one} and {other} swap their cards of the latest turn", one=one, other=other)
    free = say("a mistake in the latest turn is corrected without a penalty")
    return Allowed((OwnersSwapped(seats),), (Because(rules.OWNER, said), Because(rules.NO_PENALTY, free)))


def leave(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """Let a player go."""
    if fault := not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if table.placing:
        return Refused(
            rules.LEFT, say("the cards of this turn are being placed"), say("answer the open question first")
        )
    stay = say("end the deal instead, or start a new match")
    if fault := cannot_leave(table.players, SEATS[0], rules.PLAYERS, stay):
        return fault
    if table.hands is not None:
        return Refused(
            rules.DRAFT,
            say("after the open draft, all players stay until the deal ends"),
            say("leave after this deal"),
        )
    if table.owner_in_turn(seat) is not None:
        return Refused(
            rules.LEFT,
            say("{player} has already played in this turn", player=who(seat)),
            say("leave after this turn, or undo the card"),
        )
    said = say("{player} leaves; the points are kept", player=who(seat))
    return settle(table, [SeatLeft(seat)], Because(rules.LEFT, said))


def join(table: Table, seat: Seat, *, draft: bool) -> Allowed[Event] | Refused:
    """Let a player come."""
    if fault := cannot_join(table.players, len(table.taken), SEATS[-1], seat, rules.PLAYERS):
        return fault
    if table.deck != HIGHEST and len(table.players) >= KNOWN_DECK_SEATS[-1]:
        return Refused(
            rules.PLAYERS, say("the known deck is for 2 to 6 players"), say("play with all 104 cards")
        )
    begun = table.turn or table.shown or (table.rows and table.deck != HIGHEST)
    if begun or (draft and table.hands is not None):
        return Refused(
            rules.PLAYERS, say("the deal has begun"), say("join before the first turn of the next deal")
        )
    said = say("{player} joins", player=who(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def end_deal(table: Table) -> Allowed[Event] | Refused:
    """End the deal now."""
    if len(table.rows) < ROWS or table.shown:
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two turns"),
            say("finish or undo the turn first"),
        )
    said = say("the deal ends after turn {turn}; the heads taken so far count", turn=table.turn)
    return Allowed((DealEnded(),), (Because(rules.EARLY_END, said),))
