"""Where the cards of a turn go, from the lowest: the rules of the game. Nothing is changed here.

Two things are asked of people: which row the lowest card takes, and who played a card that takes cards.
"""

from collections.abc import Iterable

from companion.core import ruling
from companion.core.cards import ROW_LENGTH, Card, Seat, heads
from companion.core.ruling import Allowed, Because, Rule
from companion.games.six import rules
from companion.games.six.explain import why
from companion.games.six.hands import possible_owners
from companion.games.six.records import CardPlaced, Event
from companion.games.six.table import Row, SixTable, apply
from companion.values import Value


class NextCard(Value):
    """The card that is placed next, and what a rule says of it.

    `row` is None while its owner has to choose one; `seat` is None while nobody needs to know the owner.
    """

    card: Card
    seat: Seat | None
    row: int | None
    rule: Rule
    takes: Row

    def placed(self, owner: Seat | None) -> CardPlaced:
        """That it goes to its row; None: nobody knows the owner, and nobody is charged."""
        if self.row is None:
            raise ValueError(f"no row is chosen for {self.card}")
        return CardPlaced(self.card, owner, self.row, self.rule.key, self.takes, heads(self.takes))


def next_card(table: SixTable) -> NextCard | None:
    """The lowest card of the turn and where it goes; None while cards of the turn are missing."""
    if not table.placing:
        return None
    lowest = table.lowest
    card, seat = lowest.card, lowest.seat
    row = row_for(table.rows, card)
    if row is None:
        # Rule 4, the lowest card: its owner chooses a row, and takes it.
        takes = () if table.chosen is None else table.rows[table.chosen]
        return NextCard(card, seat, table.chosen, rules.LOWEST_CARD, takes)
    if len(table.rows[row]) < ROW_LENGTH:
        return NextCard(card, seat, row, rules.SMALLEST_GAP, ())
    # Rule 3, the sixth card: it takes the others.
    return NextCard(card, seat, row, rules.FULL_ROW, table.rows[row])


def row_for(rows: tuple[Row, ...], card: Card) -> int | None:
    """The row that rules 1 and 2 send a card to: of the ends below it the highest. None: all are above it."""
    best: int | None = None
    for index, row in enumerate(rows):
        if row[-1] < card and (best is None or row[-1] > rows[best][-1]):
            best = index
    return best


def settle(table: SixTable, events: Iterable[Event], said: Because | None = None) -> Allowed[Event]:
    """These events and the placements that follow, as far as they need nobody's answer."""
    return ruling.settle(table, events, apply=apply, follows=_next_placement, why=why, said=said)


def _next_placement(table: SixTable) -> CardPlaced | None:
    """The placement that is due, or None if nothing is, or somebody has to be asked first."""
    coming = next_card(table)
    if coming is None or coming.row is None:
        return None
    # A card that takes nothing goes to its row, no matter who played it: its owner is never asked.
    if not coming.takes or coming.seat is not None:
        return coming.placed(coming.seat)
    can = possible_owners(table)
    return coming.placed(can[0]) if len(can) == 1 else None  # all others have played another card


def decides(table: SixTable) -> bool:
    """Whether a card is played or a row is chosen."""
    if not table.rows or table.over:
        return False
    coming = next_card(table)
    return coming is None or coming.row is None
