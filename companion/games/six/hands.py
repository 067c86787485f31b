"""Hands: the open draft, cards that were scanned when they were dealt, whose card it can be, what is refused.

Nothing is changed here.

Hands are known after the open draft, or where they were scanned when they were dealt. A hand that was scanned
stays hidden: no refusal names one of its cards, and nobody learns where a card is. A player whose whole hand
is known (`SixTable.whole`) plays its cards and no others.
"""

from companion.core.cards import TURNS, Card, Seat, clockwise, who
from companion.core.game import Dealing
from companion.core.ruling import Allowed, Refused, not_playing
from companion.games.six import rules
from companion.games.six.explain import where
from companion.games.six.options import DECK
from companion.games.six.records import CardRegistered, Event, HandsForgotten, Register
from companion.games.six.table import SixTable
from companion.text.sentence import say


def drafting(table: SixTable) -> bool:
    """Whether the open draft is in progress."""
    return table.agreed.draft and not table.rows and sum(map(len, table.hands)) < TURNS * len(table.players)


def next_picker(table: SixTable) -> Seat:
    """Whose turn it is in the open draft: clockwise from the first seat."""
    picked = sum(map(len, table.hands))
    return clockwise(table.players, table.first)[picked % len(table.players)]


def out_of_deck(table: SixTable, card: Card) -> Refused | None:
    """A refusal if the deck in use has no such card."""
    if 1 <= card <= table.deck:
        return None
    return Refused(
        rules.DECK,
        say("card {card} is not in the deck 1 to {deck}", card=card, deck=Card(table.deck)),
        say("put it back in the box and play a card up to {deck}", deck=Card(table.deck)),
    )


def not_free(table: SixTable, card: Card) -> Refused | None:
    """Why a card cannot come from a hand."""
    if fault := out_of_deck(table, card):
        return fault
    place = where(table, card)
    if place is None:
        return None
    return Refused(rules.ONE_OF_EACH, place, say("scan the card again, or undo the wrong one"))


def cannot_own(table: SixTable, seat: Seat) -> Refused | None:
    """Why a card of this turn cannot be a seat's: nobody plays there, or it has played another one."""
    if fault := not_playing(table.players, seat, rules.PLAYERS) or has_shown(table, seat):
        return fault
    if seat not in table.whole:
        return None
    return Refused(
        rules.IN_HAND,
        say("this card is not in {player}'s hand", player=who(seat)),
        say("name the player who played it"),
    )


def has_shown(table: SixTable, seat: Seat) -> Refused | None:
    """A refusal if that seat is known to have played in this turn."""
    card = table.owner_in_turn(seat)
    return None if card is None else played_already(seat, card)


def played_already(seat: Seat, card: Card) -> Refused:
    """The refusal of a second card of one seat."""
    return Refused(
        rules.ONE_CARD_EACH,
        say("{player} has already played {card} in this turn", player=who(seat), card=card),
        say("name a player who has not played, or undo {card}", card=card),
    )


def registering(table: SixTable) -> tuple[Seat, ...]:
    """The seats whose hands are to be scanned before the rows are laid out.

    The hand that has been begun comes first, then they follow clockwise.
    """
    if table.rows or table.unknown:
        return ()
    order = clockwise(table.players, table.first)
    open_ = [seat for seat in order if table.agreed.scanned(seat) and seat not in table.whole]
    hands = table.hands or (frozenset[Card](),) * len(table.taken)
    return tuple(sorted(open_, key=lambda seat: not hands[seat]))


def possible_owners(table: SixTable) -> tuple[Seat, ...]:
    """Who can own a card of this turn whose owner is not known."""
    return tuple([seat for seat in table.without_card if seat not in table.whole])


def nobody_left(table: SixTable, card: Card) -> bool:
    """Whether a card of this turn can be nobody's: all others have a card, named or not."""
    without_owner = sum(shown.seat is None for shown in table.shown)
    return in_hand_of(table, card) is None and len(possible_owners(table)) <= without_owner


def owner_of(table: SixTable, card: Card) -> Seat | None:
    """Whose card this must be: the one who holds it, or the only player who can own another one."""
    owner = in_hand_of(table, card)
    if owner is not None:
        return owner
    can = possible_owners(table)
    return can[0] if len(can) == 1 and table.whole else None


