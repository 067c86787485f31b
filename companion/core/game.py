"""The interface of every game; this module knows no particular game and keeps no state.

What a game asks of people is in `ask`, what it shows them in `board`, what they settle before a
match in `questions`. Here is the shape that all games have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, runtime_checkable

from companion.core.cards import number_label
from companion.core.codec import encode_short
from companion.core.ruling import EndDeal, ForgetHands, Illegal, Join, Leave, Swap
from companion.core.score_sheet import USUAL
from companion.values import Value

if TYPE_CHECKING:
    from companion.core.ask import Ask
    from companion.core.board import Audit, Board, Sign
    from companion.core.cards import Seat
    from companion.core.ruling import Allowed, Because, Refused, Rule
    from companion.core.score_sheet import EndRule, EndRules, Scoring
    from companion.text.sentence import Text

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
C = TypeVar("C")
E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)


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


class Game(Protocol[S, C, E]):
    """Pure functions over the game's own frozen state; its options are fields of the game.

    Laws that the tests check for every game: `judge` never raises and changes nothing; the
    events of an `Allowed` can be applied; a command that answers no open ask is `Refused`
    with a fix; `asks` is empty exactly when the deal is over; cards are conserved.

    A game is a `Value` (see `companion.values`). What is the same for every table is a
    `ClassVar` (`key`, `title`, `commands`, `events`, `rules`); a function that has the arguments
    of a member is that member: `board = staticmethod(view.board)`; members are called by position. A field
    of the state is a member, too: `takes = staticmethod(attrgetter("takes"))`. A game in which cards are
    dealt derives from `CardGame`, which has some members already.
    Members that a game has nothing of its own to say about need one line each:

    - `leave = staticmethod(Leave)`, `join = staticmethod(Join)`, `end_deal = staticmethod(EndDeal)`
      from `companion.core.ruling`: the order alone; `judge` decides whether it stands;
    - `swap`, `correct`, `adopt` and the three above, where the game has no such order:
      `swap = not_offered("no card has an owner here", "undo the wrong card")`
      from `companion.core.ruling`;
    - `label` and `named`, where cards are numbers: `staticmethod(number_label)` from `companion.core.cards`.

    `Match`, the screens and the protocol ask for all members, so none can be left out.
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
        """The commands it accepts, each a `Record` (see `companion.core.codec`)."""

    @property
    def events(self) -> tuple[type[E], ...]:
        """The events it makes, each a `Record`. A stored kind never changes its meaning."""

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
        """The name of a card that people gave outside a question, as the device calls it.

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

    # What follows corrects a device that differs from the table. A game that has no such order raises
    # `NotInThisGame`, whose fix says what serves instead.

    def swap(self, seats: tuple[Seat, Seat]) -> C:
        """The command that swaps what two seats own in the latest turn. Raises `NotInThisGame`."""

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> C:
        """The command that replaces cards of the latest turn. Raises `UnknownCard`, `NotInThisGame`."""

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> C:
        """The order that takes over these stacks, after `turn` finished turns; all else stays as it is.

        With None the number of turns follows from the stacks, or stays. Of a covered stack the last card is
        enough: the cards below it stay. Raises `UnknownCard`, `NotInThisGame`.
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


@runtime_checkable
class CorrectsFinishedDeal(Protocol):
    """What a game offers in addition if the last turn of a deal can be corrected after the deal is over.

    `judge` takes these commands on a finished deal, and their events make it a deal that is scored again, or
    that is in progress.
    """

    @property
    def corrects_finished(self) -> tuple[type[Any], ...]:
        """The commands that correct the last turn, until something of the next deal was played."""


@runtime_checkable
class AllowsLongMoves(Protocol):
    """What a game offers in addition if a player may play several cards in a move, and nobody says the last.

    Then the card that comes next can be of the player on turn, or of the next one.
    """

    def show(self, card: str) -> Any:  # noqa: ANN401 - a command of this game
        """The command for a card that was shown in such a move, by whichever of them."""


@runtime_checkable
class HasSigns(Protocol):
    """What a game offers in addition if its cards are pictures and no numbers."""

    def sign(self, card: str) -> Sign:
        """A card as a picture, where there is more room than for its `label`. Never raises."""


class Take(Value):
    """Cards that a seat took from the table at once: a row, a pile."""

    seat: Seat
    cards: tuple[str, ...]


