"""Commands outside normal play: correcting a move, joining and leaving, setting up a table.

Nothing is changed here; the commands of normal play are in `moves`, `taking` and `counting`.
"""

from collections.abc import Iterator
from functools import reduce
from typing import Final

from companion.core.cards import Card, Seat, listed_players, who
from companion.core.ruling import Allowed, Because, Refused, impossible_position
from companion.games.eleven import rules
from companion.games.eleven.legal import elsewhere, listed, not_in_deck
from companion.games.eleven.moves import end_of_move, play_card, settle
from companion.games.eleven.options import CARDS, DEALT, SEATS, Options
from companion.games.eleven.position import filled_in, position_faults
from companion.games.eleven.records import (
    Adopt,
    CardReplaced,
    Correct,
    DealStopped,
    Event,
    HandCounted,
    MoveReopened,
    PlayCard,
    SeatJoined,
    SeatLeft,
    TableAdopted,
)
from companion.games.eleven.table import ElevenTable, Laid, TurnedUp, apply, pile_name
from companion.text.sentence import Text, count, say
from companion.values import replace

FEWEST: Final = SEATS[0]
MOST_FAULTS: Final = 2 * CARDS


def adopt(table: ElevenTable, adopt: Adopt, agreed: Options) -> Allowed[Event] | Refused:
    """The table as it was set up."""
    event = filled_in(table, adopt)
    faults = position_faults(table, adopt, event)
    fix = say("give every pile from bottom to top and the number of cards in every hand")
    if fault := impossible_position(faults, rules.AS_IT_LIES, MOST_FAULTS, fix):
        return fault
    ruling = settle(table, [event], agreed)
    kept = tuple(Because(rules.AS_IT_LIES, says) for says in _kept(table, adopt, event))
    return replace(ruling, because=(*kept, *ruling.because))


def _kept(table: ElevenTable, adopt: Adopt, event: TableAdopted) -> Iterator[Text]:
    """Whose turn it is, what stayed because it was left out, and what had to change with the piles."""
    yield count(
        "{player} is on turn, after {count} finished move",
        "{player} is on turn, after {count} finished moves",
        event.moves,
        player=who(event.turn),
    )
    if adopt.piles is None and adopt.tops is not None:
        stay = [event.piles[name][-1] for pile in table.piles if (name := str(pile.number)) in event.piles]
        if stay:
            yield say("the cards below {cards} stay where they are", cards=listed(stay))
        for pile in table.piles:
            if pile.top not in {card for cards in event.piles.values() for card in cards}:
                yield say(
                    "{top}, the top of pile {pile}, is on no pile now",
                    top=pile.top,
                    pile=pile_name(pile.number),
                )
    if adopt.hands is None and adopt.hand_sizes is None:
        known = {card for hand in table.known for card in hand}
        # Of a pile only the top may be named.
        if tops := [cards[-1] for cards in event.piles.values() if cards[-1] in known]:
            yield say("{cards} on a pile now: no longer counted in a hand", cards=listed(tops))
        if covered := sum(card in known for cards in event.piles.values() for card in cards[:-1]):
            yield count(
                "{count} covered card on a pile now: no longer counted in a hand",
                "{count} covered cards on the piles now: no longer counted in a hand",
                covered,
            )
    if adopt.deck is None and event.deck != table.deck:
        yield say("the deck has {deck} cards now, it had {before}", deck=event.deck, before=table.deck)


def correct(table: ElevenTable, correct: Correct, agreed: Options) -> Allowed[Event] | Refused:
    """Other cards in the latest move: those turned up stay in place, those played go where they fit."""
    if fault := _cannot_correct(table, correct):
        return fault
    instead = dict(zip(correct.remove, correct.add, strict=True))
    piles = {one.card: one.pile for one in table.newest if isinstance(one, TurnedUp)}
    events: list[Event] = []
    after = table
    if piles.keys() & instead.keys():
        for wrong, card in instead.items():
            if fault := not_in_deck(after, card):
                return fault
            events.append(CardReplaced(piles[wrong], wrong, card))
            after = apply(after, events[-1])
        return settle(table, events, agreed, _said(correct))
    for card in correct.add:
        # A hand that was counted since is not known yet on the table to which the move returns.
        if table.out is not None and (fault := elsewhere(table, card)):
            return fault
    again = _play_again(table, instead, agreed)
    return again if isinstance(again, Refused) else settle(table, again, agreed, _said(correct))


