"""11 nimmt! as the program sees it: what it asks, how answers are read, what it shows.

Whether an answer is legal is decided by the handlers; no decision is made here.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from companion.core import ask
from companion.core.ask import (
    TYPED,
    WITHOUT_HANDS,
    Ask,
    AskKind,
    Wait,
    asks_for_hand,
    read_choice,
    read_player,
    read_points,
)
from companion.core.board import Audit, Board, Stack, Tally
from companion.core.cards import Card, Seat, called, who
from companion.core.codec import Record
from companion.core.game import Dealing, Game, Handlers, Hides
from companion.core.ruling import Because, EndDeal, ForgetHands, Join, Leave, not_offered
from companion.games.eleven import corrections, counting, explain, play, records, table
from companion.games.eleven.options import BULLS, CARDS, DEALT, DECK, Options
from companion.games.eleven.rules import OUT, RULES
from companion.games.eleven.table import ElevenTable, Pile
from companion.text.errors import UnknownCard, quoted
from companion.text.sentence import NOTHING, Text, count, say
from companion.values import replace

HANDLERS: Final[Handlers] = {
    records.Register: play.register,
    ForgetHands: play.forget_hands,
    records.TurnUp: play.turn_up,
    records.Play: play.play,
    records.PlayCard: play.play_card,
    records.ShowCard: play.show_card,
    records.Claim: play.claim,
    records.Choose: play.choose_pile,
    records.Done: counting.done,
    records.Take: play.take_pile,
    records.BullFrom: play.draw_bull,
    records.HandCard: counting.hand_card,
    records.Hand: counting.hand,
    records.Adopt: corrections.adopt,
    records.Correct: corrections.correct,
    Leave: corrections.leave,
    Join: corrections.join,
    EndDeal: corrections.end_deal,
}
"""What follows from each command."""

WHILE_COUNTING: Final = frozenset({
    records.Done, records.HandCard, records.Hand, records.Adopt, records.Correct, Leave, Join, EndDeal,
})  # fmt: skip
"""The commands that are judged while hands are counted."""

HIDDEN: Final[Mapping[str, Hides]] = {"piles": Hides.ALL_BUT_TOP, "hands": Hides.ALL}
"""Only the top card of a pile is visible, not what is below it or how many cards it has.

