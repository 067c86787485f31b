"""The rulings of score-keeping: which commands are legal while a deal is counted. Nothing is changed here."""

from companion.core.cards import Seat, listed_players, who
from companion.core.ruling import (
    Allowed,
    Because,
    Join,
    Leave,
    Refused,
    SeatJoined,
    SeatLeft,
    cannot_join,
    cannot_leave,
    cannot_swap,
    not_playing,
)
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.explain import counted, points_in_words
from companion.games.scorekeeping.legal import (
    faults,
    no_cards,
    no_such_sum,
    not_free,
    not_here,
    position_fault,
    says_nothing,
    unnamed,
)
from companion.games.scorekeeping.options import SEATS, CountedCards, Entry, Options, turned
from companion.games.scorekeeping.records import (
    Adopt,
    CardCounted,
    CardDoubted,
    CardsCorrected,
    ChooseCard,
    Close,
    Command,
    Correct,
    CountAdopted,
    CountCard,
    DealClosed,
    EndPile,
    Event,
    PileEnded,
    ScoresSwapped,
    SumTyped,
    Swap,
    TypeSum,
)
from companion.games.scorekeeping.table import CountTable, apply
from companion.text.sentence import Text, count, say


def judge(table: CountTable, command: Command, agreed: Options) -> Allowed[Event] | Refused:
    negative = agreed.scoring.negative
    if table.closed:
        return Refused(rules.CLOSED, say("the deal is closed"), say("count the next deal, or undo"))
    doubt = table.doubt
    if doubt is not None and not isinstance(command, ChooseCard):
        return Refused(
            rules.UPSIDE,
            say(
                "it is not clear yet whether {card} or {other} was meant", card=doubt.card, other=doubt.other
            ),
            say("choose one of the two, or undo"),
        )
    match command:
        case TypeSum(points, seat):
            return _type_sum(table, points, seat, negative=negative)
        case CountCard(card, seat, typed):
            return _count_card(table, card, seat, typed=typed)
        case ChooseCard(card):
            return _choose_card(table, card)
        case EndPile(seat):
            return _end_pile(table, seat)
        case Close(anyway):
            return _close(table, anyway=anyway)
        case _:
            return _judge_correction(table, command, agreed)


def _judge_correction(
    table: CountTable, command: Correct | Swap | Adopt | Leave | Join, agreed: Options
) -> Allowed[Event] | Refused:
    match command:
        case Correct():
            return correct(table, command)
        case Swap(seats):
            return swap(table, seats)
        case Adopt():
            return adopt(table, command, negative=agreed.scoring.negative)
        case Leave(seat):
            return leave(table, seat)
        case Join(seat):
            return join(table, seat, most=agreed.most)


def _type_sum(
    table: CountTable, points: int, seat: Seat | None, *, negative: bool
) -> Allowed[Event] | Refused:
    if fault := no_such_sum(points, negative=negative):
        return fault
    if seat is None:
        if table.box.left is not CountedCards.PILES:
            return Refused(rules.ENTRY, say("there are no rows here"), say("say whose points they are"))
        if table.rows_sum == points:
            return _same(points)
        said = say("the rows have {points}", points=points_in_words(points))
    else:
        if fault := not_playing(table.players, seat, rules.PLAYERS):
            return fault
        if table.counts[seat].points == points:
            return _same(points)
        said = say("{player} has {points}", player=who(seat), points=points_in_words(points))
    if table.loose and (seat is None or table.entry is Entry.TAKES):
        return unnamed(table)
    return Allowed((SumTyped(points, seat),), (Because(rules.VALUES, said),))


def _same(points: int) -> Refused:
    fault = count("{count} point is already entered", "{count} points are already entered", points)
    return Refused(rules.VALUES, fault, say("continue, or type another number"))


def _count_card(table: CountTable, card: str, seat: Seat | None, *, typed: bool) -> Allowed[Event] | Refused:
    if fault := no_cards(table) or not_here(table, seat):
        return fault
    rows = seat is None and table.in_rows()
    other = turned(card) if typed else None
    if other in table.deck and other not in table.seen and card in table.deck and card not in table.seen:
        return Allowed((CardDoubted(card, str(other), seat, rows),), ())
    if fault := not_free(table, card):
        return fault
    return Allowed((CardCounted(card, seat, rows),), ())


def _choose_card(table: CountTable, card: str) -> Allowed[Event] | Refused:
    doubt = table.doubt
    if doubt is None:
        return Refused(rules.UPSIDE, say("there is no card to confirm"), say("scan the card"))
    if card not in (doubt.card, doubt.other):
        return Refused(
            rules.UPSIDE,
            say("{card} is not one of the two cards", card=card),
            say("choose {one} or {other}", one=doubt.card, other=doubt.other),
        )
    return Allowed((CardCounted(card, doubt.seat, doubt.rows),), ())


