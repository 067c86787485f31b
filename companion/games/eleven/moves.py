"""The commands of a move: turning up cards, laying them one by one or at once. Nothing is changed here."""

from collections.abc import Callable, Iterable

from companion.core import ruling
from companion.core.cards import Card, Seat, who
from companion.core.ruling import Allowed, Because, EventBuilder, Refused
from companion.games.eleven import legal, records, rules
from companion.games.eleven.explain import why
from companion.games.eleven.options import Bulls
from companion.games.eleven.table import ElevenTable, Pile, apply
from companion.text.sentence import CardNumber, count, say
from companion.values import replace

Made = EventBuilder[ElevenTable, records.Event]
"""The events of a command so far, and the table after them."""


def made_on(table: ElevenTable) -> Made:
    """No events yet, on this table."""
    return EventBuilder(table, apply=apply, why=why)


def known_hand(table: ElevenTable) -> records.HandCounted | None:
    """The hand that is counted by itself now, because all of it is known; None if there is none."""
    seat = table.next_hand
    # As soon as a card of the hand was scanned, people are counting it: let them go on.
    hand = None if seat is None or table.seen else legal.whole(table, seat)
    return None if seat is None or hand is None else hand_counted(table, seat, hand)


def hand_counted(table: ElevenTable, seat: Seat, cards: Iterable[Card]) -> records.HandCounted:
    """The event that the hand of a seat has these cards."""
    held = tuple(sorted(cards))
    return records.HandCounted(seat, held, table.agreed.heads_on(held))


def settle(
    table: ElevenTable, events: Iterable[records.Event], said: Because | None = None
) -> Allowed[records.Event]:
    """These events, and the hands that are counted by themselves after them."""
    return ruling.settle(table, events, apply=apply, follows=known_hand, why=why, said=said)


def turn_up(table: ElevenTable, command: records.TurnUp) -> records.Ruling:
    """Cards from the deck begin piles."""
    if not table.due:
        return Refused(
            rules.NEW_PILES,
            say("it is not time to turn up a card"),
            say("turn up cards when a deal starts, and after a pile is taken"),
        )
    if not 1 <= len(command.cards) <= table.due:
        return Refused(
            rules.NEW_PILES,
            count("{count} card was given", "{count} cards were given", len(command.cards)),
            count("turn up {count} card", "turn up {count} cards", table.due),
        )
    made = made_on(table)
    for card in command.cards:
        if fault := legal.not_in_deck(made.table, card):
            return fault
        made.add(records.CardTurnedUp(card, made.table.next_pile))
    return made.settle(known_hand)


def not_on_turn(table: ElevenTable, seat: Seat | None) -> Refused | None:
    """Why no move can be started or continued now."""
    if table.due:
        return Refused(
            rules.NEW_PILES,
            say("the new piles are not turned up yet"),
            count("turn up {count} card first", "turn up {count} cards first", table.due),
        )
    if table.shown is not None:
        return Refused(
            rules.ONE_ACTION,
            say("it is not known yet who played {card}", card=table.shown),
            say("say whose card it is, or undo it"),
        )
    if table.waiting is not None:
        return Refused(
            rules.ONE_ACTION,
            say("{card} still needs a pile", card=table.waiting),
            say("choose the pile, or undo the card"),
        )
    if table.taking is not None:
        return Refused(
            rules.SUPPLY,
            say("a pile is being taken"),
            say("choose who gives the bull card, or undo"),
        )
    if seat is None or seat == table.turn:
        return None
    return Refused(
        rules.ONE_ACTION,
        say("it is not {player}'s turn", player=who(seat)),
        say("it is {player}'s turn", player=who(table.turn)),
    )


def begins_next(table: ElevenTable, seat: Seat | None) -> bool:
    """Whether a seat is the next one, and the move in progress can end: so it does where this seat acts."""
    open_ = table.waiting is None and table.shown is None
    return bool(table.laid) and open_ and seat == table.after(table.turn) != table.turn


def after_move(table: ElevenTable, judge: Callable[[ElevenTable], records.Ruling]) -> records.Ruling:
    """The move in progress ends, and the next player does what `judge` rules on."""
    made = made_on(table)
    made.add(*end_of_move(table, table.turn))
    then = judge(made.table)
    if isinstance(then, Refused):
        return then
    made.add(*then.events)
    return made.settle(known_hand)


