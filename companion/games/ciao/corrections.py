"""The orders beside the game: correcting a card, joining and leaving; last, setting a table up.

Nothing is changed here.
"""

from collections.abc import Iterator
from typing import Final, TypeVar

from companion.core import ruling
from companion.core.cards import Seat, who
from companion.core.ruling import (
    Allowed,
    EndDeal,
    Join,
    Leave,
    Refused,
    SeatJoined,
    SeatLeft,
    attempt,
    require,
)
from companion.games.ciao import effects, records, rules
from companion.games.ciao.cards import Card, Icon, face, kind, may_be_same, split
from companion.games.ciao.effects import gather
from companion.games.ciao.explain import words
from companion.games.ciao.hands import Ruling, check_held, check_playing
from companion.games.ciao.options import BOX, DEALT, SEATS
from companion.games.ciao.play import lay
from companion.games.ciao.records import Adopt, TableAdopted
from companion.games.ciao.table import CiaoTable, Stage
from companion.text.sentence import Text, count, say


def correct(table: CiaoTable, command: records.Correct) -> Ruling:
    """Replace the latest card by the one that was really played, and play that one.

    `before` is the table before the latest card, and is forgotten when somebody draws: from then on
    somebody has acted on the wrong card, and only an undo leads back.
    """
    before, seat = table.before, table.by
    if before is None or not table.discards:
        fault = say("no card can be corrected now: none has been played since the last draw")
        raise rules.CORRECTED.forbids(fault, "undo back to the card that was wrong")
    wrong = table.discards[-1]
    # A joker may be called with the symbol it was named, and any card without the number of its copy.
    named = [card.partition("=")[0] for card in command.remove if card.partition("=")[2] in ("", table.named)]
    if len(named) != 1 or len(command.add) != 1 or not may_be_same(named[0], wrong):
        fault = say("only the latest card, {card}, can be corrected", card=words(wrong))
        fix = say("name {card} and the card that was really played", card=words(wrong))
        raise rules.CORRECTED.forbids(fault, fix)
    card = command.add[0]
    check_held(before, seat, card)
    again = attempt(lay, before, seat, records.Play(card, seat))
    if isinstance(again, Refused):
        raise again.rule.forbids(again.fault, "undo, and scan what was really played")
    made = gather(table)
    made.add(records.PlayReopened())
    says = say("{card} was played, not {wrong}", wrong=words(wrong), card=words(card))
    made.add_reason(rules.CORRECTED.because(says))
    made.add(*again.events)
    return made.allow()


def leave(table: CiaoTable, command: Leave) -> Ruling:
    seat, stay = command.seat, say("end the deal instead, or start a new match")
    check_playing(table, seat)
    require(ruling.cannot_leave(table.players, SEATS[0], rules.PLAYERS, stay))
    fix = say("leave before the first card of the next deal, or end this deal")
    rules.BETWEEN_DEALS.demands(table.fresh, "the deal has begun", fix)
    left = rules.BETWEEN_DEALS.because("{player} leaves; the points are kept", player=who(seat))
    return Allowed((SeatLeft(seat),), (left,))


def join(table: CiaoTable, command: Join) -> Ruling:
    seat, players, size = command.seat, len(table.players), table.agreed.size
    require(ruling.cannot_join(table.players, len(table.hands), SEATS[-1], seat, rules.PLAYERS))
    fix = say("join before the first card of the next deal")
    rules.BETWEEN_DEALS.demands(table.fresh, "the deal has begun", fix)
    fix = say("at most {players} can play with it", players=players)
    rules.DECK.demands(DEALT * (players + 1) <= size, "the deck has only {cards} cards", fix, cards=size)
    return Allowed((SeatJoined(seat),), (rules.BETWEEN_DEALS.because("{player} joins", player=who(seat)),))


