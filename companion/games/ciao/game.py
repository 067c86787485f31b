"""Ciao! as the program sees it: what it asks, how answers are read, what it shows.

Whether an answer is legal is decided by the handlers; no decision is made here.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Final

from companion.core.ask import (
    TYPED,
    WITHOUT_HANDS,
    Ask,
    AskKind,
    Wait,
    asks_for_hand,
    read_player,
    read_points,
    read_whole,
)
from companion.core.board import Audit, Board, Sign, Stack, Tally
from companion.core.cards import Seat, called, clockwise
from companion.core.codec import Record
from companion.core.game import Dealing, Game, Handlers, Hides
from companion.core.ruling import Because, EndDeal, ForgetHands, Join, Leave, not_offered
from companion.games.ciao import corrections, counting, explain, hands, play, records, table
from companion.games.ciao.cards import Card, Symbol, kind, may_be_same, typed
from companion.games.ciao.effects import TurnEffect
from companion.games.ciao.options import Options
from companion.games.ciao.rules import FIRST_OUT, RESHUFFLE, RULES, SETUP
from companion.games.ciao.table import CiaoTable, Stage, fits_the_deck
from companion.text.errors import UnknownCard, quoted
from companion.text.sentence import NOTHING, Text, count, say

HANDLERS: Final[Handlers] = {
    records.Register: hands.register,
    ForgetHands: hands.forget_hands,
    records.Play: play.play,
    records.Race: play.race,
    records.RaceOff: play.race_off,
    records.Claim: play.claim,
    records.Draw: play.draw_card,
    records.Keep: play.keep,
    records.Name: play.decide,
    records.Mode: play.decide,
    records.ChoosePlayer: play.decide,
    records.Give: play.decide,
    records.Thanks: play.decide,
    records.DiscardTrouble: play.decide,
    records.Foul: play.foul,
    records.HandCard: counting.hand_card,
    records.Hand: counting.hand,
    records.Done: counting.done,
    records.Adopt: corrections.adopt,
    records.Correct: corrections.correct,
    Leave: corrections.leave,
    Join: corrections.join,
    EndDeal: corrections.end_deal,
}
"""What follows from each command."""

WHILE_REGISTERING: Final = frozenset({
    records.Register, ForgetHands, records.Adopt, records.Correct, EndDeal, Join, Leave,
})  # fmt: skip
"""The commands that are judged while a hand is to be scanned."""

HIDDEN: Final[Mapping[str, Hides]] = {"hands": Hides.ALL, "pile": Hides.ALL, "drawn": Hides.ALL}
"""Nobody sees another hand, the draw pile, or the card that was drawn."""

HIDDEN_IN_EVENTS: Final[Mapping[str, Mapping[str, Hides]]] = {
    records.CardRegistered.KIND: {"held": Hides.ALL},
    records.CardGiven.KIND: {"card": Hides.ALL},
    records.CardsDrawn.KIND: {"cards": Hides.ALL},
    records.TableAdopted.KIND: {"hands": Hides.ALL, "pile": Hides.ALL},
}
"""The same in events. A card that was played lies open, even by mistake, and so do hands that are counted."""

_NAME_ONE: Final = say("name one of the players to choose from")


class Word(Enum):
    """An answer that is no card and no player; the value is the choice of the question."""

    DRAW = "draw"
    KEEP = "keep"
    NOT_SHOWN = "not shown"
    NOBODY = "nobody"
    """Nobody can answer the challenge."""
    REST = "rest"
    """The cards of the hand that were not scanned are the known ones."""
    YES = "yes"
    """The receiver said thank you."""
    NO = "no"
    GOES = "goes"
    """A trouble card is discarded as well."""
    STAYS = "stays"


class Ciao(Game):
    """Ciao! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: Options

    key, title = "ciao", "CIAO!"
    handlers = HANDLERS
    changes = table.CHANGES
    rules = RULES
    deal_over = FIRST_OUT
    end_rules = explain.END_RULES
    tells_hands = (records.CardRegistered,)
    hidden = HIDDEN
    hidden_in_events = HIDDEN_IN_EVENTS

    swap = not_offered(
        say("in Ciao! a card belongs to the player whose turn it is"), say("undo, then say who played it")
    )

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> CiaoTable:
        return table.deal(seats, players, first, self.agreed)

    def starter(self, deal: int, first: Seat, finished: CiaoTable) -> Seat:
        """The winner of the deal; if it ended early, the seat with the fewest points, clockwise on a tie."""
        if finished.out is not None and finished.out in finished.players:
            return finished.out
        points = finished.points
        return min(clockwise(finished.players, finished.first), key=lambda seat: points[seat])

    def why_starts(self, starter: Seat, finished: CiaoTable | None) -> tuple[Because, ...]:
        return explain.why_starts(starter, finished)

    def check_time(self, state: CiaoTable, command: Record) -> None:
        super().check_time(state, command)
        if type(command) not in WHILE_REGISTERING and state.registering:
            fix = say("scan the next card of the hand")
            raise SETUP.forbids("a card of a hand must be scanned first", fix)

    # --------------------------------------------------------------------------------------- what is asked

    def asks(self, state: CiaoTable) -> tuple[Ask, ...]:
        """The open questions; none when the deal is over."""
        if seats := state.registering:
            hand = state.hands[seats[0]]
            return asks_for_hand(seats, len(hand.known), hand.size)
        return _ASKS[state.stage](state)

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Record:
        """An answer as a command. Raises `UnknownCard`."""
        match ask.kind:
            case AskKind.PLAY:
                card, name = self._read(text)
                return records.Play(card, seat, name=name)
            case AskKind.RACE:
                card, name = self._read(text)
                return records.Race(card, seat, name=name)
            case AskKind.HOLD:
                return records.Register(ask.seats[0] if seat is None else seat, self._read(text)[0])
            case AskKind.GIVE:
                return records.Give(self._read(text)[0], seat)
            case AskKind.HAND:
                # The table counts one hand after the other, so a card without a badge is of the hand that
                # is asked for.
                whose = ask.seats[0] if seat is None or seat not in ask.seats else seat
                if text.startswith(TYPED):
                    return records.Hand(whose, points=read_points(text))
                return records.HandCard(self._read(text)[0], whose)
            case AskKind.CLAIM:
                owner = read_player(ask, seat, text, _NAME_ONE)
                return records.Claim(self._read(ask.card)[0], owner)
            case AskKind.WHOM:
                return records.ChoosePlayer(read_player(ask, None, text, _NAME_ONE))
            case AskKind.DECIDE | AskKind.DRAW | AskKind.DONE:
                return _word(ask, seat, text)
            case _:
                fault = say("Ciao! never asks you to {value}", value=ask.kind.value)
                raise UnknownCard(fault, say("answer the open question"))

    def _read(self, text: str) -> tuple[Card, str | None]:
        """A card by its name or its number, and the symbol named with a joker. Raises `UnknownCard`."""
        plain = text.strip()
        codes = self.agreed.codes
        if (number := read_whole(plain, 3)) is not None:  # three digits in a code
            if 1 <= number <= len(codes):
                return codes[number - 1], None
        elif (found := typed(plain)) is not None:
            return found
        raise UnknownCard(
            say("{text} is not a Ciao! card", text=repr(text[:20])),
            say("scan the card again, or give its number, 1 to {codes}", codes=len(codes)),
        )

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Record:
        # A joker on top may be called by its symbol (yJ=P), which `_read` would take apart.
        gone = tuple(Card(text) if "=" in text else self._read(text)[0] for text in remove)
        return records.Correct(gone, tuple(self._read(text)[0] for text in add))

    def penalty(self, seat: Seat) -> Record:
        return records.Foul(seat)

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> Record:
        """Set up the top card; hands and turn stay as they are."""
        if not stacks or not stacks[0]:
            return records.Adopt()
        card, name = self._read(stacks[0][-1])
        return records.Adopt(top=card if name is None else f"{card.partition('#')[0]}={name}")

    def decides(self, state: CiaoTable) -> bool:
        """Whether a card is played, drawn or given, or something is chosen."""
        return not state.registering and state.stage not in (Stage.CLAIM, Stage.THANKS, Stage.COUNT)

    def only(self, state: CiaoTable, ask: Ask, hand: tuple[str, ...]) -> tuple[str, ...] | None:
        """The drawn card, which came last, alone can be played; a trouble card goes, if there is one."""
        if state.stage is Stage.DRAWN and ask.kind is AskKind.PLAY:
            return hand[-1:]
        if state.stage is Stage.TROUBLE:
            return (ask.choices[0] if any(kind(card).trouble for card in hand) else ask.choices[1],)
        return None

    # --------------------------------------------------------------------------------------- what is shown

    def cards(self, state: CiaoTable) -> tuple[str, ...]:
        return state.agreed.kinds()

    def card(self, state: CiaoTable, text: str) -> str:
        """A card as the device calls it: a joker on top by the symbol it was named. Raises `UnknownCard`."""
        card = self._read(text)[0]
        return state.top if state.discards[-1:] == (card,) else card

    def label(self, card: str) -> Text:
        return explain.label(card)

    def named(self, card: str) -> Text:
        return explain.in_capitals(card)

    def sign(self, card: str) -> Sign:
        return explain.sign(card)

    def may_be_same(self, card: str, other: str) -> bool:
        """The same kind, and no two different copies; a joker may be called by the symbol it was named."""
        return may_be_same(card.partition("=")[0], other.partition("=")[0])

    def hand(self, state: CiaoTable, seat: Seat) -> tuple[str, ...]:
        """The cards that a seat can still play, the newest last, if all of them are known."""
        hand = state.hands[seat]
        return hand.known if seat in state.players and hand.open else ()

    def dealing(self, state: CiaoTable) -> Dealing:
        sizes, known = tuple(hand.size for hand in state.hands), tuple(hand.known for hand in state.hands)
        return Dealing(state.agreed.cards(), (*state.discards, *state.pile), sizes, known)

    def swapped(self, event: Record) -> tuple[Seat, Seat] | None:
        if not isinstance(event, records.HandsSwapped):
            return None
        first, second = event.seats
        return first, second

    def view(self, state: CiaoTable) -> dict[str, Any]:
        """The game's part of the protocol's state; what a position takes has the same name."""
        return {
            "top": state.top or None,
            "top_copy": state.top_copy,
            "turn": state.turn,
            "dir": state.dir,
            "pending": state.pending,
            "hand_sizes": [hand.size for hand in state.hands],
            "hands": [list(hand.known) for hand in state.hands],
            "draw": state.draw,
            "pile": list(state.pile),
            "discards": list(state.discards[:-1]),
            "skips": list(state.skips),
            "race": state.challenger,
            "stage": state.stage.value,
            "drawn": state.drawn,
            "shown": state.shown,
            "out": state.out,
            "counted": list(state.counted),
            "seen": [list(cards) for cards in state.counting],
        }

    def board(self, state: CiaoTable) -> Board:
        """The top card, what beats it, the direction of play, and everybody's number of cards."""
        way = say("CLOCKWISE") if state.dir == 1 else say("REVERSED")
        return Board(
            (Stack((state.top,), 0, 0, "", "0"),) if state.top else (),
            state.moves + 1,
            0,
            _hint(state),
            explain.lines(state),
            (*explain.top_lines(state), say("PILE {cards}, {way}", cards=state.draw, way=way)),
            tuple(hand.size for hand in state.hands),
            (Tally(say("SKIP"), state.skips),) if any(state.skips) else (),
            top=explain.sign(state.top) if state.top else None,
            beats=() if state.stage is Stage.GIVE else explain.beating(state),
            direction=state.dir,
        )

    def audit(self, state: CiaoTable) -> Audit:
        """Cards in hands, in the draw pile and on the table against those that are in the deal."""
        held, lying = sum(hand.size for hand in state.hands), len(state.discards)
        says = say("HANDS {hands} PILE {draw}+{lying}", hands=held, draw=state.draw, lying=lying)
        faults: list[Text] = []
        if state.counts and not fits_the_deck(state.agreed, state.outside_hand(None)):
            faults.append(say("a card is in two places"))
        if any(not 0 <= len(hand.known) <= hand.size for hand in state.hands):
            faults.append(say("a hand has fewer cards than are known to be in it"))
        return Audit(held + state.draw + lying, state.total, says, tuple(faults))


