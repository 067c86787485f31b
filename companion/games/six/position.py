"""What can lie on a table of 6 nimmt! at all: the JSON Schema of a position, and its faults in words."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from companion.games.six.box import ROW_LENGTH, ROWS, TURNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards import Card
    from companion.games.six.table import Table


def position_faults(
    table: Table, rows: Sequence[Sequence[Card]], turn: int, taken: Sequence[Sequence[Card]]
) -> list[str]:
    """Everything that is impossible about this table, in words; empty if it is possible."""
    faults: list[str] = []
    if len(rows) != ROWS:
        faults.append(f"there are {len(rows)} rows, not {ROWS}")
    if not 0 <= turn <= TURNS:
        faults.append(f"turn {turn} is not between 0 and {TURNS}")
    if taken and len(taken) != len(table.taken):
        faults.append(f"taken has {len(taken)} piles for {len(table.taken)} seats")
    for number, row in enumerate(rows, start=1):
        if not 1 <= len(row) <= ROW_LENGTH:
            faults.append(f"row {number} has {len(row)} cards, not 1 to {ROW_LENGTH}")
        for left, right in pairwise(row):
            if right <= left:
                faults.append(f"row {number} is not ascending: {right} comes after {left}")
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
            "turn": {"type": "integer"},
            "taken": {"type": "array", "items": cards},
        },
        "required": ["rows"],
        "additionalProperties": False,
    }