@runtime_checkable
class CountsTakes(Protocol[S_contra]):
    """What a game offers in addition if players take rows or piles in it, which statistics count."""

    def takes(self, state: S_contra) -> tuple[Take, ...]:
        """What was taken in this deal, in order, as far as it is known who took it."""


@runtime_checkable
class PlaysOnWithoutOwner(Protocol[S_contra]):
    """What a game offers in addition if play can go on while nobody knows who played a card."""

    def without_owner(self, card: str) -> Any:  # noqa: ANN401 - a command of this game
        """The command that leaves a card without owner, where `AskKind.CLAIM` asks for one."""

    def unclaimed(self, state: S_contra) -> tuple[tuple[str, int], ...]:
        """The cards of this deal whose owner is not known, each with the points that nobody was charged."""

    def claim(self, card: str, seat: Seat) -> Any:  # noqa: ANN401 - a command of this game
        """The command that says later who played such a card."""


@runtime_checkable
class ExplainsEnd(Protocol[S_contra]):
    """What a game offers in addition if its own rules say when deals and matches end, and who starts.

    Without it, the match gives the same reasons with rules of its own (`companion.core.score_sheet.USUAL`).
    """

    @property
    def end_rules(self) -> EndRules:
        """Its rules for the points of a deal, the end of a match, the victory and ties."""

    def why_deal_over(self, finished: S_contra) -> tuple[Because, ...]:
        """Why this deal is over, as far as the reasons of its events do not say so."""

    def why_starts(self, starter: Seat, finished: S_contra | None) -> tuple[Because, ...]:
        """Why this seat starts after the deal that ended as `finished`; None: it is the first deal."""


@runtime_checkable
class KnowsHands(Protocol[S_contra]):
    """What a game offers in addition if hands can be known to it that nobody else sees.

    The game has an option `hands`: the seats whose cards are scanned when they are dealt.
    """

    @property
    def tells_hands(self) -> tuple[type[Any], ...]:
        """The events that say which card, `held`, is in a hand, while nobody else may know it."""

    def hand(self, state: S_contra, seat: Seat) -> tuple[str, ...]:
        """The cards that a seat can still play, where its hand is known; empty where it is not."""

    def decides(self, state: S_contra) -> bool:
        """Whether the open question is a decision of those who are asked, and not what all have seen."""

    def may_be_same(self, one: str, other: str) -> bool:
        """Whether two names can mean one and the same card, as where one does not say which copy it is."""

    def without_hands(self) -> object:
        """The command after which no hand is known in this deal, because what is known of them is wrong."""


class Dealing(Value):
    """Where the cards of a deal are, as far as the table tells; a dealer holds the rest.

    `deck` are all cards of the deal; `out` those that are in no hand and cannot be drawn. By seat of the
    match, `sizes` is how many cards a hand has, and `known` which of them are known. `unnamed` cards of
    these sizes lie on the table, and nobody knows from whose hand they came.
    """

    deck: Sequence[str]
    out: Sequence[str]
    sizes: Sequence[int]
    known: Sequence[tuple[str, ...]]
    unnamed: int = 0


@runtime_checkable
class DealsCards(Protocol[S_contra]):
    """What a game offers in addition if players hold cards, which `companion.match.dealer` can deal."""

    def dealing(self, state: S_contra) -> Dealing:
        """Where the cards of the deal are."""


@runtime_checkable
class MovesHands(Protocol[S_contra, E_contra]):
    """What a game offers in addition if hands are swapped, or if an answer depends on the cards of a hand."""

    def swapped(self, event: E_contra) -> tuple[Seat, Seat] | None:
        """The seats whose hands are swapped by this event."""

    def only(self, state: S_contra, ask: Ask, hand: tuple[str, ...]) -> Sequence[str] | None:
        """The honest answers to a question, if they are not all cards of this hand, or all choices."""


class Hides(Enum):
    """What people at the table may not see of a field of `Game.view` or of an event.

    The value is the protocol's word.
    """

    ALL = "all"
    """Nothing of the field may be shown."""

    ALL_BUT_TOP = "all but the top"
    """The field holds a pile, or several: each a list of cards with the top last. Only the top may be shown.

    How many cards a pile has is hidden as well.
    """