def _hint(table: CiaoTable) -> Text:
    if any(isinstance(event, records.Reshuffled) for event in table.news):
        return RESHUFFLE.title
    if table.fresh and not table.draw:
        return say("NO CARDS TO DRAW YET")
    return say("DRAW {cards}, OR JOKER", cards=table.pending) if table.pending else NOTHING


# --------------------------------------------------------------------------------- a question for each stage


def _ask_turn(table: CiaoTable) -> tuple[Ask, ...]:
    says = say("SCAN, OR OK=DRAW 1") if table.top else say("OPEN WITH ANY CARD")
    if table.pending:
        says = say("JOKER, +3, OR DRAW {cards}", cards=table.pending)
    card = Ask(AskKind.PLAY, (table.turn,), Wait.ONE, says, card=table.top)
    draw = say("DRAW {cards}", cards=table.pending or 1)
    says = say("OK={what}", what=draw)
    return (card, Ask(AskKind.DRAW, (table.turn,), Wait.ONE, says, (Word.DRAW.value,), (draw,)))


def _ask_drawn(table: CiaoTable) -> tuple[Ask, ...]:
    actor = (table.actor,)
    keep = _instead(actor, Wait.ONE, say("OK=KEEP IT"), Word.KEEP, say("KEEP IT"))
    return (Ask(AskKind.PLAY, actor, Wait.ONE, say("PLAY THE DRAWN CARD?")), keep)