def end_deal(table: CiaoTable, _command: EndDeal) -> Ruling:
    between = table.stage in (Stage.TURN, Stage.DRAWN, Stage.RACE)
    fault = say("a deal can only be ended between two cards")
    rules.EARLY_END.demands(between, fault, "answer the open question first")
    made = gather(table)
    made.add(records.DealStopped())
    effects.count_open_hands(made)
    return made.allow()


# ---------------------------------------------------------------------------------------- setting a table up

MAX_FAULTS: Final = 100
MAX_PENDING: Final = 99
MAX_SKIPS: Final = 9

Given = TypeVar("Given")


def adopt(table: CiaoTable, command: Adopt) -> Ruling:
    """Take over the table as people say it is."""
    position = _whole(table, command)
    faults = [
        *_wrong_numbers(table, position),
        *_wrong_cards(table, position),
        *_wrong_hands(table, position),
    ]
    if position.race is not None and position.race not in table.players:
        faults.append(say("the challenger, {player}, is not playing", player=who(position.race)))
    fix = say("correct what is named, or leave it out")
    require(ruling.impossible_position(faults, rules.SET_UP, MAX_FAULTS, fix))
    made = gather(table)
    for says in _unchanged(table, command, position):
        made.add_reason(rules.SET_UP.because(says))
    made.add(position)
    empty = [seat for seat in table.players if not position.hand_sizes[seat]]
    if empty:
        effects.win(made, empty[0])
    elif position.top and face(position.top) is None:
        # A joker without its symbol: its player is asked, as if it had just been played.
        effects.ask(made, Stage.NAME, made.table.by)
    return made.allow()


def _whole(table: CiaoTable, command: Adopt) -> TableAdopted:
    """The whole position: what was left out keeps its present value, as far as the rest allows it.

    Some defaults depend on what else was given, because a program or a person names only what is wrong:

    - Discards belong to the top card: without a top card there are none. A top card that another one
      replaces lies under it.
    - `hands` alone say how many cards are in each hand. `hand_sizes` alone may contradict the cards that
      are known, so these are forgotten.
    - The draw pile is what remains of the deck. While hands and discards stay, it does not grow: the deal
      may have been set up with a smaller one before.
    - Known cards of the draw pile stay only while hands and discards stay; else they may be among those.
    - A card that exists once and is set up as the top card is not under it and in no hand any more.
    - A +3 stays while the top card stays. A new top card has no effect that nobody mentions.
    - A challenge is never kept: it waits for people who are at it, not for a corrected table.
    """
    top = _top(table, command)
    present = table.discards if _covers_top(table, command, top) else table.discards[:-1]
    discards = _given(command.discards, present if top else ())
    hands, sizes = _hands(table, command)
    now = kind(top.partition("=")[0]).name if split(top.partition("=")[0]) else ""
    if command.top is not None and now and max(BOX[now], table.agreed.many(now)) == 1:
        if command.discards is None:
            discards = _without(discards, now)
        if command.hands is None:
            hands = tuple(_without(hand, now) for hand in hands)
    draw, pile = _draw_pile(table, command, sum(sizes) + len(discards) + bool(top))
    return TableAdopted(
        top,
        discards,
        _given(command.turn, table.turn),
        _given(command.dir, table.dir),
        _given(command.pending, table.pending if command.top is None else 0),
        hands,
        sizes,
        draw,
        pile,
        _given(command.skips, table.skips),
        command.race,
    )


def _given(value: Given | None, otherwise: Given) -> Given:
    return otherwise if value is None else value


def _without(cards: tuple[Card, ...], name: str) -> tuple[Card, ...]:
    return tuple(card for card in cards if kind(card).name != name)


def _covers_top(table: CiaoTable, command: Adopt, top: str) -> bool:
    """Whether the top card of the table lies under another one that is set up as `top`."""
    replaced = bool(table.discards and top) and command.discards is None
    return replaced and not may_be_same(top.partition("=")[0], table.discards[-1])


def _top(table: CiaoTable, command: Adopt) -> str:
    """The card on top, with the number of its copy if that was given; a joker with its symbol."""
    top = _given(command.top, table.top)
    card, named, symbol = top.partition("=")
    copy = "" if command.top_copy is None else f"#{command.top_copy}"
    return top if card.endswith(copy) else f"{card}{copy}{named}{symbol}"


