"""What may be done now, and what a command leads to, event by event, with reasons. Nothing is changed here.

The hands of programs that play are known completely: they are scanned when they are dealt, and whenever they
hold a card that is not known (after drawing, after a swap, after a card that was given face down). No refusal
names one of their cards, and nobody learns where a card is.
"""

from collections.abc import Iterator
from typing import Final

from companion.core import ruling
from companion.core.ask import Ask, AskKind
from companion.core.cards import Seat, clockwise, who
from companion.core.game import Dealing
from companion.core.ruling import Allowed, EndDeal, EventBuilder, ForgetHands, Join, Leave, Refused, Rule
from companion.games.ciao import records, rules
from companion.games.ciao.cards import Card, HigherBy, Icon, higher, kind, may_be_same, split
from companion.games.ciao.explain import what_fits, why, words
from companion.games.ciao.options import LastSpecial, points
from companion.games.ciao.table import CiaoTable, Stage, apply
from companion.text.sentence import Text, say

_SCAN_AGAIN: Final = say("scan the card again, or undo an earlier wrong scan")
_RULE_OF: Final = {
    HigherBy.OPENS: rules.OPENING,
    HigherBy.JOKER: rules.JOKER,
    HigherBy.SYMBOL: rules.SYMBOLS,
    HigherBy.COLOUR: rules.COLOURS,
}


def not_playing(table: CiaoTable, seat: Seat) -> Refused | None:
    """A refusal if nobody plays at that seat."""
    return ruling.not_playing(table.players, seat, rules.PLAYERS)


def not_held(table: CiaoTable, seat: Seat, card: str) -> Refused | None:
    """Why a card cannot be in a hand: it is not in the deck, or it is known to be elsewhere.

    What else is in this hand, in another one or in the draw pile is not told: nobody may see it.
    """
    if split(card) is None:
        return Refused(
            rules.DECK,
            say("{card} is not a Ciao! card", card=words(card)),
            say("a card is written like gR, gR:+3, yJ, T or gR#2"),
        )
    held = Card(card)
    hand = table.hands[seat]
    # A table that was set up may have more of a kind than the deck: then nothing can be concluded from it.
    if table.counts and not table.agreed.has(held):
        return _not_in_the_deck(table, held)
    if hand.holding(held) is not None:
        return None
    if hand.open:
        return Refused(
            rules.DECK,
            say("{card} is not in {player}'s hand", card=words(card), player=who(seat)),
            _SCAN_AGAIN if hand.size else say("that hand is empty"),
        )
    elsewhere = _elsewhere(table, seat, held)
    return None if elsewhere is None else Refused(rules.DECK, elsewhere, _SCAN_AGAIN)


def _not_in_the_deck(table: CiaoTable, card: Card) -> Refused:
    one, agreed = kind(card), table.agreed
    facts = {"card": words(card), "step": agreed.step}
    if agreed.young and (one.icon or one.trouble or one.joker) and not agreed.many(one.name):
        rule = rules.YOUNG_CARDS if one.trouble or one.joker else rules.YOUNG
        return Refused(
            rule, say("{card} is not in the deck in step {step}", **facts), say("put it back in the box")
        )
    return Refused(
        rules.DECK,
        say(
            "{card}: the deck has {number} of them, and this is one too many",
            number=agreed.many(one.name),
            **facts,
        ),
        say("put it back in the box, or agree on another deck before a match"),
    )


def _elsewhere(table: CiaoTable, seat: Seat, card: Card) -> Text | None:
    """Where a card is, if it cannot be in the hand: this very copy, or all cards of its kind."""
    name, many = kind(card).name, table.agreed.many(kind(card).name)
    others = (one for owner, hand in enumerate(table.hands) if owner != seat for one in hand.known)
    outside = [
        one
        for one in (*table.discards, *table.pile, *others)
        if one.startswith(name) and kind(one).name == name
    ]
    if card in outside and ("#" in card or (table.counts and many == 1)):
        found = next(where for one, where in _places(table, seat) if one == card)
        return say("this {card} is {where}", card=words(card), where=found)
    known = sum(may_be_same(one, name) for one in table.hands[seat].known)
    # What is known in the hand is another copy, else `holding` would have found it: it counts as well.
    if not table.counts or len(outside) + known < many:
        return None
    # Each place once: how many of them are hidden is nobody's business either.
    places: list[Text] = []
    for one, where in _places(table, seat):
        if kind(one).name == name and where not in places:
            places.append(where)
    return say("every {card} is elsewhere: {places}", card=words(name), places=tuple(places))


def _places(table: CiaoTable, seat: Seat) -> Iterator[tuple[Card, Text]]:
    """Every card that is known to be outside a hand, and where it is; not which hand, or whether a hand."""
    for place, one in enumerate(reversed(table.discards)):
        yield (
            one,
            say("on top")
            if place == 0
            else say("under the top card (number {place} from the top)", place=place + 1),
        )
    hidden = say("in another hand or in the draw pile")
    yield from ((one, hidden) for one in table.pile)
    others = (hand.known for owner, hand in enumerate(table.hands) if owner != seat)
    yield from ((one, hidden) for known in others for one in known)


