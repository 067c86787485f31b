"""What can be counted in a deal at all: the JSON Schema of a whole count, and the first fault in it."""

from __future__ import annotations

from typing import Any

from companion.core.cards import Seat, who
from companion.core.codec import json_schema
from companion.core.refusals import not_playing
from companion.core.ruling import Refused
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.box import Left
from companion.games.scorekeeping.commands import Adopt
from companion.games.scorekeeping.legal import no_such_sum, not_free
from companion.games.scorekeeping.options import Entry
from companion.games.scorekeeping.table import NOTHING_YET, Table
from companion.text.sentence import Text, say


def position_fault(table: Table, order: Adopt, *, negative: bool) -> Refused | None:
    """The first thing that cannot be counted; None if all of it can."""
    return (
        _wrong_number(table, order)
        or _wrong_kind(table, order)
        or _wrong_sum(order, negative=negative)
        or _wrong_card(table, order)
    )


def _wrong_number(table: Table, order: Adopt) -> Refused | None:
    seats = len(table.counts)
    for given in (order.sums, order.piles):
        if given and len(given) != seats:
            return _cannot(
                say("{given} scores are given for {seats} seats", given=len(given), seats=seats),
                say("give one for every seat, or leave them out"),
            )
    for seat in map(Seat, range(seats)):
        has_sum = bool(order.sums) and order.sums[seat] is not None
        has_pile = bool(order.piles) and bool(order.piles[seat])
        if has_sum and has_pile:
            return _cannot(say("{player} has a sum and a pile", player=who(seat)), say("give one of them"))
        if (has_sum or has_pile) and (fault := not_playing(table.players, seat, rules.PLAYERS)):
            return fault
    return None


def _wrong_kind(table: Table, order: Adopt) -> Refused | None:
    if (order.rows or order.rows_sum is not None) and table.box.left is not Left.PILES:
        return _cannot(say("there are no rows here"), say("leave the rows out"))
    if order.rows and order.rows_sum is not None:
        return _cannot(say("the rows have a sum and cards"), say("give one of them"))
    if any(order.piles) and (table.entry is Entry.TYPED or table.box.left is Left.NUMBERS):
        return _cannot(say("in this match points are typed"), say("give sums"))
    return None


def _wrong_sum(order: Adopt, *, negative: bool) -> Refused | None:
    given = [points for points in order.sums if points is not None]
    found = [no_such_sum(points, negative=negative) for points in given]
    if order.rows_sum is not None:
        found.append(no_such_sum(order.rows_sum, negative=False))
    return next((fault for fault in found if fault), None)


def _wrong_card(table: Table, order: Adopt) -> Refused | None:
    bare = Table(table.players, table.box, table.entry, (NOTHING_YET,) * len(table.counts))
    seen: set[str] = set()
    for card in (*order.rows, *(card for pile in order.piles for card in pile)):
        if fault := not_free(bare, card):
            return fault
        if card in seen:
            return Refused(
                rules.UNIQUE,
                say("card {card} is given twice", card=table.box.named(card)),
                say("give every card once"),
            )
        seen.add(card)
    return None


def _cannot(fault: Text, fix: Text) -> Refused:
    return Refused(rules.CORRECTION, fault, fix)


def position_schema() -> dict[str, Any]:
    """The JSON Schema of a position: the command `adopt` without its kind."""
    return json_schema(Adopt, tagged=False)
