"""The interface of every game; this module knows no particular game and keeps no state.

A game asks and players answer: an `Ask` says who may do what now and how many of them must
answer. Screens, scripted players and the scanner loop read only this to know what to do
next. To draw the table, they read only the `Board`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, runtime_checkable

from companion.text import NOTHING, Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.cards import Seat
    from companion.ruling import Allowed, Because, Refused, Rule
    from companion.score_sheet import EndRule, Scoring

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
C = TypeVar("C")
E = TypeVar("E")


class Wait(Enum):
    """How many of the asked seats must answer."""

    ONE = "one"
    ALL = "all"
    ANY = "any"


class Gives(Enum):
    """What an answer names."""

    CARD = "card"
    STACK = "stack"
    PLAYER = "player"
    WORD = "word"


class AskKind(Enum):
    """The kind of question; the value is its name in the protocol. `gives` says what an answer names."""

    LAY = "lay four rows"
    TURN_UP = "turn up a card"
    PICK = "pick a card"
    PLAY = "play a card"
    RACE = "win the race"
    GIVE = "give a card"
    HAND = "count a hand"
    CHOOSE = "choose a row"
    TAKE = "take a pile"
    CLAIM = "who played it"
    WHOM = "choose a player"
    DECIDE = "decide"
    DRAW = "draw"
    DONE = "end the move"

    @property
    def gives(self) -> Gives:
        """What an answer to it names."""
        return _GIVES.get(self, Gives.CARD)


_GIVES: Final = {
    AskKind.CHOOSE: Gives.STACK,
    AskKind.TAKE: Gives.STACK,
    AskKind.CLAIM: Gives.PLAYER,
    AskKind.WHOM: Gives.PLAYER,
    AskKind.DECIDE: Gives.WORD,
    AskKind.DRAW: Gives.WORD,
    AskKind.DONE: Gives.WORD,
}


TYPED: Final = "="
"""The prefix of an answer to `HAND` that gives the points of the whole hand, not a card: `=13`."""

DIALLED: Final = "~"
"""The prefix of a card that a player typed, where only the score is kept (`KeepsScore`): `~66`.

It may have been read upside down; a scanned card, and any card in other games, has no such prefix.
"""


@dataclass(frozen=True, slots=True)
class Ask:
    """An open question.

    `says` is the question in up to 21 columns for the display. `seats` may answer (0-based).
    `choices` holds the legal answers where they are few; empty means any card. They are the
    index of a stack on the board, a seat, or a word; `labels` are the words as they are
    shown, up to 18 columns each. `card` is the card the question is about, `have` the cards
    given to it so far in the order they came, `need` how many it needs in all (0 = not known
    beforehand).

    Where several questions are open, the first one is shown, and the others may be
    answered instead: to draw, to take a pile, to end the move.
    """

    kind: AskKind
    seats: tuple[Seat, ...]
    wait: Wait
    says: Text
    choices: tuple[str, ...] = ()
    labels: tuple[Text, ...] = ()
    card: str = ""
    have: tuple[str, ...] = ()
    need: int = 0


@dataclass(frozen=True, slots=True)
class Stack:
    """A row or a pile on the table: cards in order, newest last; at most `room` cards (0 = no limit).

    `name` is its name for players, up to 2 columns; `choice` is the answer that names it in a
    question. `fits` says in up to 14 columns which cards go on it; empty where the board's
    hint is enough. `covered`: nobody may see more than the last card, and the device shows no more.
    """

    cards: tuple[str, ...]
    room: int
    heads: int
    name: str
    choice: str
    fits: Text = NOTHING
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One card of the latest turn and where it went, in the order of play.

    `outcome` is short enough for the display beside the number: up to 14 columns, English.
    `taker` is the seat that took cards with it, `takes` those cards, `heads` what they cost.
    `place` is the name of the stack it went to, up to 2 columns; empty where there are no stacks.
    """

    card: str
    outcome: Text
    because: Because
    taker: Seat | None = None
    takes: tuple[str, ...] = ()
    heads: int = 0
    place: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """A number that every player has, by seat: bull cards, turns to lose. The label has up to 5 columns."""

    label: Text
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The table, for drawing.

    `turn` counts from 1 to `turns` (0 = the game has no fixed number). `hint` is one line of
    at most 21 columns; `facts` are further lines of the same width, the most important first.
    `hands` is the number of cards in every hand by seat; empty where the game does not follow
    them. `revealed` says that the newest lines are cards that were revealed together, and that
    players place them in this order.
    """

    stacks: tuple[Stack, ...]
    turn: int
    turns: int
    hint: Text
    newest: tuple[Line, ...]
    facts: tuple[Text, ...] = ()
    hands: tuple[int, ...] = ()
    tallies: tuple[Tally, ...] = ()
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """The conservation check of a deal: cards seen against cards due.

    `says` is what was counted, in up to 21 columns. `faults` name what does not add up.
    """

    cards: int
    cards_due: int
    says: Text
    faults: tuple[Text, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether no card is missing and no card exists twice."""
        return self.cards == self.cards_due and not self.faults


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a set-up question: a text of up to 18 columns and the options it stands for."""

    text: Text
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """Something to settle before a match: `ask` in 21 columns, up to four choices, the usual one first.

    `dial` names a number that the last choice lets you set: its key path within the
    options, the lowest and the highest value and the one to begin with. A question with
    `only` is asked where the options chosen before have these values.
    """

    ask: Text
    choices: tuple[Choice, ...]
    note: Text
    dial: tuple[str, int, int, int] | None = None
    only: Mapping[str, Any] = field(default_factory=dict)


class RandomSource(Protocol):
    """A source of random choices, such as `random.Random`; the referee itself uses none."""

    def choice(self, seq: Sequence[Any], /) -> Any:  # noqa: ANN401 - one of them
        """One of a sequence."""

    def shuffle(self, x: list[Any], /) -> None:
        """A list in another order, in place."""

    def random(self) -> float:
        """A number from 0 to below 1."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to below `stop`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to `ask`: a card's name or one of its choices, and the seat that answers."""

    ask: Ask
    text: str
    seat: Seat | None = None