Source: 11 nimmt! rulebook, Taking a pile. How many cards a hand has is not hidden: everybody can count the
backs of the cards that others hold.
"""

HIDDEN_IN_EVENTS: Final[Mapping[str, Mapping[str, Hides]]] = {
    # The place of a card from the bottom tells how many lie below it.
    records.CardLaid.KIND: {"at": Hides.ALL},
    records.CardRegistered.KIND: {"held": Hides.ALL},
    records.PileTaken.KIND: {"cards": Hides.ALL_BUT_TOP},
    records.TableAdopted.KIND: HIDDEN,
}
"""The same in events. Hands that are counted lie open."""

_DONE: Final = "done"


class Eleven(Game):
    """11 nimmt! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: Options

    key, title = "eleven", "11 NIMMT!"
    handlers = HANDLERS
    changes = table.CHANGES
    rules = RULES
    deal_over = OUT
    end_rules = explain.END_RULES
    always_written = ("deals",)
    corrects_finished = (records.Correct,)
    tells_hands = (records.CardRegistered,)
    hidden = HIDDEN
    hidden_in_events = HIDDEN_IN_EVENTS

    takes, costs = staticmethod(attrgetter("takes")), staticmethod(attrgetter("left"))
    # Nobody's card is mixed up with another's: the seat whose turn it is plays.
    swap = not_offered(say("in 11 nimmt! there are no owners to swap"), say("undo the move that was wrong"))

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> ElevenTable:
        return table.start(self.agreed, seats, players, first)

    def starter(self, deal: int, first: Seat, finished: ElevenTable) -> Seat:
        """The player with most minus points of the deal before; of several, the next clockwise (H11-7)."""
        return finished.worst[0]

    def why_starts(self, starter: Seat, finished: ElevenTable | None) -> tuple[Because, ...]:
        return explain.why_starts(starter, finished)

    def check_time(self, state: ElevenTable, command: Record) -> None:
        super().check_time(state, command)
        if state.counting and type(command) not in WHILE_COUNTING:
            fix = say("count {player}'s hand", player=who(state.next_hand or Seat(0)))
            raise OUT.forbids("the deal is over, and the hands are being counted", fix)

    # --------------------------------------------------------------------------------------- what is asked

    def asks(self, state: ElevenTable) -> tuple[Ask, ...]:
        """The open questions; none when the deal is over."""
        if state.counting:
            return _ask_hand(state)
        if seats := state.registering:
            return asks_for_hand(seats, len(state.known[seats[0]]), DEALT)
        if state.due:
            return (_ask_new_piles(state),)
        seats = (state.turn,)
        if state.taking is not None:
            choices = tuple(map(str, state.givers))
            return (Ask(AskKind.WHOM, seats, Wait.ONE, say("BULL CARD FROM WHOM?"), choices=choices),)
        if state.shown is not None:
            return (_ask_whose(state, state.shown),)
        if state.waiting is not None:
            choices = tuple(str(pile.number) for pile in state.open_to(state.waiting))
            says = say("{card}: WHICH PILE?", card=state.waiting)
            return (Ask(AskKind.CHOOSE, seats, Wait.ONE, says, choices=choices, card=str(state.waiting)),)
        if not state.moving:
            return _ask_move(state)
        # The next player may begin as well: then the move in progress is over.
        following = _ask_move(replace(state, turn=state.after(state.turn), moving=False))
        return (*_ask_card(state), *following, _ask_done(state.turn, say("MOVE IS DONE")))

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Record:  # noqa: PLR0911 - one line per kind of question
        """An answer as a command: a card, a pile, a seat, a word; `=13` for the heads of a hand."""
        match ask.kind:
            case AskKind.HOLD:
                return records.Register(ask.seats[0] if seat is None else seat, read_card(text))
            case AskKind.DONE if text == WITHOUT_HANDS and text in ask.choices:
                return ForgetHands()
            case AskKind.TURN_UP:
                return records.TurnUp((read_card(text),))
            case AskKind.CLAIM:
                owner = read_player(ask, seat, text, say("name one of the players to choose from"))
                return records.Claim(read_card(ask.card), owner)
            case AskKind.CHOOSE:
                return records.Choose(int(read_choice(ask, text, say("{text} is not a pile"))), seat)
            case AskKind.TAKE:
                return records.Take(int(read_choice(ask, text, say("{text} is not a pile"))), seat=seat)
            case AskKind.WHOM:
                giver = int(read_choice(ask, text, say("{text} is not a player")))
                return records.BullFrom(Seat(giver), seat)
            case AskKind.DONE:
                if text not in ask.choices:
                    fault = say("{text} is not a valid answer", text=quoted(text))
                    raise UnknownCard(fault, say("answer {done}", done=repr(_DONE)))
                return records.Done(seat)
            case AskKind.HAND if text.startswith(TYPED):
                return records.Hand(ask.seats[0] if seat is None else seat, heads=read_points(text))
            case AskKind.HAND:
                return records.HandCard(read_card(text), seat)
            case _:
                return records.PlayCard(read_card(text), seat=seat)

    def show(self, card: str) -> Record:
        return records.ShowCard(read_card(card))

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Record:
        return records.Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> Record:
        """Take over the piles as they are after `turn` moves; hands and bull cards stay as they were.

        With None, turn and moves stay as well, and what is given of a pile is what lies on top of it.
        """
        if turn is None:
            return records.Adopt(tops=tuple(tuple(map(read_card, stack)) for stack in stacks if stack))
        piles = {str(number): tuple(map(read_card, stack)) for number, stack in enumerate(stacks)}
        return records.Adopt(piles, moves=turn)

    def decides(self, state: ElevenTable) -> bool:
        """Whether a player moves, or chooses a pile or who gives a bull card."""
        return not (state.counting or state.due or state.shown)

    # --------------------------------------------------------------------------------------- what is shown

    def cards(self, state: ElevenTable) -> tuple[str, ...]:
        """1 to 100."""
        return DECK

    def card(self, state: ElevenTable, text: str) -> str:
        """A number from 1 to 100. Raises `UnknownCard`."""
        return str(read_card(text))

    def hand(self, state: ElevenTable, seat: Seat) -> tuple[str, ...]:
        """The cards that a seat can still play, if all of them are known."""
        whole = seat in state.players and not state.unknown(seat)
        return tuple(map(str, sorted(state.known[seat]))) if whole else ()

    def dealing(self, state: ElevenTable) -> Dealing:
        out = tuple([str(card) for pile in state.piles for card in pile.cards])
        known = tuple([tuple(map(str, sorted(hand))) for hand in state.known])
        return Dealing(DECK, out, state.sizes, known)

    def view(self, state: ElevenTable) -> dict[str, Any]:
        """Piles, hands as far as they are known, bull cards and the move, as the protocol documents them."""
        return {
            "piles": {str(pile.number): list(pile.cards) for pile in state.piles},
            "hands": [sorted(hand) for hand in state.known],
            "hand_sizes": list(state.sizes),
            "bulls": list(state.bulls),
            "supply": state.supply,
            "deck": state.deck,
            "due": state.due,
            "turn": state.turn,
            "moves": state.moves,
            "next_pile": state.next_pile,
            "laid": [laid.card for laid in state.laid],
            "waiting": state.waiting,
            "shown": state.shown,
            "taking": state.taking,
            "out": state.out,
            "counted": list(state.counted),
            "seen": list(state.seen),
        }

    def board(self, state: ElevenTable) -> Board:
        """The piles with what fits them, the numbers of cards and bull cards, and the latest move."""
        more = state.open_piles
        stacks = tuple(_stack(state, pile, more=pile in more) for pile in state.piles)
        facts = (
            *(_open(state, pile) for pile in more if state.moving),
            count("DRAW PILE: {count} CARD", "DRAW PILE: {count} CARDS", state.deck),
            say("BULLS IN SUPPLY {bulls}", bulls=state.supply),
        )
        tallies = (Tally(say("BULLS"), state.bulls),)
        hint = say("1 TO 10 HIGHER") if state.piles else NOTHING
        hint = say("{cards} CARDS EACH", cards=DEALT) if state.untouched else hint
        return Board(stacks, state.moves + 1, 0, hint, explain.lines(state), facts, state.sizes, tallies)

    def audit(self, state: ElevenTable) -> Audit:
        """The hundred cards on piles, in hands and in the deck; the ten bull cards; no card twice."""
        lying = [card for pile in state.piles for card in pile.cards]
        held = [card for hand in state.known for card in hand]
        # How many cards are on the piles is not said: as long as there is one pile, they are all its cards.
        says = count("DRAW PILE: {count} CARD", "DRAW PILE: {count} CARDS", state.deck)
        faults: list[Text] = []
        if len({*lying, *held}) != len(lying) + len(held):
            faults.append(say("a card is in two places"))
        if any(len(hand) > size for hand, size in zip(state.known, state.sizes, strict=True)):
            faults.append(say("a hand has fewer cards than are known to be in it"))
        if state.supply < 0 or min(state.bulls) < 0:
            faults.append(say("the number of bull cards is not {bulls}", bulls=BULLS))
        return Audit(len(lying) + sum(state.sizes) + state.deck, state.total, says, tuple(faults))