def _ask_given(table: CiaoTable) -> tuple[Ask, ...]:
    actor = (table.actor,)
    hidden = _instead(actor, Wait.ONE, say("OK=NOT SHOWN"), Word.NOT_SHOWN, say("NOT SHOWN"))
    return (Ask(AskKind.GIVE, actor, Wait.ONE, say("SCAN CARD TO GIVE"), card=table.top), hidden)


def _ask_thanks(table: CiaoTable) -> tuple[Ask, ...]:
    says = say("THANKS FROM {player}?", player=called(table.other or Seat(0)))
    return _decide(table, says, (Word.YES, Word.NO), (say("YES"), say("NO: DRAWS 3")))


def _ask_race(table: CiaoTable) -> tuple[Ask, ...]:
    seats = table.racers
    nobody = _instead(seats, Wait.ANY, say("OK=NOBODY CAN"), Word.NOBODY, say("NOBODY CAN"))
    return (Ask(AskKind.RACE, seats, Wait.ANY, say("SPEED CHALLENGE!"), card=table.top), nobody)


def _ask_claim(table: CiaoTable) -> tuple[Ask, ...]:
    card, seats = table.shown or Card(""), tuple(sorted(table.racers))
    says = explain.asks_who(card)
    return (Ask(AskKind.CLAIM, seats, Wait.ONE, says, tuple(map(str, seats)), card=card),)


