"""Score-keeping as the program sees it: what it asks, how answers are read, what it shows.

Nothing is decided here.
"""

from collections.abc import Mapping
from enum import Enum
from operator import attrgetter
from typing import Any, Final

from companion.core.ask import (
    DIALLED,
    TYPED,
    Ask,
    AskKind,
    Wait,
    read_choice,
    read_player,
    read_points,
    read_whole,
)
from companion.core.board import Audit, Board
from companion.core.cards import Seat
from companion.core.codec import Record
from companion.core.game import Game, Handlers
from companion.core.ruling import Join, Leave, Swap, not_offered
from companion.core.score_sheet import MAX_POINTS_OF_ANY_GAME
from companion.games.scorekeeping import counting, explain, records, table
from companion.games.scorekeeping.checks import due_points, faults
from companion.games.scorekeeping.options import TITLE, CountedCards, CountedDeck, Input, Options
from companion.games.scorekeeping.records import CardDoubted, ChooseCard, Close, CountCard, EndPile, TypeSum
from companion.games.scorekeeping.rules import CLOSED, RULES
from companion.games.scorekeeping.table import NOTHING_YET, CountTable
from companion.text.errors import UnknownCard, quoted
from companion.text.sentence import NOTHING, Text, count, say

_DIGITS: Final = 4
_POINTS_DIGITS: Final = len(str(MAX_POINTS_OF_ANY_GAME))

HANDLERS: Final[Handlers] = {
    TypeSum: counting.type_sum,
    CountCard: counting.count_card,
    ChooseCard: counting.choose_card,
    EndPile: counting.end_pile,
    records.Correct: counting.correct,
    Swap: counting.swap,
    records.Adopt: counting.adopt,
    Leave: counting.leave,
    Join: counting.join,
    Close: counting.close,
}
"""What follows from each command."""


class DoneChoice(Enum):
    """What an answer to `AskKind.DONE` says; the value is the choice of the question."""

    PILE = "pile"
    """The pile is scanned."""
    ROWS = "rows"
    """Nobody took these cards: they lie in the rows."""
    CLOSE = "close"
    """The deal is counted."""
    ANYWAY = "anyway"
    """The deal is closed although a check fails."""


