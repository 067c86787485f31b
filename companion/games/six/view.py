"""What 6 nimmt! asks and shows, and how answers are read. Whether an answer is legal is decided in `judge`.

`asks` are the open questions, `read` makes a command of an answer, `view` is the table for programs,
`board` for the display, and `audit` the check that no card is lost.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from companion.core import ask
from companion.core.ask import Ask, AskKind, Wait, asks_for_hand, read_choice, read_player
from companion.core.board import Audit, Board, Stack
from companion.core.cards import HIGHEST, ROW_LENGTH, ROWS, TURNS, Card, Seat, heads
from companion.core.game import Hides
from companion.core.ruling import ForgetHands
from companion.games.six import records
from companion.games.six.explain import hint, line
from companion.games.six.hands import drafting, next_picker, possible_owners, registering
from companion.games.six.options import DECK
from companion.games.six.placing import NextCard, next_card
from companion.games.six.table import SixTable
from companion.text.errors import UnknownCard
from companion.text.sentence import BULL, Text, say


def asks(table: SixTable) -> tuple[Ask, ...]:
    """The question that is open; none when the deal is over.

    While hands are scanned, it may be answered instead that this deal is played without known hands.
    """
    if table.over:
        return ()
    if drafting(table):
        have = tuple(str(card) for card in sorted(frozenset().union(*table.hands)))
        need = TURNS * len(table.players)
        says = say("TAKE A CARD, SCAN IT")
        return (Ask(AskKind.PICK, (next_picker(table),), Wait.ONE, says, have=have, need=need),)
    if seats := registering(table):
        return asks_for_hand(seats, len(table.hands[seats[0]]) if table.hands else 0, TURNS)
    if len(table.rows) < ROWS:
        have = tuple(str(row[0]) for row in table.rows)
        says = say("SCAN THE 4 ROW CARDS")
        return (Ask(AskKind.LAY, table.players, Wait.ANY, says, have=have, need=ROWS),)
    if (coming := next_card(table)) is not None:
        return (_about(coming, table),)
    have = tuple([str(shown.card) for shown in table.shown])
    need = len(table.players)
    return (Ask(AskKind.PLAY, table.without_card, Wait.ALL, hint(table), have=have, need=need),)


_ROWS: Final = tuple(map(str, range(ROWS)))


def _about(coming: NextCard, table: SixTable) -> Ask:
    candidates = possible_owners(table)
    # The row comes before the owner: everybody sees the card and calls the row at once, and only
    # then somebody claims it. Asked the other way round, the answers would come in the wrong order.
    if coming.row is None:
        seats = candidates if coming.seat is None else (coming.seat,)
        says = say("{card} FITS NOWHERE", card=coming.card)
        return Ask(AskKind.CHOOSE, seats, Wait.ONE, says, choices=_ROWS, card=str(coming.card))
    says = say("WHO PLAYED {card}?", card=coming.card)
    choices = tuple(map(str, candidates))
    return Ask(AskKind.CLAIM, candidates, Wait.ONE, says, choices=choices, card=str(coming.card))


def read(ask: Ask, seat: Seat | None, text: str) -> records.Command:
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


def read_card(text: str) -> Card:
    """The card that a text names. Raises `UnknownCard` for anything but 1 to 104."""
    return ask.read_card(text, HIGHEST, "6 nimmt!")


def cards(table: SixTable) -> tuple[str, ...]:
    """1 to the highest of the deck in use."""
    return DECK[: table.deck]


def card_in_use(table: SixTable, text: str) -> str:
    """A number of the deck in use. Raises `UnknownCard`."""
    card = read_card(text)
    if card > table.deck:
        raise UnknownCard(
            say("{card} is not in the deck", card=card),
            say("the cards are 1 to {highest}", highest=Card(table.deck)),
        )
    return str(card)


# --------------------------------------------------------------------------------------------- what is shown


HIDDEN_IN_EVENTS: Final[Mapping[str, Mapping[str, Hides]]] = {
    records.CardRegistered.KIND: {"held": Hides.ALL}
}
"""What people may not see of events: the cards of hands that were scanned when they were dealt."""


def view(table: SixTable) -> dict[str, Any]:
    """Rows, taken and missing cards, turn and shown cards, as the protocol documents them."""
    return {
        "rows": table.rows,
        "taken": table.taken,
        "missing": table.missing,
        "turn": table.turn,
        "shown": [{"card": shown.card, "seat": shown.seat} for shown in table.shown],
    }


def board(table: SixTable) -> Board:
    """The rows, and what happened in the latest turn."""
    turn = min(TURNS, table.turn + 1)
    newest = tuple(line(placed) for placed in table.placed)
    placing = tuple(str(card) for card, _ in table.newest) if table.placing else ()
    return Board(_stacks(table.rows), turn, TURNS, hint(table), newest, revealed=True, placing=placing)


@lru_cache(maxsize=4)  # the same for every card of a turn
def _stacks(rows: tuple[tuple[Card, ...], ...]) -> tuple[Stack, ...]:
    return tuple(
        Stack(tuple(map(str, row)), ROW_LENGTH, heads(row), str(index + 1), str(index))
        for index, row in enumerate(rows)
    )


def audit(table: SixTable) -> Audit:
    """Cards in rows and piles against cards laid out and played; the heads if the whole deck is out."""
    on_table = [card for row in table.rows for card in row]
    taken = [card for pile in table.taken for card in pile]
    due = len(table.rows) + table.played
    away, left = heads(taken), heads(on_table)
    says = say("{taken}{bull} TAKEN+{table}{bull} LEFT", taken=away, table=left, bull=BULL)
    everything = heads(Card(card) for card in range(1, table.deck + 1))
    faults: tuple[Text, ...] = tuple(
        say("OWNER OF {card} NOT KNOWN", card=card) for card, _ in table.unclaimed
    )
    if due == table.deck and away + left != everything:
        faults += (say("the deck has {heads} bullheads", heads=everything),)
    return Audit(len(on_table) + len(taken), due, says, faults)
