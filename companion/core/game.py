"""The base class of every game; this module knows no particular game and keeps no state.

What a game asks of people is in `ask`, what it shows them in `board`, what they settle before a
match in `questions`. Here is the shape that all games have.
"""

# ruff: noqa: ANN401 - states, commands and events are those of a game

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeAlias

from companion.core.cards import number_label
from companion.core.codec import encode_short
from companion.core.ruling import Allowed, EndDeal, Illegal, Join, Leave, Refused, Swap
from companion.core.score_sheet import LOWEST_WINS, USUAL
from companion.values import Value

if TYPE_CHECKING:
    from companion.core.ask import Ask
    from companion.core.board import Audit, Board, Sign
    from companion.core.cards import Seat
    from companion.core.ruling import Because, Rule
    from companion.core.score_sheet import EndRule, EndRules, Scoring
    from companion.text.sentence import Text


Handlers: TypeAlias = Mapping[type[Any], Callable[[Any, Any], Allowed[Any] | Refused]]
"""What follows from each command (a `Record`) on a table; a handler raises `Illegal` to refuse it."""

Changes: TypeAlias = Mapping[type[Any], Callable[[Any, Any], Any]]
"""The table after each event (a `Record`). A stored kind never changes its meaning."""


class RandomSource(Protocol):
    """A source of random choices, such as `random.Random`; the referee itself uses none."""

    def choice(self, seq: Sequence[Any], /) -> Any:
        """One of a sequence."""

    def shuffle(self, x: list[Any], /) -> None:
        """A list in another order, in place."""

    def random(self) -> float:
        """A number from 0 to below 1."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to below `stop`."""


class Taken(Value):
    """Cards that a seat took from the table at once: a row, a pile."""

    seat: Seat
    cards: tuple[str, ...]


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


NO_CARDS: Final = Dealing((), (), (), ())
"""Players hold no cards."""


class Hides(StrEnum):
    """What people at the table may not see of a field of `Game.view` or of an event.

    The value is the protocol's word.
    """

    ALL = "all"
    """Nothing of the field may be shown."""

    ALL_BUT_TOP = "all but the top"
    """The field holds a pile, or several: each a list of cards with the top last. Only the top may be shown.

    How many cards a pile has is hidden as well.
    """