def why_higher(table: CiaoTable, card: Card) -> Rule | None:
    """The rule by which a card may be played on the top card now; None if it may not."""
    by = higher(card, table.top, colours=table.agreed.colours)
    if table.pending and kind(card).icon is Icon.PLUS_THREE:
        if not table.agreed.plus3_higher:
            return rules.PLUS_THREE
        return rules.ORDER_OF_PLUS_THREE if by else None
    if table.pending:
        return rules.JOKER if by is HigherBy.JOKER else None
    one = kind(card)
    if by is HigherBy.OPENS and (one.joker or one.icon):
        return rules.OPENING_CARD
    return None if by is None else _RULE_OF[by]


def not_playable(table: CiaoTable, seat: Seat, card: Card) -> Refused | None:
    """Why a card of the hand may not be played now; playing it is a mistake."""
    one, penalty = kind(card), records.Foul(seat, card)
    if one.trouble:
        return Refused(
            rules.TROUBLE,
            say("a trouble card is never played"),
            say("play another card, or draw; you can only give it away or swap hands"),
            penalty,
        )
    if table.stage is Stage.DRAWN and not _is_drawn(table, seat, card):
        return Refused(
            rules.DRAWN,
            say("this {card} is not the card that was drawn", card=words(card)),
            say("play the drawn card, or keep it; each copy of a card has its own code"),
            penalty,
        )
    if why_higher(table, card) is None:
        return _not_higher(table, card, penalty)
    if table.agreed.last_special is LastSpecial.FORBIDDEN and one.icon and table.hands[seat].size == 1:
        return Refused(
            rules.LAST_SPECIAL,
            say("a special card may not be the last one: that was agreed"),
            say("draw a card"),
            penalty,
        )
    return None


def _is_drawn(table: CiaoTable, seat: Seat, card: Card) -> bool:
    """Whether a card can be the drawn one.

    A name without a copy number means any copy. So it can be the drawn card although another copy is
    known to have been in the hand before, unless every copy is known to be somewhere else.
    """
    if table.drawn is not None:
        return may_be_same(table.drawn, card)
    held = table.hands[seat].known
    if "#" in card and card in held:
        return False
    if not any(may_be_same(one, card) for one in held) or not table.counts:
        return True
    name = kind(card).name
    everywhere = (*held, *(one for one, _ in _places(table, seat)))
    return sum(kind(one).name == name for one in everywhere) < table.agreed.many(name)


def _not_higher(table: CiaoTable, card: Card, penalty: records.Foul) -> Refused:
    facts = {"card": words(card), "top": words(table.top)}
    if table.pending and kind(card).icon is Icon.PLUS_THREE:
        return Refused(
            rules.ORDER_OF_PLUS_THREE,
            say("{card} is not higher than {top}", **facts),
            say("play a joker or a higher +3, or draw {cards}", cards=table.pending),
            penalty,
        )
    if table.pending:
        return Refused(
            rules.PLUS_THREE,
            say("{card} does not answer a +3", **facts),
            say("play a joker or a +3, or draw {cards}", cards=table.pending),
            penalty,
        )
    rule = rules.HIGHER if table.agreed.colours else rules.YOUNG
    fault = say("{card} is not higher than {top}", **facts)
    if table.stage in (Stage.RACE, Stage.CLAIM):
        return Refused(rule, fault, say("the challenge continues"), penalty)
    fitting = what_fits(table.top, colours=table.agreed.colours)
    return Refused(rule, fault, say("play one of these, or draw: {cards}", cards=fitting), penalty)


def may_own(table: CiaoTable, card: Card) -> tuple[Seat, ...] | Refused:
    """The players in the race who may hold a card; a refusal if nobody can."""
    faults = {seat: not_held(table, seat, card) for seat in table.racers}
    owners = tuple(seat for seat, fault in faults.items() if fault is None)
    return owners or next(fault for fault in faults.values() if fault is not None)


def playable_by_nobody(table: CiaoTable, owners: tuple[Seat, ...], card: Card) -> Refused | None:
    """Why none of these players may play a card; None if one of them may."""
    faults = [not_playable(table, seat, card) for seat in owners]
    return faults[0] if all(faults) else None


_ANY_TIME: Final = (
    records.Register,
    ForgetHands,
    records.Adopt,
    records.Correct,
    EndDeal,
    Join,
    Leave,
)
"""What may be done while a hand is to be scanned."""


def registering(table: CiaoTable) -> tuple[Seat, ...]:
    """The seats that hold cards which are to be scanned, clockwise from who began the deal.

    The hand that has been begun comes first.
    """
    agreed = table.agreed.hands
    if not agreed or table.unscanned or table.stage in (Stage.THANKS, Stage.COUNT):
        return ()  # thanks are said at once, or three more cards come
    order = clockwise(table.players, table.first)
    open_ = [seat for seat in order if seat in agreed and not table.hands[seat].open]
    return tuple(sorted(open_, key=lambda seat: not table.hands[seat].known))


