"""6 nimmt! as a `Game`: who is asked what, and how its state looks to screens and machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.ask import Ask, AskKind, Wait
from companion.board import Audit, Board, Stack
from companion.cards import HIGHEST, Card, Seat, heads
from companion.errors import UnknownCard, quoted
from companion.games.six import rules
from companion.games.six.box import DECK, TITLE, deck_for
from companion.games.six.commands import (
    COMMANDS,
    Adopt,
    Claim,
    Command,
    Correct,
    Lay,
    Pick,
    Play,
    Swap,
    TakeRow,
)
from companion.games.six.explain import line
from companion.games.six.judge import drafting, judge, next_picker
from companion.games.six.table import EVENTS, ROW_LENGTH, ROWS, TURNS, Event, Table, apply
from companion.lifecycle import EndDeal, Join, Leave
from companion.text import BULL, Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.ruling import Allowed, Refused, Rule
    from companion.score_sheet import EndRule


@dataclass(frozen=True, slots=True)
class Six:
    """6 nimmt! with its agreements: the end rule, the known deck, the open draft."""

    end: EndRule
    known_deck: bool = False
    draft: bool = False

    @property
    def key(self) -> str:
        """The name in logs and the protocol."""
        return "six"

    @property
    def title(self) -> str:
        """The name on the box."""
        return TITLE

    @property
    def commands(self) -> tuple[type[Command], ...]:
        """The orders it takes."""
        return COMMANDS

    @property
    def events(self) -> tuple[type[Event], ...]:
        """The facts it makes."""
        return EVENTS

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Its rules by key."""
        return rules.RULES

    def options(self) -> Mapping[str, Any]:
        """The options that make this game again."""
        options: dict[str, Any] = {"deck": "known" if self.known_deck else "full", "end": self.end.options()}
        return {**options, "draft": True} if self.draft else options

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> Table:
        """A new deal, before the rows are laid."""
        return Table(players, deck_for(len(players), known=self.known_deck), first, ((),) * seats)

    def starter(self, deal: int, first: Seat, finished: Table) -> Seat:
        """The first pick of the draft moves one seat clockwise each deal (house ruling H6-5)."""
        players = finished.players
        begins = players.index(first) if first in players else 0
        return players[(begins + deal - 1) % len(players)]

    def players(self, state: Table) -> tuple[Seat, ...]:
        """The seats that play."""
        return state.players

    def asks(self, state: Table) -> tuple[Ask, ...]:
        """The one question that is open; none when the deal is over."""
        if state.over:
            return ()
        if drafting(state, draft=self.draft):
            have = tuple(str(card) for card in sorted(frozenset().union(*(state.hands or ()))))
            need = TURNS * len(state.players)
            says = say("TAKE A CARD, SCAN IT")
            return (Ask(AskKind.PICK, (next_picker(state),), Wait.ONE, says, have=have, need=need),)
        if len(state.rows) < ROWS:
            have = tuple(str(row[0]) for row in state.rows)
            says = say("SCAN THE 4 ROW CARDS")
            return (Ask(AskKind.LAY, state.players, Wait.ANY, says, have=have, need=ROWS),)
        if state.placing:
            return (self._ask_owner(state),)
        waiting = tuple(seat for seat in state.players if state.owner_in_turn(seat) is None)
        have = tuple(str(shown.card) for shown in state.shown)
        return (Ask(AskKind.PLAY, waiting, Wait.ALL, _hint(state), have=have, need=len(state.players)),)

    def _ask_owner(self, state: Table) -> Ask:
        """The row choice comes before the owner, because all see the row and only then claim it."""
        lowest = state.lowest
        candidates = tuple(seat for seat in state.players if state.owner_in_turn(seat) is None)
        if state.row_for(lowest.card) is None and state.chosen is None:
            seats = candidates if lowest.seat is None else (lowest.seat,)
            rows = tuple(str(row) for row in range(ROWS))
            says = say("{card} FITS NOWHERE", card=lowest.card)
            return Ask(AskKind.CHOOSE, seats, Wait.ONE, says, choices=rows, card=str(lowest.card))
        return Ask(
            AskKind.CLAIM,
            candidates,
            Wait.ONE,
            say("WHO PLAYED {card}?", card=lowest.card),
            choices=tuple(str(seat) for seat in candidates),
            card=str(lowest.card),
        )

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Command:
        """An answer as a command: a card number, a row, or who claims a card (a choice, else `seat`)."""
        match ask.kind:
            case AskKind.CHOOSE:
                if text not in ask.choices:
                    raise UnknownCard(f"{quoted(text)} is no row", "choose one of the four rows")
                return TakeRow(int(text), seat)
            case AskKind.CLAIM:
                if text in ask.choices:
                    seat = Seat(int(text))
                if seat is None:
                    raise UnknownCard(f"{quoted(text)} is no player", "name the player who played the card")
                return Claim(read_card(ask.card), seat)
            case AskKind.LAY:
                return Lay(read_card(text))
            case AskKind.PICK:
                return Pick(ask.seats[0] if seat is None else seat, read_card(text))
            case _:
                return Play(read_card(text), seat)

    def cards(self, state: Table) -> tuple[str, ...]:
        """1 to the highest of the deck in use."""
        return DECK[: state.deck]

    def card(self, state: Table, text: str) -> str:
        """A number of the deck in use."""
        card = read_card(text)
        if card > state.deck:
            raise UnknownCard(f"{card} is not in the deck", f"the cards are 1 to {state.deck}")
        return str(card)

    def label(self, card: str) -> Text:
        """The number itself."""
        return say("{card}", card=card[:4])

    def named(self, card: str) -> Text:
        """The number itself."""
        return self.label(card)

    def judge(self, state: Table, command: Command) -> Allowed[Event] | Refused:
        """Decide."""
        return judge(state, command, draft=self.draft)

    def apply(self, state: Table, event: Event) -> Table:
        """Make a fact true."""
        return apply(state, event)

    def points(self, state: Table) -> tuple[int, ...]:
        """Heads taken in this deal so far."""
        return state.points()

    def over(self, state: Table) -> bool:
        """Whether ten turns are placed, or the deal was ended."""
        return state.over

    def view(self, state: Table) -> dict[str, Any]:
        """Rows, taken, turn and shown, as the protocol promises them."""
        return {
            "rows": [list(row) for row in state.rows],
            "taken": [list(pile) for pile in state.taken],
            "turn": state.turn,
            "shown": [{"card": shown.card, "seat": shown.seat} for shown in state.shown],
        }

    def board(self, state: Table) -> Board:
        """The rows, and what the newest turn did."""
        stacks = tuple(
            Stack(tuple(map(str, row)), ROW_LENGTH, heads(row), str(index + 1), str(index))
            for index, row in enumerate(state.rows)
        )
        turn = min(TURNS, state.turn + 1)
        newest = tuple(line(placed) for placed in state.placed)
        return Board(stacks, turn, TURNS, _hint(state), newest, revealed=True)

    def audit(self, state: Table) -> Audit:
        """Cards in rows and piles against cards laid and played; the heads where the whole deck is out."""
        on_table = [card for row in state.rows for card in row]
        taken = [card for pile in state.taken for card in pile]
        due = len(state.rows) + state.played
        away, left = heads(taken), heads(on_table)
        says = say("{taken}{bull} TAKEN+{table}{bull} LEFT", taken=away, table=left, bull=BULL)
        everything = heads(Card(card) for card in range(1, state.deck + 1))
        faults: tuple[Text, ...] = ()
        if due == state.deck and away + left != everything:
            faults = (say("the deck has {heads} bullheads", heads=everything),)
        return Audit(len(on_table) + len(taken), due, says, faults)

    def swap(self, seats: tuple[Seat, Seat]) -> Command:
        """Exchange the owners of the newest turn."""
        return Swap(seats)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Command:
        """Replace cards of the newest turn."""
        return Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int) -> Command:
        """Take over the rows as they lie."""
        return Adopt(tuple(tuple(map(read_card, row)) for row in stacks), turn)

    def leave(self, seat: Seat) -> Command:
        """A player goes."""
        return Leave(seat)

    def join(self, seat: Seat) -> Command:
        """A player comes."""
        return Join(seat)

    def end_deal(self) -> Command:
        """Stop the deal here."""
        return EndDeal()


def read_card(text: str) -> Card:
    """The card that a text names. Raises `UnknownCard` for anything but 1 to 104."""
    plain = text.strip()
    if (
        not (plain.isascii() and plain.isdigit() and len(plain) <= len(str(HIGHEST)))
        or not 1 <= int(plain) <= HIGHEST
    ):
        raise UnknownCard(f"{text[:20]!r} is no card of 6 nimmt!", f"the cards are 1 to {HIGHEST}")
    return Card(int(plain))


def _hint(state: Table) -> Text:
    """What the next turn means: which cards will take a row."""
    if len(state.rows) < ROWS:
        return say("")
    return say("BELOW {card} TAKES A ROW", card=min(state.ends))
