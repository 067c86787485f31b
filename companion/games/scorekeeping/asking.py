"""What is asked while a deal is counted: whose scores are open, which cards, and whether it is all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.ask import Ask, AskKind, Wait
from companion.games.scorekeeping.checks import due_points, faults
from companion.games.scorekeeping.options import Left
from companion.games.scorekeeping.table import Entry, Table
from companion.text import Text, say

if TYPE_CHECKING:
    from companion.games.scorekeeping.table import Doubt


def asks(table: Table) -> tuple[Ask, ...]:
    """The open questions, the one that people are shown first."""
    if table.closed:
        return ()
    if table.doubt is not None:
        return (_which(table, table.doubt),)
    if table.entry is Entry.TAKES:
        return _as_taken(table)
    if table.seats_open:
        return _values(table)
    return _to_close(table)


def _which(table: Table, doubt: Doubt) -> Ask:
    seats = table.players if doubt.seat is None else (doubt.seat,)
    pair = (doubt.card, doubt.other)
    labels = tuple(say("{card}", card=card) for card in pair)
    says = say("{card} OR {other}?", card=doubt.card, other=doubt.other)
    return Ask(AskKind.DECIDE, seats, Wait.ANY, says, pair, labels, card=doubt.card)


def _values(table: Table) -> tuple[Ask, ...]:
    """Scores are open: sums are typed in any order, or one pile after the other is scanned."""
    seats = table.seats_open
    if table.entry is Entry.TYPED:
        hand = Ask(AskKind.HAND, seats, Wait.ALL, _typing(table))
        more = table.box.left is Left.PILES and len(table.seen) < len(table.deck)
        return (hand, _rows(table)) if more else (hand,)
    piles = table.box.left is Left.PILES
    says = say("SCAN ONE PILE") if piles else say("SCAN ONE HAND")
    whose = say("WHOSE PILE IS IT?") if piles else say("WHOSE HAND IS IT?")
    return (
        Ask(AskKind.HAND, seats, Wait.ALL, says, have=table.loose),
        Ask(AskKind.CLAIM, seats, Wait.ONE, whose, tuple(map(str, seats))),
        Ask(AskKind.DONE, seats, Wait.ANY, say("IS THAT ALL OF IT?"), ("pile",), (say("THAT IS ALL"),)),
    )


def _typing(table: Table) -> Text:
    """In a deck that is wholly in play the last score is known beforehand."""
    due = due_points(table)
    if due is None or due < 0 or len(table.seats_open) > 1 or not table.rows_counted:
        return say("TYPE SUMS")
    total = table.box.points(table.deck)
    return say("NEED {total}: LAST={points}?", total=total, points=due)


def _as_taken(table: Table) -> tuple[Ask, ...]:
    """Cards are scanned during play, and a badge says who took them."""
    more = len(table.seen) < len(table.deck)
    scan = Ask(AskKind.HAND, table.players, Wait.ANY, say("SCAN TAKEN CARDS"), have=table.loose)
    hand = (scan,) if more else ()
    if not table.loose:
        return (*hand, _close(table))
    seats = tuple(map(str, table.players))
    whose = Ask(AskKind.CLAIM, table.players, Wait.ONE, say("WHO TOOK THEM?"), seats)
    rows = Ask(
        AskKind.DONE, table.players, Wait.ANY, say("NOBODY TOOK THEM?"), ("rows",), (say("THESE ARE ROWS"),)
    )
    return (*hand, whose, rows)


def _to_close(table: Table) -> tuple[Ask, ...]:
    """Everybody has a score: the rows for the check, and closing; until then everything can be put right."""
    close = _close(table)
    again = Ask(AskKind.HAND, table.players, Wait.ONE, say("PUT A SCORE RIGHT"))
    if table.box.left is not Left.PILES or len(table.seen) == len(table.deck):
        return (close, again)
    rows = _rows(table)
    wanted = not table.rows_counted or bool(faults(table))
    return (rows, close, again) if wanted else (close, rows, again)


def _rows(table: Table) -> Ask:
    says = say("NOW SCAN THE 4 ROWS")
    due = due_points(table)
    if table.rows and all(count.points is None for count in table.counts):
        all_cards = table.box.due(len(table.players))
        says = say("{cards} OF {due} CARDS", cards=len(table.seen), due=all_cards)
    elif table.rows_counted and due:
        total = table.box.points(table.deck)
        says = say("SUM {sum} OF {total}", sum=total - due, total=total)
    return Ask(AskKind.LAY, table.players, Wait.ANY, says, have=table.rows)


def _close(table: Table) -> Ask:
    if not faults(table):
        labels = (say("CLOSE THE DEAL"),)
        return Ask(AskKind.DONE, table.players, Wait.ANY, say("IS THAT RIGHT?"), ("close",), labels)
    both = (say("CHECK THE DEAL"), say("CLOSE ANYWAY"))
    return Ask(AskKind.DONE, table.players, Wait.ANY, say("CHECK FAILED"), ("close", "anyway"), both)