def _ask_count(table: CiaoTable) -> tuple[Ask, ...]:
    seats = table.uncounted
    if not seats:
        return ()
    have, need = tuple(table.counting[seats[0]]), table.hands[seats[0]].size
    hand = Ask(AskKind.HAND, seats, Wait.ALL, say("SCAN THE WHOLE HAND"), have=have, need=need)
    known = table.rest(seats[0])
    if known is None:
        return (hand,)
    label = count("{count} KNOWN CARD", "{count} KNOWN CARDS", len(known))
    return (hand, _instead(seats[:1], Wait.ONE, say("OK={what}", what=label), Word.REST, label))


def _decide(
    table: CiaoTable, says: Text, choices: Iterable[Enum], labels: tuple[Text, ...]
) -> tuple[Ask, ...]:
    """A question that words answer."""
    values = tuple(choice.value for choice in choices)
    return (Ask(AskKind.DECIDE, (table.actor,), Wait.ONE, says, values, labels, card=table.top),)


def _whom(table: CiaoTable, says: Text) -> tuple[Ask, ...]:
    others = tuple(str(seat) for seat in table.players if seat != table.actor)
    return (Ask(AskKind.WHOM, (table.actor,), Wait.ONE, says, others, card=table.top),)


def _instead(seats: tuple[Seat, ...], wait: Wait, says: Text, word: Word, label: Text) -> Ask:
    """The question beside another one that a word answers, so that OK is enough."""
    return Ask(AskKind.DONE, seats, wait, says, (word.value,), (label,))


