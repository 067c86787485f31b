"""How a count looks to machines, on the display, and to the checks. Nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.board import Audit, Board
from companion.games.scorekeeping.box import Left
from companion.games.scorekeeping.checks import faults
from companion.games.scorekeeping.explain import label, newest, sums
from companion.games.scorekeeping.options import Entry
from companion.text.sentence import NOTHING, count, say

if TYPE_CHECKING:
    from companion.games.scorekeeping.table import Table


def view(table: Table) -> dict[str, Any]:
    """Everything that is counted."""
    doubt = table.doubt
    return {
        "of": table.box.of,
        "open": list(table.seats_open),
        "sums": [one.points for one in table.counts],
        "piles": [list(one.pile) for one in table.counts],
        "rows": list(table.rows),
        "rows_sum": table.rows_sum,
        "loose": list(table.loose),
        "doubt": None if doubt is None else [doubt.card, doubt.other],
        "faults": list(table.faults),
        "missing": list(table.missing),
    }


def board(table: Table) -> Board:
    """What was counted last, and what the sums make so far."""
    loose = table.loose
    hint = NOTHING
    facts = [sums(table)]
    if loose:
        hint = count(
            "{count} CARD {points}", "{count} CARDS {points}", len(loose), points=table.box.points(loose)
        )
        last = say(
            "LAST {card} +{points}", card=label(table.box, loose[-1]), points=table.box.worth[loose[-1]]
        )
        facts.insert(0, last)
    return Board((), 1, 0, hint, newest(table), tuple(facts))


def audit(table: Table) -> Audit:
    """The checks, once everybody has a score and something is known of the rows."""
    seen = len(table.seen)
    ready = not table.seats_open and not table.loose and table.doubt is None
    # Whose cards are booked as they are taken has a score from the beginning, and all cards come late:
    # before the rows are there, or the deal is closed, every check would fail.
    if table.entry is Entry.TAKES and not table.rows_counted and not table.closed:
        ready = False
    found = faults(table) if ready else ()
    all_scanned = table.rows and all(one.points is None for one in table.counts)
    counts_cards = ready and all_scanned and table.box.left is Left.PILES
    due = table.box.due(len(table.players)) if counts_cards else seen
    return Audit(seen, due, sums(table), tuple(fault.says for fault in found))
