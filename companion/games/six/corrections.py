"""The orders beside the game: putting a turn right, coming and going, taking a table over.

Nothing is changed here; the orders of play itself are in `judge`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards import HIGHEST, Seat, seat_number
from companion.games.six import rules
from companion.games.six.box import KNOWN_DECK_SEATS, SEATS
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


def adopt(table: Table, adopt: Adopt) -> Allowed[Event] | Refused:
    """The table as it lies."""
    faults = position_faults(table, adopt.rows, adopt.turn, adopt.taken)
    if faults:
        return Refused(
            rules.AS_IT_LIES,
            say("this cannot lie on a table: {faults}", faults="; ".join(_first(faults))),
            say("give four rows of one to five rising cards, every card once"),
        )
    taken = adopt.taken or ((),) * len(table.taken)
    return Allowed((TableAdopted(adopt.rows, adopt.turn, taken),), ())


def _first(faults: list[str]) -> list[str]:
    """All faults that a real table can have; of the nonsense beyond, how much more there is."""
    more = len(faults) - MOST_FAULTS
    return faults if more <= 0 else [*faults[:MOST_FAULTS], f"and {more} more"]


def correct(table: Table, correct: Correct) -> Allowed[Event] | Refused:
    """Other cards in the newest turn."""
    newest = table.newest
    if table.before is None or not newest:
        return Refused(
            rules.NO_PENALTY,
            say("no turn of this deal can be corrected"),
            say("undo back to the turn that was wrong"),
        )
    here = {card for card, _ in newest}
    for card in correct.remove:
        if card not in here:
            return Refused(
                rules.NO_PENALTY,
                say("card {card} was not played in this turn", card=card),
                say("use one of {cards}", cards=", ".join(map(str, sorted(here)))),
            )
    keep = [(card, seat) for card, seat in newest if card not in correct.remove]
    start = table.before
    if len(keep) + len(correct.add) > len(start.players):
        return Refused(
            rules.ONE_CARD_EACH,
            say(
                "{cards} cards for {players} players",
                cards=len(keep) + len(correct.add),
                players=len(start.players),
            ),
            say("take one of the cards back"),
        )
    cards, seats = [card for card, _ in keep], [seat for _, seat in keep]
    for card in correct.add:
        if fault := not_free(start, card):
            return fault
        if card in cards:
            return Refused(
                rules.ONE_OF_EACH,
                say("card {card} is in this turn already", card=card),
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
        "in the newest turn {out} went out and {came} came in",
        out=", ".join(map(str, correct.remove)) or say("nothing"),
        came=", ".join(map(str, correct.add)) or say("nothing"),
    )


def swap(table: Table, swap: Swap) -> Allowed[Event] | Refused:
    """Two owners exchanged."""
    if len(swap.seats) != 2 or swap.seats[0] == swap.seats[1]:  # noqa: PLR2004 - a swap is between two
        return Refused(rules.OWNER, say("a swap is between two players"), say("name two different players"))
    for seat in swap.seats:
        if fault := not_playing(table, seat):
            return fault
    if table.hands is not None:
        return Refused(
            rules.IN_HAND,
            say("after the open draft every owner is known"),
            say("undo the wrong card instead"),
        )
    if not any(owner in swap.seats for _, owner in table.newest):
        return Refused(
            rules.OWNER,
            say("neither player owns a card of the newest turn"),
            say("only owners of the newest turn can be swapped; undo for an earlier one"),
        )
    one, other = map(seat_number, swap.seats)
    said = say("players {one} and {other} exchange what they own in the newest turn", one=one, other=other)
    return Allowed((OwnersSwapped(swap.seats),), (Because(rules.OWNER, said),))


def leave(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    """A player goes."""
    if fault := not_playing(table, seat):
        return fault
    if table.placing:
        return Refused(rules.LEFT, say("the turn is being placed"), say("answer the open question first"))
    if len(table.players) <= FEWEST:
        return Refused(
            rules.PLAYERS,
            say("{fewest} players must stay", fewest=FEWEST),
            say("end the deal instead, or begin a new match"),
        )
    if table.hands is not None:
        return Refused(
            rules.DRAFT, say("after the open draft all stay for the deal"), say("leave after this deal")
        )
    if table.owner_in_turn(seat) is not None:
        return Refused(
            rules.LEFT,
            say("player {player} has played in this turn", player=seat_number(seat)),
            say("leave after this turn, or take the card back"),
        )
    said = say("player {player} leaves; the points stay noted", player=seat_number(seat))
    return allowed(table, [SeatLeft(seat)], Because(rules.LEFT, said))


def join(table: Table, seat: Seat, *, draft: bool) -> Allowed[Event] | Refused:
    """A player comes."""
    if seat in table.players:
        return Refused(
            rules.PLAYERS, say("player {player} plays already", player=seat_number(seat)), say("go on")
        )
    free = [Seat(one) for one in range(min(len(table.taken) + 1, SEATS[-1])) if one not in table.players]
    if seat not in free:
        return Refused(
            rules.PLAYERS,
            say("there is no seat {seat}", seat=seat + 1),
            say("use seat {players}", players=", ".join(str(seat_number(one)) for one in free))
            if free
            else say("all {most} seats are taken: go on", most=SEATS[-1]),
        )
    if table.deck != HIGHEST and len(table.players) >= KNOWN_DECK_SEATS[-1]:
        return Refused(
            rules.PLAYERS, say("the known deck is for 2 to 6 players"), say("play with all 104 cards")
        )
    begun = table.turn or table.shown or (table.rows and table.deck != HIGHEST)
    if begun or (draft and table.hands is not None):
        return Refused(
            rules.PLAYERS, say("the deal has begun"), say("join before the first turn of the next deal")
        )
    said = say("player {player} joins", player=seat_number(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def end_deal(table: Table) -> Allowed[Event] | Refused:
    """The deal stops here."""
    if len(table.rows) < ROWS or table.shown:
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two turns"),
            say("finish or take back the turn first"),
        )
    said = say("the deal ends after turn {turn}; the heads taken so far count", turn=table.turn)
    return Allowed((DealEnded(),), (Because(rules.EARLY_END, said),))
