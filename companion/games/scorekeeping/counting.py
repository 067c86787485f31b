"""How a deal is counted, from the first card to the end, and what corrects it. Nothing is changed here."""

from companion.core import ruling
from companion.core.cards import Seat, listed_players, who
from companion.core.codec import Record
from companion.core.ruling import (
    Allowed,
    Illegal,
    Join,
    Leave,
    SeatJoined,
    SeatLeft,
    Swap,
    not_playing,
    require,
)
from companion.core.score_sheet import points_range
from companion.games.scorekeeping import checks, records, rules
from companion.games.scorekeeping.explain import counted, points_in_words, where
from companion.games.scorekeeping.options import SEATS, CountedCards, Input, turned
from companion.games.scorekeeping.table import CHANGES, NOTHING_YET, CountTable
from companion.text.sentence import Text, count, say

Ruling = Allowed[Record]

_NAMED = 5
"""Of more missing cards people are told how many they are."""


def type_sum(table: CountTable, command: records.TypeSum) -> Ruling:
    points, seat, piles = command.points, command.seat, table.box.left is CountedCards.PILES
    _check_sum(points, negative=table.agreed.scoring.negative)
    if seat is None:
        rules.ENTRY.demands(piles, "there are no rows here", "say whose points they are")
        before = table.rows_sum
        reason = say("the rows have {points}", points=points_in_words(points))
    else:
        require(not_playing(table.players, seat, rules.PLAYERS))
        before = table.counts[seat].points
        reason = say("{player} has {points}", player=who(seat), points=points_in_words(points))
    fault = count("{count} point is already entered", "{count} points are already entered", points)
    rules.VALUES.demands(before != points, fault, "continue, or type another number")
    if seat is None or table.entry is Input.TAKES:
        _check_none_unnamed(table)
    return Allowed((records.SumTyped(points, seat),), (rules.VALUES.because(reason),))


def count_card(table: CountTable, command: records.CountCard) -> Ruling:
    card, seat = command.card, command.seat
    _check_has_cards(table)
    _check_here(table, seat)
    rows = seat is None and table.in_rows()
    other = turned(card) if command.typed else None
    if other is not None and {card, other} <= set(table.deck) - table.seen:
        return Allowed((records.CardDoubted(card, other, seat, rows),), ())
    _check_free(table, card)
    return Allowed((records.CardCounted(card, seat, rows),), ())


def choose_card(table: CountTable, command: records.ChooseCard) -> Ruling:
    card, doubt = command.card, table.doubt
    if doubt is None:
        raise rules.UPSIDE.forbids("there is no card to confirm", "scan the card")
    fault = say("{card} is not one of the two cards", card=card)
    fix = say("choose {one} or {other}", one=doubt.card, other=doubt.other)
    rules.UPSIDE.demands(card in (doubt.card, doubt.other), fault, fix)
    return Allowed((records.CardCounted(card, doubt.seat, doubt.rows),), ())


def end_pile(table: CountTable, command: records.EndPile) -> Ruling:
    seat, cards = command.seat, table.loose
    rules.ENTRY.demands(table.entry is not Input.TYPED, "in this match points are typed", "type the sum")
    if seat is None:
        if not cards or table.box.left is not CountedCards.PILES:
            raise rules.ENTRY.forbids("no scanned cards are waiting for the rows", "scan the cards first")
        reason = counted(say("the rows"), table.box, cards)
        return Allowed((records.PileEnded(None, cards),), (rules.ENTRY.because(reason),))
    _check_has_cards(table)
    require(not_playing(table.players, seat, rules.PLAYERS))
    if table.entry is Input.PILES:
        fault = say("{player} has already been counted", player=who(seat))
        fix = say("say whose cards these are, or type the sum again")
        rules.ENTRY.demands(not table.scored(seat), fault, fix)
    if table.entry is Input.TAKES:
        fault = say("{player}'s points were typed", player=who(seat))
        rules.ENTRY.demands(table.counts[seat].points is None, fault, "type them again")
        fault = say("no scanned cards are waiting for an owner")
        rules.ENTRY.demands(cards, fault, "scan the cards first")
    reason = counted(who(seat), table.box, (*table.counts[seat].pile, *cards))
    return Allowed((records.PileEnded(seat, cards),), (rules.ENTRY.because(reason),))


