"""A table of 11 nimmt! to set up: its JSON Schema, defaults filled in, what is impossible about it."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Final

from companion.core.cards import Card, Seat, who
from companion.core.codec import json_schema
from companion.core.ruling import in_two_places, more_named_than_held, wrong_number_of_entries
from companion.games.eleven.legal import REACH, fits
from companion.games.eleven.options import BULLS, CARDS, NEW_PILES
from companion.games.eleven.records import Adopt, TableAdopted
from companion.games.eleven.table import ElevenTable
from companion.text.sentence import CardNumber, Text, say

MOST_PILES = 1_000
"""No pile has a higher number; a deal has a hundred cards."""
PILE_NUMBERS: Final = frozenset(map(str, range(MOST_PILES)))


def filled_in(table: ElevenTable, adopt: Adopt) -> TableAdopted:
    """The position with all its fields, possible or not."""
    piles = _piles(table, adopt)
    sizes, hands = _hands(table, adopt, piles)
    moves = table.moves if adopt.moves is None else adopt.moves
    deck = adopt.deck
    if deck is None:
        deck = max(0, CARDS - sum(sizes) - sum(map(len, piles.values())))
    following = max((int(name) + 1 for name in piles if name in PILE_NUMBERS), default=0)
    return TableAdopted(
        piles,
        hands,
        sizes,
        table.bulls if adopt.bulls is None else adopt.bulls,
        deck,
        _due(table, adopt, piles, deck),
        _turn(table, adopt),
        moves,
        max(following, table.next_pile) if adopt.next_pile is None else adopt.next_pile,
    )


def _piles(table: ElevenTable, adopt: Adopt) -> Mapping[str, tuple[Card, ...]]:
    """The piles as they are given, or those on the table with what lies on top of them."""
    if adopt.piles is not None:
        return adopt.piles
    if adopt.tops is None:
        return {str(pile.number): pile.cards for pile in table.piles}
    piles: dict[str, tuple[Card, ...]] = {}
    free = table.next_pile
    for cards in filter(None, adopt.tops):
        below = next(
            (one for one in table.piles if cards[0] in one.cards and str(one.number) not in piles), None
        )
        if below is None:
            piles[str(free)] = cards
            free += 1
        else:
            piles[str(below.number)] = (*below.cards[: below.cards.index(cards[0])], *cards)
    return piles


def _due(table: ElevenTable, adopt: Adopt, piles: Mapping[str, tuple[Card, ...]], deck: int) -> int:
    """How many cards are turned up next; if not given, one where there is no pile.

    Where the table stays but for its tops, those that were due stay due, but for the new piles.
    """
    if adopt.due is not None:
        return adopt.due
    if adopt.piles is None:
        known = {str(pile.number) for pile in table.piles}
        still = table.due - len(piles.keys() - known)
        if still > 0 or piles:
            return max(0, min(still, deck))
    return 1 if not piles and deck > 0 else 0


def _hands(
    table: ElevenTable, adopt: Adopt, piles: Mapping[str, tuple[Card, ...]]
) -> tuple[tuple[int, ...], tuple[tuple[Card, ...], ...]]:
    """Sizes and known cards; if neither is given, what is known stays, except for cards now on a pile."""
    lying = {card for cards in piles.values() for card in cards}
    hands = adopt.hands
    sizes = adopt.hand_sizes
    if hands is None:
        kept = (tuple(sorted(known - lying)) for known in table.known)
        hands = tuple(kept) if sizes is None else ((),) * len(table.sizes)
        return table.sizes if sizes is None else sizes, hands
    return tuple(map(len, hands)) if sizes is None else sizes, tuple(tuple(sorted(hand)) for hand in hands)


def _turn(table: ElevenTable, adopt: Adopt) -> Seat:
    """Whose turn it is; if not given, it follows from the number of moves."""
    if adopt.turn is not None:
        return adopt.turn
    if adopt.moves is None or table.turn not in table.players:
        return table.turn
    players = table.players
    return players[(players.index(table.turn) + adopt.moves - table.moves) % len(players)]


def position_faults(table: ElevenTable, adopt: Adopt, event: TableAdopted) -> list[Text]:
    """Everything that is impossible about this table, in words; empty if it is possible."""
    faults = _form(table, adopt) + _numbers(table, event)
    places: list[tuple[Text, tuple[Card, ...]]] = []
    for name, cards in event.piles.items():
        pile = str(int(name) + 1) if name in PILE_NUMBERS else repr(name[:20])
        places.append((say("in pile {pile}", pile=pile), cards))
        if not cards:
            faults.append(say("pile {pile} has no cards", pile=pile))
        faults += [
            say(
                "in pile {pile} card {upper} is not 1 to {reach} above {lower}",
                pile=pile,
                upper=upper,
                reach=REACH,
                lower=lower,
            )
            for lower, upper in pairwise(cards)
            if not fits(upper, lower)
        ]
    for seat, hand in enumerate(event.hands):
        places.append((say("in {player}'s hand", player=who(Seat(seat))), hand))
    return faults + _doubles(places)


def _form(table: ElevenTable, adopt: Adopt) -> list[Text]:
    """What is wrong with the lists and names as they were given."""
    seats = len(table.sizes)
    faults = [
        wrong_number_of_entries(name, len(given), seats)
        for name, given in (
            ("hands", adopt.hands),
            ("hand_sizes", adopt.hand_sizes),
            ("bulls", adopt.bulls),
        )
        if given is not None and len(given) != seats
    ]
    faults += [
        say("{name} is not a pile number", name=repr(name[:20]))
        for name in adopt.piles or ()
        if name not in PILE_NUMBERS
    ]
    if adopt.piles is not None and adopt.tops is not None:
        faults.append(say("'piles' and 'tops' are both given: one of them says what lies on the table"))
    if adopt.tops is not None and not all(adopt.tops):
        faults.append(say("a pile of 'tops' has no card"))
    return faults


def _doubles(places: Iterable[tuple[Text, tuple[Card, ...]]]) -> list[Text]:
    faults: list[Text] = []
    seen: dict[Card, Text] = {}
    for place, cards in places:
        for card in cards:
            if not 1 <= card <= CARDS:
                faults.append(
                    say(
                        "card {card} {place} is not one of 1 to {highest}",
                        card=card,
                        place=place,
                        highest=CardNumber(CARDS),
                    )
                )
            elif card in seen:
                faults.append(in_two_places(card, seen[card], place))
            else:
                seen[card] = place
    return faults


def _numbers_of_players(table: ElevenTable, event: TableAdopted) -> list[Text]:
    """What is wrong with the sizes of the hands and the numbers of bull cards."""
    faults: list[Text] = []
    # A list that was given too short or too long is named elsewhere: each entry is judged as far as it goes.
    seats = range(len(table.sizes))
    for seat, size in zip(seats, event.hand_sizes, strict=False):
        player = who(Seat(seat))
        if seat in table.players and size < 1:
            faults.append(say("{player} has no cards in hand", player=player))
        if seat not in table.players and size:
            faults.append(say("{player} is not playing, but has cards", player=player))
    for seat, size, hand in zip(seats, event.hand_sizes, event.hands, strict=False):
        if len(hand) > size:
            faults.append(more_named_than_held(who(Seat(seat)), size, len(hand)))
    for seat, bulls in zip(seats, event.bulls, strict=False):
        player = who(Seat(seat))
        if bulls < 0:
            faults.append(say("{player} has {number} bull cards", player=player, number=bulls))
        if seat not in table.players and bulls:
            faults.append(say("{player} is not playing, but has bull cards", player=player))
    return faults


def _numbers(table: ElevenTable, event: TableAdopted) -> list[Text]:
    faults = _numbers_of_players(table, event)
    if sum(event.bulls) > BULLS:
        faults.append(say("there are {number} bull cards, not {all}", number=sum(event.bulls), all=BULLS))
    if event.deck < 0:
        faults.append(say("the deck has {number} cards", number=event.deck))
    total = sum(event.hand_sizes) + sum(map(len, event.piles.values())) + event.deck
    if total > CARDS:
        faults.append(say("there are {number} cards, not {all}", number=total, all=CARDS))
    if not 0 <= event.due <= min(NEW_PILES, max(event.deck, 0)):
        faults.append(
            say("{number} cards cannot be turned up from a deck of {deck}", number=event.due, deck=event.deck)
        )
    if event.turn not in table.players:
        faults.append(say("it is {player}'s turn, but that player is not playing", player=who(event.turn)))
    if event.moves < 0:
        faults.append(say("the number of finished moves cannot be {number}", number=event.moves))
    highest = max((int(name) for name in event.piles if name in PILE_NUMBERS), default=-1)
    if not highest < event.next_pile <= MOST_PILES:
        faults.append(say("the next pile cannot be number {number}", number=event.next_pile))
    return faults


def position_schema() -> dict[str, Any]:
    """The JSON Schema of a position: the command `adopt` without its kind."""
    return json_schema(Adopt, tagged=False)