def read_card(text: str) -> Card:
    """The card that a text names. Raises `UnknownCard` for anything but 1 to 100."""
    return ask.read_card(text, CARDS, "11 nimmt!")


def _ask_move(table: ElevenTable) -> tuple[Ask, ...]:
    if not table.piles:
        return _ask_card(table)
    piles = tuple(str(pile.number) for pile in table.piles)
    take = Ask(AskKind.TAKE, (table.turn,), Wait.ONE, say("TAKE WHICH PILE?"), choices=piles)
    return (*_ask_card(table), take)


def _ask_card(table: ElevenTable) -> tuple[Ask, ...]:
    if not table.may_lay:
        return ()
    says = say("SCAN CARD / TAKE PILE")
    if table.opens_pile:
        says = say("OPEN A PILE")
    elif table.moving:
        says = say("MORE CARDS, OR {player}", player=called(table.after(table.turn)))
    have = tuple(str(laid.card) for laid in table.laid)
    vain = not table.can_lay
    return (Ask(AskKind.PLAY, (table.turn,), Wait.ONE, says, have=have, unanswerable=vain),)


def _ask_whose(table: ElevenTable, card: Card) -> Ask:
    """Whose a card is that was shown in a move with bull cards: most often the next player's."""
    following = table.after(table.turn)
    says = say("{card}: {player}'S CARD?", card=card, player=called(following))
    choices = (str(following), str(table.turn))
    return Ask(AskKind.CLAIM, (table.turn, following), Wait.ONE, says, choices, card=str(card))


def _ask_hand(table: ElevenTable) -> tuple[Ask, ...]:
    seat = table.next_hand
    if seat is None:
        return ()
    have, need = tuple(map(str, table.seen)), table.sizes[seat]
    says = count("SCAN THE LAST CARD", "SCAN THE {count} CARDS", need)
    hand = Ask(AskKind.HAND, (seat,), Wait.ONE, says, have=have, need=need)
    if len(table.known[seat].union(table.seen)) != need:
        return (hand,)
    return (hand, _ask_done(seat, say("THE REST IS KNOWN")))


def _ask_new_piles(table: ElevenTable) -> Ask:
    says = count("TURN UP, SCAN {count} CARD", "TURN UP, SCAN {count} CARDS", table.due)
    have = tuple(str(event.card) for event in table.newest if isinstance(event, records.CardTurnedUp))
    return Ask(AskKind.TURN_UP, table.players, Wait.ANY, says, have=have, need=len(have) + table.due)


def _ask_done(seat: Seat, label: Text) -> Ask:
    says = say("OK: {what}", what=label)
    return Ask(AskKind.DONE, (seat,), Wait.ONE, says, choices=(_DONE,), labels=(label,))


def _stack(table: ElevenTable, pile: Pile, *, more: bool) -> Stack:
    """A pile for the display; `more`: it may get a card in this move."""
    return Stack(
        tuple(map(str, pile.cards)),
        0,
        table.agreed.heads_on(pile.cards),
        str(pile.top),
        str(pile.number),
        explain.range_above(table.base(pile)) if more else NOTHING,
        covered=True,
    )


def _open(table: ElevenTable, pile: Pile) -> Text:
    base = table.base(pile)
    return say("ON {top}: {cards}", top=base, cards=explain.range_above(base))