# fmt: off
_ASKS: Final[Mapping[Stage, Callable[[CiaoTable], tuple[Ask, ...]]]] = {
    Stage.TURN: _ask_turn,
    Stage.DRAWN: _ask_drawn,
    Stage.NAME: lambda table: _decide(
        table, say("WHICH SYMBOL?"), Symbol, tuple([explain.CAPITALS[symbol] for symbol in Symbol])),
    Stage.MODE: lambda table: _decide(
        table, say("AGAIN OR REVERSE?"), TurnEffect, (say("PLAY AGAIN"), say("REVERSE"))),
    Stage.TROUBLE: lambda table: _decide(
        table, say("A TROUBLE CARD TOO?"), (Word.GOES, Word.STAYS),
        (say("YES, DISCARD IT"), say("NO, KEEP IT"))),
    Stage.TO: lambda table: _whom(table, say("WHO GETS A CARD?")),
    Stage.GIVE: _ask_given,
    Stage.THANKS: _ask_thanks,
    Stage.WITH: lambda table: _whom(table, say("SWAP HANDS WITH?")),
    Stage.RACE: _ask_race,
    Stage.CLAIM: _ask_claim,
    Stage.COUNT: _ask_count,
}
# fmt: on
"""The open questions of a table that waits for something."""


def _word(ask: Ask, seat: Seat | None, text: str) -> Record:
    """The command of an answer that is a word. Raises `UnknownCard`."""
    commands: dict[str, Record] = {
        Word.DRAW.value: records.Draw(seat),
        Word.KEEP.value: records.Keep(seat),
        Word.NOT_SHOWN.value: records.Give(None, seat),
        Word.NOBODY.value: records.RaceOff(),
        Word.REST.value: records.Done(ask.seats[0]),
        Word.YES.value: records.Thanks(said=True, seat=seat),
        Word.NO.value: records.Thanks(said=False, seat=seat),
        Word.GOES.value: records.DiscardTrouble(goes=True, seat=seat),
        Word.STAYS.value: records.DiscardTrouble(goes=False, seat=seat),
        WITHOUT_HANDS: ForgetHands(),
        **{turn.value: records.Mode(turn.value, seat) for turn in TurnEffect},
        **{symbol.value: records.Name(symbol.value, seat) for symbol in Symbol},
    }
    if text not in commands or text not in ask.choices:
        fault = say("{text} is not a valid answer", text=quoted(text))
        raise UnknownCard(fault, say("answer with one of: {choices}", choices=tuple(ask.choices)))
    return commands[text]
