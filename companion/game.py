"""What every game can be asked; no game is known here and nothing is remembered here.

A game asks and people answer: an `Ask` says who may do what now and how many of them must
answer. It is all that screens, scripted players and the scanner loop read to know what is
going on. A `Board` is all they read to draw what lies on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.cards import Seat
    from companion.ledger import EndRule
    from companion.ruling import Allowed, Because, Refused, Rule
    from companion.text import Text

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


class Wait(Enum):
    """How many of the asked seats must answer."""

    ONE = "one"
    ALL = "all"
    ANY = "any"


class Verb(Enum):
    """What is asked for; the value is the protocol's wording."""

    LAY = "lay four rows"
    PICK = "pick a card"
    PLAY = "play a card"
    CHOOSE = "choose a row"
    CLAIM = "who played it"


@dataclass(frozen=True, slots=True)
class Ask:
    """An open question.

    `seats` may answer (0-based). `choices` holds the legal answers where they are few; empty
    means any card. `card` is the card the question is about, `have` the cards given to it so
    far in the order they came, `need` how many it wants in all (0 where it wants no cards).
    """

    verb: Verb
    seats: tuple[Seat, ...]
    wait: Wait
    choices: tuple[str, ...] = ()
    card: str = ""
    have: tuple[str, ...] = ()
    need: int = 0


@dataclass(frozen=True, slots=True)
class Stack:
    """A row or a pile as it lies: cards in order, newest last; `room` cards at most (0 = no limit)."""

    cards: tuple[str, ...]
    room: int
    heads: int


@dataclass(frozen=True, slots=True)
class Line:
    """One card of the newest turn and what became of it, in the order of play.

    `outcome` is short enough for the glass beside the number: up to 14 columns, English.
    `taker` is the seat that took cards with it, `takes` those cards, `heads` what they cost.
    """

    card: str
    outcome: Text
    because: Because
    taker: Seat | None = None
    takes: tuple[str, ...] = ()
    heads: int = 0
    stack: int = 0


@dataclass(frozen=True, slots=True)
class Board:
    """What lies on the table, for drawing.

    `turn` counts from 1 to `turns` (0 = the game has no fixed number). `hint` is one line of
    at most 21 columns. `deck` is the number of the cards in use.
    """

    stacks: tuple[Stack, ...]
    turn: int
    turns: int
    hint: Text
    newest: tuple[Line, ...]
    deck: int


@dataclass(frozen=True, slots=True)
class Audit:
    """The conservation check of a deal: cards seen against cards due, heads by place.

    `deck_heads` is None where the deck is not known card by card.
    """

    cards: int
    cards_due: int
    heads_taken: int
    heads_table: int
    deck_heads: int | None

    @property
    def sound(self) -> bool:
        """Whether nothing is missing and nothing is there twice."""
        known = self.deck_heads in (None, self.heads_taken + self.heads_table)
        return self.cards == self.cards_due and known


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a set-up question: a text of up to 18 columns and the options it stands for."""

    text: Text
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """Something to settle before a match: `ask` in 21 columns, up to four choices, the usual one first.

    `dial` names a number that the last choice lets people set: its key path within the
    options, the lowest and the highest value and the one to begin with.
    """

    ask: Text
    choices: tuple[Choice, ...]
    note: Text
    dial: tuple[str, int, int, int] | None = None


class Game(Protocol[S, C, E]):
    """Pure functions over the game's own frozen state; its options are fields of the game.

    Laws that the tests hold every game to: `judge` never raises and changes nothing; the
    events of an `Allowed` can be applied; a command that answers no open ask is `Refused`
    with a fix; `asks` is empty exactly when the deal is over; cards are conserved.
    """

    @property
    def key(self) -> str:
        """The name of the game in options, logs and the protocol."""

    @property
    def title(self) -> str:
        """The name on the box."""

    @property
    def end(self) -> EndRule:
        """When a match ends; judged after a whole deal."""

    @property
    def commands(self) -> tuple[type[C], ...]:
        """The orders it takes, as dataclasses with a `KIND`."""

    @property
    def events(self) -> tuple[type[E], ...]:
        """The facts it makes, as dataclasses with a `KIND`. A stored kind never changes its meaning."""

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule it can give as a reason, by key."""

    def options(self) -> Mapping[str, Any]:
        """The options that make this very game again."""

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> S:
        """A new deal for these players (ascending, with gaps where somebody left).

        `seats` counts everybody who ever played in the match: points keep a place for who left.
        `first` starts, in games where somebody does.
        """

    def starter(self, deal: int, first: Seat, finished: S) -> Seat:
        """Who starts deal number `deal` (2, 3, ...), given who started the match and the deal before."""

    def players(self, state: S) -> tuple[Seat, ...]:
        """The seats that play, ascending."""

    def asks(self, state: S) -> tuple[Ask, ...]:
        """The open questions; none when the deal is over."""

    def read(self, ask: Ask, seat: Seat | None, text: str) -> C:
        """What people gave as an answer, as a command: a card's name, or one of the ask's choices.

        Raises `UnknownCard` where the text names no card of this game.
        """

    def judge(self, state: S, command: C) -> Allowed[E] | Refused:
        """Decide; never change, never raise."""

    def apply(self, state: S, event: E) -> S:
        """Make a fact true; never decide."""

    def points(self, state: S) -> tuple[int, ...]:
        """The penalty points of this deal so far, by seat."""

    def over(self, state: S) -> bool:
        """Whether the deal is finished."""

    def view(self, state: S) -> dict[str, Any]:
        """The game's part of the protocol's state."""

    def board(self, state: S) -> Board:
        """What lies on the table."""

    def audit(self, state: S) -> Audit:
        """The conservation check."""

    def swap(self, seats: tuple[Seat, Seat]) -> C:
        """The order that exchanges what two seats own in the newest turn."""

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> C:
        """The order that replaces cards of the newest turn. Raises `UnknownCard`."""

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int) -> C:
        """The order that takes over a table as it lies, after `turn` finished turns. Raises `UnknownCard`."""

    def leave(self, seat: Seat) -> C:
        """The order by which a seat stops playing."""

    def join(self, seat: Seat) -> C:
        """The order by which a seat starts playing, or plays again."""

    def end_deal(self) -> C:
        """The order that ends the deal early and scores it as it is."""


AnyGame = Game[Any, Any, Any]
