"""The orders beside the game: correcting a card, joining and leaving, setting a table up.

Nothing is changed here; the commands of normal play are in `judge`.
"""

from collections.abc import Iterator
from typing import Final

from companion.core.cards import Seat, who
from companion.core.ruling import (
    Allowed,
    Because,
    Refused,
    SeatJoined,
    SeatLeft,
    cannot_join,
    cannot_leave,
    impossible_position,
)
from companion.games.ciao import rules
from companion.games.ciao.cards import face, may_be_same
from companion.games.ciao.effects import lay
from companion.games.ciao.explain import words
from companion.games.ciao.legal import EventBuilder, not_held, not_playing
from companion.games.ciao.options import DEALT, SEATS
from companion.games.ciao.position import fill_in, goes_under, position_faults
from companion.games.ciao.records import Adopt, Correct, Event, Play, PlayReopened, TableAdopted
from companion.games.ciao.table import CiaoTable, Stage
from companion.text.sentence import Text, count, say

MOST_FAULTS: Final = 100


def adopt(table: CiaoTable, command: Adopt) -> Allowed[Event] | Refused:
    """Take over the table as people say it is."""
    position = fill_in(table, command)
    faults = position_faults(table, position)
    fix = say("correct what is named, or leave it out")
    if fault := impossible_position(faults, rules.SET_UP, MOST_FAULTS, fix):
        return fault
    events = EventBuilder(table)
    for says in _kept(table, command, position):
        events.add_reason(Because(rules.SET_UP, says))
    events.add(position)
    empty = [seat for seat in table.players if not position.hand_sizes[seat]]
    if empty:
        events.win(empty[0])
    elif position.top and face(position.top) is None:
        # A joker without its symbol: its player is asked, as if it had just been played.
        events.ask(Stage.NAME, events.table.by)
    return events.allow()


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
    events = EventBuilder(table)
    said = say("{card} was played, not {wrong}", wrong=words(wrong), card=words(card))
    events.add(PlayReopened())
    events.add_reason(Because(rules.CORRECTED, said))
    again = lay(before, seat, Play(card, seat))
    if isinstance(again, Refused):
        return Refused(again.rule, again.fault, say("undo, and scan what was really played"))
    events.add(*again.events)
    return events.allow()


def leave(table: CiaoTable, seat: Seat) -> Allowed[Event] | Refused:
    if fault := not_playing(table, seat):
        return fault
    stay = say("end the deal instead, or start a new match")
    if fault := cannot_leave(table.players, SEATS[0], rules.PLAYERS, stay):
        return fault
    if not table.fresh:
        return Refused(
            rules.BETWEEN_DEALS,
            say("the deal has begun"),
            say("leave before the first card of the next deal, or end this deal"),
        )
    said = say("{player} leaves; the points are kept", player=who(seat))
    return Allowed((SeatLeft(seat),), (Because(rules.BETWEEN_DEALS, said),))


def join(table: CiaoTable, seat: Seat) -> Allowed[Event] | Refused:
    if fault := cannot_join(table.players, len(table.hands), SEATS[-1], seat, rules.PLAYERS):
        return fault
    if not table.fresh:
        return Refused(
            rules.BETWEEN_DEALS,
            say("the deal has begun"),
            say("join before the first card of the next deal"),
        )
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
    events = EventBuilder(table)
    events.stop()
    return events.allow()
