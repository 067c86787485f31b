"""What every game can be asked; no game is known here and nothing is remembered here.

A game asks and people answer: an `Ask` says who may do what now and how many of them must
answer. It is all that screens, scripted players and the scanner loop read to know what is
going on. A `Board` is all they read to draw what lies on the table.
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
    """What is asked for; the value is the protocol's wording. `gives` says what an answer names."""

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
"""Begins an answer to `HAND` that is no card but the points of the whole hand, counted by people: `=13`."""

DIALLED: Final = "~"
"""Begins a card that people read and typed, where only the score is kept (`KeepsScore`): `~66`.

It may have been read upside down; a card that was scanned, or is told to other games, has no such sign.
"""


@dataclass(frozen=True, slots=True)
class Ask:
    """An open question.

    `says` is the question in up to 21 columns for the glass. `seats` may answer (0-based).
    `choices` holds the legal answers where they are few; empty means any card. They are the
    index of a stack on the board, a seat, or a word; `labels` are the words as people read
    them, up to 18 columns each. `card` is the card the question is about, `have` the cards
    given to it so far in the order they came, `need` how many it wants in all (0 = not known
    beforehand).

    Where several questions are open, the first is the one people are shown, and the others
    are what they may answer instead: to draw, to take a pile, to end the move.
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
    """A row or a pile as it lies: cards in order, newest last; `room` cards at most (0 = no limit).

    `name` is what people call it, up to 2 columns; `choice` is the answer that names it in a
    question. `fits` says in up to 14 columns which cards go on it; empty where the board's
    hint is enough. `covered`: nobody may see more than the last card, and the device tells no more.
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
    """One card of the newest turn and what became of it, in the order of play.

    `outcome` is short enough for the glass beside the number: up to 14 columns, English.
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
    """Something that everybody has a number of, by seat: bull cards, turns to lose. Up to 5 columns."""

    label: Text
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """What lies on the table, for drawing.

    `turn` counts from 1 to `turns` (0 = the game has no fixed number). `hint` is one line of
    at most 21 columns; `facts` are further lines of the same width, the most important first.
    `hands` is the number of cards in every hand by seat; empty where the game does not follow
    them. `revealed` says that the newest lines are cards that were shown together, and that
    people place them in this order.
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
        """Whether nothing is missing and nothing is there twice."""
        return self.cards == self.cards_due and not self.faults


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a set-up question: a text of up to 18 columns and the options it stands for."""

    text: Text
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """Something to settle before a match: `ask` in 21 columns, up to four choices, the usual one first.

    `dial` names a number that the last choice lets people set: its key path within the
    options, the lowest and the highest value and the one to begin with. A question with
    `only` is asked where the options chosen before have these values.
    """

    ask: Text
    choices: tuple[Choice, ...]
    note: Text
    dial: tuple[str, int, int, int] | None = None
    only: Mapping[str, Any] = field(default_factory=dict)


class RandomSource(Protocol):
    """Where chance comes from, as `random.Random` gives it; the referee itself uses none."""

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
    """What somebody gives as an answer to `ask`: a card's name or one of its choices, and who it is."""

    ask: Ask
    text: str
    seat: Seat | None = None


class Bots(Protocol[S_contra]):
    """Players with hands of their own, for demonstrations, tests and measurements.

    They know what people at the table know: their cards, the deck, and what the device asks.
    """

    def answer(self, state: S_contra, asks: tuple[Ask, ...]) -> Answer:
        """What one of them does next: a legal answer to one of the open questions, of which there is one."""


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

        A card may also be given as the number in its code. Raises `UnknownCard` where the text
        names no card of this game.
        """

    def cards(self, state: S) -> tuple[str, ...]:
        """The names of all cards in use, each kind once, in the order in which they are dialled."""

    def card(self, state: S, text: str) -> str:
        """The name of a card that people gave outside a question, as it lies on the table.

        `text` is its name or the number in its code. Raises `UnknownCard` where no card in use is meant.
        """

    def label(self, card: str) -> Text:
        """A card's name in up to 4 columns, for the picture of a card. Never raises."""

    def named(self, card: str) -> Text:
        """A card in words, in capitals and in up to 18 columns. Never raises."""

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

    # What follows mends a table that differs from the device. A game that has no such order raises
    # `NotInThisGame`, whose fix says what serves instead.

    def swap(self, seats: tuple[Seat, Seat]) -> C:
        """The order that exchanges what two seats own in the newest turn. Raises `NotInThisGame`."""

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> C:
        """The order that replaces cards of the newest turn. Raises `UnknownCard`, `NotInThisGame`."""

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int) -> C:
        """The order that takes over a table as it lies, after `turn` finished turns.

        Raises `UnknownCard`, `NotInThisGame`.
        """

    def leave(self, seat: Seat) -> C:
        """The order by which a seat stops playing. Raises `NotInThisGame`."""

    def join(self, seat: Seat) -> C:
        """The order by which a seat starts playing, or plays again. Raises `NotInThisGame`."""

    def end_deal(self) -> C:
        """The order that ends the deal early and scores it as it is. Raises `NotInThisGame`."""


@runtime_checkable
class KeepsScore(Protocol):
    """What a game offers besides where only its points are followed, and other games need not say."""

    @property
    def scoring(self) -> Scoring:
        """How totals are compared; of other games the lowest wins, everybody alone, from 0."""

    @property
    def box(self) -> str:
        """The game whose cards are scanned, by the name that other games have; empty for none."""


AnyGame = Game[Any, Any, Any]
