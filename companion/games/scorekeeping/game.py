"""Score-keeping as a `Game`: every question is handed to the file that has the answer."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.core.game import Take
from companion.core.ruling import Allowed, Join, Leave, Refused, Rule, not_offered
from companion.core.score_sheet import EndRule, Scoring
from companion.games.scorekeeping import judge, table, view
from companion.games.scorekeeping import view as views
from companion.games.scorekeeping.explain import label
from companion.games.scorekeeping.options import TITLE, Options, read_options
from companion.games.scorekeeping.records import COMMANDS, EVENTS, Close, Command, Correct, Event, Swap
from companion.games.scorekeeping.rules import RULES
from companion.games.scorekeeping.table import NOTHING_YET, CountTable
from companion.text.sentence import Text, say
from companion.values import Value


class Score(Value):
    """The score of a game that is played without the referee, as it was agreed.

    What its members are for is said in `companion.core.game.Game` and `companion.core.game.KeepsScore`.
    """

    agreed: Options

    key: ClassVar[str] = "score"
    commands: ClassVar[tuple[type[Command], ...]] = COMMANDS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    rules: ClassVar[Mapping[str, Rule]] = RULES

    cards = staticmethod(view.cards)
    card = staticmethod(view.card_in_use)
    apply = staticmethod(table.apply)
    asks = staticmethod(view.asks)
    view = staticmethod(views.view)
    board = staticmethod(views.board)
    audit = staticmethod(views.audit)
    leave = staticmethod(Leave)
    join = staticmethod(Join)
    adopt = not_offered(
        say("only the score is kept, so the table is not known"), say("scan the piles, or type the sums")
    )

    @property
    def title(self) -> str:
        """The name that people gave the game, else what is done here."""
        return self.agreed.name or TITLE

    @property
    def end(self) -> EndRule:
        return self.agreed.end

    @property
    def scoring(self) -> Scoring:
        return self.agreed.scoring

    @property
    def box(self) -> str:
        """The game whose cards are scanned."""
        return self.agreed.box.game

    def options(self) -> Mapping[str, Any]:
        """The options that make this game again."""
        return self.agreed.record()

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> CountTable:
        """A new deal, of which nothing is counted."""
        return CountTable(players, self.agreed.box, self.agreed.entry, (NOTHING_YET,) * seats)

    def starter(self, deal: int, first: Seat, finished: CountTable) -> Seat:
        """Nobody has to be named for counting; the seat that was named stays."""
        return first

    def players(self, state: CountTable) -> tuple[Seat, ...]:
        return state.players

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Command:
        return view.read(self.agreed, ask, seat, text)

    def label(self, card: str) -> Text:
        """As the game writes its cards."""
        return label(self.agreed.box, card)

    def named(self, card: str) -> Text:
        """The card in words, as in its game."""
        return self.agreed.box.named(card)

    def judge(self, state: CountTable, command: Command) -> Allowed[Event] | Refused:
        return judge.judge(state, command, self.agreed)

    def takes(self, state: CountTable) -> tuple[Take, ...]:
        """The piles that were counted card by card in this deal."""
        return state.takes

    def points(self, state: CountTable) -> tuple[int, ...]:
        return state.all_points

    def over(self, state: CountTable) -> bool:
        return state.closed

    def swap(self, seats: tuple[Seat, Seat]) -> Command:
        """Swap the scores of two seats in this deal."""
        return Swap(seats)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Command:
        read_card = partial(view.read_card, self.agreed.box)
        return Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def end_deal(self) -> Command:
        """Close the deal as it is counted."""
        return Close(anyway=True)


def make(seats: int, options: Mapping[str, Any]) -> Score:
    """Score-keeping for a number of seats. Raises `InvalidRecord`, naming the option that will not do."""
    return Score(read_options(seats, options))
