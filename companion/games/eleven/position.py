"""A table of 11 nimmt! to set up: its JSON Schema, defaults filled in, what is impossible about it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from companion.cards import Card, Seat, who
from companion.codec import json_schema
from companion.games.eleven.box import BULLS, CARDS, NEW_PILES
from companion.games.eleven.commands import Adopt
from companion.games.eleven.events import TableAdopted
from companion.games.eleven.legal import REACH, fits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.eleven.table import Table


MOST_PILES = 1_000
"""No pile has a higher number; a deal has a hundred cards."""
PILE_NUMBERS: Final = frozenset(map(str, range(MOST_PILES)))


def filled_in(table: Table, adopt: Adopt) -> TableAdopted:
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


def _piles(table: Table, adopt: Adopt) -> Mapping[str, tuple[Card, ...]]:
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


def _due(table: Table, adopt: Adopt, piles: Mapping[str, tuple[Card, ...]], deck: int) -> int:
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
    table: Table, adopt: Adopt, piles: Mapping[str, tuple[Card, ...]]
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


def _turn(table: Table, adopt: Adopt) -> Seat:
    """Whose turn it is; if not given, it follows from the number of moves."""
    if adopt.turn is not None:
        return adopt.turn
    if adopt.moves is None or table.turn not in table.players:
        return table.turn
    players = table.players
    return players[(players.index(table.turn) + adopt.moves - table.moves) % len(players)]


def position_faults(table: Table, adopt: Adopt, fact: TableAdopted) -> list[str]:
    """Everything that is impossible about this table, in words; empty if it is possible."""
    faults = _form(table, adopt) + _numbers(table, fact)
    places: dict[str, tuple[Card, ...]] = {}
    for name, cards in fact.piles.items():
        pile = f"pile {int(name) + 1 if name in PILE_NUMBERS else repr(name[:20])}"
        places[pile] = cards
        if not cards:
            faults.append(f"{pile} has no cards")
        faults += [
            f"in {pile} card {upper} is not 1 to {REACH} above {lower}"
            for lower, upper in pairwise(cards)
            if not fits(upper, lower)
        ]
    for seat, hand in enumerate(fact.hands):
        places[f"player {seat + 1}'s hand"] = hand
    return faults + _doubles(places)


def _form(table: Table, adopt: Adopt) -> list[str]:
    """What is wrong with the lists and names as they were given."""
    seats = len(table.sizes)
    faults = [
        f"{name!r} needs {seats} entries, one for each seat, but has {len(given)}"
        for name, given in (
            ("hands", adopt.hands),
            ("hand_sizes", adopt.hand_sizes),
            ("bulls", adopt.bulls),
        )
        if given is not None and len(given) != seats
    ]
    faults += [
        f"{name[:20]!r} is not a pile number" for name in adopt.piles or () if name not in PILE_NUMBERS
    ]
    if adopt.piles is not None and adopt.tops is not None:
        faults.append("'piles' and 'tops' are both given: one of them says what lies on the table")
    if adopt.tops is not None and not all(adopt.tops):
        faults.append("a pile of 'tops' has no card")
    return faults


def _doubles(places: Mapping[str, tuple[Card, ...]]) -> list[str]:
    faults: list[str] = []
    seen: dict[Card, str] = {}
    for place, cards in places.items():
        for card in cards:
            if not 1 <= card <= CARDS:
                faults.append(f"card {card} in {place} is not one of 1 to {CARDS}")
            elif card in seen:
                faults.append(f"card {card} is in {seen[card]} and in {place}")
            else:
                seen[card] = place
    return faults


def _numbers_of_players(table: Table, fact: TableAdopted) -> list[str]:
    """What is wrong with the sizes of the hands and the numbers of bull cards."""
    faults: list[str] = []
    # A list that was given too short or too long is named elsewhere: each entry is judged as far as it goes.
    seats = range(len(table.sizes))
    for seat, size in zip(seats, fact.hand_sizes, strict=False):
        player = who(Seat(seat))
        if seat in table.players and size < 1:
            faults.append(f"{player} has no cards in hand")
        if seat not in table.players and size:
            faults.append(f"{player} is not playing, but has cards")
    for seat, size, hand in zip(seats, fact.hand_sizes, fact.hands, strict=False):
        if len(hand) > size:
            player = who(Seat(seat))
            faults.append(f"the number of cards in {player}'s hand is {size}; {len(hand)} are named")
    for seat, bulls in zip(seats, fact.bulls, strict=False):
        player = who(Seat(seat))
        if bulls < 0:
            faults.append(f"{player} has {bulls} bull cards")
        if seat not in table.players and bulls:
            faults.append(f"{player} is not playing, but has bull cards")
    return faults


def _numbers(table: Table, fact: TableAdopted) -> list[str]:
    faults = _numbers_of_players(table, fact)
    if sum(fact.bulls) > BULLS:
        faults.append(f"there are {sum(fact.bulls)} bull cards, not {BULLS}")
    if fact.deck < 0:
        faults.append(f"the deck has {fact.deck} cards")
    total = sum(fact.hand_sizes) + sum(map(len, fact.piles.values())) + fact.deck
    if total > CARDS:
        faults.append(f"there are {total} cards, not {CARDS}")
    if not 0 <= fact.due <= min(NEW_PILES, max(fact.deck, 0)):
        faults.append(f"{fact.due} cards cannot be turned up from a deck of {fact.deck}")
    if fact.turn not in table.players:
        faults.append(f"it is player {fact.turn + 1}'s turn, but that player is not playing")
    if fact.moves < 0:
        faults.append(f"the number of finished moves cannot be {fact.moves}")
    highest = max((int(name) for name in fact.piles if name in PILE_NUMBERS), default=-1)
    if not highest < fact.next_pile <= MOST_PILES:
        faults.append(f"the next pile cannot be number {fact.next_pile}")
    return faults


def position_schema() -> dict[str, Any]:
    """The JSON Schema of a position: the command `adopt` without its kind."""
    schema = json_schema(Adopt)
    del schema["properties"]["kind"]
    return {**schema, "required": [name for name in schema["required"] if name != "kind"]}