class Game(Value):
    """The base of all games: pure functions over the game's own frozen state, the table of a deal.

    A game derives from it, and says what is its own:

        class Six(Game):
            agreed: Options                                   # what was agreed before the match; has an `end`
            key, title = "six", "6 NIMMT!"
            handlers = {Play: play, Claim: claim, ...}
            changes = {CardShown: shown, CardPlaced: placed, ...}

    Laws that the tests check for every game: `judge` never raises and changes nothing; the
    events of an `Allowed` can be applied; a command that answers no open ask is `Refused`
    with a fix; `asks` is empty exactly when the deal is over; cards are conserved.

    What raises `NotImplementedError` here has no default. Members are called by position. Where a game has no
    order to swap, correct, adopt, leave or join, it says what serves instead:
    `swap = not_offered("no card has an owner here", "undo the wrong card")` (`companion.core.ruling`).
    """

    agreed: Any

    key: ClassVar[str]
    """The name of the game in options, logs and the protocol."""
    rules: ClassVar[Mapping[str, Rule]]
    """Every rule it can give as a reason, by key."""
    handlers: ClassVar[Handlers] = {}
    changes: ClassVar[Changes] = {}
    commands: ClassVar[tuple[type[Any], ...]] = ()
    events: ClassVar[tuple[type[Any], ...]] = ()
    deal_over: ClassVar[Rule]
    """Why nothing more can be played."""
    corrects_finished: ClassVar[tuple[type[Any], ...]] = ()
    """The commands that correct the last turn of a deal that is over, until something of the next was played.

    Their events make it a deal that is scored again, or that is in progress.
    """
    always_written: ClassVar[tuple[str, ...]] = ("end",)
    """The options that are written also where they have their defaults."""
    end_rules: ClassVar[EndRules] = USUAL
    """The rules for the points of a deal, the end of a match, the victory and ties."""
    hidden: ClassVar[Mapping[str, Hides]] = {}
    """The fields of `view` that tell of cards that people may not see (`companion.protocol.snapshot`)."""
    hidden_in_events: ClassVar[Mapping[str, Mapping[str, Hides]]] = {}
    """The fields of events that do, by the kind of the event. The sentences of reasons name no such card."""
    tells_hands: ClassVar[tuple[type[Any], ...]] = ()
    """The events that say which card, `held`, is in a hand, while nobody else may know it.

    A game that has any has an option `hands`, the seats whose cards are scanned when they are dealt, and
    accepts `ForgetHands`.
    """

    def __init_subclass__(cls, **settings: Any) -> None:
        """A game accepts what it has handlers for, and makes what it has changes for."""
        super().__init_subclass__(**settings)
        cls.commands = tuple(cls.handlers) or cls.commands
        cls.events = tuple(cls.changes) or cls.events

    @property
    def title(self) -> str:
        """The name on the box."""
        raise NotImplementedError

    @property
    def box(self) -> str:
        """The key of the game whose cards are on the table; empty for none."""
        return self.key

    @property
    def scoring(self) -> Scoring:
        """How totals are compared."""
        return LOWEST_WINS

    @property
    def end(self) -> EndRule:
        """When a match ends; judged after a whole deal."""
        end: EndRule = self.agreed.end
        return end

    def options(self) -> Mapping[str, Any]:
        """The options that make the same game again."""
        return encode_short(self.agreed, *self.always_written)

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat, /) -> Any:
        """A new deal for these players (ascending, with gaps where players have left).

        `seats` counts all players who ever played in the match: points keep a place for those who left.
        `first` starts, in games that have a starter.
        """
        raise NotImplementedError

    def starter(self, deal: int, first: Seat, finished: Any, /) -> Seat:
        """Who starts deal number `deal` (2, 3, ...), given who started the match and the deal before."""
        return first

    def players(self, state: Any, /) -> tuple[Seat, ...]:
        """The seats that play, ascending."""
        return tuple(state.players)

    def points(self, state: Any, /) -> tuple[int, ...]:
        """The penalty points of this deal so far, by seat."""
        return tuple(state.points)

    def over(self, state: Any, /) -> bool:
        """Whether the deal is finished."""
        return bool(state.over)

    # What is decided.

    def judge(self, state: Any, command: Any, /) -> Allowed[Any] | Refused:
        """Decide; never change, never raise."""
        try:
            self.check_time(state, command)
            return self.handlers[type(command)](state, command)
        except Illegal as illegal:
            return illegal.refused

    def check_time(self, state: Any, command: Any, /) -> None:
        """Raises `Illegal` for a command that comes too late, or too early."""
        if self.over(state) and type(command) not in self.corrects_finished:
            raise self.deal_over.forbids("the deal is over", "deal again, or undo")

    def apply(self, state: Any, event: Any, /) -> Any:
        """Apply an event; never decide."""
        return self.changes[type(event)](state, event)

    def why_starts(self, starter: Seat, finished: Any, /) -> tuple[Because, ...]:
        """Why this seat starts after the deal that ended as `finished`; None: it is the first deal."""
        return ()

    def why_deal_over(self, finished: Any, /) -> tuple[Because, ...]:
        """Why this deal is over, as far as the reasons of its events do not say so."""
        return ()

    # What is asked, and what is shown.

    def asks(self, state: Any, /) -> tuple[Ask, ...]:
        """The open questions; none when the deal is over."""
        raise NotImplementedError

    def read(self, ask: Ask, seat: Seat | None, text: str, /) -> Any:
        """An answer as a command: a card's name, or one of the ask's choices.

        A card may also be given as the number in its code. Raises `UnknownCard` where the text
        names no card of this game.
        """
        raise NotImplementedError

    def show(self, card: str, /) -> Any:
        """The command for a card that the player on turn or the next one showed while a move goes on.

        None where a player never plays several cards in a move.
        """

    def cards(self, state: Any, /) -> tuple[str, ...]:
        """The names of all cards in use, each kind once, in the order in which they are dialled."""
        raise NotImplementedError

    def card(self, state: Any, text: str, /) -> str:
        """The name of a card that people gave outside a question, as the device calls it.

        `text` is its name or the number in its code. Raises `UnknownCard` where no card in use is meant.
        """
        raise NotImplementedError

    def label(self, card: str, /) -> Text:
        """A card's name in up to 4 columns, for the picture of a card. Never raises."""
        return number_label(card)

    def named(self, card: str, /) -> Text:
        """A card in words, in capitals and in up to 18 columns. Never raises."""
        return number_label(card)

    def sign(self, card: str, /) -> Sign | None:
        """A card as a picture, where there is room for more than its `label`; None for a number."""

    def view(self, state: Any, /) -> dict[str, Any]:
        """The game's part of the protocol's state."""
        raise NotImplementedError

    def board(self, state: Any, /) -> Board:
        """The table, for drawing."""
        raise NotImplementedError

    def audit(self, state: Any, /) -> Audit:
        """The conservation check."""
        raise NotImplementedError

    def takes(self, state: Any, /) -> tuple[Taken, ...]:
        """What was taken in this deal, in order, as far as it is known who took it; statistics count it."""
        return ()

    def costs(self, state: Any, /) -> tuple[Taken, ...]:
        """The cards that cost their owners points, as far as both are known."""
        return self.takes(state)

    # What corrects a device that differs from the table: the order alone, `judge` decides whether it stands.
    # A game that has no such order raises `NotInThisGame`, whose fix says what serves instead.

    def swap(self, seats: tuple[Seat, Seat], /) -> Any:
        """The command that swaps what two seats own in the latest turn. Raises `NotInThisGame`."""
        return Swap(seats)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...], /) -> Any:
        """The command that replaces cards of the latest turn. Raises `UnknownCard`, `NotInThisGame`."""
        raise NotImplementedError

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None, /) -> Any:
        """The order that takes over these stacks, after `turn` finished turns; all else stays as it is.

        With None the number of turns follows from the stacks, or stays. Of a covered stack the last card is
        enough: the cards below it stay. Raises `UnknownCard`, `NotInThisGame`.
        """
        raise NotImplementedError

    def leave(self, seat: Seat, /) -> Any:
        """The command by which a seat leaves. Raises `NotInThisGame`."""
        return Leave(seat)

    def join(self, seat: Seat, /) -> Any:
        """The command by which a seat joins, or returns. Raises `NotInThisGame`."""
        return Join(seat)

    def end_deal(self) -> Any:
        """The command that ends the deal early and scores it as it stands. Raises `NotInThisGame`."""
        return EndDeal()

    def penalty(self, seat: Seat, /) -> Any:
        """The command for a mistake that no card shows; None where nothing costs a penalty."""

    # Cards whose owner nobody knows.

    def without_owner(self, card: str, /) -> Any:
        """The command that leaves a card without owner, where `AskKind.CLAIM` asks for one.

        None where play cannot go on while nobody knows who played a card.
        """

    def unclaimed(self, state: Any, /) -> tuple[tuple[str, int], ...]:
        """The cards of this deal whose owner is not known, each with the points that nobody was charged."""
        return ()

    def claim(self, card: str, seat: Seat, /) -> Any:
        """The command that says later who played such a card."""
        raise NotImplementedError

    # Hands.

    def dealing(self, state: Any, /) -> Dealing:
        """Where the cards of the deal are; `companion.match.dealer` deals those that players hold."""
        return NO_CARDS

    def hand(self, state: Any, seat: Seat, /) -> tuple[str, ...]:
        """The cards that a seat can still play, where its hand is known; empty where it is not."""
        return ()

    def decides(self, state: Any, /) -> bool:
        """Whether the open question is a decision of those who are asked, and not what all have seen."""
        return False

    def may_be_same(self, card: str, other: str, /) -> bool:
        """Whether two names can mean one and the same card, as where one does not say which copy it is."""
        return card == other

    def swapped(self, event: Any, /) -> tuple[Seat, Seat] | None:
        """The seats whose hands are swapped by this event."""

    def only(self, state: Any, ask: Ask, hand: tuple[str, ...], /) -> tuple[str, ...] | None:
        """The honest answers to a question, if they are not all cards of this hand, or all choices."""