class Bots(Protocol[S_contra]):
    """Scripted players with hands of their own, for demonstrations, tests and measurements.

    They know what players at a table know: their cards, the deck, and what the device asks.
    """

    def answer(self, state: S_contra, asks: tuple[Ask, ...]) -> Answer:
        """What one of them does next: a legal answer to one of the open questions, of which there is one."""


class Game(Protocol[S, C, E]):
    """Pure functions over the game's own frozen state; its options are fields of the game.

    Laws that the tests check for every game: `judge` never raises and changes nothing; the
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
        """The commands it accepts, as dataclasses with a `KIND`."""

    @property
    def events(self) -> tuple[type[E], ...]:
        """The events it makes, as dataclasses with a `KIND`. A stored kind never changes its meaning."""

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule it can give as a reason, by key."""

    def options(self) -> Mapping[str, Any]:
        """The options that make the same game again."""

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> S:
        """A new deal for these players (ascending, with gaps where players have left).

        `seats` counts all players who ever played in the match: points keep a place for those who left.
        `first` starts, in games that have a starter.
        """

    def starter(self, deal: int, first: Seat, finished: S) -> Seat:
        """Who starts deal number `deal` (2, 3, ...), given who started the match and the deal before."""

    def players(self, state: S) -> tuple[Seat, ...]:
        """The seats that play, ascending."""

    def asks(self, state: S) -> tuple[Ask, ...]:
        """The open questions; none when the deal is over."""

    def read(self, ask: Ask, seat: Seat | None, text: str) -> C:
        """An answer as a command: a card's name, or one of the ask's choices.

        A card may also be given as the number in its code. Raises `UnknownCard` where the text
        names no card of this game.
        """

    def cards(self, state: S) -> tuple[str, ...]:
        """The names of all cards in use, each kind once, in the order in which they are dialled."""

    def card(self, state: S, text: str) -> str:
        """The name of a card that was given outside a question, as it is on the table.

        `text` is its name or the number in its code. Raises `UnknownCard` where no card in use is meant.
        """

    def label(self, card: str) -> Text:
        """A card's name in up to 4 columns, for the picture of a card. Never raises."""

    def named(self, card: str) -> Text:
        """A card in words, in capitals and in up to 18 columns. Never raises."""

    def judge(self, state: S, command: C) -> Allowed[E] | Refused:
        """Decide; never change, never raise."""

    def apply(self, state: S, event: E) -> S:
        """Apply an event; never decide."""

    def points(self, state: S) -> tuple[int, ...]:
        """The penalty points of this deal so far, by seat."""

    def over(self, state: S) -> bool:
        """Whether the deal is finished."""

    def view(self, state: S) -> dict[str, Any]:
        """The game's part of the protocol's state."""

    def board(self, state: S) -> Board:
        """The table, for drawing."""

    def audit(self, state: S) -> Audit:
        """The conservation check."""

    # What follows mends a table that differs from the device. A game that has no such order raises
    # `NotInThisGame`, whose fix says what serves instead.

    def swap(self, seats: tuple[Seat, Seat]) -> C:
        """The command that swaps what two seats own in the latest turn. Raises `NotInThisGame`."""

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> C:
        """The command that replaces cards of the latest turn. Raises `UnknownCard`, `NotInThisGame`."""

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int) -> C:
        """The command that sets up a table as given, after `turn` finished turns.

        Raises `UnknownCard`, `NotInThisGame`.
        """

    def leave(self, seat: Seat) -> C:
        """The command by which a seat leaves. Raises `NotInThisGame`."""

    def join(self, seat: Seat) -> C:
        """The command by which a seat joins, or returns. Raises `NotInThisGame`."""

    def end_deal(self) -> C:
        """The command that ends the deal early and scores it as it stands. Raises `NotInThisGame`."""


@runtime_checkable
class KeepsScore(Protocol):
    """What a game offers in addition if it only keeps the score; other games do not need it."""

    @property
    def scoring(self) -> Scoring:
        """How totals are compared; in other games the lowest wins, without teams, from 0."""

    @property
    def box(self) -> str:
        """The key of the game whose cards are scanned; empty for none."""


AnyGame = Game[Any, Any, Any]
