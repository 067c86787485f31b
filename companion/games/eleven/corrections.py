"""The orders beside the game: correcting a move, joining and leaving; last, setting a table up.

Nothing is changed here.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import pairwise
from typing import Final, TypeVar

from companion.core import ruling
from companion.core.cards import Card, Seat, who
from companion.core.codec import Record
from companion.core.ruling import EndDeal, Join, Leave, require
from companion.games.eleven import records, rules
from companion.games.eleven.cards import REACH, fits
from companion.games.eleven.options import BULLS, CARDS, DEALT, NEW_PILES, SEATS
from companion.games.eleven.play import Ruling, check_free, check_in_deck, end_of_move, play_card, settle
from companion.games.eleven.table import ElevenTable, FromHand, Pile, apply
from companion.text.sentence import Text, count, say
from companion.values import replace


def correct(table: ElevenTable, command: records.Correct) -> Ruling:
    """Other cards in the latest move: those turned up stay in place, those played go where they fit."""
    _check_correctable(table, command)
    instead = dict(zip(command.remove, command.add, strict=True))
    piles = {event.card: event.pile for event in table.newest if isinstance(event, records.CardTurnedUp)}
    events: list[Record] = []
    if piles.keys() & instead.keys():
        after = table
        for wrong, card in instead.items():
            check_in_deck(after, card)
            events.append(records.CardReplaced(piles[wrong], wrong, card))
            after = apply(after, events[-1])
    else:
        for card in command.add if table.out is not None else ():
            # A hand that was counted since is not known yet on the table to which the move returns.
            check_free(table, card)
        events = _play_again(table, instead)
    says = say("latest move corrected: {out} removed, {came} added")
    says = says.with_facts(out=tuple(command.remove), came=tuple(command.add))
    return settle(table, events, rules.NO_PENALTY.because(says))


def _check_correctable(table: ElevenTable, command: records.Correct) -> None:
    laid = [event.card for event in table.newest if isinstance(event, FromHand)]
    turned_up = [event for event in table.newest if isinstance(event, records.CardTurnedUp)]
    alone = [up.card for up in turned_up if Pile(up.pile, (up.card,)) in table.piles]
    can = (laid if table.before is not None else []) or alone
    asked = table.seen or table.waiting is not None or table.taking is not None
    if not can or table.stopped or asked:
        fault = say("no card of the latest move can be replaced now")
        raise rules.NO_PENALTY.forbids(fault, "undo back to the card that was wrong")
    if not command.remove or len(command.remove) != len(command.add):
        fault = say("every wrong card needs exactly one replacement")
        raise rules.NO_PENALTY.forbids(fault, "name as many cards to add as to remove")
    for card in command.remove:
        fault = say("card {card} was not played or turned up in the latest move", card=card)
        named = card in can and command.remove.count(card) == 1
        rules.NO_PENALTY.demands(named, fault, say("use one of {cards}", cards=tuple(can)))


def _play_again(table: ElevenTable, instead: dict[Card, Card]) -> list[Record]:
    """The latest move from its beginning with other cards; a move that was ended is ended again."""
    events: list[Record] = [records.MoveReopened()]
    after = apply(table, events[0])
    mover = after.turn
    for laid in (event for event in table.newest if isinstance(event, FromHand)):
        if after.turn != mover or after.waiting is not None:
            fault = say("the other cards of this move do not fit with {cards}", cards=tuple(instead.values()))
            raise rules.NO_PENALTY.forbids(fault, "undo the move and play it again")
        # A card that stays keeps its pile; a new one goes where it fits.
        stays = laid.card not in instead and isinstance(laid, records.CardLaid)
        again = records.PlayCard(instead.get(laid.card, laid.card), laid.pile if stays else None)
        played = play_card(after, again).events
        events += played
        after = reduce(apply, played, after)
    if after.moving and after.waiting is None and not table.moving:
        ended = end_of_move(after, mover)
        events += ended
        after = reduce(apply, ended, after)
    # Only while the mover is out again: a deal that goes on has no counted hands.
    if after.out is None:
        return events
    return [*events, *(hand for hand in _counted(table) if after.counted[hand.seat] is None)]


def _counted(table: ElevenTable) -> Iterator[records.HandCounted]:
    """The hands that were counted, to be counted again as they were; by their cards where these are known."""
    for seat in table.players:
        heads, cards = table.counted[seat], tuple(sorted(table.known[seat]))
        if seat != table.out and heads is not None:
            yield records.HandCounted(seat, cards if len(cards) == table.sizes[seat] else None, heads)


def leave(table: ElevenTable, command: Leave) -> Ruling:
    seat = command.seat
    require(ruling.not_playing(table.players, seat, rules.PLAYERS))
    _check_untouched(table)
    require(ruling.cannot_leave(table.players, SEATS[0], rules.PLAYERS, say("start a new match")))
    turn = table.after(seat) if table.turn == seat else table.turn
    left = records.SeatLeft(seat, turn, table.deck + table.sizes[seat])
    return settle(table, [left], rules.LEFT.because("{player} leaves; the points are kept", player=who(seat)))


def join(table: ElevenTable, command: Join) -> Ruling:
    seat = command.seat
    require(ruling.cannot_join(table.players, len(table.sizes), SEATS[-1], seat, rules.PLAYERS))
    _check_untouched(table)
    # A table may have been set up with most of the cards in the hands.
    enough = table.deck >= DEALT + table.due
    fix = say("at most {players} can play with it", players=len(table.players))
    rules.PLAYERS.demands(enough, "the deck has only {cards} cards", fix, cards=table.deck)
    joined = records.SeatJoined(seat, DEALT, table.deck - DEALT)
    return settle(table, [joined], rules.PLAYERS.because("{player} joins", player=who(seat)))


def _check_untouched(table: ElevenTable) -> None:
    fix = say("join or leave before the first card of a deal is turned up")
    rules.PLAYERS.demands(table.untouched, "the deal has begun", fix)


def end_deal(table: ElevenTable, _command: EndDeal) -> Ruling:
    between = not (table.due or table.moving or table.counting)
    fault = say("a deal can only be ended between two moves")
    rules.EARLY_END.demands(between, fault, "finish or undo the move first")
    return settle(table, [records.DealStopped()])


# ---------------------------------------------------------------------------------------- setting a table up

MAX_FAULTS: Final = 2 * CARDS
MAX_PILES: Final = 1_000
"""No pile has a higher number; a deal has a hundred cards."""
PILE_NUMBERS: Final = frozenset(map(str, range(MAX_PILES)))

Piles = Mapping[str, tuple[Card, ...]]
Given = TypeVar("Given")


def adopt(table: ElevenTable, command: records.Adopt) -> Ruling:
    """The table as it was set up."""
    event = _whole(table, command)
    faults = [*_misshapen(table, command), *_wrong_hands(table, event), *_wrong_numbers(table, event)]
    faults += _wrong_piles(event)
    fix = say("give every pile from bottom to top and the number of cards in every hand")
    require(ruling.impossible_position(faults, rules.AS_IT_LIES, MAX_FAULTS, fix))
    made = settle(table, [event])
    kept = map(rules.AS_IT_LIES.because, _unchanged(table, command, event))
    return replace(made, because=(*kept, *made.because))


def _whole(table: ElevenTable, command: records.Adopt) -> records.TableAdopted:
    """The position with all its fields, possible or not; what was left out stays, as far as it can."""
    piles = _piles(table, command)
    sizes, hands = _hands(table, command, piles)
    deck = _given(command.deck, max(0, CARDS - sum(sizes) - sum(map(len, piles.values()))))
    numbers = [int(name) for name in piles if name in PILE_NUMBERS]
    return records.TableAdopted(
        piles,
        hands,
        sizes,
        _given(command.bulls, table.bulls),
        deck,
        _given(command.due, _due(table, command, piles, deck)),
        _given(command.turn, _turn(table, command)),
        _given(command.moves, table.moves),
        _given(command.next_pile, max([table.next_pile, *(number + 1 for number in numbers)])),
    )


def _given(value: Given | None, otherwise: Given) -> Given:
    return otherwise if value is None else value


def _piles(table: ElevenTable, command: records.Adopt) -> Piles:
    """The piles as they are given, or those on the table with what lies on top of them."""
    if command.piles is not None:
        return command.piles
    present = {str(pile.number): pile.cards for pile in table.piles}
    if command.tops is None:
        return present
    piles: dict[str, tuple[Card, ...]] = {}
    free = table.next_pile
    for cards in filter(None, command.tops):
        left = (name for name, below in present.items() if cards[0] in below and name not in piles)
        if (name := next(left, None)) is None:
            piles[str(free)] = cards
            free += 1
        else:
            below = present[name]
            piles[name] = (*below[: below.index(cards[0])], *cards)
    return piles


def _hands(
    table: ElevenTable, command: records.Adopt, piles: Piles
) -> tuple[tuple[int, ...], tuple[tuple[Card, ...], ...]]:
    """Sizes and known cards; if neither is given, what is known stays, except for cards now on a pile."""
    hands, sizes = command.hands, command.hand_sizes
    if hands is not None:
        return _given(sizes, tuple(map(len, hands))), tuple(tuple(sorted(hand)) for hand in hands)
    if sizes is not None:
        return sizes, ((),) * len(table.sizes)
    return table.sizes, tuple(tuple(sorted(known.difference(*piles.values()))) for known in table.known)


def _due(table: ElevenTable, command: records.Adopt, piles: Piles, deck: int) -> int:
    """How many cards are turned up next: one where there is no pile.

    Where the table stays but for its tops, those that were due stay due, but for the new piles.
    """
    if command.piles is None:
        new = len(piles.keys() - {str(pile.number) for pile in table.piles})
        if table.due > new or piles:
            return max(0, min(table.due - new, deck))
    return 1 if not piles and deck > 0 else 0


def _turn(table: ElevenTable, command: records.Adopt) -> Seat:
    """Whose turn it is: as many players on as there are more moves than before."""
    players = table.players
    if command.moves is None or table.turn not in players:
        return table.turn
    return players[(players.index(table.turn) + command.moves - table.moves) % len(players)]


def _misshapen(table: ElevenTable, command: records.Adopt) -> Iterator[Text]:
    """What is wrong with the lists and names as they were given."""
    seats, tops = len(table.sizes), command.tops
    for name in ("hands", "hand_sizes", "bulls"):
        given = getattr(command, name)
        if given is not None and len(given) != seats:
            yield ruling.wrong_number_of_entries(name, len(given), seats)
    for name in command.piles or ():
        if name not in PILE_NUMBERS:
            yield say("{name} is not a pile number", name=repr(name[:20]))
    if command.piles is not None and tops is not None:
        yield say("'piles' and 'tops' are both given: one of them says what lies on the table")
    if tops is not None and not all(tops):
        yield say("a pile of 'tops' has no card")


def _wrong_hands(table: ElevenTable, event: records.TableAdopted) -> Iterator[Text]:
    """What is wrong with the sizes of the hands and the numbers of bull cards."""
    # A list that was given too short or too long is named elsewhere: each entry is judged as far as it goes.
    seats = tuple(map(Seat, range(len(table.sizes))))
    for seat, size in zip(seats, event.hand_sizes, strict=False):
        if seat in table.players and size < 1:
            yield say("{player} has no cards in hand", player=who(seat))
        if seat not in table.players and size:
            yield say("{player} is not playing, but has cards", player=who(seat))
    for seat, size, hand in zip(seats, event.hand_sizes, event.hands, strict=False):
        if len(hand) > size:
            yield ruling.more_named_than_held(who(seat), size, len(hand))
    for seat, bulls in zip(seats, event.bulls, strict=False):
        if bulls < 0:
            yield say("{player} has {number} bull cards", player=who(seat), number=bulls)
        if seat not in table.players and bulls:
            yield say("{player} is not playing, but has bull cards", player=who(seat))


def _wrong_numbers(table: ElevenTable, event: records.TableAdopted) -> Iterator[Text]:
    """What is wrong with the numbers of cards, with the turn, and with the numbers of moves and piles."""
    bulls, deck, due = sum(event.bulls), event.deck, event.due
    if bulls > BULLS:
        yield say("there are {number} bull cards, not {all}", number=bulls, all=BULLS)
    if deck < 0:
        yield say("the deck has {number} cards", number=deck)
    total = sum(event.hand_sizes) + sum(map(len, event.piles.values())) + deck
    if total > CARDS:
        yield say("there are {number} cards, not {all}", number=total, all=CARDS)
    if not 0 <= due <= min(NEW_PILES, max(deck, 0)):
        yield say("{number} cards cannot be turned up from a deck of {deck}", number=due, deck=deck)
    if event.turn not in table.players:
        yield say("it is {player}'s turn, but that player is not playing", player=who(event.turn))
    if event.moves < 0:
        yield say("the number of finished moves cannot be {number}", number=event.moves)
    highest = max((int(name) for name in event.piles if name in PILE_NUMBERS), default=-1)
    if not highest < event.next_pile <= MAX_PILES:
        yield say("the next pile cannot be number {number}", number=event.next_pile)


def _wrong_piles(event: records.TableAdopted) -> Iterator[Text]:
    """The piles that cannot lie so, and the cards that do not exist, or are in two places."""
    places: list[tuple[Text, tuple[Card, ...]]] = []
    for cards in event.piles.values():
        if not cards:
            yield say("a pile has no cards")
            continue
        places.append((say("in the pile with {top} on top", top=cards[-1]), cards))
        for lower, upper in pairwise(cards):
            if not fits(upper, lower):
                says = say("card {upper} lies on {lower}, but is not 1 to {reach} above it")
                yield says.with_facts(upper=upper, reach=REACH, lower=lower)
    for seat, hand in enumerate(event.hands):
        places.append((say("in {player}'s hand", player=who(Seat(seat))), hand))
    yield from ruling.misplaced(places, CARDS, say("card {card} {place} is not between 1 and {highest}"))


def _unchanged(table: ElevenTable, command: records.Adopt, event: records.TableAdopted) -> Iterator[Text]:
    """Whose turn it is, what stayed because it was left out, and what had to change with the piles."""
    yield count(
        "{player}'s turn, after {count} finished move",
        "{player}'s turn, after {count} finished moves",
        event.moves,
        player=who(event.turn),
    )
    lying = {card for cards in event.piles.values() for card in cards}
    if command.piles is None and command.tops is not None:
        stay = [event.piles[name][-1] for pile in table.piles if (name := str(pile.number)) in event.piles]
        if stay:
            yield say("the cards below {cards} stay where they are", cards=tuple(stay))
        for top in table.tops:
            if top not in lying:
                yield say("{top}, the top card of a pile, is on no pile now", top=top)
    if command.hands is None and command.hand_sizes is None:
        known = {card for hand in table.known for card in hand}
        # Of a pile only the top may be named.
        if tops := [cards[-1] for cards in event.piles.values() if cards[-1] in known]:
            yield say("no longer counted in a hand: {cards}, now on a pile", cards=tuple(tops))
        if covered := sum(card in known for cards in event.piles.values() for card in cards[:-1]):
            yield count(
                "{count} card now covered on a pile is no longer counted in a hand",
                "{count} cards now covered on the piles are no longer counted in a hand",
                covered,
            )
    if command.deck is None and event.deck != table.deck:
        yield say("the deck has {deck} cards now; it had {before}", deck=event.deck, before=table.deck)
