"""How the hands are counted at the end of a deal of Ciao!. Nothing is changed here."""

from collections import Counter

from companion.core.cards import Seat, who
from companion.games.ciao import records, rules
from companion.games.ciao.cards import MAX_WORTH, Card, kind, split
from companion.games.ciao.effects import gather
from companion.games.ciao.explain import words
from companion.games.ciao.hands import Ruling, check_held, check_playing
from companion.games.ciao.options import points
from companion.games.ciao.table import CiaoTable, Stage
from companion.text.sentence import count, say


def hand_card(table: CiaoTable, command: records.HandCard) -> Ruling:
    """One more card of a hand."""
    seat = _counted_now(table, command.seat)
    _check_can_hold(table, seat, (command.card,))
    made = gather(table)
    made.add(records.CardCounted(seat, command.card))
    cards = made.table.counting[seat]
    if len(cards) >= table.hands[seat].size:
        made.add(records.HandCounted(seat, points(cards), cards))
    return made.allow()


def hand(table: CiaoTable, command: records.Hand) -> Ruling:
    """All cards of a hand, or its points."""
    seat, cards, cost = _counted_now(table, command.seat), command.cards, command.points
    size = table.hands[seat].size
    if (cards is None) == (cost is None):
        fault = say("a hand needs either its cards or its points")
        raise rules.SCORING.forbids(fault, "give 'cards' or 'points'")
    if cards is None:
        return _typed(table, seat, cost or 0)
    fault = say("the cards of that hand are being scanned")
    rules.SCORING.demands(not table.counting[seat], fault, "scan the others one by one")
    _check_can_hold(table, seat, cards)
    fault = count(
        "{given} of {count} card was given", "{given} of {count} cards were given", size, given=len(cards)
    )
    rules.SCORING.demands(len(cards) == size, fault, "give all cards of the hand, or its points")
    return _counted(table, seat, points(cards), cards)


def done(table: CiaoTable, command: records.Done) -> Ruling:
    """The cards of a hand that were not scanned are the known ones."""
    seat = _counted_now(table, command.seat)
    known = table.rest(seat)
    if known is None:
        fault = say("{player}'s other cards are not known", player=who(seat))
        raise rules.SCORING.forbids(fault, "scan them, or type the points")
    cards = (*table.counting[seat], *known)
    return _counted(table, seat, points(cards), cards)


def _counted_now(table: CiaoTable, seat: Seat | None) -> Seat:
    """Whose hand is counted: that of this seat, if it is to be counted, else the next one."""
    counting, fix = table.stage is Stage.COUNT, say("play on, or end the deal first")
    if seat is None:
        rules.SCORING.demands(counting, "no hand is being counted now", fix)
        return table.uncounted[0]
    check_playing(table, seat)
    rules.SCORING.demands(counting, "hands are counted when the deal is over", fix)
    if seat not in table.uncounted:
        fault = say("{player}'s hand has already been counted", player=who(seat))
        raise rules.SCORING.forbids(fault, "count {player}'s hand", player=who(table.uncounted[0]))
    return seat


def _counted(table: CiaoTable, seat: Seat, cost: int, cards: tuple[Card, ...] | None) -> Ruling:
    made = gather(table)
    made.add(records.HandCounted(seat, cost, cards))
    return made.allow()


def _typed(table: CiaoTable, seat: Seat, cost: int) -> Ruling:
    size = table.hands[seat].size
    fault = count(
        "{count} card cannot have {points} points",
        "{count} cards cannot have {points} points",
        size,
        points=cost,
    )
    fix = say("a card counts 1 to {most}: count again", most=MAX_WORTH)
    rules.SCORING.demands(size <= cost <= MAX_WORTH * size, fault, fix)
    return _counted(table, seat, cost, None)


def _check_can_hold(table: CiaoTable, seat: Seat, more: tuple[Card, ...]) -> None:
    """These cards can all be in a hand, with those that were scanned before.

    The hand is emptied card by card, because what is known of it says which cards must still come.
    """
    cards, left = (*table.counting[seat], *more), table.hands[seat]
    for card in cards:
        check_held(table, seat, card)
        if left.size <= 0:
            fault = count(
                "{player}'s hand has {count} card",
                "{player}'s hand has {count} cards",
                table.hands[seat].size,
                player=who(seat),
            )
            raise rules.SCORING.forbids(fault, "scan only these, or type the points")
        left = left.without(card)
        if len(left.known) > left.size:
            fault = say("{cards} must be in that hand", cards=tuple(map(words, left.known)))
            raise rules.SCORING.forbids(fault, "scan {player}'s cards", player=who(seat))
    for place, card in enumerate(cards):
        if "#" in card and card in cards[:place]:
            fault = say("this {card} has already been scanned", card=words(card))
            raise rules.DECK.forbids(fault, "scan the next card")
    _check_deck_has(table, cards, (*table.outside_hand(seat), *left.known))


def _check_deck_has(table: CiaoTable, cards: tuple[Card, ...], others: tuple[Card, ...]) -> None:
    """The deck has as many of each kind of these cards, with the others that are known."""
    if not table.counts:
        return
    kinds = Counter(found[0].name for card in (*cards, *others) if (found := split(card)))
    for name in (kind(card).name for card in cards):
        many = table.agreed.many(name)
        if kinds[name] > many:
            fault = say("{card}: the deck has {number} of them, and this is one too many")
            raise rules.DECK.forbids(
                fault.with_facts(card=words(name), number=many),
                "scan the next card, or undo an earlier wrong scan",
            )