def _hands(table: CiaoTable, command: Adopt) -> tuple[tuple[tuple[Card, ...], ...], tuple[int, ...]]:
    """The known cards of the hands, and the numbers of cards in them, by seat."""
    if command.hands is not None:
        return command.hands, _given(command.hand_sizes, tuple(map(len, command.hands)))
    if command.hand_sizes is not None:
        return ((),) * len(table.hands), command.hand_sizes
    return tuple(hand.known for hand in table.hands), tuple(hand.size for hand in table.hands)


def _draw_pile(table: CiaoTable, command: Adopt, elsewhere: int) -> tuple[int, tuple[Card, ...]]:
    """The number of cards in the draw pile, and those on top of it that are known."""
    if command.pile is not None:
        return _given(command.draw, len(command.pile)), command.pile
    same = command.hands is None and command.hand_sizes is None and command.discards is None
    left = max(0, table.agreed.size - elsewhere)
    pile = table.pile[: min(left, table.draw)] if same else ()
    draw = _given(command.draw, min(left, table.draw) if same else left)
    return draw, pile if command.draw is None else pile[:draw]


def _wrong_numbers(table: CiaoTable, at: TableAdopted) -> Iterator[Text]:
    """What is wrong with the numbers of a position: of entries, of cards in piles, of turns to lose."""
    seats, size = len(table.hands), table.agreed.size
    for name in ("hands", "hand_sizes", "skips"):
        if (entries := len(getattr(at, name))) != seats:
            yield ruling.wrong_number_of_entries(name, entries, seats)
    if at.turn not in table.players:
        yield say("{player} is not playing", player=who(at.turn))
    if at.dir not in (1, -1):
        yield say("the direction is {direction}, not 1 or -1", direction=at.dir)
    if not 0 <= at.draw <= size or len(at.pile) > at.draw:
        says = say("cards in the draw pile: {draw}; cards named: {named}; cards in the deck: {deck}")
        yield says.with_facts(draw=at.draw, named=len(at.pile), deck=size)
    if (under := len(at.discards)) > size:
        says = say("there are {number} cards under the top card; the deck has {deck}")
        yield says.with_facts(number=under, deck=size)
    if any(not 0 <= skips <= MAX_SKIPS for skips in at.skips):
        yield say("the number of turns to miss is not between 0 and {most}", most=MAX_SKIPS)


def _wrong_cards(table: CiaoTable, at: TableAdopted) -> Iterator[Text]:
    """The cards that do not exist, that are in several places, or that box and deck do not have so often."""
    top = at.top.partition("=")[0]
    cards: list[str] = [*(card for hand in at.hands for card in hand), *at.discards, *at.pile]
    for card in cards:
        if split(card) is None:
            yield say("{card} is not a Ciao! card", card=repr(card[:20]))
    yield from _wrong_top(at, top)
    cards = [card for card in (*cards, top) if split(card) is not None]
    copies = sorted({card for card in cards if "#" in card})
    for card in copies:
        if cards.count(card) > 1:
            yield say("{card} is in two places", card=card)
    names = [kind(card).name for card in cards]
    for name in sorted(set(names)):
        # A card of the box that is not in the agreed deck may lie there: somebody forgot to sort it out.
        most = max(BOX[name], table.agreed.many(name))
        if (here := names.count(name)) > most:
            yield count(
                "{card} is here {here} times, but exists once",
                "{card} is here {here} times, but exists {count} times",
                most,
                card=name,
                here=here,
            )
        for card in copies:
            if card.partition("#")[0] == name and int(card.partition("#")[2]) > most:
                says = say("there is no {card}: the copies of {name} are 1 to {most}")
                yield says.with_facts(card=card, name=name, most=most)