def show_card(table: ElevenTable, command: records.ShowCard) -> records.Ruling:
    """A card of the player on turn or of the next one, or the question whose it is."""
    card, mover, following = command.card, table.turn, table.after(table.turn)
    own = play_card(table, records.PlayCard(card, seat=mover))
    if not begins_next(table, following):
        return own
    theirs = play_card(table, records.PlayCard(card, seat=following))
    if isinstance(own, Allowed) and isinstance(theirs, Allowed):
        return settle(table, [records.CardShown(card)])
    if isinstance(own, Allowed) or isinstance(theirs, Allowed):
        return own if isinstance(own, Allowed) else theirs
    # Nobody is to read what another one did wrong: who cannot have the card is not spoken of.
    return own if legal.not_in_hand(table, following, card) else theirs


def claim(table: ElevenTable, command: records.Claim) -> records.Ruling:
    """Who played the card that was shown."""
    if table.shown is None or table.shown != command.card:
        return Refused(
            rules.ONE_ACTION,
            say("it does not matter now who played {card}", card=command.card),
            say("play on"),
        )
    if command.seat not in (table.turn, table.after(table.turn)):
        return Refused(
            rules.ONE_ACTION,
            say("it is not {player}'s turn", player=who(command.seat)),
            say(
                "say whether it is the card of {one} or of {other}",
                one=who(table.turn),
                other=who(table.after(table.turn)),
            ),
        )
    return play_card(replace(table, shown=None), records.PlayCard(command.card, seat=command.seat))


def play_card(table: ElevenTable, command: records.PlayCard) -> records.Ruling:
    """One card, on the pile that was named or the one that fits."""
    if begins_next(table, command.seat):
        return after_move(table, lambda after: play_card(after, command))
    if fault := not_on_turn(table, command.seat) or legal.not_in_hand(table, table.turn, command.card):
        return fault
    if legal.opens_pile(table):
        if command.pile is not None:
            return _no_pile(table)
        made = made_on(table)
        made.add(_pile_opened(table, command.card))
        return _finished(made)
    if command.pile is not None:
        pile = table.pile(command.pile)
        if pile is None:
            return _no_pile(table)
        if fault := _does_not_fit(table, command.card, pile) or _too_many(table, pile):
            return fault
        return _laid(table, command.card, pile)
    piles = legal.open_to(table, command.card)
    if not piles:
        return _nowhere(table, command.card)
    if len(piles) > 1:
        return settle(table, [records.CardWaits(command.card, table.turn)])
    return _laid(table, command.card, piles[0])


def choose_pile(table: ElevenTable, command: records.Choose) -> records.Ruling:
    """The pile for the card that waits."""
    card = table.waiting
    if card is None:
        return Refused(
            rules.ONE_ACTION,
            say("no card needs a pile now"),
            say("you choose a pile only when a card fits several"),
        )
    if fault := legal.not_asked(command.seat, table.turn):
        return fault
    piles = legal.open_to(table, card)
    pile = next((one for one in piles if one.number == command.pile), None)
    if pile is None:
        return Refused(
            rules.AT_MOST_TEN,
            say("{card} cannot go on that pile now", card=card),
            say("choose one of the piles with {tops} on top", tops=legal.tops(piles)),
        )
    return _laid(table, card, pile)


def play(table: ElevenTable, command: records.Play) -> records.Ruling:
    """A whole move, or the rest of the one in progress."""
    if fault := not_on_turn(table, command.seat):
        return fault
    if not any(command.cards.values()) or not all(command.cards.values()):
        return Refused(
            rules.HOW_MANY,
            say("a pile is named without a card") if command.cards else say("no card is played"),
            say("play at least one card on every pile that you name, or take a pile"),
        )
    made = made_on(table)
    for name, cards in command.cards.items():
        for card in cards:
            after = made.table
            step = _step(after, name, card)
            if isinstance(step, Refused):
                return step
            made.add(_card_laid(after, card, step) if step else _pile_opened(after, card))
    counts = legal.counts_of(made.table)
    if not legal.permitted(table, counts, made.table.bulls[table.turn]):
        return _beyond_bulls(made.table)
    return _finished(made)


def _step(table: ElevenTable, name: str, card: Card) -> Pile | Refused | None:
    """Where one card of a whole move goes: a pile, or None where it opens one."""
    if fault := legal.not_in_hand(table, table.turn, card):
        return fault
    if any(one.top is None for one in table.laid):
        return Refused(
            rules.NO_PILE,
            say("a new pile is opened with one card only"),
            say("play one card on the new pile"),
        )
    if name == records.NEW:
        if legal.opens_pile(table):
            return None
        return Refused(
            rules.NO_PILE,
            say("there are piles to play on"),
            say("name one of the piles with {tops} on top", tops=legal.tops(table.piles)),
        )
    pile = next((one for one in table.piles if str(one.number) == name), None)
    if pile is None:
        return Refused(
            rules.ONE_ACTION,
            say("there is no such pile"),
            say('name the new pile "new"')
            if legal.opens_pile(table)
            else say("name one of the piles with {tops} on top", tops=legal.tops(table.piles)),
        )
    return _does_not_fit(table, card, pile) or pile


