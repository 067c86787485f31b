"""The orders beside the game: setting a table up, correcting a move, joining and leaving. Nothing is changed.

First the rulings, then what can lie on a table at all: a position, and its faults in words.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import pairwise
from typing import Final

from companion.core import ruling
from companion.core.cards import Card, Seat, who
from companion.core.ruling import Because, Refused
from companion.games.eleven import records, rules
from companion.games.eleven.legal import REACH, elsewhere, fits, not_in_deck
from companion.games.eleven.moves import end_of_move, play_card, settle
from companion.games.eleven.options import BULLS, CARDS, DEALT, NEW_PILES, SEATS
from companion.games.eleven.table import ElevenTable, Laid, apply
from companion.text.sentence import Text, count, say
from companion.values import replace

MOST_FAULTS: Final = 2 * CARDS


def adopt(table: ElevenTable, adopt: records.Adopt) -> records.Ruling:
    """The table as it was set up."""
    event = filled_in(table, adopt)
    faults = position_faults(table, adopt, event)
    fix = say("give every pile from bottom to top and the number of cards in every hand")
    if fault := ruling.impossible_position(faults, rules.AS_IT_LIES, MOST_FAULTS, fix):
        return fault
    made = settle(table, [event])
    kept = tuple(Because(rules.AS_IT_LIES, says) for says in _kept(table, adopt, event))
    return replace(made, because=(*kept, *made.because))


def _kept(table: ElevenTable, adopt: records.Adopt, event: records.TableAdopted) -> Iterator[Text]:
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
            yield say("the cards below {cards} stay where they are", cards=tuple(stay))
        for pile in table.piles:
            if pile.top not in {card for cards in event.piles.values() for card in cards}:
                yield say("{top}, the top card of a pile, is on no pile now", top=pile.top)
    if adopt.hands is None and adopt.hand_sizes is None:
        known = {card for hand in table.known for card in hand}
        # Of a pile only the top may be named.
        if tops := [cards[-1] for cards in event.piles.values() if cards[-1] in known]:
            yield say("{cards} on a pile now: no longer counted in a hand", cards=tuple(tops))
        if covered := sum(card in known for cards in event.piles.values() for card in cards[:-1]):
            yield count(
                "{count} covered card on a pile now: no longer counted in a hand",
                "{count} covered cards on the piles now: no longer counted in a hand",
                covered,
            )
    if adopt.deck is None and event.deck != table.deck:
        yield say("the deck has {deck} cards now, it had {before}", deck=event.deck, before=table.deck)


def correct(table: ElevenTable, correct: records.Correct) -> records.Ruling:
    """Other cards in the latest move: those turned up stay in place, those played go where they fit."""
    if fault := _cannot_correct(table, correct):
        return fault
    instead = dict(zip(correct.remove, correct.add, strict=True))
    piles = {one.card: one.pile for one in table.newest if isinstance(one, records.CardTurnedUp)}
    events: list[records.Event] = []
    after = table
    if piles.keys() & instead.keys():
        for wrong, card in instead.items():
            if fault := not_in_deck(after, card):
                return fault
            events.append(records.CardReplaced(piles[wrong], wrong, card))
            after = apply(after, events[-1])
        return settle(table, events, _said(correct))
    for card in correct.add:
        # A hand that was counted since is not known yet on the table to which the move returns.
        if table.out is not None and (fault := elsewhere(table, card)):
            return fault
    again = _play_again(table, instead)
    return again if isinstance(again, Refused) else settle(table, again, _said(correct))


def _play_again(table: ElevenTable, instead: dict[Card, Card]) -> list[records.Event] | Refused:
    """The latest move from its beginning with other cards; a move that was ended is ended again."""
    events: list[records.Event] = [records.MoveReopened()]
    after = apply(table, events[0])
    mover = after.turn
    for one in (happened for happened in table.newest if isinstance(happened, Laid)):
        command = records.PlayCard(instead.get(one.card, one.card), _same_pile(one, instead))
        step = play_card(after, command) if after.turn == mover and after.waiting is None else None
        if step is None:
            return Refused(
                rules.NO_PENALTY,
                say("the other cards of this move do not fit with {cards}", cards=tuple(instead.values())),
                say("undo the move and play it again"),
            )
        if isinstance(step, Refused):
            return step
        events += step.events
        after = reduce(apply, step.events, after)
    if after.moving and after.waiting is None and not table.moving:
        ended = end_of_move(after, mover)
        events += ended
        after = reduce(apply, ended, after)
    # Only while the mover is out again: a deal that goes on has no counted hands.
    if after.out is None:
        return events
    return [*events, *(one for one in _counted(table) if after.counted[one.seat] is None)]


def _counted(table: ElevenTable) -> list[records.HandCounted]:
    """The hands that were counted, to be counted again as they were; by their cards where these are known."""
    return [
        records.HandCounted(seat, tuple(sorted(held)) if len(held) == table.sizes[seat] else None, heads)
        for seat in table.players
        if seat != table.out and (heads := table.counted[seat]) is not None
        for held in (table.known[seat],)
    ]


def _same_pile(one: Laid, instead: dict[Card, Card]) -> int | None:
    """A card that stays keeps its pile; a new one goes where it fits."""
    return None if one.card in instead or one.top is None else one.pile


def _cannot_correct(table: ElevenTable, correct: records.Correct) -> Refused | None:
    laid = [one.card for one in table.newest if isinstance(one, Laid)]
    alone = [
        one.card
        for one in table.newest
        if isinstance(one, records.CardTurnedUp)
        and (pile := table.pile(one.pile))
        and pile.cards == (one.card,)
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
                say("use one of {cards}", cards=tuple(can)),
            )
    return None


def _said(correct: records.Correct) -> Because:
    says = say(
        "latest move corrected: {out} removed, {came} added",
        out=tuple(correct.remove),
        came=tuple(correct.add),
    )
    return Because(rules.NO_PENALTY, says)


def leave(table: ElevenTable, seat: Seat) -> records.Ruling:
    if fault := ruling.not_playing(table.players, seat, rules.PLAYERS) or _deal_has_begun(table):
        return fault
    if fault := ruling.cannot_leave(table.players, SEATS[0], rules.PLAYERS, say("start a new match")):
        return fault
    turn = table.after(seat) if table.turn == seat else table.turn
    says = say("{player} leaves; the points are kept", player=who(seat))
    event = records.SeatLeft(seat, turn, table.deck + table.sizes[seat])
    return settle(table, [event], Because(rules.LEFT, says))


def join(table: ElevenTable, seat: Seat) -> records.Ruling:
    taken = ruling.cannot_join(table.players, len(table.sizes), SEATS[-1], seat, rules.PLAYERS)
    if fault := taken or _deal_has_begun(table):
        return fault
    if table.deck < DEALT + table.due:  # the table was set up with most of the cards in the hands
        return Refused(
            rules.PLAYERS,
            say("the deck has only {cards} cards", cards=table.deck),
            say("at most {players} can play with it", players=len(table.players)),
        )
    says = say("{player} joins", player=who(seat))
    event = records.SeatJoined(seat, DEALT, table.deck - DEALT)
    return settle(table, [event], Because(rules.PLAYERS, says))


def _deal_has_begun(table: ElevenTable) -> Refused | None:
    if table.untouched:
        return None
    fix = say("join or leave before the first card of a deal is turned up")
    return Refused(rules.PLAYERS, say("the deal has begun"), fix)


def end_deal(table: ElevenTable) -> records.Ruling:
    if table.due or table.moving or table.counting:
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two moves"),
            say("finish or undo the move first"),
        )
    return settle(table, [records.DealStopped()])


MOST_PILES = 1_000
"""No pile has a higher number; a deal has a hundred cards."""
PILE_NUMBERS: Final = frozenset(map(str, range(MOST_PILES)))


def filled_in(table: ElevenTable, adopt: records.Adopt) -> records.TableAdopted:
    """The position with all its fields, possible or not."""
    piles = _piles(table, adopt)
    sizes, hands = _hands(table, adopt, piles)
    moves = table.moves if adopt.moves is None else adopt.moves
    deck = adopt.deck
    if deck is None:
        deck = max(0, CARDS - sum(sizes) - sum(map(len, piles.values())))
    following = max((int(name) + 1 for name in piles if name in PILE_NUMBERS), default=0)
    return records.TableAdopted(
        piles,
        hands,
        sizes,
        table.bulls if adopt.bulls is None else adopt.bulls,
        deck,
        _due(table, adopt, piles, deck),
        _turn(table, adopt),
        moves,
        max(following, table.next_pile) if adopt.next_pile is None else adopt.next_pile,
    )


def _piles(table: ElevenTable, adopt: records.Adopt) -> Mapping[str, tuple[Card, ...]]:
    """The piles as they are given, or those on the table with what lies on top of them."""
    if adopt.piles is not None:
        return adopt.piles
    if adopt.tops is None:
        return {str(pile.number): pile.cards for pile in table.piles}
    piles: dict[str, tuple[Card, ...]] = {}
    free = table.next_pile
    for cards in filter(None, adopt.tops):
        below = next(
            (one for one in table.piles if cards[0] in one.cards and str(one.number) not in piles), None
        )
        if below is None:
            piles[str(free)] = cards
            free += 1
        else:
            piles[str(below.number)] = (*below.cards[: below.cards.index(cards[0])], *cards)
    return piles


def _due(table: ElevenTable, adopt: records.Adopt, piles: Mapping[str, tuple[Card, ...]], deck: int) -> int:
    """How many cards are turned up next; if not given, one where there is no pile.

    Where the table stays but for its tops, those that were due stay due, but for the new piles.
    """
    if adopt.due is not None:
        return adopt.due
    if adopt.piles is None:
        known = {str(pile.number) for pile in table.piles}
        still = table.due - len(piles.keys() - known)
        if still > 0 or piles:
            return max(0, min(still, deck))
    return 1 if not piles and deck > 0 else 0


def _hands(
    table: ElevenTable, adopt: records.Adopt, piles: Mapping[str, tuple[Card, ...]]
) -> tuple[tuple[int, ...], tuple[tuple[Card, ...], ...]]:
    """Sizes and known cards; if neither is given, what is known stays, except for cards now on a pile."""
    lying = {card for cards in piles.values() for card in cards}
    hands = adopt.hands
    sizes = adopt.hand_sizes
    if hands is None:
        kept = (tuple(sorted(known - lying)) for known in table.known)
        hands = tuple(kept) if sizes is None else ((),) * len(table.sizes)
        return table.sizes if sizes is None else sizes, hands
    return tuple(map(len, hands)) if sizes is None else sizes, tuple(tuple(sorted(hand)) for hand in hands)


def _turn(table: ElevenTable, adopt: records.Adopt) -> Seat:
    """Whose turn it is; if not given, it follows from the number of moves."""
    if adopt.turn is not None:
        return adopt.turn
    if adopt.moves is None or table.turn not in table.players:
        return table.turn
    players = table.players
    return players[(players.index(table.turn) + adopt.moves - table.moves) % len(players)]


def position_faults(table: ElevenTable, adopt: records.Adopt, event: records.TableAdopted) -> list[Text]:
    """Everything that is impossible about this table, in words; empty if it is possible."""
    faults = _form(table, adopt) + _numbers(table, event)
    places: list[tuple[Text, tuple[Card, ...]]] = []
    for cards in event.piles.values():
        if not cards:
            faults.append(say("a pile has no cards"))
            continue
        places.append((say("in the pile with {top} on top", top=cards[-1]), cards))
        faults += [
            say(
                "card {upper} lies on {lower}, but is not 1 to {reach} above it",
                upper=upper,
                reach=REACH,
                lower=lower,
            )
            for lower, upper in pairwise(cards)
            if not fits(upper, lower)
        ]
    for seat, hand in enumerate(event.hands):
        places.append((say("in {player}'s hand", player=who(Seat(seat))), hand))
    return faults + ruling.misplaced(places, CARDS, say("card {card} {place} is not one of 1 to {highest}"))


def _form(table: ElevenTable, adopt: records.Adopt) -> list[Text]:
    """What is wrong with the lists and names as they were given."""
    seats = len(table.sizes)
    faults = [
        ruling.wrong_number_of_entries(name, len(given), seats)
        for name, given in (
            ("hands", adopt.hands),
            ("hand_sizes", adopt.hand_sizes),
            ("bulls", adopt.bulls),
        )
        if given is not None and len(given) != seats
    ]
    faults += [
        say("{name} is not a pile number", name=repr(name[:20]))
        for name in adopt.piles or ()
        if name not in PILE_NUMBERS
    ]
    if adopt.piles is not None and adopt.tops is not None:
        faults.append(say("'piles' and 'tops' are both given: one of them says what lies on the table"))
    if adopt.tops is not None and not all(adopt.tops):
        faults.append(say("a pile of 'tops' has no card"))
    return faults


def _numbers_of_players(table: ElevenTable, event: records.TableAdopted) -> list[Text]:
    """What is wrong with the sizes of the hands and the numbers of bull cards."""
    faults: list[Text] = []
    # A list that was given too short or too long is named elsewhere: each entry is judged as far as it goes.
    seats = range(len(table.sizes))
    for seat, size in zip(seats, event.hand_sizes, strict=False):
        player = who(Seat(seat))
        if seat in table.players and size < 1:
            faults.append(say("{player} has no cards in hand", player=player))
        if seat not in table.players and size:
            faults.append(say("{player} is not playing, but has cards", player=player))
    for seat, size, hand in zip(seats, event.hand_sizes, event.hands, strict=False):
        if len(hand) > size:
            faults.append(ruling.more_named_than_held(who(Seat(seat)), size, len(hand)))
    for seat, bulls in zip(seats, event.bulls, strict=False):
        player = who(Seat(seat))
        if bulls < 0:
            faults.append(say("{player} has {number} bull cards", player=player, number=bulls))
        if seat not in table.players and bulls:
            faults.append(say("{player} is not playing, but has bull cards", player=player))
    return faults


def _numbers(table: ElevenTable, event: records.TableAdopted) -> list[Text]:
    faults = _numbers_of_players(table, event)
    if sum(event.bulls) > BULLS:
        faults.append(say("there are {number} bull cards, not {all}", number=sum(event.bulls), all=BULLS))
    if event.deck < 0:
        faults.append(say("the deck has {number} cards", number=event.deck))
    total = sum(event.hand_sizes) + sum(map(len, event.piles.values())) + event.deck
    if total > CARDS:
        faults.append(say("there are {number} cards, not {all}", number=total, all=CARDS))
    if not 0 <= event.due <= min(NEW_PILES, max(event.deck, 0)):
        faults.append(
            say("{number} cards cannot be turned up from a deck of {deck}", number=event.due, deck=event.deck)
        )
    if event.turn not in table.players:
        faults.append(say("it is {player}'s turn, but that player is not playing", player=who(event.turn)))
    if event.moves < 0:
        faults.append(say("the number of finished moves cannot be {number}", number=event.moves))
    highest = max((int(name) for name in event.piles if name in PILE_NUMBERS), default=-1)
    if not highest < event.next_pile <= MOST_PILES:
        faults.append(say("the next pile cannot be number {number}", number=event.next_pile))
    return faults