class Score(Game):
    """The score of a game that is played without the referee, as it was agreed.

    What its members are for is said in `companion.core.game.Game`.
    """

    agreed: Options

    key = "score"
    handlers = HANDLERS
    changes = table.CHANGES
    rules = RULES
    always_written = ("of", "entry", "end")

    scoring = property(attrgetter("agreed.scoring"))
    box = property(attrgetter("agreed.box.game"))
    points = staticmethod(attrgetter("all_points"))
    takes = staticmethod(attrgetter("takes"))
    over = staticmethod(attrgetter("closed"))
    cards = staticmethod(attrgetter("deck"))
    adopt = not_offered(
        say("only the score is kept, so the table is not known"), say("scan the piles, or type the sums")
    )

    @property
    def title(self) -> str:
        """The name that people gave the game, else what is done here."""
        return self.agreed.name or TITLE

    def check_time(self, state: CountTable, command: Record) -> None:
        CLOSED.demands(not state.closed, "the deal is closed", "count the next deal, or undo")
        if state.doubt is not None and not isinstance(command, ChooseCard):
            raise counting.in_doubt(state.doubt)

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> CountTable:
        """A new deal; nothing of it is counted yet."""
        return CountTable(self.agreed, players, (NOTHING_YET,) * seats)

    def starter(self, deal: int, first: Seat, finished: CountTable) -> Seat:
        """Nobody has to be named for counting; the seat that was named stays."""
        return first

    def end_deal(self) -> Record:
        """Close the deal as it is counted."""
        return Close(anyway=True)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Record:
        gone, come = (tuple(read_card(self.agreed.box, text) for text in texts) for texts in (remove, add))
        return records.Correct(gone, come)

    def label(self, card: str) -> Text:
        return explain.label(self.agreed.box, card)

    def named(self, card: str) -> Text:
        return self.agreed.box.named(card)

    def asks(self, state: CountTable) -> tuple[Ask, ...]:
        """The open questions, the one to show first."""
        if state.closed:
            return ()
        if state.doubt is not None:
            return (_which(state, state.doubt),)
        if state.entry is Input.TAKES:
            return _as_taken(state)
        if state.seats_open:
            return _values(state)
        return _to_close(state)

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Record:
        """An answer as a command: a card, points behind `TYPED`, a card that was typed behind `DIALLED`.

        Points are those of `seat`, or of the first whose score is open. A card that is given while
        scores are open waits for its owner; later it is that of `seat`, if somebody said whose.
        Raises `UnknownCard`.
        """
        match ask.kind:
            case AskKind.CLAIM:
                return EndPile(read_player(ask, seat, text, say("name the player whose cards these are")))
            case AskKind.DECIDE:
                return ChooseCard(text)
            case AskKind.DONE:
                return _done(ask, text)
            case _:
                pass
        if text.startswith(TYPED):
            return TypeSum(read_points(text, negative=True, digits=_POINTS_DIGITS), _owner(ask, seat))
        card = read_card(self.agreed.box, text.removeprefix(DIALLED))
        # While piles are scanned nobody has said yet whose pile it is, so a badge that was seen before counts
        # for nothing; where sums are typed, or one score is corrected, the card is that player's.
        owner = seat if self.agreed.entry is Input.TYPED or ask.wait is Wait.ONE else None
        return CountCard(card, owner if ask.kind is AskKind.HAND else None, text.startswith(DIALLED))

    def card(self, state: CountTable, text: str) -> str:
        """A card of the deck in use. Raises `UnknownCard`."""
        card = read_card(state.box, text)
        if card not in state.deck:
            raise UnknownCard(
                say("{card} is not in the deck", card=card),
                say("the cards are {deck} to {deck_2}", deck=state.deck[0], deck_2=state.deck[-1]),
            )
        return card

    def view(self, state: CountTable) -> dict[str, Any]:
        doubt = state.doubt
        return {
            "of": state.box.of,
            "open": list(state.seats_open),
            "sums": [counted.points for counted in state.counts],
            "piles": [list(counted.pile) for counted in state.counts],
            "rows": list(state.rows),
            "rows_sum": state.rows_sum,
            "loose": list(state.loose),
            "doubt": None if doubt is None else [doubt.card, doubt.other],
            "faults": list(state.faults),
            "missing": list(state.missing),
        }

    def board(self, state: CountTable) -> Board:
        """What was counted last, and what the sums make so far."""
        box, loose, sums = state.box, state.loose, explain.sums(state)
        if not loose:
            return Board((), 1, 0, NOTHING, explain.newest(state), (sums,))
        hint = count("{count} CARD {points}", "{count} CARDS {points}", len(loose), points=box.points(loose))
        card, points = explain.label(box, loose[-1]), box.worth[loose[-1]]
        last = say("LAST {card} +{points}", card=card, points=points)
        return Board((), 1, 0, hint, explain.newest(state), (last, sums))

    def audit(self, state: CountTable) -> Audit:
        """The checks, once everybody has a score and something is known of the rows."""
        seen = len(state.seen)
        ready = not state.seats_open and not state.loose and state.doubt is None
        # Whose cards are booked as they are taken has a score from the beginning, and all cards come late:
        # before the rows are there, or the deal is closed, every check would fail.
        if state.entry is Input.TAKES and not state.rows_counted and not state.closed:
            ready = False
        found = faults(state) if ready else ()
        all_scanned = state.rows and all(counted.points is None for counted in state.counts)
        counts_cards = ready and all_scanned and state.box.left is CountedCards.PILES
        due = state.box.due(len(state.players)) if counts_cards else seen
        return Audit(seen, due, explain.sums(state), tuple(fault.says for fault in found))


def _which(table: CountTable, doubt: CardDoubted) -> Ask:
    seats = table.players if doubt.seat is None else (doubt.seat,)
    pair = (doubt.card, doubt.other)
    labels = tuple(say("{card}", card=card) for card in pair)
    says = say("{card} OR {other}?", card=doubt.card, other=doubt.other)
    return Ask(AskKind.DECIDE, seats, Wait.ANY, says, pair, labels, card=doubt.card)


def _values(table: CountTable) -> tuple[Ask, ...]:
    """Scores are open: sums are typed in any order, or piles are scanned one after the other."""
    seats = table.seats_open
    if table.entry is Input.TYPED:
        hand = Ask(AskKind.HAND, seats, Wait.ALL, _typing(table))
        more = table.box.left is CountedCards.PILES and len(table.seen) < len(table.deck)
        return (hand, _rows(table)) if more else (hand,)
    piles = table.box.left is CountedCards.PILES
    says = say("SCAN ONE PILE") if piles else say("SCAN ONE HAND")
    whose = say("WHOSE PILE IS IT?") if piles else say("WHOSE HAND IS IT?")
    return (
        Ask(AskKind.HAND, seats, Wait.ALL, says, have=table.loose),
        Ask(AskKind.CLAIM, seats, Wait.ONE, whose, tuple(map(str, seats))),
        _ask_done(seats, say("IS THAT ALL?"), {DoneChoice.PILE: say("THAT IS ALL")}),
    )


