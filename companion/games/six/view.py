"""How a table of 6 nimmt! looks to machines, on the display, and in the check that no card is lost."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from companion.core.board import Audit, Board, Stack
from companion.core.cards import Card, heads
from companion.core.game import Hides
from companion.games.six.box import ROW_LENGTH, TURNS
from companion.games.six.events import CardRegistered
from companion.games.six.explain import hint, line
from companion.text.sentence import BULL, Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.six.table import Table


HIDDEN_IN_EVENTS: Final[Mapping[str, Mapping[str, Hides]]] = {CardRegistered.KIND: {"held": Hides.ALL}}
"""What people may not see of events: the cards of hands that were scanned when they were dealt."""


def view(table: Table) -> dict[str, Any]:
    """Rows, taken and missing cards, turn and shown cards, as the protocol documents them."""
    return {
        "rows": [list(row) for row in table.rows],
        "taken": [list(pile) for pile in table.taken],
        "missing": table.missing,
        "turn": table.turn,
        "shown": [{"card": shown.card, "seat": shown.seat} for shown in table.shown],
    }


def board(table: Table) -> Board:
    """The rows, and what happened in the latest turn."""
    turn = min(TURNS, table.turn + 1)
    newest = tuple(line(placed) for placed in table.placed)
    placing = tuple(str(card) for card, _ in table.newest) if table.placing else ()
    return Board(_stacks(table.rows), turn, TURNS, hint(table), newest, revealed=True, placing=placing)


@lru_cache(maxsize=4)  # the same for every card of a turn
def _stacks(rows: tuple[tuple[Card, ...], ...]) -> tuple[Stack, ...]:
    return tuple(
        Stack(tuple(map(str, row)), ROW_LENGTH, heads(row), str(index + 1), str(index))
        for index, row in enumerate(rows)
    )


def audit(table: Table) -> Audit:
    """Cards in rows and piles against cards laid out and played; the heads if the whole deck is out."""
    on_table = [card for row in table.rows for card in row]
    taken = [card for pile in table.taken for card in pile]
    due = len(table.rows) + table.played
    away, left = heads(taken), heads(on_table)
    says = say("{taken}{bull} TAKEN+{table}{bull} LEFT", taken=away, table=left, bull=BULL)
    everything = heads(Card(card) for card in range(1, table.deck + 1))
    faults: tuple[Text, ...] = tuple(
        say("OWNER OF {card} NOT KNOWN", card=card) for card, _ in table.unclaimed
    )
    if due == table.deck and away + left != everything:
        faults += (say("the deck has {heads} bullheads", heads=everything),)
    return Audit(len(on_table) + len(taken), due, says, faults)
