"""The orders beside the game: setting a table up, correcting a card, joining and leaving. Nothing is changed.

First the rulings, then what can be on a table at all: a position, and its faults in words.
"""

from collections.abc import Iterator
from typing import Final

from companion.core import ruling
from companion.core.cards import Seat, who
from companion.core.ruling import Allowed, Because, Refused, SeatJoined, SeatLeft
from companion.games.ciao import legal, records, rules
from companion.games.ciao.cards import Card, Icon, face, kind, may_be_same, split
from companion.games.ciao.effects import lay
from companion.games.ciao.explain import words
from companion.games.ciao.legal import not_held, not_playing
from companion.games.ciao.options import BOX, DEALT, SEATS
from companion.games.ciao.records import Adopt, Correct, Event, Play, PlayReopened, TableAdopted
from companion.games.ciao.table import CiaoTable, Stage
from companion.text.sentence import Text, count, say

MOST_FAULTS: Final = 100


def adopt(table: CiaoTable, command: Adopt) -> Allowed[Event] | Refused:
    """Take over the table as people say it is."""
    position = fill_in(table, command)
    faults = position_faults(table, position)
    fix = say("correct what is named, or leave it out")
    if fault := ruling.impossible_position(faults, rules.SET_UP, MOST_FAULTS, fix):
        return fault
    made = legal.made_on(table)
    for says in _kept(table, command, position):
        made.add_reason(Because(rules.SET_UP, says))
    made.add(position)
    empty = [seat for seat in table.players if not position.hand_sizes[seat]]
    if empty:
        legal.win(made, empty[0])
    elif position.top and face(position.top) is None:
        # A joker without its symbol: its player is asked, as if it had just been played.
        legal.ask(made, Stage.NAME, made.table.by)
    return made.allow()


def _kept(table: CiaoTable, command: Adopt, event: TableAdopted) -> Iterator[Text]:
    """What stayed as it was because it was left out, and what had to change. No hidden card is named."""
    way = say("clockwise") if event.dir == 1 else say("anticlockwise")
    yield say("it is {player}'s turn, and play goes {way}", player=who(event.turn), way=way)
    if event.top and command.top is None:
        yield say("{card} stays on top", card=words(event.top))
    if goes_under(table, command, event.top):
        yield say("{card}, on top until now, goes under {top}", card=words(table.top), top=words(event.top))
    elif event.discards and command.discards is None:
        yield count(
            "{count} card under the top card stays",
            "{count} cards under the top card stay",
            len(event.discards),
        )
    if command.hands is None and command.hand_sizes is None:
        hands = tuple(
            count(
                "{player}: {count} card",
                "{player}: {count} cards",
                event.hand_sizes[seat],
                player=who(seat),
            )
            for seat in table.players
        )
        yield say("the hands stay: {hands}", hands=hands)
    elif command.hands is None and any(hand.known for hand in table.hands):
        yield count(
            "{count} card known in the hands until now is not known any more",
            "{count} cards known in the hands until now are not known any more",
            sum(len(hand.known) for hand in table.hands),
        )
    if command.draw is None and event.draw != table.draw:
        yield count(
            "the draw pile has {count} card now, it had {before}",
            "the draw pile has {count} cards now, it had {before}",
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
        yield say("turns still to be missed stay: {players}", players=losing)
    if command.race is None and table.challenger is not None:
        yield say("the challenge of {player} is over", player=who(table.challenger))


def correct(table: CiaoTable, command: Correct) -> Allowed[Event] | Refused:
    """Replace the latest card by the one that was really played, and play that one.

    `before` is the table before the latest card, and is forgotten when somebody draws: from then on
    somebody has acted on the wrong card, and only an undo leads back.
    """
    if table.before is None or not table.discards:
        return Refused(
            rules.CORRECTED,
            say("no card can be corrected now: none was played since the last draw"),
            say("undo back to the card that was wrong"),
        )
    wrong = table.discards[-1]
    # A joker may be called with the symbol it was named, and any card without the number of its copy.
    named = [one.partition("=")[0] for one in command.remove if one.partition("=")[2] in ("", table.named)]
    if len(named) != 1 or len(command.add) != 1 or not may_be_same(named[0], wrong):
        return Refused(
            rules.CORRECTED,
            say("only the latest card, {card}, can be corrected", card=words(wrong)),
            say("name {card} and the card that was really played", card=words(wrong)),
        )
    card, before, seat = command.add[0], table.before, table.by
    if fault := not_held(before, seat, card):
        return fault
    made = legal.made_on(table)
    said = say("{card} was played, not {wrong}", wrong=words(wrong), card=words(card))
    made.add(PlayReopened())
    made.add_reason(Because(rules.CORRECTED, said))
    again = lay(before, seat, Play(card, seat))
    if isinstance(again, Refused):
        return Refused(again.rule, again.fault, say("undo, and scan what was really played"))
    made.add(*again.events)
    return made.allow()


def leave(table: CiaoTable, seat: Seat) -> Allowed[Event] | Refused:
    if fault := not_playing(table, seat):
        return fault
    stay = say("end the deal instead, or start a new match")
    if fault := ruling.cannot_leave(table.players, SEATS[0], rules.PLAYERS, stay):
        return fault
    if not table.fresh:
        fix = say("leave before the first card of the next deal, or end this deal")
        return Refused(rules.BETWEEN_DEALS, say("the deal has begun"), fix)
    said = say("{player} leaves; the points are kept", player=who(seat))
    return Allowed((SeatLeft(seat),), (Because(rules.BETWEEN_DEALS, said),))


def join(table: CiaoTable, seat: Seat) -> Allowed[Event] | Refused:
    if fault := ruling.cannot_join(table.players, len(table.hands), SEATS[-1], seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        fix = say("join before the first card of the next deal")
        return Refused(rules.BETWEEN_DEALS, say("the deal has begun"), fix)
    if DEALT * (len(table.players) + 1) > table.agreed.size:
        return Refused(
            rules.DECK,
            say("the deck has only {cards} cards", cards=table.agreed.size),
            say("at most {players} can play with it", players=len(table.players)),
        )
    said = say("{player} joins", player=who(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.BETWEEN_DEALS, said),))


def end_deal(table: CiaoTable) -> Allowed[Event] | Refused:
    if table.stage not in (Stage.TURN, Stage.DRAWN, Stage.RACE):
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two cards"),
            say("answer the open question first"),
        )
    made = legal.made_on(table)
    made.add(records.DealStopped())
    legal.count_open_hands(made)
    return made.allow()


