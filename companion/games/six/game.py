"""6 nimmt! as a `Game`: every question is handed to the file that has the answer."""

import operator
from collections.abc import Mapping
from typing import Any, ClassVar

from companion.core.ask import Ask
from companion.core.cards import Seat, heads, number_label
from companion.core.game import Dealing, Hides, Take
from companion.core.ruling import Allowed, Because, EndDeal, Join, Leave, Refused, Rule
from companion.core.score_sheet import EndRule, EndRules
from companion.games.six import explain, judge, legal, table, view
from companion.games.six import view as views
from companion.games.six.legal import drafting
from companion.games.six.options import TITLE, Options, read_options
from companion.games.six.records import (
    COMMANDS,
    EVENTS,
    Adopt,
    CardRegistered,
    Claim,
    Command,
    Correct,
    Event,
    ForgetHands,
    SkipOwner,
    Swap,
)
from companion.games.six.rules import RULES
from companion.games.six.table import SixTable
from companion.games.six.view import read_card
from companion.values import Value


class Six(Value):
    """6 nimmt! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: Options

    key: ClassVar[str] = "six"
    title: ClassVar[str] = TITLE
    commands: ClassVar[tuple[type[Command], ...]] = COMMANDS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    rules: ClassVar[Mapping[str, Rule]] = RULES
    hidden: ClassVar[Mapping[str, Hides]] = {}
    hidden_in_events: ClassVar[Mapping[str, Mapping[str, Hides]]] = views.HIDDEN_IN_EVENTS
    tells_hands: ClassVar[tuple[type[Event], ...]] = (CardRegistered,)
    corrects_finished: ClassVar[tuple[type[Command], ...]] = (Correct, Claim)

    starter = staticmethod(table.starter)
    read = staticmethod(view.read)
    cards = staticmethod(view.cards)
    card = staticmethod(view.card_in_use)
    label = staticmethod(number_label)
    named = staticmethod(number_label)
    apply = staticmethod(table.apply)
    end_rules: ClassVar[EndRules] = explain.END_RULES
    why_deal_over = staticmethod(explain.why_deal_over)
    view = staticmethod(views.view)
    board = staticmethod(views.board)
    audit = staticmethod(views.audit)
    hand = staticmethod(legal.hand_of)
    decides = staticmethod(legal.decides)
    may_be_same = staticmethod(operator.eq)
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

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> SixTable:
        """A new deal, before the rows are laid out."""
        return SixTable(players, self.agreed.highest(len(players)), first, ((),) * seats)

    def players(self, state: SixTable) -> tuple[Seat, ...]:
        return state.players

    def asks(self, state: SixTable) -> tuple[Ask, ...]:
        """The question that is open; none when the deal is over."""
        registered = self.agreed.registered(state.players)
        return view.asks(state, draft=self.agreed.draft, registered=registered)

    def dealing(self, state: SixTable) -> Dealing:
        return legal.dealing(state, drafting=drafting(state, draft=self.agreed.draft))

    def judge(self, state: SixTable, command: Command) -> Allowed[Event] | Refused:
        registered = self.agreed.registered(state.players)
        return judge.judge(state, command, draft=self.agreed.draft, registered=registered)

    def takes(self, state: SixTable) -> tuple[Take, ...]:
        """The rows that were taken in this deal."""
        return state.takes

    def points(self, state: SixTable) -> tuple[int, ...]:
        """Heads taken in this deal so far."""
        return state.points()

    def over(self, state: SixTable) -> bool:
        """Whether ten turns are placed, or the deal was ended."""
        return state.over

    def why_starts(self, starter: Seat, finished: SixTable | None) -> tuple[Because, ...]:
        """Who picks first; without the draft, all play at once."""
        return explain.why_starts(starter) if self.agreed.draft else ()

    def swap(self, seats: tuple[Seat, Seat]) -> Command:
        """Swap the owners of the latest turn."""
        return Swap(seats)

    def without_owner(self, card: str) -> Command:
        """Play on although nobody knows who played a card."""
        return SkipOwner(read_card(card))

    def unclaimed(self, state: SixTable) -> tuple[tuple[str, int], ...]:
        """The cards that took a row of which nobody knows the owner, with the heads of that row."""
        return tuple((str(card), heads(row)) for card, row in state.unclaimed)

    def claim(self, card: str, seat: Seat) -> Command:
        """Say later who played such a card."""
        return Claim(read_card(card), seat)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Command:
        """Replace cards of the latest turn."""
        return Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> Command:
        """Take over the rows, after so many turns; who took which cards stays as it is."""
        return Adopt(tuple(tuple(map(read_card, row)) for row in stacks), turn)


def make(seats: int, options: Mapping[str, Any]) -> Six:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Six(read_options(seats, options))