@runtime_checkable
class HidesCards(Protocol):
    """What a game offers in addition if it knows cards that the people at the table may not see."""

    @property
    def hidden(self) -> Mapping[str, Hides]:
        """The fields of `view` that tell of them, and what of these is hidden.

        `companion.protocol.snapshot` leaves it out.
        """

    @property
    def hidden_in_events(self) -> Mapping[str, Mapping[str, Hides]]:
        """The fields of events that tell of them, by the kind of the event, and what of these is hidden.

        The sentences of reasons name no such card.
        """


class TableGame(Value):
    """What all games share: a game derives from it, and says only what is its own.

        class Six(CardGame):                                  # a `TableGame` in which cards are dealt
            agreed: Options                                   # what was agreed before the match; has an `end`
            key, title = "six", "6 NIMMT!"
            handlers = {Play: play, Claim: claim, ...}
            changes = {CardShown: shown, CardPlaced: placed, ...}

    Its state has the fields `players`, `points` and `over`.
    """

    agreed: Any

    key: ClassVar[str]
    rules: ClassVar[Mapping[str, Rule]]
    handlers: ClassVar[Mapping[type[Any], Callable[[Any, Any], Allowed[Any] | Refused]]] = {}
    """What follows from each command on a table. A handler raises `Illegal` where the rules forbid it."""
    changes: ClassVar[Mapping[type[Any], Callable[[Any, Any], Any]]] = {}
    """The table after each event."""
    commands: ClassVar[tuple[type[Any], ...]] = ()
    events: ClassVar[tuple[type[Any], ...]] = ()
    deal_over: ClassVar[Rule]
    """Why nothing more can be played."""
    always_written: ClassVar[tuple[str, ...]] = ("end",)
    """The options that are written also where they have their defaults."""
    corrects_finished: ClassVar[tuple[type[Any], ...]] = ()
    end_rules: ClassVar[EndRules] = USUAL
    hidden: ClassVar[Mapping[str, Hides]] = {}
    hidden_in_events: ClassVar[Mapping[str, Mapping[str, Hides]]] = {}

    end = property(attrgetter("agreed.end"))
    players = staticmethod(attrgetter("players"))
    points = staticmethod(attrgetter("points"))
    over = staticmethod(attrgetter("over"))
    swap = staticmethod(Swap)
    leave = staticmethod(Leave)
    join = staticmethod(Join)

    def end_deal(self) -> Any:  # noqa: ANN401 - a command of this game
        return EndDeal()

    def __init_subclass__(cls, **settings: Any) -> None:  # noqa: ANN401 - those of a `Struct`
        """A game accepts what it has handlers for, and makes what it has changes for."""
        super().__init_subclass__(**settings)
        cls.commands = tuple(cls.handlers) or cls.commands
        cls.events = tuple(cls.changes) or cls.events

    def options(self) -> Mapping[str, Any]:
        return encode_short(self.agreed, *self.always_written)

    def judge(self, state: Any, command: Any, /) -> Allowed[Any] | Refused:  # noqa: ANN401 - of this game
        try:
            self.check_time(state, command)
            return self.handlers[type(command)](state, command)
        except Illegal as illegal:
            return illegal.refused

    def check_time(self, state: Any, command: Any, /) -> None:  # noqa: ANN401 - of this game
        """Raises `Illegal` for a command that comes too late, or too early."""
        if self.over(state) and type(command) not in self.corrects_finished:
            raise self.deal_over.forbids("the deal is over", "deal again, or undo")

    def apply(self, state: Any, event: Any, /) -> Any:  # noqa: ANN401 - of this game
        return self.changes[type(event)](state, event)

    def why_starts(self, starter: Seat, finished: Any, /) -> tuple[Because, ...]:  # noqa: ANN401 - of this game
        """Nothing, unless the game has a starter."""
        return ()

    def why_deal_over(self, finished: Any, /) -> tuple[Because, ...]:  # noqa: ANN401 - of this game
        """Nothing: who went out, or that the deal was ended, is an event with its reason."""
        return ()


class CardGame(TableGame):
    """A game in which cards are dealt; they have numbers, unless it says otherwise."""

    without_hands = staticmethod(ForgetHands)

    def label(self, card: str, /) -> Text:
        return number_label(card)

    def named(self, card: str, /) -> Text:
        return number_label(card)

    def may_be_same(self, card: str, other: str, /) -> bool:
        return card == other


AnyGame = Game[Any, Any, Any]