MOST_PENDING: Final = 99
MOST_SKIPS: Final = 9


def fill_in(table: CiaoTable, command: Adopt) -> TableAdopted:
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
    discards = table.discards[:-1] if command.discards is None else command.discards
    if goes_under(table, command, top):
        discards = table.discards
    if not top:
        discards = command.discards or ()
    hands, sizes = _hands(table, command)
    now = kind(top.partition("=")[0]).name if split(top.partition("=")[0]) else ""
    if command.top is not None and now and max(BOX[now], table.agreed.many(now)) == 1:
        if command.discards is None:
            discards = tuple(card for card in discards if kind(card).name != now)
        if command.hands is None:
            hands = tuple(tuple(card for card in known if kind(card).name != now) for known in hands)
    draw, pile = _draw_pile(table, command, sum(sizes) + len(discards) + bool(top))
    pending = table.pending if command.pending is None and command.top is None else command.pending or 0
    return TableAdopted(
        top,
        discards,
        table.turn if command.turn is None else command.turn,
        table.dir if command.dir is None else command.dir,
        pending,
        hands,
        sizes,
        draw,
        pile,
        table.skips if command.skips is None else command.skips,
        command.race,
    )


def goes_under(table: CiaoTable, command: Adopt, top: str) -> bool:
    """Whether the top card of the table lies under another one that is set up as `top`."""
    now = top.partition("=")[0]
    return (
        bool(table.discards and top) and command.discards is None and not may_be_same(now, table.discards[-1])
    )


def _top(table: CiaoTable, command: Adopt) -> str:
    """The card on top, with the number of its copy if that was given; a joker with its symbol."""
    top = table.top if command.top is None else command.top
    card, named, symbol = top.partition("=")
    copy = "" if command.top_copy is None else f"#{command.top_copy}"
    return top if card.endswith(copy) else f"{card}{copy}{named}{symbol}"


def _hands(table: CiaoTable, command: Adopt) -> tuple[tuple[tuple[Card, ...], ...], tuple[int, ...]]:
    """The known cards of the hands, and the numbers of cards in them, by seat."""
    if command.hands is not None:
        sizes = tuple(map(len, command.hands)) if command.hand_sizes is None else command.hand_sizes
        return command.hands, sizes
    if command.hand_sizes is not None:
        return ((),) * len(table.hands), command.hand_sizes
    return tuple(hand.known for hand in table.hands), tuple(hand.size for hand in table.hands)


def _draw_pile(table: CiaoTable, command: Adopt, elsewhere: int) -> tuple[int, tuple[Card, ...]]:
    """The number of cards in the draw pile, and those on top of it that are known."""
    same = command.hands is None and command.hand_sizes is None and command.discards is None
    draw = max(0, table.agreed.size - elsewhere)
    if same:
        draw = min(draw, table.draw)
    if command.pile is not None:
        return (len(command.pile) if command.draw is None else command.draw), command.pile
    pile = table.pile[:draw] if same else ()
    return (draw, pile) if command.draw is None else (command.draw, pile[: command.draw])