def _play_again(table: ElevenTable, instead: dict[Card, Card], agreed: Options) -> list[Event] | Refused:
    """The latest move from its beginning with other cards; a move that was ended is ended again."""
    events: list[Event] = [MoveReopened()]
    after = apply(table, events[0])
    mover = after.turn
    for one in (happened for happened in table.newest if isinstance(happened, Laid)):
        command = PlayCard(instead.get(one.card, one.card), _same_pile(one, instead))
        step = play_card(after, command, agreed) if after.turn == mover and after.waiting is None else None
        if step is None:
            return Refused(
                rules.NO_PENALTY,
                say("the other cards of this move do not fit with {cards}", cards=listed(instead.values())),
                say("undo the move and play it again"),
            )
        if isinstance(step, Refused):
            return step
        events += step.events
        after = reduce(apply, step.events, after)
    if after.moving and after.waiting is None and not table.moving:
        ended = end_of_move(after, mover, agreed)
        events += ended
        after = reduce(apply, ended, after)
    # Only while the mover is out again: a deal that goes on has no counted hands.
    if after.out is None:
        return events
    return [*events, *(one for one in _counted(table) if after.counted[one.seat] is None)]


def _counted(table: ElevenTable) -> list[HandCounted]:
    """The hands that were counted, to be counted again as they were; by their cards where these are known."""
    return [
        HandCounted(seat, tuple(sorted(held)) if len(held) == table.sizes[seat] else None, heads)
        for seat in table.players
        if seat != table.out and (heads := table.counted[seat]) is not None
        for held in (table.known[seat],)
    ]


def _same_pile(one: Laid, instead: dict[Card, Card]) -> int | None:
    """A card that stays keeps its pile; a new one goes where it fits."""
    return None if one.card in instead or one.top is None else one.pile


def _cannot_correct(table: ElevenTable, correct: Correct) -> Refused | None:
    laid = [one.card for one in table.newest if isinstance(one, Laid)]
    alone = [
        one.card
        for one in table.newest
        if isinstance(one, TurnedUp) and (pile := table.pile(one.pile)) and pile.cards == (one.card,)
    ]
    can = (laid if table.before is not None else []) or alone
    if table.stopped or table.seen or table.waiting is not None or table.taking is not None or not can:
        return Refused(
            rules.NO_PENALTY,
            say("no card of the latest move can be replaced now"),
            say("undo back to the card that was wrong"),
        )
    if not correct.remove or len(correct.remove) != len(correct.add):
        return Refused(
            rules.NO_PENALTY,
            say("every wrong card needs exactly one replacement"),
            say("name as many cards to add as to remove"),
        )
    for card in correct.remove:
        if card not in can or correct.remove.count(card) > 1:
            return Refused(
                rules.NO_PENALTY,
                say("card {card} was not played or turned up in the latest move", card=card),
                say("use one of {cards}", cards=listed(can)),
            )
    return None


def _said(correct: Correct) -> Because:
    says = say(
        "latest move corrected: {out} removed, {came} added",
        out=listed(correct.remove),
        came=listed(correct.add),
    )
    return Because(rules.NO_PENALTY, says)


def leave(table: ElevenTable, seat: Seat, agreed: Options) -> Allowed[Event] | Refused:
    if seat not in table.players:
        return Refused(
            rules.PLAYERS,
            say("{player} is not playing", player=who(seat)),
            say("choose one of the {players}", players=listed_players(table.players)),
        )
    if fault := _deal_has_begun(table):
        return fault
    if len(table.players) <= FEWEST:
        return Refused(
            rules.PLAYERS,
            say("at least {fewest} players must stay", fewest=FEWEST),
            say("start a new match"),
        )
    turn = table.after(seat) if table.turn == seat else table.turn
    says = say("{player} leaves; the points are kept", player=who(seat))
    event = SeatLeft(seat, turn, table.deck + table.sizes[seat])
    return settle(table, [event], agreed, Because(rules.LEFT, says))


def join(table: ElevenTable, seat: Seat, agreed: Options) -> Allowed[Event] | Refused:
    if seat in table.players:
        return Refused(
            rules.PLAYERS,
            say("{player} is already playing", player=who(seat)),
            say("continue"),
        )
    free = [Seat(one) for one in range(min(len(table.sizes) + 1, SEATS[-1])) if one not in table.players]
    if seat not in free:
        return Refused(
            rules.PLAYERS,
            say("there is no player {seat}", seat=seat + 1),
            say("use a free player number: {numbers}", numbers=tuple(seat + 1 for seat in free))
            if free
            else say("all {most} seats are taken, so nobody can join", most=SEATS[-1]),
        )
    if fault := _deal_has_begun(table):
        return fault
    says = say("{player} joins", player=who(seat))
    event = SeatJoined(seat, DEALT, table.deck - DEALT)
    return settle(table, [event], agreed, Because(rules.PLAYERS, says))


def _deal_has_begun(table: ElevenTable) -> Refused | None:
    if table.untouched:
        return None
    fix: Text = say("join or leave before the first card of a deal is turned up")
    return Refused(rules.PLAYERS, say("the deal has begun"), fix)


def end_deal(table: ElevenTable, agreed: Options) -> Allowed[Event] | Refused:
    if table.due or table.moving or table.counting:
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two moves"),
            say("finish or undo the move first"),
        )
    return settle(table, [DealStopped()], agreed)