def close(table: CountTable, command: records.Close) -> Ruling:
    _check_none_unnamed(table)
    if open_ := table.seats_open:
        players = listed_players(open_)
        raise rules.VALUES.forbids(
            count("{players} has no score yet", "{players} have no score yet", len(open_), players=players),
            "give every player a score, even if it is 0",
        )
    found = checks.faults(table)
    if found and not command.anyway:
        told = min(found, key=lambda fault: len(fault.missing) > _NAMED)
        raise told.rule.forbids(told.says, "correct it, or close the deal anyway")
    missing = tuple(card for fault in found for card in fault.missing)
    because = tuple(fault.rule.because("closed anyway: {fault}", fault=fault.says) for fault in found)
    keys = tuple(fault.rule.key for fault in found)
    return Allowed((records.DealClosed(keys, missing),), because or (rules.CLOSED.because(_sound(table)),))


def _sound(table: CountTable) -> Text:
    """What the checks confirmed. No check can see whose the cards are, so nothing is said about it."""
    players = len(table.players)
    if checks.says_nothing(table):
        return say("the deal is closed; nothing could be checked")
    if table.box.left is CountedCards.PILES and not any(
        counted.points is not None for counted in table.counts
    ):
        if table.rows_sum is None:
            return say("{cards} of {due} cards are there", cards=len(table.seen), due=table.box.due(players))
    elif table.box.whole(players):
        return say("the sums add up to {total}, as the whole deck does", total=table.box.points(table.deck))
    return say("the sums are possible")


# ------------------------------------------------------------------------------------ what may be counted now


def _check_sum(points: int, *, negative: bool) -> None:
    """A number can be the points of somebody in a deal."""
    lowest, most = points_range(negative=negative)
    fault = say("nobody can have a score of {points} in a deal", points=points)
    fix = say("use {lowest} to {most}", lowest=lowest, most=most)
    rules.VALUES.demands(lowest <= points <= most, fault, fix)


def _check_has_cards(table: CountTable) -> None:
    known = table.box.left is not CountedCards.NUMBERS
    rules.ENTRY.demands(known, "the cards of this game are not known", "type the points")


def _check_free(table: CountTable, card: str) -> None:
    """A card is in the deck, and was not counted yet."""
    deck = table.deck
    if card in deck and card not in table.seen:
        return
    place = where(table, card)
    if place is None or card not in deck:
        place = say("card {card} is not in the deck {low} to {high}", card=card, low=deck[0], high=deck[-1])
        if table.box.left is not CountedCards.PILES:
            place = say("there is no card {card}", card=table.box.named(card))
    other = turned(card)
    fix = say("leave it out, or undo what was counted before")
    if other in deck and other not in table.seen:
        fix = say("is it {other} upside down? If not, leave it out", other=other)
    raise rules.UNIQUE.forbids(place, fix)


def _check_none_unnamed(table: CountTable) -> None:
    """Scanned cards have an owner."""
    loose = len(table.loose)
    fault = count(
        "the last {count} card counted has no owner yet",
        "the last {count} cards counted have no owner yet",
        loose,
    )
    rules.ENTRY.demands(not loose, fault, "say whose they are, or undo them")


def _check_here(table: CountTable, seat: Seat | None) -> None:
    """A card can be counted for a seat, or (None) without one."""
    typed, piles = table.entry is Input.TYPED, table.box.left is CountedCards.PILES
    if seat is None:
        if typed and not piles:
            raise rules.ENTRY.forbids("in this match points are typed", "type the points in the hand")
        if not piles and table.entry is Input.PILES and not table.seats_open:
            fix = say("first say whose card it is, or close the deal")
            raise rules.ENTRY.forbids("every hand has already been counted", fix)
        return
    require(not_playing(table.players, seat, rules.PLAYERS))
    fault = say("{player}'s points were typed", player=who(seat))
    rules.ENTRY.demands(not typed and table.counts[seat].points is None, fault, "type them again")


# --------------------------------------------------------------------------------------- beside the counting


def correct(table: CountTable, command: records.Correct) -> Ruling:
    """Replace cards that were counted by mistake."""
    remove, add, named = command.remove, command.add, table.box.named
    for card in remove:
        fault = say("card {card} has not been counted", card=named(card))
        rules.CORRECTION.demands(card in table.seen, fault, "name a card that has been counted")
    if not remove or not len(add) <= len(remove) == len(set(remove)):
        fix = say("name each wrong card, and at most as many replacements")
        raise rules.CORRECTION.forbids("cards are replaced one for one", fix)
    without = CHANGES[records.CardsCorrected](table, records.CardsCorrected(remove, ()))
    for place, card in enumerate(add):
        _check_free(without, card)
        fault = say("card {card} is named twice", card=named(card))
        rules.UNIQUE.demands(card not in add[:place], fault, "name every card once")
    out, came = tuple(map(named, remove)), tuple(map(named, add)) or say("nothing")
    reason = rules.CORRECTION.because("{out} removed, {came} added", out=out, came=came)
    return Allowed((records.CardsCorrected(remove, add),), (reason,))