def position_faults(table: CiaoTable, at: TableAdopted) -> list[Text]:
    """Everything that can never lie on this table, in words; empty if it can."""
    faults = _number_faults(table, at)
    cards = [card for hand in at.hands for card in hand] + [*at.discards, *at.pile]
    top = at.top.partition("=")[0]
    faults += [
        say("{card} is not a Ciao! card", card=repr(card[:20])) for card in cards if split(card) is None
    ]
    faults += _top_faults(at, top)
    faults += _card_faults(table, [card for card in (*cards, top) if split(card) is not None])
    faults += _hand_faults(table, at)
    if at.race is not None and at.race not in table.players:
        faults.append(say("the challenger, {player}, is not playing", player=who(at.race)))
    return faults


def _number_faults(table: CiaoTable, at: TableAdopted) -> list[Text]:
    """What is wrong with the numbers of a position: of entries, of cards in piles, of turns to lose."""
    faults: list[Text] = []
    seats, size = len(table.hands), table.agreed.size
    for name, many in (
        ("hands", len(at.hands)),
        ("hand_sizes", len(at.hand_sizes)),
        ("skips", len(at.skips)),
    ):
        if many != seats:
            faults.append(ruling.wrong_number_of_entries(name, many, seats))
    if at.turn not in table.players:
        faults.append(say("{player} is not playing", player=who(at.turn)))
    if at.dir not in (1, -1):
        faults.append(say("the direction is {direction}, not 1 or -1", direction=at.dir))
    if not 0 <= at.draw <= size or len(at.pile) > at.draw:
        faults.append(
            say(
                "the number of cards in the draw pile is {draw}; {named} are named, the deck has {deck}",
                draw=at.draw,
                named=len(at.pile),
                deck=size,
            )
        )
    if len(at.discards) > size:
        faults.append(
            say(
                "there are {number} cards under the top card; the deck has {deck}",
                number=len(at.discards),
                deck=size,
            )
        )
    if any(not 0 <= skips <= MOST_SKIPS for skips in at.skips):
        faults.append(say("turns to lose are not between 0 and {most}", most=MOST_SKIPS))
    return faults


def _hand_faults(table: CiaoTable, at: TableAdopted) -> list[Text]:
    """What is wrong with the numbers of cards in the hands, and with those of all cards together."""
    faults: list[Text] = []
    seats, size = len(table.hands), table.agreed.size
    # A list that is too short or too long is named above: each entry is judged as far as it goes.
    for seat, many in zip(range(seats), at.hand_sizes, strict=False):
        known = at.hands[seat] if seat < len(at.hands) else ()
        if seat not in table.players and (known or many):
            faults.append(say("{player} is not playing and cannot have cards", player=who(Seat(seat))))
        if not len(known) <= many <= size:
            faults.append(ruling.more_named_than_held(who(Seat(seat)), many, len(known)))
    if sum(many == 0 for seat, many in enumerate(at.hand_sizes) if seat in table.players) > 1:
        faults.append(say("only one hand can be empty"))
    total = sum(at.hand_sizes) + at.draw + len(at.discards) + bool(at.top)
    if total > size:
        faults.append(
            say(
                "there are {number} cards in the hands and piles together; the deck has {deck}",
                number=total,
                deck=size,
            )
        )
    return faults


def _card_faults(table: CiaoTable, cards: list[str]) -> list[Text]:
    """The cards that are in several places, or that box and deck do not have so often.

    A card that is in the box, but not in the agreed deck, may lie there: somebody forgot to sort it out.
    """
    copies = [card for card in cards if "#" in card]
    faults = [
        say("{card} is in two places", card=card) for card in sorted(set(copies)) if copies.count(card) > 1
    ]
    names = [kind(card).name for card in cards]
    for name in sorted(set(names)):
        most = max(BOX[name], table.agreed.many(name))
        if (here := names.count(name)) > most:
            faults.append(
                count(
                    "{card} is here {here} times, but exists once",
                    "{card} is here {here} times, but exists {count} times",
                    most,
                    card=name,
                    here=here,
                )
            )
        faults += [
            say("there is no {card}: the copies of {name} are 1 to {most}", card=card, name=name, most=most)
            for card in sorted(set(copies))
            if card.partition("#")[0] == name and int(card.partition("#")[2]) > most
        ]
    return faults


def _top_faults(at: TableAdopted, top: str) -> list[Text]:
    if not at.top:
        faults = [say("there are discards, but no top card")] if at.discards else []
        if at.pending or at.race is not None:
            faults.append(say("there is no top card that could have an effect"))
        return faults
    if split(top) is None or (face(at.top) is None and (at.top != top or not kind(top).joker)):
        return [say("{card} cannot be the top card", card=repr(at.top[:20]))]
    icon = kind(top).icon
    faults = []
    if at.pending and (not 0 < at.pending <= MOST_PENDING or at.pending % 3 or icon is not Icon.PLUS_THREE):
        faults.append(say("{number} cards cannot be pending on {card}", number=at.pending, card=at.top))
    if at.race is not None and icon is not Icon.CHALLENGE:
        faults.append(say("{card} is not a challenge", card=at.top))
    return faults
