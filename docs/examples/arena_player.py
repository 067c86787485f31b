"""A player of 6 nimmt! for `nimmt arena`: it takes the smallest step that costs nothing.

    nimmt arena normal easy "cmd:python3 docs/examples/arena_player.py"

The arena writes one JSON object on each line and waits for an answer to those with "ask". This program knows
nothing but what stands there; docs/robots.md describes every key.
"""

import json
import sys
from typing import Any

Row = list[int]

FULL = 5  # cards in a row that is full: the next one takes it
DEAREST = 55


def heads(card: int) -> int:
    """The bullheads on a card."""
    if card == DEAREST:
        return 7
    return 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


def cheapest(rows: list[Row]) -> int:
    """The row with the fewest bullheads."""
    return min(range(len(rows)), key=lambda index: sum(map(heads, rows[index])))


def cost_and_step(card: int, rows: list[Row]) -> tuple[int, int]:
    """What a card costs if nobody else plays; then its step above the end of its row, or the card."""
    below = [row for row in rows if row[-1] < card]
    if not below:
        return sum(map(heads, rows[cheapest(rows)])), card
    row = max(below, key=lambda row: row[-1])
    return (sum(map(heads, row)), card) if len(row) == FULL else (0, card - row[-1])


def answer(question: dict[str, Any]) -> dict[str, int]:
    """The answer to a question about a card or a row."""
    rows = question["rows"]
    if question["ask"] == "card":
        return {"card": min(question["hand"], key=lambda card: cost_and_step(card, rows))}
    return {"row": cheapest(rows)}


def main() -> None:
    """Answer until the arena closes the line."""
    for line in sys.stdin:
        message = json.loads(line)
        if "ask" in message:
            print(json.dumps({"id": message["id"], **answer(message)}), flush=True)
        elif "fault" in message:  # a move was lost: the arena says why
            print(message["fault"], file=sys.stderr)


if __name__ == "__main__":
    main()