def _end_pile(table: CountTable, seat: Seat | None) -> Allowed[Event] | Refused:
    if table.entry is Entry.TYPED:
        return Refused(rules.ENTRY, say("in this match points are typed"), say("type the sum"))
    cards = table.loose
    if seat is None:
        if not cards or table.box.left is not CountedCards.PILES:
            return Refused(
                rules.ENTRY, say("no scanned cards are waiting for the rows"), say("scan the cards first")
            )
        said = counted(say("the rows"), table.box, cards)
        return Allowed((PileEnded(None, cards),), (Because(rules.ENTRY, said),))
    if fault := no_cards(table) or not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if table.entry is Entry.PILES and table.scored(seat):
        return Refused(
            rules.ENTRY,
            say("{player} has already been counted", player=who(seat)),
            say("say whose cards these are, or type the sum again"),
        )
    if table.entry is Entry.TAKES and table.counts[seat].points is not None:
        return Refused(
            rules.ENTRY,
            say("{player}'s points were typed", player=who(seat)),
            say("type them again"),
        )
    if table.entry is Entry.TAKES and not cards:
        return Refused(
            rules.ENTRY, say("no scanned cards are waiting for an owner"), say("scan the cards first")
        )
    pile = (*table.counts[seat].pile, *cards)
    said = counted(who(seat), table.box, pile)
    return Allowed((PileEnded(seat, cards),), (Because(rules.ENTRY, said),))


def _close(table: CountTable, *, anyway: bool) -> Allowed[Event] | Refused:
    if table.loose:
        return unnamed(table)
    if table.seats_open:
        return Refused(
            rules.VALUES,
            count(
                "{players} has no score yet",
                "{players} have no score yet",
                len(table.seats_open),
                players=listed_players(table.seats_open),
            ),
            say("give every player a score, even if it is 0"),
        )
    found = faults(table)
    if found and not anyway:
        return Refused(
            found[0].rule,
            say("{faults}", faults=tuple(fault.says for fault in found)),
            say("find and correct it, or close the deal anyway"),
        )
    missing = tuple(card for fault in found for card in fault.missing)
    because = tuple(Because(fault.rule, say("closed although {fault}", fault=fault.says)) for fault in found)
    keys = tuple(fault.rule.key for fault in found)
    return Allowed((DealClosed(keys, missing),), because or (Because(rules.CLOSED, _sound(table)),))


def _sound(table: CountTable) -> Text:
    """What the checks confirmed. No check can see whose the cards are, so nothing is said about it."""
    if says_nothing(table):
        return say("the deal is closed; nothing could be checked")
    if table.box.left is CountedCards.PILES and not any(one.points is not None for one in table.counts):
        if table.rows_sum is None:
            cards = len(table.seen)
            return say("{cards} of {due} cards are there", cards=cards, due=table.box.due(len(table.players)))
    elif table.box.whole(len(table.players)):
        return say("the sums add up to {total}, like the whole deck", total=table.box.points(table.deck))
    return say("the sums are possible")


# ----------------------------------------------------------------------------------------------- corrections


def correct(table: CountTable, command: Correct) -> Allowed[Event] | Refused:
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
    without = apply(table, CardsCorrected(remove, ()))
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
    return Allowed((CardsCorrected(remove, add),), (Because(rules.CORRECTION, said),))


def swap(table: CountTable, seats: tuple[Seat, ...]) -> Allowed[Event] | Refused:
    """Exchange what is counted for two players."""
    if fault := cannot_swap(table.players, seats, rules.OWNERS, rules.PLAYERS):
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
    return Allowed((ScoresSwapped(seats),), (Because(rules.OWNERS, said),))


def adopt(table: CountTable, command: Adopt, *, negative: bool) -> Allowed[Event] | Refused:
    """Take over a whole count, in place of what was counted."""
    if fault := position_fault(table, command, negative=negative):
        return fault
    return Allowed((CountAdopted(command.sums, command.piles, command.rows, command.rows_sum),), ())


def leave(table: CountTable, seat: Seat) -> Allowed[Event] | Refused:
    if fault := not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        return _begun(say("leave after this deal"))
    if fault := cannot_leave(table.players, SEATS[0], rules.PLAYERS, say("end the match instead")):
        return fault
    said = say("{player} leaves; the points are kept", player=who(seat))
    return Allowed((SeatLeft(seat),), (Because(rules.PLAYERS, said),))


def join(table: CountTable, seat: Seat, *, most: int) -> Allowed[Event] | Refused:
    """Let a player come; `most` can play at all."""
    if fault := cannot_join(table.players, len(table.counts), most, seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        return _begun(say("join after this deal"))
    said = say("{player} joins", player=who(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def _begun(fix: Text) -> Refused:
    return Refused(rules.PLAYERS, say("the deal is being counted"), fix)
