"""A table of 11 nimmt! to set up: its JSON Schema, defaults filled in, what is impossible about it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from companion.cards import Card, Seat, seat_number
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


def filled_in(table: Table, adopt: Adopt) -> TableAdopted | list[str]:
    """The position with all its fields, or what is wrong with their form."""
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
    numbers = {str(number) for number in range(MOST_PILES)}
    faults += [f"{name[:20]!r} is not a pile number" for name in adopt.piles if name not in numbers]
    if faults:
        return faults
    sizes, hands = _hands(table, adopt)
    moves = table.moves if adopt.moves is None else adopt.moves
    deck = adopt.deck
    if deck is None:
        deck = CARDS - sum(sizes) - sum(map(len, adopt.piles.values()))
    due = adopt.due
    if due is None:
        due = 1 if not adopt.piles and deck > 0 else 0
    following = max((int(name) + 1 for name in adopt.piles), default=0)
    return TableAdopted(
        adopt.piles,
        hands,
        sizes,
        table.bulls if adopt.bulls is None else adopt.bulls,
        deck,
        due,
        _turn(table, adopt),
        moves,
        max(following, table.next_pile) if adopt.next_pile is None else adopt.next_pile,
    )


def _hands(table: Table, adopt: Adopt) -> tuple[tuple[int, ...], tuple[tuple[Card, ...], ...]]:
    """Sizes and known cards; if neither is given, what is known stays, except for cards now on a pile."""
    lying = {card for cards in adopt.piles.values() for card in cards}
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


def position_faults(table: Table, fact: TableAdopted) -> list[str]:
    """Everything that is impossible about this table, in words; empty if it is possible."""
    faults = _numbers(table, fact)
    for name, cards in fact.piles.items():
        if not cards:
            faults.append(f"pile {int(name) + 1} has no cards")
        faults += [
            f"in pile {int(name) + 1} card {upper} is not 1 to {REACH} above {lower}"
            for lower, upper in pairwise(cards)
            if not fits(upper, lower)
        ]
    places = {f"pile {int(name) + 1}": cards for name, cards in fact.piles.items()}
    for seat, hand in enumerate(fact.hands):
        places[f"player {seat + 1}'s hand"] = hand
    return faults + _doubles(places)


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


def _numbers(table: Table, fact: TableAdopted) -> list[str]:
    faults: list[str] = []
    for seat, (size, hand, bulls) in enumerate(zip(fact.hand_sizes, fact.hands, fact.bulls, strict=True)):
        who = f"player {seat_number(Seat(seat))}"
        if seat in table.players and size < 1:
            faults.append(f"{who} has no cards in hand")
        if seat not in table.players and (size or bulls):
            faults.append(f"{who} is not playing, but has cards")
        if len(hand) > size:
            faults.append(f"the number of cards in {who}'s hand is {size}; {len(hand)} are named")
        if bulls < 0:
            faults.append(f"{who} has {bulls} bull cards")
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
    highest = max((int(name) for name in fact.piles), default=-1)
    if not highest < fact.next_pile <= MOST_PILES:
        faults.append(f"the next pile cannot be number {fact.next_pile}")
    return faults


def position_schema() -> dict[str, Any]:
    """The JSON Schema of a position: the command `adopt` without its kind."""
    schema = json_schema(Adopt)
    del schema["properties"]["kind"]
    return {**schema, "required": [name for name in schema["required"] if name != "kind"]}
