"""Commands outside normal play: correcting a turn, joining and leaving, setting up a table.

Nothing is changed here; the commands of normal play are in `judge`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards import HIGHEST, Seat, seat_number
from companion.games.six import rules
from companion.games.six.box import KNOWN_DECK_SEATS, SEATS
from companion.games.six.explain import refused
from companion.games.six.placing import (
    allowed,
    in_hand_of,
    not_free,
    not_playing,
    played_already,
    wrong_hand,
)
from companion.games.six.position import position_faults
from companion.games.six.table import ROWS, DealEnded, Event, OwnersSwapped, Table, TableAdopted, TurnReopened
from companion.lifecycle import SeatJoined, SeatLeft
from companion.ruling import Allowed, Because, Refused
from companion.text import Text, say

if TYPE_CHECKING:
    from companion.games.six.commands import (
        Adopt,
        Correct,
        Swap,
    )

FEWEST: Final = SEATS[0]
MOST_FAULTS: Final = 2 * HIGHEST


def adopted(table: Table, adopt: Adopt) -> Allowed[Event] | Refused:
    """The table as it was set up."""
    faults = position_faults(table, adopt.rows, adopt.turn, adopt.taken)
    if faults:
        return refused(
            rules.AS_IT_LIES,
            say("this table is not possible: {faults}", faults="; ".join(_first(faults))),
            say("give four rows of one to five ascending cards, each card only once"),
        )
    taken = adopt.taken or ((),) * len(table.taken)
    return Allowed((TableAdopted(adopt.rows, adopt.turn, taken),), ())


def _first(faults: list[str]) -> list[str]:
    """All faults that a real table can have; beyond that, only how many more there are."""
    more = len(faults) - MOST_FAULTS
    return faults if more <= 0 else [*faults[:MOST_FAULTS], f"and {more} more"]


def corrected(table: Table, correct: Correct) -> Allowed[Event] | Refused:
    """Other cards in the latest turn."""
    newest = table.newest
    if table.before is None or not newest:
        return refused(
            rules.NO_PENALTY,
            say("this deal has no turn that can be corrected"),
            say("undo back to the turn that was wrong"),
        )
    here = {card for card, _ in newest}
    for card in correct.remove:
        if card not in here:
            return refused(
                rules.NO_PENALTY,
                say("card {card} was not played in this turn", card=card),
                say("use one of {cards}", cards=", ".join(map(str, sorted(here)))),
            )
    keep = [(card, seat) for card, seat in newest if card not in correct.remove]
    start = table.before
    if len(keep) + len(correct.add) > len(start.players):
        return refused(
            rules.ONE_CARD_EACH,
            say(
                "{cards} cards for {players} players",
                cards=len(keep) + len(correct.add),
                players=len(start.players),
            ),
            say("remove one of the cards"),
        )
    cards, seats = [card for card, _ in keep], [seat for _, seat in keep]
    for card in correct.add:
        if fault := not_free(start, card):
            return fault
        if card in cards:
            return refused(
                rules.ONE_OF_EACH,
                say("card {card} is already in this turn", card=card),
                say("add the card that is missing"),
            )
        owner = in_hand_of(start, card)
        if start.hands is not None and owner is None:
            return wrong_hand(card, None, None)
        if owner is not None and owner in seats:
            return played_already(owner, cards[seats.index(owner)])
        cards.append(card)
        seats.append(owner)
    return allowed(
        table, [TurnReopened(tuple(cards), tuple(seats))], Because(rules.NO_PENALTY, _corrected(correct))
    )


def _corrected(correct: Correct) -> Text:
    return say(
        "latest turn corrected: {out} removed, {came} added",
        out=", ".join(map(str, correct.remove)) or say("nothing"),
        came=", ".join(map(str, correct.add)) or say("nothing"),
    )


def swapped(table: Table, swap: Swap) -> Allowed[Event] | Refused:
    """Two owners swapped."""
    if len(swap.seats) != 2 or swap.seats[0] == swap.seats[1]:  # noqa: PLR2004 - a swap is between two
        return refused(rules.OWNER, say("a swap needs two players"), say("name two different players"))
    for seat in swap.seats:
        if fault := not_playing(table, seat):
            return fault
    if table.hands is not None:
        return refused(
            rules.IN_HAND,
            say("after the open draft every owner is known"),
            say("undo the wrong card instead"),
        )
    if not any(owner in swap.seats for _, owner in table.newest):
        return refused(
            rules.OWNER,
            say("neither player owns a card of the latest turn"),
            say("only owners in the latest turn can be swapped; undo to change an earlier turn"),
        )
    one, other = map(seat_number, swap.seats)
    said = say("players {one} and {other} swap their cards of the latest turn", one=one, other=other)
    return Allowed((OwnersSwapped(swap.seats),), (Because(rules.OWNER, said),))


def left(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """A player leaves."""
    if fault := not_playing(table, seat):
        return fault
    if table.placing:
        return refused(
            rules.LEFT, say("the cards of this turn are being placed"), say("answer the open question first")
        )
    if len(table.players) <= FEWEST:
        return refused(
            rules.PLAYERS,
            say("at least {fewest} players must stay", fewest=FEWEST),
            say("end the deal instead, or start a new match"),
        )
    if table.hands is not None:
        return refused(
            rules.DRAFT,
            say("after the open draft, all players stay until the deal ends"),
            say("leave after this deal"),
        )
    if table.owner_in_turn(seat) is not None:
        return refused(
            rules.LEFT,
            say("player {player} has already played in this turn", player=seat_number(seat)),
            say("leave after this turn, or undo the card"),
        )
    said = say("player {player} leaves; the points are kept", player=seat_number(seat))
    return allowed(table, [SeatLeft(seat)], Because(rules.LEFT, said))


def joined(table: Table, seat: Seat, *, draft: bool) -> Allowed[Event] | Refused:
    """A player joins."""
    if seat in table.players:
        return refused(
            rules.PLAYERS,
            say("player {player} is already playing", player=seat_number(seat)),
            say("you can keep playing"),
        )
    free = [Seat(one) for one in range(min(len(table.taken) + 1, SEATS[-1])) if one not in table.players]
    if seat not in free:
        return refused(
            rules.PLAYERS,
            say("there is no player {seat}", seat=seat + 1),
            say(
                "use a free player number: {players}",
                players=", ".join(str(seat_number(one)) for one in free),
            )
            if free
            else say("all {most} seats are taken, so nobody can join", most=SEATS[-1]),
        )
    if table.deck != HIGHEST and len(table.players) >= KNOWN_DECK_SEATS[-1]:
        return refused(
            rules.PLAYERS, say("the known deck is for 2 to 6 players"), say("play with all 104 cards")
        )
    begun = table.turn or table.shown or (table.rows and table.deck != HIGHEST)
    if begun or (draft and table.hands is not None):
        return refused(
            rules.PLAYERS, say("the deal has begun"), say("join before the first turn of the next deal")
        )
    said = say("player {player} joins", player=seat_number(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def ended(table: Table) -> Allowed[Event] | Refused:
    """The deal ends now."""
    if len(table.rows) < ROWS or table.shown:
        return refused(
            rules.EARLY_END,
            say("a deal can only be ended between two turns"),
            say("finish or undo the turn first"),
        )
    said = say("the deal ends after turn {turn}; the heads taken so far count", turn=table.turn)
    return Allowed((DealEnded(),), (Because(rules.EARLY_END, said),))