def swap(table: CountTable, command: Swap) -> Ruling:
    """Exchange what is counted for two players."""
    require(ruling.cannot_swap(table.players, command.seats, rules.OWNERS, rules.PLAYERS))
    first, second = command.seats
    if table.counts[first] == table.counts[second]:
        fix = say("count first, or correct an earlier deal")
        raise rules.OWNERS.forbids("both players have the same score in this deal", fix)
    reason = say("{one} and {other} swap their scores of this deal", one=who(first), other=who(second))
    return Allowed((records.ScoresSwapped(command.seats),), (rules.OWNERS.because(reason),))


def leave(table: CountTable, command: Leave) -> Ruling:
    seat = command.seat
    require(ruling.not_playing(table.players, seat, rules.PLAYERS))
    rules.PLAYERS.demands(table.fresh, "the deal is being counted", "leave after this deal")
    require(ruling.cannot_leave(table.players, SEATS[0], rules.PLAYERS, say("end the match instead")))
    reason = rules.PLAYERS.because("{player} leaves; the points are kept", player=who(seat))
    return Allowed((SeatLeft(seat),), (reason,))


def join(table: CountTable, command: Join) -> Ruling:
    seat, seats = command.seat, len(table.counts)
    require(ruling.cannot_join(table.players, seats, table.agreed.most, seat, rules.PLAYERS))
    rules.PLAYERS.demands(table.fresh, "the deal is being counted", "join after this deal")
    return Allowed((SeatJoined(seat),), (rules.PLAYERS.because("{player} joins", player=who(seat)),))


def adopt(table: CountTable, command: records.Adopt) -> Ruling:
    """Take over a whole count, in place of what was counted; the first thing that cannot be is refused."""
    _check_numbers(table, command)
    left, rows, rows_sum = table.box.left, command.rows, command.rows_sum
    if (rows or rows_sum is not None) and left is not CountedCards.PILES:
        raise rules.CORRECTION.forbids("there are no rows here", "leave the rows out")
    if rows and rows_sum is not None:
        raise rules.CORRECTION.forbids("a sum and cards are both given for the rows", "give one of them")
    if any(command.piles) and (table.entry is Input.TYPED or left is CountedCards.NUMBERS):
        raise rules.CORRECTION.forbids("in this match points are typed", "give sums")
    for points in filter(None, command.sums):
        _check_sum(points, negative=table.agreed.scoring.negative)
    _check_sum(rows_sum or 0, negative=False)
    bare = CountTable(table.agreed, table.players, (NOTHING_YET,) * len(table.counts))
    seen: set[str] = set()
    for card in (*rows, *(card for pile in command.piles for card in pile)):
        _check_free(bare, card)
        fault = say("card {card} is given twice", card=table.box.named(card))
        rules.UNIQUE.demands(card not in seen, fault, "give every card once")
        seen.add(card)
    return Allowed((records.CountAdopted(command.sums, command.piles, rows, rows_sum),), ())


def _check_numbers(table: CountTable, command: records.Adopt) -> None:
    """There is one score for every seat, and none for a seat where nobody plays."""
    seats = len(table.counts)
    for given in filter(None, (command.sums, command.piles)):
        fault = say("scores given: {given}; seats: {seats}", given=len(given), seats=seats)
        rules.CORRECTION.demands(len(given) == seats, fault, "give one for every seat, or leave them out")
    for seat in map(Seat, range(seats)):
        has_sum = bool(command.sums) and command.sums[seat] is not None
        has_pile = bool(command.piles) and bool(command.piles[seat])
        fault = say("a sum and a pile are both given for {player}", player=who(seat))
        rules.CORRECTION.demands(not (has_sum and has_pile), fault, "give one of them")
        if has_sum or has_pile:
            require(ruling.not_playing(table.players, seat, rules.PLAYERS))


def in_doubt(doubt: records.CardDoubted) -> Illegal:
    """The refusal of everything else until it is clear which card was meant."""
    return rules.UPSIDE.forbids(
        say("it is not clear yet whether {card} or {other} was meant", card=doubt.card, other=doubt.other),
        "choose one of the two, or undo",
    )