def _typing(table: CountTable) -> Text:
    """If the whole deck is in play, the last score is known beforehand."""
    due = due_points(table)
    if due is None or due < 0 or len(table.seats_open) > 1 or not table.rows_counted:
        return say("TYPE THE POINTS")
    total = table.box.points(table.deck)
    return say("{points} OF {total} LEFT?", total=total, points=due)


def _as_taken(table: CountTable) -> tuple[Ask, ...]:
    """Cards are scanned during play, and a badge says who took them."""
    more = len(table.seen) < len(table.deck)
    scan = Ask(AskKind.HAND, table.players, Wait.ANY, say("SCAN TAKEN CARDS"), have=table.loose)
    hand = (scan,) if more else ()
    if not table.loose:
        return (*hand, _close(table))
    seats = tuple(map(str, table.players))
    whose = Ask(AskKind.CLAIM, table.players, Wait.ONE, say("WHO TOOK THEM?"), seats)
    rows = _ask_done(table.players, say("NOBODY TOOK THEM?"), {DoneChoice.ROWS: say("THESE ARE ROWS")})
    return (*hand, whose, rows)


def _to_close(table: CountTable) -> tuple[Ask, ...]:
    """Everybody has a score: the rows for the check, and closing; until then everything can be corrected."""
    close = _close(table)
    again = Ask(AskKind.HAND, table.players, Wait.ONE, say("CORRECT A SCORE"))
    if table.box.left is not CountedCards.PILES or len(table.seen) == len(table.deck):
        return (close, again)
    rows = _rows(table)
    wanted = not table.rows_counted or bool(faults(table))
    return (rows, close, again) if wanted else (close, rows, again)


def _rows(table: CountTable) -> Ask:
    says = say("NOW SCAN THE 4 ROWS")
    due = due_points(table)
    if table.rows and all(counted.points is None for counted in table.counts):
        all_cards = table.box.due(len(table.players))
        says = say("SCAN ROWS: {cards} OF {due}", cards=len(table.seen), due=all_cards)
    elif table.rows_counted and due:
        total = table.box.points(table.deck)
        says = say("SUM: {sum} OF {total} POINTS", sum=total - due, total=total)
    return Ask(AskKind.LAY, table.players, Wait.ANY, says, have=table.rows)


def _close(table: CountTable) -> Ask:
    if not faults(table):
        return _ask_done(table.players, say("IS THAT RIGHT?"), {DoneChoice.CLOSE: say("CLOSE THE DEAL")})
    both = {DoneChoice.CLOSE: say("CHECK THE DEAL"), DoneChoice.ANYWAY: say("CLOSE ANYWAY")}
    return _ask_done(table.players, say("CHECK FAILED"), both)


def _ask_done(seats: tuple[Seat, ...], says: Text, choices: Mapping[DoneChoice, Text]) -> Ask:
    words = tuple(choice.value for choice in choices)
    return Ask(AskKind.DONE, seats, Wait.ANY, says, words, tuple(choices.values()))


def _owner(ask: Ask, seat: Seat | None) -> Seat | None:
    """Whose points were typed; None for the rows."""
    if ask.kind is AskKind.LAY:
        return None
    if seat is None and ask.wait is not Wait.ALL:
        raise UnknownCard(say("it is not known whose points these are"), say("name the player"))
    return ask.seats[0] if seat is None else seat


def _done(ask: Ask, text: str) -> Record:
    match read_choice(ask, text, say("{text} is not an answer here")):
        case DoneChoice.PILE.value:
            return EndPile(ask.seats[0])
        case DoneChoice.ROWS.value:
            return EndPile(None)
        case DoneChoice.CLOSE.value:
            return Close()
        case DoneChoice.ANYWAY.value:
            return Close(anyway=True)
        case _:  # a question that no table asks can have any choices
            raise UnknownCard(
                say("{text} is not a valid answer", text=quoted(text)), say("answer the open question")
            )


def read_card(box: CountedDeck, text: str) -> str:
    """A card by its name, in any case, or by the number in its code. Raises `UnknownCard`."""
    plain = text.strip()
    if plain in box.worth:
        return plain
    cards = tuple(box.worth)
    if (number := read_whole(plain, _DIGITS)) is not None and 1 <= number <= len(cards):
        return cards[number - 1]
    names = {name.upper(): name for name in cards}
    if plain.upper() in names:
        return names[plain.upper()]
    raise UnknownCard(
        say("{text} is not a card of this game", text=repr(text[:20])),
        say("the cards are {cards} to {cards_2}", cards=cards[0], cards_2=cards[-1])
        if cards
        else say("type the points"),
    )
