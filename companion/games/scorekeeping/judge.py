"""The rulings of score-keeping: which commands are legal while a deal is counted. Nothing is changed here."""

from companion.core.cards import Seat, listed_players, who
from companion.core.ruling import Allowed, Because, Join, Leave, Refused, Swap, not_playing
from companion.games.scorekeeping import legal, records, rules
from companion.games.scorekeeping.corrections import adopt, correct, join, leave, swap
from companion.games.scorekeeping.explain import counted, points_in_words
from companion.games.scorekeeping.options import CountedCards, Entry, turned
from companion.games.scorekeeping.table import CountTable
from companion.text.sentence import Text, count, say


def judge(table: CountTable, command: records.Command) -> records.Ruling:  # noqa: PLR0911 - one line per kind of command
    if table.closed:
        return Refused(rules.CLOSED, say("the deal is closed"), say("count the next deal, or undo"))
    doubt = table.doubt
    if doubt is not None and not isinstance(command, records.ChooseCard):
        return Refused(
            rules.UPSIDE,
            say(
                "it is not clear yet whether {card} or {other} was meant", card=doubt.card, other=doubt.other
            ),
            say("choose one of the two, or undo"),
        )
    match command:
        case records.TypeSum(points, seat):
            return _type_sum(table, points, seat)
        case records.CountCard(card, seat, typed):
            return _count_card(table, card, seat, typed=typed)
        case records.ChooseCard(card):
            return _choose_card(table, card)
        case records.EndPile(seat):
            return _end_pile(table, seat)
        case records.Close(anyway):
            return _close(table, anyway=anyway)
        case records.Correct():
            return correct(table, command)
        case Swap(seats):
            return swap(table, seats)
        case records.Adopt():
            return adopt(table, command)
        case Leave(seat):
            return leave(table, seat)
        case Join(seat):
            return join(table, seat)


def _type_sum(table: CountTable, points: int, seat: Seat | None) -> records.Ruling:
    if fault := legal.no_such_sum(points, negative=table.agreed.scoring.negative):
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
        return legal.unnamed(table)
    return Allowed((records.SumTyped(points, seat),), (Because(rules.VALUES, said),))


def _same(points: int) -> Refused:
    fault = count("{count} point is already entered", "{count} points are already entered", points)
    return Refused(rules.VALUES, fault, say("continue, or type another number"))


def _count_card(table: CountTable, card: str, seat: Seat | None, *, typed: bool) -> records.Ruling:
    if fault := legal.no_cards(table) or legal.not_here(table, seat):
        return fault
    rows = seat is None and table.in_rows()
    other = turned(card) if typed else None
    if other in table.deck and other not in table.seen and card in table.deck and card not in table.seen:
        return Allowed((records.CardDoubted(card, str(other), seat, rows),), ())
    if fault := legal.not_free(table, card):
        return fault
    return Allowed((records.CardCounted(card, seat, rows),), ())


def _choose_card(table: CountTable, card: str) -> records.Ruling:
    doubt = table.doubt
    if doubt is None:
        return Refused(rules.UPSIDE, say("there is no card to confirm"), say("scan the card"))
    if card not in (doubt.card, doubt.other):
        return Refused(
            rules.UPSIDE,
            say("{card} is not one of the two cards", card=card),
            say("choose {one} or {other}", one=doubt.card, other=doubt.other),
        )
    return Allowed((records.CardCounted(card, doubt.seat, doubt.rows),), ())


def _end_pile(table: CountTable, seat: Seat | None) -> records.Ruling:
    if table.entry is Entry.TYPED:
        return Refused(rules.ENTRY, say("in this match points are typed"), say("type the sum"))
    cards = table.loose
    if seat is None:
        if not cards or table.box.left is not CountedCards.PILES:
            return Refused(
                rules.ENTRY, say("no scanned cards are waiting for the rows"), say("scan the cards first")
            )
        said = counted(say("the rows"), table.box, cards)
        return Allowed((records.PileEnded(None, cards),), (Because(rules.ENTRY, said),))
    if fault := legal.no_cards(table) or not_playing(table.players, seat, rules.PLAYERS):
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
    return Allowed((records.PileEnded(seat, cards),), (Because(rules.ENTRY, said),))


def _close(table: CountTable, *, anyway: bool) -> records.Ruling:
    if table.loose:
        return legal.unnamed(table)
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
    found = legal.faults(table)
    if found and not anyway:
        return Refused(
            found[0].rule,
            say("{faults}", faults=tuple(fault.says for fault in found)),
            say("find and correct it, or close the deal anyway"),
        )
    missing = tuple(card for fault in found for card in fault.missing)
    because = tuple(Because(fault.rule, say("closed although {fault}", fault=fault.says)) for fault in found)
    keys = tuple(fault.rule.key for fault in found)
    return Allowed((records.DealClosed(keys, missing),), because or (Because(rules.CLOSED, _sound(table)),))


def _sound(table: CountTable) -> Text:
    """What the checks confirmed. No check can see whose the cards are, so nothing is said about it."""
    if legal.says_nothing(table):
        return say("the deal is closed; nothing could be checked")
    if table.box.left is CountedCards.PILES and not any(one.points is not None for one in table.counts):
        if table.rows_sum is None:
            cards = len(table.seen)
            return say("{cards} of {due} cards are there", cards=cards, due=table.box.due(len(table.players)))
    elif table.box.whole(len(table.players)):
        return say("the sums add up to {total}, like the whole deck", total=table.box.points(table.deck))
    return say("the sums are possible")