def _no_pile(table: ElevenTable) -> Refused:
    if table.piles:
        fix = say("use one of the piles with {tops} on top", tops=legal.tops(table.piles))
    else:
        fix = say("open a pile with any card")
    return Refused(rules.ONE_ACTION, say("there is no such pile"), fix)


def _does_not_fit(table: ElevenTable, card: Card, pile: Pile) -> Refused | None:
    top = table.top_before(pile)
    if legal.fits(card, top):
        return None
    before = pile.top != top
    at = say("{top}, the top card before the move", top=top) if before else CardNumber(top)
    facts = {"card": card, "at": at, "gap": legal.above(card, top)}
    rule = rules.WINDOW if before else rules.AT_MOST_TEN
    if legal.is_lower(card, top):
        rule, fault = rules.HIGHER, say("{card} is lower than {at}", **facts)
    elif card < top:
        fault = say("counted on after 100, {card} is {gap} above {at}", **facts)
    else:
        fault = say("{card} is {gap} above {at}", **facts)
    return Refused(
        rule, fault, say("play a card that is 1 to {reach} above it, or take a pile", reach=legal.REACH)
    )


def _nowhere(table: ElevenTable, card: Card) -> Refused:
    piles = legal.fitting(table, card)
    if piles:
        return _beyond_bulls(table)
    begun = bool(table.laid)
    tops = [table.top_before(pile) for pile in table.piles]
    facts = {"card": card, "reach": legal.REACH, "tops": tuple(tops)}
    rule = rules.WINDOW if begun else rules.AT_MOST_TEN
    if all(legal.is_lower(card, top) for top in tops):
        rule, fault = rules.HIGHER, say("{card} is lower than the top of every pile ({tops})", **facts)
    else:
        fault = say("{card} is not within {reach} above any pile ({tops})", **facts)
    fix = say("end the move, or play another card") if begun else say("play another card, or take a pile")
    return Refused(rule, fault, fix)


def _too_many(table: ElevenTable, pile: Pile) -> Refused | None:
    return None if pile in legal.with_one_more(table) else _beyond_bulls(table)


def _beyond_bulls(table: ElevenTable) -> Refused:
    bulls = table.bulls[table.turn]
    fault = count(
        "{player} has {count} bull card: too few for these cards",
        "{player} has {count} bull cards: too few for these cards",
        bulls,
        player=who(table.turn),
    )
    if not bulls:
        return Refused(rules.WINDOW, fault, say("play one card on one pile"))
    return Refused(
        rules.HOW_MANY,
        fault,
        count(
            "play any number of cards on {count} pile",
            "play any number of cards on up to {count} piles",
            bulls,
        ),
    )


def _laid(table: ElevenTable, card: Card, pile: Pile) -> Allowed[records.Event]:
    """A card is laid; the move continues as long as there are bull cards and something to play."""
    made = made_on(table)
    made.add(_card_laid(table, card, pile))
    after = made.table
    goes_on = after.sizes[after.turn] and after.bulls[after.turn] and legal.can_lay(after)
    return made.settle(known_hand) if goes_on else _finished(made)


def _finished(made: Made) -> Allowed[records.Event]:
    made.add(*end_of_move(made.table, made.table.turn))
    return made.settle(known_hand)


def _card_laid(table: ElevenTable, card: Card, pile: Pile) -> records.CardLaid:
    """The event that a card goes to a pile, between the cards of this move in their order (H11-3)."""
    top = table.top_before(pile)
    others = [one.card for one in table.laid if one.pile == pile.number]
    at = (
        len(pile.cards)
        - len(others)
        + sum(legal.above(other, top) < legal.above(card, top) for other in others)
    )
    return records.CardLaid(card, table.turn, pile.number, at)


def _pile_opened(table: ElevenTable, card: Card) -> records.PileOpened:
    return records.PileOpened(card, table.turn, table.next_pile)


def end_of_move(table: ElevenTable, seat: Seat) -> list[records.Event]:
    """What ends a move of cards: bull cards returned, an empty hand, or the next player."""
    counts = legal.counts_of(table)
    used = next(bulls for bulls in range(table.bulls[seat] + 1) if legal.permitted(table, counts, bulls))
    events: list[records.Event] = []
    if table.agreed.bulls is Bulls.SPENT and used:
        events.append(records.BullsReturned(seat, used))
    events.append(records.TurnPassed(table.after(seat)) if table.sizes[seat] else records.WentOut(seat))
    return events