def register(table: CiaoTable, command: records.Register) -> records.Ruling:
    """Take a card into the hand in which it is."""
    seat, card = command.seat, command.held
    if fault := not_playing(table, seat):
        return fault
    if seat not in registering(table):
        return Refused(
            rules.SETUP, say("no card of {player} needs to be scanned", player=who(seat)), say("play on")
        )
    if split(card) is None or not table.agreed.has(card):
        return Refused(
            rules.DECK,
            say("this card is not in the deck"),
            say("put it back in the box and take another card"),
        )
    if _is_elsewhere(table, card):
        # Neither the card nor its place is named: all at the table read this.
        return Refused(
            rules.SETUP, say("this card has been scanned already"), say("scan the next card of the hand")
        )
    return Allowed((records.CardRegistered(card, seat),), ())


def _is_elsewhere(table: CiaoTable, card: Card) -> bool:
    """Whether this very copy, or every copy of its kind, is known to be in some other place."""
    if not table.counts:
        return False
    held = (one for hand in table.hands for one in hand.known)
    known = [one for one in (*table.discards, *held) if kind(one).name == kind(card).name]
    return ("#" in card and card in known) or len(known) >= table.agreed.many(kind(card).name)


def hands_first(table: CiaoTable, command: records.Command) -> Refused | None:
    """A refusal to play on while cards are to be scanned."""
    if isinstance(command, _ANY_TIME) or not registering(table):
        return None
    return Refused(
        rules.SETUP,
        say("a card of a hand must be scanned first"),
        say("scan the next card of the hand"),
    )


def forget(table: CiaoTable) -> records.Ruling:
    """Know no hand any more in this deal."""
    if not table.agreed.hands or table.unscanned or table.stage is Stage.COUNT:
        return Refused(rules.SETUP, say("no hand is known in this deal"), say("play on"))
    return Allowed((records.HandsForgotten(),), ())


def decides(table: CiaoTable) -> bool:
    """Whether a card is played, drawn or given, or something is chosen."""
    return not registering(table) and table.stage not in (Stage.CLAIM, Stage.THANKS, Stage.COUNT)


def hand_of(table: CiaoTable, seat: Seat) -> tuple[str, ...]:
    """The cards that a seat can still play, the newest last, if all of them are known."""
    hand = table.hands[seat]
    return hand.known if seat in table.players and hand.open else ()


def dealing(table: CiaoTable) -> Dealing:
    sizes = tuple(hand.size for hand in table.hands)
    out = (*table.discards, *table.pile)
    return Dealing(table.agreed.cards(), out, sizes, tuple(hand.known for hand in table.hands))


def swapped(event: records.Event) -> tuple[Seat, Seat] | None:
    if not isinstance(event, records.HandsSwapped):
        return None
    one, other = event.seats
    return one, other


def only(table: CiaoTable, ask: Ask, hand: tuple[str, ...]) -> tuple[str, ...] | None:
    """The drawn card, which came last, is the only one to be played; a trouble card goes, if there is one."""
    if table.stage is Stage.DRAWN and ask.kind is AskKind.PLAY:
        return hand[-1:]
    if table.stage is Stage.TROUBLE:
        return (ask.choices[0] if any(kind(card).trouble for card in hand) else ask.choices[1],)
    return None


Made = EventBuilder[CiaoTable, records.Event]
"""The events of one command so far, and the table after them."""


def made_on(table: CiaoTable) -> Made:
    """No events yet, on this table."""
    return EventBuilder(table, apply=apply, why=why)


def ask(made: Made, stage: Stage, seat: Seat, other: Seat | None = None) -> None:
    """A player has to decide something."""
    made.add(records.Asked(stage.value, seat, other))


def pass_on(made: Made, after: Seat | None = None) -> None:
    """The next player after a seat, or after the latest card; players who lost a turn are skipped."""
    seat = made.table.next_after(made.table.after if after is None else after)
    while made.table.skips[seat]:
        made.add(records.TurnMissed(seat))
        seat = made.table.next_after(seat)
    made.add(records.TurnBegun(seat))


def draw(made: Made, seat: Seat, number: int, rule: Rule) -> None:
    """A seat draws; the discards are shuffled when the draw pile is too small (house rule HC-9)."""
    under = len(made.table.discards) - 1
    if made.table.draw < number and under > 0:
        made.add(records.Reshuffled(under))
    number = min(number, made.table.draw)
    made.add(records.CardsDrawn(seat, number, made.table.pile[:number], rule.key))


def draw_pending(made: Made, seat: Seat) -> None:
    """A seat draws what a +3 makes it draw, if one waits."""
    if made.table.pending:
        draw(made, seat, made.table.pending, rules.PLUS_THREE)
        made.add(records.PlusThree(seat, 0))


def win(made: Made, seat: Seat) -> None:
    """A seat has no cards left and wins the deal."""
    made.add(records.DealWon(seat))
    count_open_hands(made)


def count_open_hands(made: Made) -> None:
    """Hands that are known need not be shown."""
    for seat in made.table.uncounted:
        hand = made.table.hands[seat]
        if hand.open:
            made.add(records.HandCounted(seat, points(hand.known), hand.known))
