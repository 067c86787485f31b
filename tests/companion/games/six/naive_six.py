"""A second referee for 6 nimmt!, as short and plain as the rulebook, to compare the real one with."""

from dataclasses import dataclass

FULL = 5


@dataclass(frozen=True)
class Went:
    """What became of a card: the row (from 0), the rule of the rulebook (2, 3 or 4) and what it took."""

    card: int
    row: int
    rule: int
    takes: tuple[int, ...]


def heads(card: int) -> int:
    """6 nimmt! rulebook, Bullheads = minus points, as a table of exceptions."""
    if card == 55:
        return 7
    return next((worth for step, worth in ((11, 5), (10, 3), (5, 2)) if card % step == 0), 1)


def place(rows: list[list[int]], cards: list[int], choice: int) -> tuple[list[list[int]], list[Went]]:
    """The rows after a turn and what became of each card; who fits nowhere takes the row `choice`."""
    rows = [list(row) for row in rows]
    log = []
    for card in sorted(cards):
        gaps = {card - row[-1]: number for number, row in enumerate(rows) if row[-1] < card}
        number = gaps[min(gaps)] if gaps else choice
        takes = rows[number] if not gaps or len(rows[number]) == FULL else []
        rows[number] = [card] if takes else [*rows[number], card]
        log.append(Went(card, number, 2 if not takes else 3 if gaps else 4, tuple(takes)))
    return rows, log
