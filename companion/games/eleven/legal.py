"""What may be played now, and which cards a hand can hold. Nothing is changed here.

The referee sees a hand only where a program plays: its cards are scanned when they are dealt, and no refusal
names one of them. Of the other hands it knows what was seen: a card that is on a pile or known to be in one
hand is in no other hand.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from companion.core.cards import Card, Seat, clockwise, who
from companion.core.game import Dealing
from companion.core.ruling import Allowed, Refused, not_playing
from companion.games.eleven import rules
from companion.games.eleven.options import CARDS, DEALT, DECK, BullPiles, Leader
from companion.games.eleven.records import CardRegistered, Event, HandsForgotten, Register
from companion.games.eleven.table import ElevenTable, Pile
from companion.text.sentence import CardNumber, Text, say

REACH: Final = 10
"""A card may be this much above the top of its pile (11 nimmt! rulebook, rule 2)."""


def above(card: Card, top: Card) -> int:
    """By how much a card is above another, counting on from 100 to 1: 0 to 99 (rulebook, rule 3)."""
    return (card - top) % CARDS


def is_lower(card: Card, top: Card) -> bool:
    """Whether a card that does not fit is refused because it is lower (rule 1), not because it is too high.

    On 91 to 100 low cards can follow (rule 3), so a low card is too high there: 7 is 11 above 96. What lies
    nearer below the top than above it stays lower: 90 on 96.
    """
    goes_round = top + REACH > CARDS
    return card < top and not (goes_round and above(card, top) <= CARDS // 2)


def fits(card: Card, top: Card) -> bool:
    """Whether a card may go on a top."""
    return 1 <= above(card, top) <= REACH


_ON: Final = {
    top: frozenset(Card((top + step - 1) % CARDS + 1) for step in range(1, REACH + 1))
    for top in range(1, CARDS + 1)
}
"""The cards that go on a top."""


def tops(piles: Iterable[Pile]) -> tuple[Card, ...]:
    """The top cards of piles: their names."""
    return tuple(pile.top for pile in piles)


@cache
def range_above(top: Card) -> Text:
    """The cards that go on a top, in up to 14 columns."""
    low, high = top % CARDS + 1, (top + REACH - 1) % CARDS + 1
    if low < high:
        return say("{low}-{high}", low=CardNumber(low), high=CardNumber(high))
    before = str(low) if low == CARDS else f"{low}-{CARDS}"
    behind = "1" if high == 1 else f"1-{high}"
    return say("{before}, {behind}", before=before, behind=behind)


def counts_of(table: ElevenTable) -> dict[int, int]:
    """How many cards were laid on each pile in the move in progress."""
    counts: dict[int, int] = {}
    for one in table.laid:
        counts[one.pile] = counts.get(one.pile, 0) + 1
    return counts


def permitted(table: ElevenTable, counts: Mapping[int, int], bulls: int) -> bool:
    """Whether a move may have this number of cards on these piles (11 nimmt! rulebook, Bull cards; H11-9)."""
    several = sum(number > 1 for number in counts.values())
    extra = 1 if table.agreed.bull_piles is BullPiles.ONE_MORE and bulls else 0
    return several <= bulls and len(counts) <= max(1, bulls + extra)


def with_one_more(table: ElevenTable) -> tuple[Pile, ...]:
    """The piles on which the move in progress may have one more card."""
    if not table.moving:
        return table.piles
    counts, bulls = counts_of(table), table.bulls[table.turn]
    return tuple(
        pile
        for pile in table.piles
        if permitted(table, {**counts, pile.number: counts.get(pile.number, 0) + 1}, bulls)
    )


def fitting(table: ElevenTable, card: Card) -> tuple[Pile, ...]:
    """The piles whose top before the move takes a card."""
    return tuple(pile for pile in table.piles if fits(card, table.top_before(pile)))


def open_to(table: ElevenTable, card: Card) -> tuple[Pile, ...]:
    """The piles on which a card may go in this move."""
    return tuple(pile for pile in with_one_more(table) if fits(card, table.top_before(pile)))


def opens_pile(table: ElevenTable) -> bool:
    """Whether the player whose turn it is opens a pile, because none is left (house rule H11-6)."""
    return not table.piles and not table.due


def may_lay(table: ElevenTable) -> bool:
    """Whether the seat whose turn it is may lay a card now, if it has one that fits.

    What is known of its hand does not matter: what is asked is seen by all, and must not tell them
    whether a hand has a card that fits.
    """
    if opens_pile(table):
        return not table.laid
    return bool(with_one_more(table))


def can_lay(table: ElevenTable) -> bool:
    """Whether the seat whose turn it is may have a card that it can lay now, by all that is known.

    A move with bull cards ends by itself where it has none.
    """
    hand = possible(table, table.turn)
    if opens_pile(table):
        return bool(hand) and not table.laid
    return any(not hand.isdisjoint(_ON[table.top_before(pile)]) for pile in with_one_more(table))


def givers(table: ElevenTable) -> tuple[Seat, ...]:
    """Who can give a bull card when the supply is empty (11 nimmt! rulebook, Taking a pile; H11-4)."""
    taker = table.turn
    others = [seat for seat in table.players if seat != taker]
    most = max(table.bulls[seat] for seat in others)
    leads_alone = table.bulls[taker] > most
    if not most or (leads_alone and table.agreed.leader is Leader.NOTHING):
        return ()
    return tuple(seat for seat in others if table.bulls[seat] == most)


def not_asked(seat: Seat | None, asked: Seat) -> Refused | None:
    """A refusal if the answer comes from a seat that is not asked."""
    if seat is None or seat == asked:
        return None
    return Refused(
        rules.PLAYERS,
        say("it is not {player}'s turn to answer", player=who(seat)),
        say("{player} must answer", player=who(asked)),
    )


ALL: Final = frozenset(Card(card) for card in range(1, CARDS + 1))


def unseen(table: ElevenTable) -> frozenset[Card]:
    """The cards that may be in the deck or in any hand."""
    return ALL.difference(*(pile.cards for pile in table.piles), *table.known)


def not_known(table: ElevenTable, seat: Seat) -> int:
    """How many cards of a hand are not known."""
    return table.sizes[seat] - len(table.known[seat])


def possible(table: ElevenTable, seat: Seat) -> frozenset[Card]:
    """The cards that a hand can hold."""
    known = table.known[seat]
    return known | unseen(table) if not_known(table, seat) > 0 else known


def whole(table: ElevenTable, seat: Seat) -> frozenset[Card] | None:
    """A hand, where all of it is known: because its cards were seen, or because all the others were."""
    open_places = not_known(table, seat)
    if open_places == 0:
        return table.known[seat]
    hidden = unseen(table)
    return table.known[seat] | hidden if len(hidden) == open_places else None


def no_card(card: Card) -> Refused | None:
    """A refusal if no such card exists."""
    if 1 <= card <= CARDS:
        return None
    return Refused(
        rules.ONE_OF_EACH,
        say("there is no card {card}", card=card),
        say("the cards are 1 to {highest}", highest=Card(CARDS)),
    )


def elsewhere(table: ElevenTable, card: Card, *, but: Seat | None = None) -> Refused | None:
    """A refusal if a card is on a pile, or known to be in the hand of a seat other than `but`.

    Only a top card is named with its pile. Of another card nobody may learn whether a pile or a hand
    has it, so the refusal is the same for both.
    """
    for pile in table.piles:
        if card == pile.top:
            return _is_there(say("card {card} lies on top of a pile", card=card))
    hands = (hand for seat, hand in enumerate(table.known) if seat != but)
    if not any(card in cards for cards in (*(pile.cards for pile in table.piles), *hands)):
        return None
    if but is None:
        return _is_there(say("card {card} is covered on a pile or in a hand", card=card))
    return _is_there(say("card {card} is covered on a pile or in another hand", card=card))


def _is_there(fault: Text) -> Refused:
    return Refused(rules.ONE_OF_EACH, fault, say("scan the card again, or undo the wrong one"))


def not_in_deck(table: ElevenTable, card: Card) -> Refused | None:
    """Why a card cannot come from the draw deck."""
    return no_card(card) or elsewhere(table, card)


def not_in_hand(table: ElevenTable, seat: Seat, card: Card) -> Refused | None:
    """Why a card cannot come from the hand of a seat. What else the hand holds is not told."""
    if fault := no_card(card) or elsewhere(table, card, but=seat):
        return fault
    if card in possible(table, seat):
        return None
    if not table.sizes[seat]:
        return Refused(
            rules.HANDS,
            say("{player} has no cards left", player=who(seat)),
            say("undo the wrong card"),
        )
    return Refused(
        rules.HANDS,
        say("card {card} is not in {player}'s hand", player=who(seat), card=card),
        say("scan the card again, or play another one"),
    )


def rest_is_known(table: ElevenTable, seat: Seat) -> bool:
    """Whether the scanned cards of a hand and the known ones are all of it."""
    return len(table.known[seat].union(table.seen)) == table.sizes[seat]


def dealing(table: ElevenTable) -> Dealing:
    out = tuple([str(card) for pile in table.piles for card in pile.cards])
    return Dealing(DECK, out, table.sizes, tuple([tuple(map(str, sorted(hand))) for hand in table.known]))


def registering(table: ElevenTable) -> tuple[Seat, ...]:
    """The seats whose hands are to be scanned before the first card is turned up.

    The hand that has been begun comes first, then they follow clockwise from who starts.
    """
    if not table.agreed.hands or not table.untouched or table.unscanned:
        return ()
    order = clockwise(table.players, table.turn)
    open_ = [seat for seat in order if seat in table.agreed.hands and not_known(table, seat)]
    return tuple(sorted(open_, key=lambda seat: not table.known[seat]))


def register(table: ElevenTable, command: Register) -> Allowed[Event] | Refused:
    """Take a card into the hand that it was dealt to."""
    seat, card = command.seat, command.held
    if not table.untouched:
        return Refused(
            rules.HANDS,
            say("a hand is scanned before the first card is turned up"),
            say("play on, or undo back to the deal"),
        )
    if fault := not_playing(table.players, seat, rules.PLAYERS) or no_card(card):
        return fault
    if len(table.known[seat]) >= DEALT:
        return Refused(
            rules.HANDS,
            say("all cards of {player} are scanned", player=who(seat)),
            say("scan the cards of another player"),
        )
    if seat not in registering(table):
        return Refused(
            rules.HANDS,
            say("the hand of {player} is not scanned in this deal", player=who(seat)),
            say("play on"),
        )
    if any(card in hand for hand in table.known):
        # Neither the card nor its place is named: all at the table read this.
        return Refused(
            rules.ONE_OF_EACH,
            say("this card has been scanned already"),
            say("scan the next card of the hand"),
        )
    return Allowed((CardRegistered(card, seat),), ())


def hands_first(table: ElevenTable) -> Refused | None:
    """A refusal of the first card while hands are to be scanned."""
    if not registering(table):
        return None
    return Refused(
        rules.HANDS,
        say("a hand is scanned before the first card is turned up"),
        say("scan the next card of the hand"),
    )


def forget(table: ElevenTable) -> Allowed[Event] | Refused:
    """Know nothing more of the hands that were scanned."""
    seats = tuple(seat for seat in table.players if seat in table.agreed.hands)
    if not seats or table.unscanned:
        return Refused(rules.HANDS, say("no hand is known in this deal"), say("play on"))
    return Allowed((HandsForgotten(seats),), ())


def decides(table: ElevenTable) -> bool:
    """Whether a player moves, or chooses a pile or who gives a bull card."""
    return not (table.counting or table.due or table.shown)


def hand_of(table: ElevenTable, seat: Seat) -> tuple[str, ...]:
    """The cards that a seat can still play, if all of them are known."""
    whole = seat in table.players and not not_known(table, seat)
    return tuple(map(str, sorted(table.known[seat]))) if whole else ()
