"""What can lie on a table of 6 nimmt! at all: the JSON Schema of a position, and its faults in words."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from companion.games.six.box import ROW_LENGTH, ROWS, TURNS
from companion.games.six.events import TableAdopted

if TYPE_CHECKING:
    from companion.cards import Card
    from companion.games.six.commands import Adopt
    from companion.games.six.table import Table


def filled_in(table: Table, order: Adopt) -> TableAdopted:
    """The whole position: what was left out stays as it is, as far as the rows allow it."""
    lying = {card for row in order.rows for card in row}
    taken = order.taken or ((),) * len(table.taken)
    if order.taken is None:
        taken = tuple(tuple(card for card in pile if card not in lying) for pile in table.taken)
    turn = order.turn
    if turn is None:
        played = sum(map(len, (*order.rows, *taken))) - ROWS
        turn = max(table.turn, min(TURNS, -(-played // len(table.players))))
    return TableAdopted(order.rows, turn, taken)


def played_by(table: Table, turn: int) -> int:
    """How many cards are in rows and piles after so many turns, if nobody came or left during the deal."""
    return ROWS + turn * len(table.players)


def position_faults(table: Table, fact: TableAdopted) -> list[str]:
    """Everything that is impossible about this table, in words; empty if it is possible.

    With fewer cards than were played the table is possible: nobody may know who took the others.
    """
    rows, turn, taken = fact.rows, fact.turn, fact.taken
    faults: list[str] = []
    if len(rows) != ROWS:
        faults.append(f"there are {len(rows)} rows, not {ROWS}")
    if not 0 <= turn <= TURNS:
        faults.append(f"turn {turn} is not between 0 and {TURNS}")
    if len(taken) != len(table.taken):
        faults.append(f"taken has {len(taken)} piles for {len(table.taken)} seats")
    for number, row in enumerate(rows, start=1):
        if not 1 <= len(row) <= ROW_LENGTH:
            faults.append(f"row {number} has {len(row)} cards, not 1 to {ROW_LENGTH}")
        for left, right in pairwise(row):
            if right <= left:
                faults.append(f"row {number} is not ascending: {right} comes after {left}")
    cards_here = sum(map(len, (*rows, *taken)))
    # Who has left since played in the turns before.
    most = ROWS + turn * len(table.taken)
    if 0 <= turn <= TURNS and cards_here > most:
        faults.append(
            f"after {turn} turns there are at most {most} cards in rows and piles, but these are {cards_here}"
        )
    seen: dict[Card, str] = {}
    places = [(f"row {number}", row) for number, row in enumerate(rows, start=1)]
    places += [(f"the pile of player {number}", pile) for number, pile in enumerate(taken, start=1)]
    for place, cards in places:
        for card in cards:
            if not 1 <= card <= table.deck:
                faults.append(f"card {card} in {place} is not in the deck 1 to {table.deck}")
            elif card in seen:
                faults.append(f"card {card} is in {seen[card]} and in {place}")
            else:
                seen[card] = place
    return faults


def position_schema() -> dict[str, Any]:
    """The JSON Schema of a position."""
    cards = {"type": "array", "items": {"type": "integer"}}
    return {
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": cards},
            "turn": {"type": ["integer", "null"]},
            "taken": {"anyOf": [{"type": "array", "items": cards}, {"type": "null"}]},
        },
        "required": ["rows"],
        "additionalProperties": False,
    }
