"""How the hands are counted at the end of a deal of 11 nimmt!. Nothing is changed here."""

from companion.core.cards import Card, Seat, who
from companion.core.codec import Record
from companion.games.eleven import records, rules
from companion.games.eleven.play import (
    Ruling,
    check_asked,
    check_exists,
    check_in_hand,
    end_move,
    hand_counted,
    settle,
)
from companion.games.eleven.table import ElevenTable
from companion.text.sentence import count, say


def hand_card(table: ElevenTable, command: records.HandCard) -> Ruling:
    """One more card of the hand that is counted."""
    seat, card = _counted_now(table, command.seat), command.card
    _check_left(table, seat, card, table.seen)
    seen = (*table.seen, card)
    events: list[Record] = [records.HandCardSeen(card, seat)]
    if len(seen) == table.sizes[seat]:
        events.append(hand_counted(table, seat, seen))
    return settle(table, events)


def hand(table: ElevenTable, command: records.Hand) -> Ruling:
    """All cards of the hand that is counted, or its heads."""
    seat, cards, heads = _counted_now(table, command.seat), command.cards, command.heads
    if cards is not None and heads is None:
        return _by_cards(table, seat, cards)
    if heads is not None and cards is None:
        return _by_heads(table, seat, heads)
    raise rules.OUT.forbids("a hand needs either its cards or its heads", "give only one of the two")


def done(table: ElevenTable, command: records.Done) -> Ruling:
    """The other cards of the hand that is counted are those that are known. In a move: it is finished."""
    if not table.counting:
        return end_move(table, command)
    seat = _counted_now(table, command.seat)
    cards = table.known[seat].union(table.seen)
    missing = table.sizes[seat] - len(cards)
    rules.OUT.demands(
        not missing,
        count("{count} card of this hand is missing", "{count} cards of this hand are missing", missing),
        say("scan the cards left in {player}'s hand", player=who(seat)),
    )
    return settle(table, [hand_counted(table, seat, cards)])


def _counted_now(table: ElevenTable, seat: Seat | None) -> Seat:
    """Whose hand is counted now; `seat` is who answers."""
    counted = table.next_hand
    if counted is None:
        fix = say("hands are counted when somebody has no cards left; continue playing")
        raise rules.OUT.forbids("no hand is being counted now", fix)
    check_asked(seat, counted)
    return counted


def _by_cards(table: ElevenTable, seat: Seat, cards: tuple[Card, ...]) -> Ruling:
    given, left = len(cards), table.sizes[seat]
    rules.OUT.demands(
        given == left,
        count("{count} card was given", "{count} cards were given", given),
        count("{player} has {count} card left", "{player} has {count} cards left", left, player=who(seat)),
    )
    for place, card in enumerate(cards):
        _check_left(table, seat, card, cards[:place])
    return settle(table, [hand_counted(table, seat, cards)])


def _by_heads(table: ElevenTable, seat: Seat, heads: int) -> Ruling:
    """The heads must be those of some hand of that size with the cards that are known to be in it."""
    held = table.known[seat].union(table.seen)
    free = sorted(table.agreed.heads[card - 1] for card in table.unseen.difference(held))
    places = table.sizes[seat] - len(held)
    least = table.agreed.heads_on(held) + sum(free[:places])
    most = table.agreed.heads_on(held) + sum(free[len(free) - places :])
    fault = count(
        "a hand of {count} card cannot have {heads} bullheads here",
        "a hand of {count} cards cannot have {heads} bullheads here",
        table.sizes[seat],
        heads=heads,
    )
    fix = say("give a number from {least} to {most}, or scan the cards", least=least, most=most)
    rules.OUT.demands(least <= heads <= most, fault, fix)
    return settle(table, [records.HandCounted(seat, None, heads)])


def _check_left(table: ElevenTable, seat: Seat, card: Card, seen: tuple[Card, ...]) -> None:
    """A card can be in the hand that is counted, beside those that were seen of it."""
    check_exists(card)
    fault = say("card {card} of this hand has already been counted", card=card)
    rules.ONE_OF_EACH.demands(card not in seen, fault, "scan the next card")
    check_in_hand(table, seat, card)
    size, known = table.sizes[seat], table.known[seat]
    fault = count(
        "{player} has {count} card, and it must be {cards}",
        "{player} has {count} cards, and {cards} must be among them",
        size,
        player=who(seat),
        cards=tuple(sorted(known.difference(seen))),
    )
    room = len(known.union(seen, (card,))) <= size
    rules.HANDS.demands(room, fault, "scan these cards, or undo the wrong one")
