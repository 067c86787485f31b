"""How 11 nimmt! is played, from the first hand that is scanned to the last move. Nothing is changed here.

First hands and new piles; then a move of cards, one by one or at once, and why a card is refused in it; then
the taking of a pile; last where a card can come from. A hand that was scanned when it was dealt stays hidden:
no refusal names one of its cards.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from companion.core import ruling
from companion.core.cards import Card, Seat, listed_players, who
from companion.core.codec import Record
from companion.core.ruling import (
    Allowed,
    Because,
    EventBuilder,
    ForgetHands,
    Illegal,
    attempt,
    not_playing,
    require,
)
from companion.games.eleven import records, rules
from companion.games.eleven.cards import REACH, above, fits, is_lower
from companion.games.eleven.explain import why
from companion.games.eleven.options import CARDS, DEALT, NEW_PILES, PILE_FOR_BULL, Bulls
from companion.games.eleven.table import ElevenTable, FromHand, Pile, apply
from companion.text.sentence import CardNumber, count, say
from companion.values import replace

Ruling = Allowed[Record]
Events = EventBuilder[ElevenTable, Record]
"""The events of a command so far, and the table after them."""

C = TypeVar("C", records.PlayCard, records.Take)


def _gather(table: ElevenTable) -> Events:
    return EventBuilder(table, apply=apply, why=why)


def settle(table: ElevenTable, events: Iterable[Record], reason: Because | None = None) -> Ruling:
    """These events, and the hands that are counted by themselves after them."""
    return ruling.settle(table, events, apply=apply, follows=_count_known_hand, why=why, reason=reason)


def _count_known_hand(table: ElevenTable) -> records.HandCounted | None:
    """The hand that is counted by itself now, because all of it is known; None if there is none."""
    seat = table.next_hand
    # As soon as a card of the hand was scanned, people are counting it: let them go on.
    hand = None if seat is None or table.seen else table.whole(seat)
    return None if seat is None or hand is None else hand_counted(table, seat, hand)


def hand_counted(table: ElevenTable, seat: Seat, cards: Iterable[Card]) -> records.HandCounted:
    """The event that the hand of a seat has these cards."""
    held = tuple(sorted(cards))
    return records.HandCounted(seat, held, table.agreed.heads_on(held))


# --------------------------------------------------------------------------------------- hands and new piles


def register(table: ElevenTable, command: records.Register) -> Ruling:
    """Take a card into the hand that it was dealt to."""
    seat, card, player = command.seat, command.held, who(command.seat)
    fault = say("a hand is scanned before the first card is turned up")
    rules.HANDS.demands(table.untouched, fault, "play on, or undo back to the deal")
    require(not_playing(table.players, seat, rules.PLAYERS))
    check_exists(card)
    missing = len(table.known[seat]) < DEALT
    fault = say("all {player}'s cards are scanned", player=player)
    rules.HANDS.demands(missing, fault, "scan the cards of another player")
    fault = say("{player}'s hand is not scanned in this deal", player=player)
    rules.HANDS.demands(seat in table.registering, fault, "play on")
    # Neither the card nor its place is named: all at the table read this.
    new = all(card not in hand for hand in table.known)
    fix = say("scan the next card of the hand")
    rules.ONE_OF_EACH.demands(new, "this card has been scanned already", fix)
    return Allowed((records.CardRegistered(card, seat),), ())


def forget_hands(table: ElevenTable, _command: ForgetHands) -> Ruling:
    """Know nothing more of the hands that were scanned."""
    seats = tuple(seat for seat in table.players if seat in table.agreed.hands)
    known = seats and not table.unscanned
    rules.HANDS.demands(known, "no hand is known in this deal", "play on")
    return Allowed((records.HandsForgotten(seats),), ())


def turn_up(table: ElevenTable, command: records.TurnUp) -> Ruling:
    """Cards from the deck begin piles."""
    if table.registering:
        fault = say("a hand is scanned before the first card is turned up")
        raise rules.HANDS.forbids(fault, "scan the next card of the hand")
    if not table.due:
        fix = say("turn up cards when a deal starts, and after a pile is taken")
        raise rules.NEW_PILES.forbids("it is not time to turn up a card", fix)
    if not 1 <= len(command.cards) <= table.due:
        fault = count("{count} card was given", "{count} cards were given", len(command.cards))
        fix = count("turn up {count} card", "turn up {count} cards", table.due)
        raise rules.NEW_PILES.forbids(fault, fix)
    made = _gather(table)
    for card in command.cards:
        check_in_deck(made.table, card)
        made.add(records.CardTurnedUp(card, made.table.next_pile))
    return made.settle(_count_known_hand)


# ------------------------------------------------------------------------------------------- a move of cards


def play_card(table: ElevenTable, command: records.PlayCard) -> Ruling:
    """One card, on the pile that was named or the one that fits."""
    card, number = command.card, command.pile
    if _begins_next(table, command.seat):
        return _after_move(table, play_card, command)
    check_turn(table, command.seat)
    check_in_hand(table, table.turn, card)
    if number is None:
        if table.opens_pile:
            return _lay(table, records.PileOpened(card, table.turn, table.next_pile))
        piles = table.open_to(card)
        if not piles:
            raise _fits_nowhere(table, card)
        if len(piles) > 1:
            return settle(table, [records.CardWaits(card, table.turn)])
        return _lay(table, _card_laid(table, card, piles[0]))
    pile = table.pile(number)
    if pile is None:
        fix = say("use one of the piles with {tops} on top", tops=table.tops)
        fix = fix if table.piles else say("open a pile with any card")
        raise rules.ONE_ACTION.forbids("there is no such pile", fix)
    _check_fits(table, card, pile)
    if pile not in table.open_piles:
        raise _too_few_bulls(table)
    return _lay(table, _card_laid(table, card, pile))


def show_card(table: ElevenTable, command: records.ShowCard) -> Ruling:
    """A card of the player on turn or of the next one, or the question whose it is."""
    card, mover, following = command.card, table.turn, table.after(table.turn)
    if not _begins_next(table, following):
        return play_card(table, records.PlayCard(card, seat=mover))
    own = attempt(play_card, table, records.PlayCard(card, seat=mover))
    theirs = attempt(play_card, table, records.PlayCard(card, seat=following))
    if isinstance(own, Allowed):
        return settle(table, [records.CardShown(card)]) if isinstance(theirs, Allowed) else own
    if isinstance(theirs, Allowed):
        return theirs
    # Nobody is to read what another one did wrong: who cannot have the card is not spoken of.
    raise Illegal(theirs if card in table.possible(following) else own)


def claim(table: ElevenTable, command: records.Claim) -> Ruling:
    """Who played the card that was shown."""
    card, seat, following = command.card, command.seat, table.after(table.turn)
    asked = table.shown is not None and table.shown == card
    fault = say("it does not matter now who played {card}", card=card)
    rules.ONE_ACTION.demands(asked, fault, "play on")
    fix = say("say whether it is the card of {one} or of {other}", one=who(table.turn), other=who(following))
    fault = say("it is not {player}'s turn", player=who(seat))
    rules.ONE_ACTION.demands(seat in (table.turn, following), fault, fix)
    return play_card(replace(table, shown=None), records.PlayCard(card, seat=seat))


def choose_pile(table: ElevenTable, command: records.Choose) -> Ruling:
    """The pile for the card that waits."""
    card = table.waiting
    if card is None:
        fix = say("you choose a pile only when a card fits several")
        raise rules.ONE_ACTION.forbids("no card needs a pile now", fix)
    check_asked(command.seat, table.turn)
    piles = table.open_to(card)
    for pile in piles:
        if pile.number == command.pile:
            return _lay(table, _card_laid(table, card, pile))
    fix = say("choose one of the piles with {tops} on top", tops=tuple(pile.top for pile in piles))
    raise rules.AT_MOST_TEN.forbids("{card} cannot go on that pile now", fix, card=card)


def play(table: ElevenTable, command: records.Play) -> Ruling:
    """A whole move, or the rest of the one in progress."""
    check_turn(table, command.seat)
    if not command.cards or not all(command.cards.values()):
        fault = say("a pile is named without a card") if command.cards else say("no card is played")
        fix = say("play at least one card on every pile that you name, or take a pile")
        raise rules.HOW_MANY.forbids(fault, fix)
    made = _gather(table)
    for name, cards in command.cards.items():
        for card in cards:
            made.add(_part_of_move(made.table, name, card))
    if not made.table.permits(made.table.counts, table.bulls[table.turn]):
        raise _too_few_bulls(made.table)
    return _finished(made)


def _part_of_move(table: ElevenTable, name: str, card: Card) -> FromHand:
    """One card of a whole move, on the pile of that name."""
    check_in_hand(table, table.turn, card)
    if any(isinstance(laid, records.PileOpened) for laid in table.laid):
        fix = say("play one card on the new pile")
        raise rules.NO_PILE.forbids("a new pile is opened with one card only", fix)
    if name == records.NEW:
        if table.opens_pile:
            return records.PileOpened(card, table.turn, table.next_pile)
        fix = say("name one of the piles with {tops} on top", tops=table.tops)
        raise rules.NO_PILE.forbids("there are piles to play on", fix)
    for pile in table.piles:
        if str(pile.number) == name:
            _check_fits(table, card, pile)
            return _card_laid(table, card, pile)
    fix = say('name the new pile "new"')
    if not table.opens_pile:
        fix = say("name one of the piles with {tops} on top", tops=table.tops)
    raise rules.ONE_ACTION.forbids("there is no such pile", fix)


def end_move(table: ElevenTable, command: records.Done) -> Ruling:
    """No more cards in this move."""
    check_turn(table, command.seat)
    fault = say("{player} has not played a card yet", player=who(table.turn))
    rules.ONE_ACTION.demands(table.laid, fault, "play a card, or take a pile")
    return settle(table, end_of_move(table, table.turn))


def end_of_move(table: ElevenTable, seat: Seat) -> list[Record]:
    """What ends a move of cards: bull cards returned, an empty hand, or the next player."""
    used = next(bulls for bulls in range(table.bulls[seat] + 1) if table.permits(table.counts, bulls))
    events: list[Record] = []
    if table.agreed.bulls is Bulls.SPENT and used:
        events.append(records.BullsReturned(seat, used))
    events.append(records.TurnPassed(table.after(seat)) if table.sizes[seat] else records.WentOut(seat))
    return events


def _begins_next(table: ElevenTable, seat: Seat | None) -> bool:
    """Whether a seat is the next one, and the move in progress can end: so it does where this seat acts."""
    open_ = table.waiting is None and table.shown is None
    return bool(table.laid) and open_ and seat == table.after(table.turn) != table.turn


def _after_move(table: ElevenTable, handler: Callable[[ElevenTable, C], Ruling], command: C) -> Ruling:
    """The move in progress ends, and the next player does what was ordered."""
    made = _gather(table)
    made.add(*end_of_move(table, table.turn))
    made.add(*handler(made.table, command).events)
    return made.settle(_count_known_hand)


def _card_laid(table: ElevenTable, card: Card, pile: Pile) -> records.CardLaid:
    """The event that a card goes to a pile, between the cards of this move in their order (H11-3)."""
    base = table.base(pile)
    up = above(card, base)
    higher = sum(laid.pile == pile.number and above(laid.card, base) >= up for laid in table.laid)
    return records.CardLaid(card, table.turn, pile.number, len(pile.cards) - higher)


def _lay(table: ElevenTable, event: FromHand) -> Ruling:
    """A card is laid; the move continues as long as there are bull cards and something to play."""
    made = _gather(table)
    made.add(event)
    opened, after = isinstance(event, records.PileOpened), made.table
    goes_on = not opened and after.sizes[after.turn] and after.bulls[after.turn] and after.can_lay
    return made.settle(_count_known_hand) if goes_on else _finished(made)


def _finished(made: Events) -> Ruling:
    made.add(*end_of_move(made.table, made.table.turn))
    return made.settle(_count_known_hand)


# -------------------------------------------------------------------------------- what a card is refused for


def check_turn(table: ElevenTable, seat: Seat | None) -> None:
    """A move can be started or continued now, by this seat."""
    if table.due:
        fix = count("turn up {count} card first", "turn up {count} cards first", table.due)
        raise rules.NEW_PILES.forbids("the new piles are not turned up yet", fix)
    if table.shown is not None:
        fault = say("it is not known yet who played {card}", card=table.shown)
        raise rules.ONE_ACTION.forbids(fault, "say whose card it is, or undo it")
    if table.waiting is not None:
        fault = say("{card} still needs a pile", card=table.waiting)
        raise rules.ONE_ACTION.forbids(fault, "choose the pile, or undo the card")
    if table.taking is not None:
        raise rules.SUPPLY.forbids("a pile is being taken", "choose who gives the bull card, or undo")
    if seat not in (None, table.turn):
        fix = say("it is {player}'s turn", player=who(table.turn))
        raise rules.ONE_ACTION.forbids("it is not {player}'s turn", fix, player=who(seat))


def check_asked(seat: Seat | None, asked: Seat) -> None:
    """An answer comes from the seat that is asked, if it says from which."""
    if seat not in (None, asked):
        fault = say("it is not {player}'s turn to answer", player=who(seat))
        raise rules.PLAYERS.forbids(fault, "{player} must answer", player=who(asked))


def _check_fits(table: ElevenTable, card: Card, pile: Pile) -> None:
    base = table.base(pile)
    if fits(card, base):
        return
    before = pile.top != base
    at = say("{top}, the top card before the move", top=base) if before else CardNumber(base)
    facts = {"card": card, "at": at, "gap": above(card, base)}
    rule = rules.WINDOW if before else rules.AT_MOST_TEN
    if is_lower(card, base):
        rule, fault = rules.HIGHER, say("{card} is lower than {at}", **facts)
    elif card < base:
        fault = say("counting on past 100, {card} is {gap} above {at}", **facts)
    else:
        fault = say("{card} is {gap} above {at}", **facts)
    raise rule.forbids(fault, "play a card that is 1 to {reach} above it, or take a pile", reach=REACH)


def _fits_nowhere(table: ElevenTable, card: Card) -> Illegal:
    bases = tuple(map(table.base, table.piles))
    if any(fits(card, base) for base in bases):
        return _too_few_bulls(table)
    rule, fix = rules.AT_MOST_TEN, say("play another card, or take a pile")
    if table.laid:
        rule, fix = rules.WINDOW, say("end the move, or play another card")
    facts = {"card": card, "reach": REACH, "tops": bases}
    fault = say("{card} is not within {reach} above any pile ({tops})", **facts)
    if all(is_lower(card, base) for base in bases):
        rule, fault = rules.HIGHER, say("{card} is lower than the top of every pile ({tops})", **facts)
    return rule.forbids(fault, fix)


def _too_few_bulls(table: ElevenTable) -> Illegal:
    bulls = table.bulls[table.turn]
    fault = count(
        "{player} has {count} bull card: too few for these cards",
        "{player} has {count} bull cards: too few for these cards",
        bulls,
        player=who(table.turn),
    )
    if not bulls:
        return rules.WINDOW.forbids(fault, "play one card on one pile")
    fix = count(
        "play any number of cards on {count} pile", "play any number of cards on up to {count} piles", bulls
    )
    return rules.HOW_MANY.forbids(fault, fix)


# --------------------------------------------------------------------------------------------- taking a pile


def take_pile(table: ElevenTable, command: records.Take) -> Ruling:
    """A pile goes to a hand, or waits until it is known who gives the bull card."""
    giver = command.bull_from
    if _begins_next(table, command.seat):
        return _after_move(table, take_pile, command)
    check_turn(table, command.seat)
    fault = say("{player} has already played in this move", player=who(table.turn))
    rules.ONE_ACTION.demands(not table.moving, fault, "end the move, or undo the card")
    pile = table.pile(command.pile)
    if pile is None:
        fix = say("take one of the piles with {tops} on top", tops=table.tops)
        fix = fix if table.piles else say("open a pile with any card")
        raise rules.TAKING.forbids("there is no such pile", fix)
    givers = table.givers if len(pile.cards) >= PILE_FOR_BULL and table.supply <= 0 else ()
    if giver is not None:
        _check_gives(giver, givers)
    elif len(givers) > 1:
        return settle(table, [records.PileChosen(pile.number, table.turn)])
    elif givers:
        giver = givers[0]
    return _take_pile(table, pile, giver)


def draw_bull(table: ElevenTable, command: records.BullFrom) -> Ruling:
    """The bull card of a player, for a pile that waits for it."""
    pile = None if table.taking is None else table.pile(table.taking)
    if pile is None:
        fix = say(
            "you choose a giver when a pile of three or more is taken, the supply is empty and several "
            "players tie for the most bull cards"
        )
        raise rules.SUPPLY.forbids("nobody has to give a bull card now", fix)
    check_asked(command.seat, table.turn)
    _check_gives(command.giver, table.givers)
    return _take_pile(table, pile, command.giver)


def _check_gives(giver: Seat, givers: tuple[Seat, ...]) -> None:
    fix = say("name one of: {players}", players=listed_players(givers))
    fix = fix if givers else say("take the pile without naming a player")
    fault = say("{player} does not give a bull card", player=who(giver))
    rules.SUPPLY.demands(giver in givers, fault, fix)


def _take_pile(table: ElevenTable, pile: Pile, giver: Seat | None) -> Ruling:
    bull = len(pile.cards) >= PILE_FOR_BULL and (table.supply > 0 or giver is not None)
    due = min(NEW_PILES, table.deck)  # a short deck gives what it has (H11-5)
    taken = records.PileTaken(pile.number, table.turn, pile.cards, bull, giver, due)
    return settle(table, [taken, records.TurnPassed(table.after(table.turn))])


# -------------------------------------------------------------------------------- where a card can come from


def check_exists(card: Card) -> None:
    if not 1 <= card <= CARDS:
        fix = say("the cards are 1 to {highest}", highest=Card(CARDS))
        raise rules.ONE_OF_EACH.forbids("there is no card {card}", fix, card=card)


def check_free(table: ElevenTable, card: Card, but: Seat | None = None) -> None:
    """A card lies on no pile, and is not known to be in the hand of a seat other than `but`.

    Only a top card and one of a hand that was counted lie open, and are told. Of another card nobody may
    learn whether a pile or a hand has it, so the refusal is the same for both.
    """
    hands = (hand for seat, hand in enumerate(table.known) if seat != but)
    owner = next((seat for seat in table.players if card in table.known[seat]), None)
    if card in table.tops:
        fault = say("card {card} lies on top of a pile", card=card)
    elif owner is not None and table.counted[owner] is not None:
        fault = say("card {card} was counted for {player}", card=card, player=who(owner))
    elif not any(card in cards for cards in (*(pile.cards for pile in table.piles), *hands)):
        return
    elif but is None:
        fault = say("card {card} is covered on a pile or in a hand", card=card)
    else:
        fault = say("card {card} is covered on a pile or in another hand", card=card)
    raise rules.ONE_OF_EACH.forbids(fault, "scan the card again, or undo the wrong one")


def check_in_deck(table: ElevenTable, card: Card) -> None:
    """A card can come from the draw deck."""
    check_exists(card)
    check_free(table, card)


def check_in_hand(table: ElevenTable, seat: Seat, card: Card) -> None:
    """A card can come from the hand of a seat. What else the hand holds is not told."""
    if card in table.possible(seat):
        return
    check_exists(card)
    check_free(table, card, seat)
    if not table.sizes[seat]:
        raise rules.HANDS.forbids("{player} has no cards left", "undo the wrong card", player=who(seat))
    fault = say("card {card} is not in {player}'s hand", player=who(seat), card=card)
    raise rules.HANDS.forbids(fault, "scan the card again, or play another one")
