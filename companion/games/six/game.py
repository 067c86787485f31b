"""6 nimmt! as the program sees it: what it asks, how answers are read, what it shows.

Whether an answer is legal is decided by the handlers; no decision is made here.
"""

from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from companion.core import ask
from companion.core.ask import Ask, AskKind, Wait, asks_for_hand, read_choice, read_player
from companion.core.board import Audit, Board, Stack
from companion.core.cards import HIGHEST, ROW_LENGTH, ROWS, TURNS, Card, Seat, clockwise, heads, who
from companion.core.codec import Record
from companion.core.game import Dealing, Game, Handlers, Hides
from companion.core.ruling import Because, EndDeal, ForgetHands, Join, Leave, Swap
from companion.games.six import corrections, play, records, rules, table
from companion.games.six.explain import END_RULES, hint, line
from companion.games.six.options import DECK, Options
from companion.games.six.rules import RULES, TEN_TURNS
from companion.games.six.table import SixTable
from companion.text.errors import UnknownCard
from companion.text.sentence import BULL, say

HANDLERS: Final[Handlers] = {
    records.LayRows: play.lay_rows,
    records.Lay: play.lay,
    records.Pick: play.pick,
    records.Register: play.register,
    ForgetHands: play.forget_hands,
    records.Play: play.play,
    records.TakeRow: play.take_row,
    records.Claim: play.claim,
    records.SkipOwner: play.skip_owner,
    records.Adopt: corrections.adopt,
    records.Correct: corrections.correct,
    Swap: corrections.swap,
    Leave: corrections.leave,
    Join: corrections.join,
    EndDeal: corrections.end_deal,
}
"""What follows from each command."""

HIDDEN_IN_EVENTS: Final = {records.CardRegistered.KIND: {"held": Hides.ALL}}
"""The cards of hands that were scanned."""


