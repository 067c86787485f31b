"""The orders beside the count: replacing cards, a whole count in place of this one, joining and leaving.

Nothing is changed here.
"""

from companion.core import ruling
from companion.core.cards import Seat, who
from companion.core.ruling import Allowed, Because, Refused, SeatJoined, SeatLeft
from companion.games.scorekeeping import records, rules
from companion.games.scorekeeping.legal import no_such_sum, not_free
from companion.games.scorekeeping.options import SEATS, CountedCards, Entry
from companion.games.scorekeeping.table import NOTHING_YET, CountTable, apply
from companion.text.sentence import Text, say


def correct(table: CountTable, command: records.Correct) -> records.Ruling:
    """Replace cards that were counted by mistake."""
    remove, add = command.remove, command.add
    for card in remove:
        if card not in table.seen:
            return Refused(
                rules.CORRECTION,
                say("card {card} has not been counted", card=table.box.named(card)),
                say("name a card that has been counted"),
            )
    if not remove or len(add) > len(remove) or len(set(remove)) < len(remove):
        return Refused(
            rules.CORRECTION,
            say("cards are replaced one for one"),
            say("name each wrong card, and at most as many replacements"),
        )
    without = apply(table, records.CardsCorrected(remove, ()))
    for place, card in enumerate(add):
        if fault := not_free(without, card):
            return fault
        if card in add[:place]:
            return Refused(
                rules.UNIQUE,
                say("card {card} is named twice", card=table.box.named(card)),
                say("name every card once"),
            )
    said = say(
        "{out} removed, {came} added",
        out=tuple(map(table.box.named, remove)),
        came=tuple(map(table.box.named, add)) or say("nothing"),
    )
    return Allowed((records.CardsCorrected(remove, add),), (Because(rules.CORRECTION, said),))


def swap(table: CountTable, seats: tuple[Seat, ...]) -> records.Ruling:
    """Exchange what is counted for two players."""
    if fault := ruling.cannot_swap(table.players, seats, rules.OWNERS, rules.PLAYERS):
        return fault
    one, other = seats
    if table.counts[one] == table.counts[other]:
        return Refused(
            rules.OWNERS,
            say("both players have the same score in this deal"),
            say("count first, or correct an earlier deal"),
        )
    said = say(
        "{one} and {other} swap their scores of this deal",
        one=who(one),
        other=who(other),
    )
    return Allowed((records.ScoresSwapped(seats),), (Because(rules.OWNERS, said),))


def adopt(table: CountTable, command: records.Adopt) -> records.Ruling:
    """Take over a whole count, in place of what was counted."""
    if fault := position_fault(table, command):
        return fault
    return Allowed((records.CountAdopted(command.sums, command.piles, command.rows, command.rows_sum),), ())


def leave(table: CountTable, seat: Seat) -> records.Ruling:
    if fault := ruling.not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        return _begun(say("leave after this deal"))
    if fault := ruling.cannot_leave(table.players, SEATS[0], rules.PLAYERS, say("end the match instead")):
        return fault
    said = say("{player} leaves; the points are kept", player=who(seat))
    return Allowed((SeatLeft(seat),), (Because(rules.PLAYERS, said),))


def join(table: CountTable, seat: Seat) -> records.Ruling:
    if fault := ruling.cannot_join(table.players, len(table.counts), table.agreed.most, seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        return _begun(say("join after this deal"))
    said = say("{player} joins", player=who(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def _begun(fix: Text) -> Refused:
    return Refused(rules.PLAYERS, say("the deal is being counted"), fix)


def position_fault(table: CountTable, command: records.Adopt) -> Refused | None:
    """The first thing that cannot be counted; None if all of it can."""
    return (
        _wrong_number(table, command)
        or _wrong_kind(table, command)
        or _wrong_sum(table, command)
        or _wrong_card(table, command)
    )


def _wrong_number(table: CountTable, command: records.Adopt) -> Refused | None:
    seats = len(table.counts)
    for given in (command.sums, command.piles):
        if given and len(given) != seats:
            return _cannot(
                say("{given} scores are given for {seats} seats", given=len(given), seats=seats),
                say("give one for every seat, or leave them out"),
            )
    for seat in map(Seat, range(seats)):
        has_sum = bool(command.sums) and command.sums[seat] is not None
        has_pile = bool(command.piles) and bool(command.piles[seat])
        if has_sum and has_pile:
            return _cannot(say("{player} has a sum and a pile", player=who(seat)), say("give one of them"))
        if (has_sum or has_pile) and (fault := ruling.not_playing(table.players, seat, rules.PLAYERS)):
            return fault
    return None


def _wrong_kind(table: CountTable, command: records.Adopt) -> Refused | None:
    if (command.rows or command.rows_sum is not None) and table.box.left is not CountedCards.PILES:
        return _cannot(say("there are no rows here"), say("leave the rows out"))
    if command.rows and command.rows_sum is not None:
        return _cannot(say("the rows have a sum and cards"), say("give one of them"))
    if any(command.piles) and (table.entry is Entry.TYPED or table.box.left is CountedCards.NUMBERS):
        return _cannot(say("in this match points are typed"), say("give sums"))
    return None


def _wrong_sum(table: CountTable, command: records.Adopt) -> Refused | None:
    given = [points for points in command.sums if points is not None]
    found = [no_such_sum(points, negative=table.agreed.scoring.negative) for points in given]
    if command.rows_sum is not None:
        found.append(no_such_sum(command.rows_sum, negative=False))
    return next((fault for fault in found if fault), None)


def _wrong_card(table: CountTable, command: records.Adopt) -> Refused | None:
    bare = CountTable(table.agreed, table.players, (NOTHING_YET,) * len(table.counts))
    seen: set[str] = set()
    for card in (*command.rows, *(card for pile in command.piles for card in pile)):
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
