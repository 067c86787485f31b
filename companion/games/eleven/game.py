"""11 nimmt! as a `Game`: every question is handed to the file that has the answer."""

import operator
from collections.abc import Mapping
from typing import Any, ClassVar

from companion.core.ask import Ask
from companion.core.board import Board
from companion.core.cards import Seat, number_label
from companion.core.game import Hides, Take
from companion.core.ruling import Allowed, Because, EndDeal, Join, Leave, Refused, Rule, not_offered
from companion.core.score_sheet import EndRule, EndRules
from companion.games.eleven import explain, judge, legal, table, view
from companion.games.eleven import view as views
from companion.games.eleven.options import TITLE, Options, read_options
from companion.games.eleven.records import (
    COMMANDS,
    EVENTS,
    Adopt,
    CardRegistered,
    Command,
    Correct,
    Event,
    ForgetHands,
)
from companion.games.eleven.rules import RULES
from companion.games.eleven.table import ElevenTable
from companion.games.eleven.view import read_card
from companion.text.sentence import say
from companion.values import Value


class Eleven(Value):
    """11 nimmt! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: Options

    key: ClassVar[str] = "eleven"
    title: ClassVar[str] = TITLE
    commands: ClassVar[tuple[type[Command], ...]] = COMMANDS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    rules: ClassVar[Mapping[str, Rule]] = RULES
    corrects_finished: ClassVar[tuple[type[Command], ...]] = (Correct,)
    hidden: ClassVar[Mapping[str, Hides]] = views.HIDDEN
    hidden_in_events: ClassVar[Mapping[str, Mapping[str, Hides]]] = views.HIDDEN_IN_EVENTS
    tells_hands: ClassVar[tuple[type[Event], ...]] = (CardRegistered,)

    start = staticmethod(table.start)
    starter = staticmethod(table.starter)
    read = staticmethod(view.read)
    cards = staticmethod(view.cards)
    card = staticmethod(view.card_in_use)
    label = staticmethod(number_label)
    named = staticmethod(number_label)
    apply = staticmethod(table.apply)
    end_rules: ClassVar[EndRules] = explain.END_RULES
    why_starts = staticmethod(explain.why_starts)
    view = staticmethod(views.view)
    audit = staticmethod(views.audit)
    dealing = staticmethod(legal.dealing)
    hand = staticmethod(legal.hand_of)
    decides = staticmethod(legal.decides)
    may_be_same = staticmethod(operator.eq)
    without_hands = staticmethod(ForgetHands)
    leave = staticmethod(Leave)
    join = staticmethod(Join)
    end_deal = staticmethod(EndDeal)
    # Nobody's card is mixed up with another's: the seat whose turn it is plays.
    swap = not_offered(say("in 11 nimmt! there are no owners to swap"), say("undo the move that was wrong"))

    @property
    def end(self) -> EndRule:
        return self.agreed.end

    def options(self) -> Mapping[str, Any]:
        """The options that make this game again."""
        return self.agreed.record()

    def players(self, state: ElevenTable) -> tuple[Seat, ...]:
        return state.players

    def asks(self, state: ElevenTable) -> tuple[Ask, ...]:
        """The open questions; none when the deal is over."""
        return view.asks(state, self.agreed)

    def judge(self, state: ElevenTable, command: Command) -> Allowed[Event] | Refused:
        return judge.judge(state, command, self.agreed)

    def takes(self, state: ElevenTable) -> tuple[Take, ...]:
        """The piles that were taken in this deal."""
        return state.takes

    def points(self, state: ElevenTable) -> tuple[int, ...]:
        """Heads left in the hands, as far as they are counted."""
        return state.points()

    def over(self, state: ElevenTable) -> bool:
        """Whether somebody went out, or the deal was ended, and all hands are counted."""
        return state.over

    def why_deal_over(self, finished: ElevenTable) -> tuple[Because, ...]:
        """Nothing: who went out, or that the deal was ended, is an event with its reason."""
        return ()

    def board(self, state: ElevenTable) -> Board:
        """The piles with what fits them, the numbers of cards and bull cards, and the latest move."""
        return views.board(state, self.agreed)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Command:
        """Replace cards of the latest move."""
        return Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> Command:
        """Take over the piles, after so many moves; the hands and bull cards stay as they were.

        With None, turn and moves stay as well, and what is given of a pile is what lies on top of it.
        """
        if turn is None:
            return Adopt(tops=tuple(tuple(map(read_card, stack)) for stack in stacks if stack))
        piles = {str(number): tuple(map(read_card, stack)) for number, stack in enumerate(stacks)}
        return Adopt(piles, moves=turn)


def make(seats: int, options: Mapping[str, Any]) -> Eleven:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Eleven(read_options(seats, options))