class Six(Game):
    """6 nimmt! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: Options

    key, title = "six", "6 NIMMT!"
    handlers = HANDLERS
    changes = table.CHANGES
    rules = RULES
    deal_over = TEN_TURNS
    end_rules = END_RULES
    always_written = ("deck", "end")
    corrects_finished = (records.Correct, records.Claim)
    tells_hands = (records.CardRegistered,)
    hidden_in_events = HIDDEN_IN_EVENTS

    takes = staticmethod(attrgetter("takes"))

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> SixTable:
        return SixTable(self.agreed, players, self.agreed.highest(len(players)), first, ((),) * seats)

    def starter(self, deal: int, first: Seat, finished: SixTable) -> Seat:
        """Who picks first in the draft: it moves one seat clockwise each deal (house rule H6-5)."""
        return clockwise(finished.players, first)[(deal - 1) % len(finished.players)]

    def why_starts(self, starter: Seat, finished: SixTable | None) -> tuple[Because, ...]:
        """Who picks first; without the draft, all play at once."""
        picks = rules.DRAFT_ORDER.because("{player} picks first", player=who(starter))
        return (picks,) if self.agreed.draft else ()

    def why_deal_over(self, finished: SixTable) -> tuple[Because, ...]:
        """That all turns are played; a deal that was ended early says so by its event."""
        over = rules.TEN_TURNS.because("the deal is over after {turns} turns", turns=TURNS)
        return () if finished.ended else (over,)

    # --------------------------------------------------------------------------------------- what is asked

    def asks(self, state: SixTable) -> tuple[Ask, ...]:
        """The question that is open; none when the deal is over.

        While hands are scanned, it may be answered instead that this deal is played without known hands.
        """
        if state.over:
            return ()
        players = len(state.players)
        if state.drafting:
            have = tuple(str(card) for card in sorted(frozenset().union(*state.hands)))
            says = say("TAKE A CARD, SCAN IT")
            return (Ask(AskKind.PICK, (state.next_picker,), Wait.ONE, says, have=have, need=TURNS * players),)
        if seats := state.registering:
            return asks_for_hand(seats, len(state.hands[seats[0]]) if state.hands else 0, TURNS)
        if len(state.rows) < ROWS:
            have = tuple(str(row[0]) for row in state.rows)
            says = say("SCAN THE 4 ROW CARDS")
            return (Ask(AskKind.LAY, state.players, Wait.ANY, says, have=have, need=ROWS),)
        if (coming := play.next_card(state)) is not None:
            return (_about(coming, state),)
        have = tuple([str(shown.card) for shown in state.shown])
        return (Ask(AskKind.PLAY, state.without_card, Wait.ALL, hint(state), have=have, need=players),)

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Record:
        """An answer as a command: a card number, a row, or who claims a card (a choice, else `seat`).

        Raises `UnknownCard`.
        """
        match ask.kind:
            case AskKind.DONE:
                read_choice(ask, text, say("{text} is not an answer"))
                return ForgetHands()
            case AskKind.CHOOSE:
                return records.TakeRow(int(read_choice(ask, text, say("{text} is not a row"))), seat)
            case AskKind.CLAIM:
                owner = read_player(ask, seat, text, say("name the player who played the card"))
                return records.Claim(read_card(ask.card), owner)
            case AskKind.LAY:
                return records.Lay(read_card(text))
            case AskKind.HOLD:
                return records.Register(ask.seats[0] if seat is None else seat, read_card(text))
            case AskKind.PICK:
                return records.Pick(ask.seats[0] if seat is None else seat, read_card(text))
            case _:
                return records.Play(read_card(text), seat)

    def without_owner(self, card: str) -> Record:
        return records.SkipOwner(read_card(card))

    def claim(self, card: str, seat: Seat) -> Record:
        return records.Claim(read_card(card), seat)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Record:
        return records.Correct(_read_cards(remove), _read_cards(add))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> Record:
        """Take over the rows as they are after `turn` turns; who took which cards stays as it is."""
        return records.Adopt(tuple(map(_read_cards, stacks)), turn)

    # --------------------------------------------------------------------------------------- what is shown

    def cards(self, state: SixTable) -> tuple[str, ...]:
        """1 to the highest of the deck in use."""
        return DECK[: state.deck]

    def card(self, state: SixTable, text: str) -> str:
        """A number of the deck in use. Raises `UnknownCard`."""
        card, highest = read_card(text), Card(state.deck)
        if card > highest:
            fix = say("the cards are 1 to {highest}", highest=highest)
            raise UnknownCard(say("{card} is not in the deck", card=card), fix)
        return str(card)

    def view(self, state: SixTable) -> dict[str, Any]:
        """Rows, taken and missing cards, turn and shown cards, as the protocol documents them."""
        shown = [{"card": shown.card, "seat": shown.seat} for shown in state.shown]
        return {
            **{name: getattr(state, name) for name in ("rows", "taken", "missing", "turn")},
            "shown": shown,
        }

    def board(self, state: SixTable) -> Board:
        """The rows, and what happened in the latest turn."""
        turn = min(TURNS, state.turn + 1)
        newest = tuple(map(line, state.placed, state.placed_on))
        placing = tuple(str(card) for card, _ in state.newest) if state.placing else ()
        return Board(_stacks(state.rows), turn, TURNS, hint(state), newest, revealed=True, placing=placing)

    def audit(self, state: SixTable) -> Audit:
        """Cards in rows and piles against cards laid out and played; the heads if the whole deck is out."""
        on_table = [card for row in state.rows for card in row]
        taken = [card for pile in state.taken for card in pile]
        due = len(state.rows) + state.played
        away, left = heads(taken), heads(on_table)
        says = say("{taken}{bull} TAKEN+{table}{bull} LEFT", taken=away, table=left, bull=BULL)
        faults = [say("OWNER OF {card} NOT KNOWN", card=card) for card, _ in state.unclaimed]
        everything = heads(map(Card, range(1, state.deck + 1)))
        if due == state.deck and away + left != everything:
            faults.append(say("the deck has {heads} bullheads", heads=everything))
        return Audit(len(on_table) + len(taken), due, says, tuple(faults))

    def unclaimed(self, state: SixTable) -> tuple[tuple[str, int], ...]:
        """The cards of unknown owners that took a row, with the heads of that row."""
        return tuple((str(card), heads(row)) for card, row in state.unclaimed)

    def decides(self, state: SixTable) -> bool:
        """Whether a card is played or a row is chosen."""
        coming = play.next_card(state)
        return bool(state.rows) and not state.over and (coming is None or coming.row is None)

    def hand(self, state: SixTable, seat: Seat) -> tuple[str, ...]:
        """The cards that a seat can still play, if its hand is known: those that lie nowhere on the table."""
        hand = state.hands[seat] if seat < len(state.hands) else table.NO_HAND
        return tuple(map(str, sorted(hand.difference(*state.rows, *state.taken))))

    def dealing(self, state: SixTable) -> Dealing:
        """Where the cards are; those of a turn may have come from any hand."""
        owners = [seat for _, seat in state.newest] if state.shown else []
        piles = (*state.rows, *state.taken, *(row for _, row in state.unclaimed))
        shown = [shown.card for shown in state.shown]
        known = tuple(self.hand(state, Seat(at)) for at in range(len(state.taken)))
        left = TURNS - state.turn
        sizes = tuple(left - (seat in owners) if seat in state.players else 0 for seat in range(len(known)))
        return Dealing(
            DECK[: state.deck],
            tuple(str(card) for pile in (*piles, shown) for card in pile),
            tuple(map(len, known)) if state.drafting else sizes,
            known,
            owners.count(None),
        )


_ROWS: Final = tuple(map(str, range(ROWS)))


def _about(coming: play.NextCard, table: SixTable) -> Ask:
    """Which row the lowest card takes, or whose card it is."""
    candidates = table.possible_owners
    # The row comes before the owner: everybody sees the card and calls the row at once, and only
    # then somebody claims it. Asked the other way round, the answers would come in the wrong order.
    if coming.row is None:
        seats = candidates if coming.seat is None else (coming.seat,)
        says = say("{card} FITS NOWHERE", card=coming.card)
        return Ask(AskKind.CHOOSE, seats, Wait.ONE, says, choices=_ROWS, card=str(coming.card))
    says = say("WHO PLAYED {card}?", card=coming.card)
    choices = tuple(map(str, candidates))
    return Ask(AskKind.CLAIM, candidates, Wait.ONE, says, choices=choices, card=str(coming.card))


def read_card(text: str) -> Card:
    """The card that a text names. Raises `UnknownCard` for anything but 1 to 104."""
    return ask.read_card(text, HIGHEST, "6 nimmt!")


def _read_cards(texts: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(map(read_card, texts))


@lru_cache(maxsize=4)  # the same for every card of a turn
def _stacks(rows: tuple[table.Row, ...]) -> tuple[Stack, ...]:
    return tuple(
        Stack(tuple(map(str, row)), ROW_LENGTH, heads(row), str(index + 1), str(index))
        for index, row in enumerate(rows)
    )
