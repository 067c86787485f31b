"""Ciao! as a `Game`: every question is handed to the file that has the answer."""

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.core.game import Hides
from companion.core.ruling import Because, EndDeal, Join, Leave, Rule, not_offered
from companion.core.score_sheet import EndRule, EndRules
from companion.games.ciao import explain, judge, legal, table, view
from companion.games.ciao import view as views
from companion.games.ciao.cards import Card, may_be_same
from companion.games.ciao.options import TITLE, Options, read_options
from companion.games.ciao.records import (
    COMMANDS,
    EVENTS,
    Adopt,
    CardRegistered,
    Command,
    Correct,
    Event,
    ForgetHands,
)
from companion.games.ciao.rules import RULES
from companion.games.ciao.table import CiaoTable
from companion.games.ciao.view import read_card
from companion.text.sentence import say
from companion.values import Value


class Ciao(Value):
    """Ciao! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: Options

    key: ClassVar[str] = "ciao"
    title: ClassVar[str] = TITLE
    commands: ClassVar[tuple[type[Command], ...]] = COMMANDS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    rules: ClassVar[Mapping[str, Rule]] = RULES
    hidden: ClassVar[Mapping[str, Hides]] = views.HIDDEN
    hidden_in_events: ClassVar[Mapping[str, Mapping[str, Hides]]] = views.HIDDEN_IN_EVENTS
    tells_hands: ClassVar[tuple[type[Event], ...]] = (CardRegistered,)

    starter = staticmethod(table.starter)
    asks = staticmethod(view.asks)
    label = staticmethod(explain.label)
    named = staticmethod(explain.in_capitals)
    judge = staticmethod(judge.judge)
    apply = staticmethod(table.apply)
    end_rules: ClassVar[EndRules] = explain.END_RULES
    why_starts = staticmethod(explain.why_starts)
    view = staticmethod(views.view)
    board = staticmethod(views.board)
    audit = staticmethod(views.audit)
    swap = not_offered(
        say("in Ciao! a card belongs to the player whose turn it is"), say("undo, then say who played it")
    )
    dealing = staticmethod(legal.dealing)
    swapped = staticmethod(legal.swapped)
    only = staticmethod(legal.only)
    hand = staticmethod(legal.hand_of)
    decides = staticmethod(legal.decides)
    without_hands = staticmethod(ForgetHands)
    leave = staticmethod(Leave)
    join = staticmethod(Join)
    end_deal = staticmethod(EndDeal)

    @property
    def end(self) -> EndRule:
        return self.agreed.end

    def options(self) -> Mapping[str, Any]:
        """The options that make this game again."""
        return self.agreed.record()

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> CiaoTable:
        """A new deal, seven cards each."""
        return table.deal(seats, players, first, self.agreed)

    def players(self, state: CiaoTable) -> tuple[Seat, ...]:
        return state.players

    def why_deal_over(self, finished: CiaoTable) -> tuple[Because, ...]:
        """Nothing: who won, or that the deal was ended, is an event with its reason."""
        return ()

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Command:
        return view.read(self.agreed, ask, seat, text)

    def cards(self, state: CiaoTable) -> tuple[str, ...]:
        return state.agreed.kinds()

    def card(self, state: CiaoTable, text: str) -> str:
        """A card of the box; a joker on top is known by the symbol it was named."""
        return view.card_in_use(self.agreed, state, text)

    def may_be_same(self, one: str, other: str) -> bool:
        """The same kind, and no two different copies; a joker may be called by the symbol it was named."""
        return may_be_same(one.partition("=")[0], other.partition("=")[0])

    def points(self, state: CiaoTable) -> tuple[int, ...]:
        """The points of the hands that are counted."""
        return state.points()

    def over(self, state: CiaoTable) -> bool:
        """Whether the deal has ended and every hand is counted."""
        return state.over

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Command:
        # A joker on top may be called by its symbol (yJ=P), which `read_card` would take apart.
        gone = tuple(Card(text) if "=" in text else read_card(self.agreed, text)[0] for text in remove)
        return Correct(gone, tuple(read_card(self.agreed, text)[0] for text in add))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> Command:
        """Set up the top card; hands and turn stay as they are."""
        if not stacks or not stacks[0]:
            return Adopt()
        card, name = read_card(self.agreed, stacks[0][-1])
        return Adopt(top=card if name is None else f"{card.partition('#')[0]}={name}")


def make(seats: int, options: Mapping[str, Any]) -> Ciao:
    """The game for a number of seats. Raises `InvalidRecord`, naming the option that will not do."""
    return Ciao(read_options(seats, options))