def _wrong_top(at: TableAdopted, top: str) -> Iterator[Text]:
    """What is wrong with the top card and its effect; `top` is its name without a symbol that was named."""
    if not at.top:
        if at.discards:
            yield say("there are discards, but no top card")
        if at.pending or at.race is not None:
            yield say("there is no top card that could have an effect")
        return
    if split(top) is None or (face(at.top) is None and (at.top != top or not kind(top).joker)):
        yield say("{card} cannot be the top card", card=repr(at.top[:20]))
        return
    icon = kind(top).icon
    possible = 0 < at.pending <= MAX_PENDING and at.pending % 3 == 0 and icon is Icon.PLUS_THREE
    if at.pending and not possible:
        yield say("{number} cards cannot be pending on {card}", number=at.pending, card=at.top)
    if at.race is not None and icon is not Icon.CHALLENGE:
        yield say("{card} is not a challenge", card=at.top)


def _wrong_hands(table: CiaoTable, at: TableAdopted) -> Iterator[Text]:
    """What is wrong with the numbers of cards in the hands, and with those of all cards together."""
    size = table.agreed.size
    # A list that is too short or too long is named above: each entry is judged as far as it goes.
    for seat, held in zip(map(Seat, range(len(table.hands))), at.hand_sizes, strict=False):
        known = at.hands[seat] if seat < len(at.hands) else ()
        if seat not in table.players and (known or held):
            yield say("{player} is not playing and cannot have cards", player=who(seat))
        if not len(known) <= held <= size:
            yield ruling.more_named_than_held(who(seat), held, len(known))
    if sum(held == 0 for seat, held in enumerate(at.hand_sizes) if seat in table.players) > 1:
        yield say("only one hand can be empty")
    total = sum(at.hand_sizes) + at.draw + len(at.discards) + bool(at.top)
    if total > size:
        says = say("there are {number} cards in the hands and piles together; the deck has {deck}")
        yield says.with_facts(number=total, deck=size)


def _unchanged(table: CiaoTable, command: Adopt, event: TableAdopted) -> Iterator[Text]:
    """What stayed as it was because it was left out, and what had to change. No hidden card is named."""
    way = say("clockwise") if event.dir == 1 else say("anticlockwise")
    yield say("it is {player}'s turn, and play goes {way}", player=who(event.turn), way=way)
    if event.top and command.top is None:
        yield say("{card} stays on top", card=words(event.top))
    if _covers_top(table, command, event.top):
        yield say("{card}, on top until now, goes under {top}", card=words(table.top), top=words(event.top))
    elif event.discards and command.discards is None:
        yield count(
            "{count} card under the top card stays",
            "{count} cards under the top card stay",
            len(event.discards),
        )
    known = sum(len(hand.known) for hand in table.hands)
    if command.hands is None and command.hand_sizes is None:
        hands = tuple(
            count(
                "{player}: {count} card", "{player}: {count} cards", event.hand_sizes[seat], player=who(seat)
            )
            for seat in table.players
        )
        yield say("the hands stay: {hands}", hands=hands)
    elif command.hands is None and known:
        yield count(
            "{count} card known in the hands until now is not known any more",
            "{count} cards known in the hands until now are not known any more",
            known,
        )
    if command.draw is None and event.draw != table.draw:
        yield count(
            "the draw pile has {count} card now; it had {before}",
            "the draw pile has {count} cards now; it had {before}",
            event.draw,
            before=table.draw,
        )
    if event.pending and command.pending is None:
        yield count(
            "the +3 stays: the next player draws {count} card",
            "the +3 stays: the next player draws {count} cards",
            event.pending,
        )
    elif table.pending and command.pending is None:
        yield count(
            "the {count} card to draw for a +3 is dropped",
            "the {count} cards to draw for a +3 are dropped",
            table.pending,
        )
    if command.skips is None and any(event.skips):
        losing = tuple(who(seat) for seat in table.players if event.skips[seat])
        yield say("these players still miss a turn: {players}", players=losing)
    if command.race is None and table.challenger is not None:
        yield say("{player}'s challenge is over", player=who(table.challenger))