def in_hand_of(table: SixTable, card: Card) -> Seat | None:
    """Who is known to hold a card."""
    return next((Seat(seat) for seat, hand in enumerate(table.hands) if card in hand), None)


def wrong_hand(card: Card, seat: Seat | None, owner: Seat | None) -> Refused:
    """The refusal of a card that is not in the hand it should come from."""
    if owner is None:
        return Refused(
            rules.IN_HAND,
            say("card {card} is in nobody's hand", card=card),
            say("scan the card that was played"),
        )
    fault = say("card {card} is not in {player}'s hand", card=card, player=who(seat or Seat(0)))
    return Refused(rules.IN_HAND, fault, say("{player} picked it", player=who(owner)))


def register(table: SixTable, command: Register) -> Allowed[Event] | Refused:
    """Take a card into the hand that it was dealt to."""
    seat, card = command.seat, command.held
    if table.agreed.draft or table.rows:
        return Refused(
            rules.REGISTERED,
            say("a hand is scanned before the rows are laid out"),
            say("play on, or undo back to the deal"),
        )
    if fault := not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if seat in table.whole:
        return Refused(
            rules.REGISTERED,
            say("all cards of {player} are scanned", player=who(seat)),
            say("scan the cards of another player"),
        )
    if seat not in registering(table):
        return Refused(
            rules.REGISTERED,
            say("the hand of {player} is not scanned in this deal", player=who(seat)),
            say("play on"),
        )
    if not 1 <= card <= table.deck:
        return Refused(
            rules.DECK,
            say("this card is not in the deck 1 to {deck}", deck=Card(table.deck)),
            say("put it back in the box and take another card"),
        )
    if in_hand_of(table, card) is not None:
        # Neither the card nor its place is named: all at the table read this.
        return Refused(
            rules.REGISTERED, say("this card has been scanned already"), say("scan the next card of the hand")
        )
    return Allowed((CardRegistered(card, seat),), ())


def hands_first(table: SixTable) -> Refused | None:
    """A refusal of rows while hands are to be scanned."""
    if not registering(table):
        return None
    return Refused(
        rules.REGISTERED,
        say("a hand is scanned before the rows are laid out"),
        say("scan the next card of the hand"),
    )


def not_to_lay(table: SixTable, card: Card) -> Refused | None:
    """Why a card cannot start a row: it is in a hand. Whose that is, nobody learns."""
    if in_hand_of(table, card) is None:
        return None
    return Refused(
        rules.REGISTERED,
        say("this card has been scanned already"),
        say("scan the card again, or undo the wrong one"),
    )


def forget(table: SixTable) -> Allowed[Event] | Refused:
    """Know no hand any more in this deal."""
    if table.agreed.draft:
        return Refused(
            rules.DRAFT,
            say("after the open draft every owner is known"),
            say("undo the wrong card instead"),
        )
    if not table.hands and not registering(table):
        return Refused(rules.REGISTERED, say("no hand is known in this deal"), say("play on"))
    return Allowed((HandsForgotten(),), ())


def hand_of(table: SixTable, seat: Seat) -> tuple[str, ...]:
    """The cards that a seat can still play, if its hand is known: those that lie nowhere on the table."""
    hand = table.hands[seat] if seat < len(table.hands) else frozenset[Card]()
    lying = {*(card for row in table.rows for card in row), *(card for pile in table.taken for card in pile)}
    return tuple(str(card) for card in sorted(hand - lying))


def dealing(table: SixTable) -> Dealing:
    """Where the cards are; those of a turn may have come from any hand."""
    owners = [seat for _, seat in table.newest] if table.shown else []
    piles = (*table.rows, *table.taken, *(row for _, row in table.unclaimed))
    known = tuple(hand_of(table, Seat(at)) for at in range(len(table.taken)))
    left = TURNS - table.turn
    sizes = tuple(left - (seat in owners) if seat in table.players else 0 for seat in range(len(known)))
    return Dealing(
        DECK[: table.deck],
        tuple(str(card) for pile in (*piles, [one.card for one in table.shown]) for card in pile),
        tuple(map(len, known)) if drafting(table) else sizes,
        known,
        owners.count(None),
    )
