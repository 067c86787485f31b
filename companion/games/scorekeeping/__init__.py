"""Keeping the score of a game that is played without the referee, 2 to 10 seats, with cards or numbers only.

It is a game like the others, so that a match of it is stored, undone and shown like theirs; but
its "deal" is only the counting when a deal of the real game is over. Three ways to count (`Entry`):
points are typed; the cards of everybody are scanned, one pile or hand after the other; or cards are
scanned while they are taken, and a badge says whose they are.

What can be known depends on which cards are left at the end (`Left`). In 6 nimmt! everybody has a
pile, and all other cards lie in the rows: with the rows counted as well, every card of the deck is
somewhere, so a missing card has a name and a typed sum can be checked against the whole deck. In
games that count hands only, most cards stay unknown, and little can be checked.

The checks (`legal`, K1 to K6) never forbid anything: people may close a deal with a fault, and the
fault is stored with it. They see cards and sums, never whose they are.

Cards that were scanned and belong to nobody yet are `loose`. They go to a seat when somebody says
whose they are, or to the rows. A card that was typed may have been read upside down (66 and 99,
68 and 89): then the deal waits until people say which one it is (`CardDoubted`), before anything else.

Nothing follows here without people.
"""

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar, Final

from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.core.codec import encode_short
from companion.core.ruling import Join, Leave, Rule, Swap, not_offered
from companion.games.scorekeeping import judge as judges
from companion.games.scorekeeping import options as choices
from companion.games.scorekeeping import records, rules, table
from companion.games.scorekeeping import view as views
from companion.games.scorekeeping.counters import Counters as Counters
from companion.games.scorekeeping.explain import label
from companion.games.scorekeeping.table import NOTHING_YET, CountTable
from companion.text.sentence import NOTHING, Text, say
from companion.values import Value

CODE: Final = "SC"
BGG_ID: Final = 0
STARTER: Final = NOTHING
TITLE: Final = choices.TITLE
SEATS, DECK, worth = choices.SEATS, choices.DECK, choices.worth
questions, options_schema = choices.questions, choices.options_schema


class Score(Value):
    """The score of a game that is played without the referee, as it was agreed.

    What its members are for is said in `companion.core.game.Game` and `companion.core.game.KeepsScore`.
    """

    agreed: choices.Options

    key: ClassVar[str] = "score"
    commands: ClassVar[tuple[type[records.Command], ...]] = records.COMMANDS
    events: ClassVar[tuple[type[records.Event], ...]] = records.EVENTS
    rules: ClassVar[Mapping[str, Rule]] = rules.RULES

    end = property(attrgetter("agreed.end"))
    scoring = property(attrgetter("agreed.scoring"))
    box = property(attrgetter("agreed.box.game"))
    players = staticmethod(attrgetter("players"))
    points = staticmethod(attrgetter("all_points"))
    takes = staticmethod(attrgetter("takes"))
    over = staticmethod(attrgetter("closed"))
    cards = staticmethod(views.cards)
    card = staticmethod(views.card_in_use)
    judge = staticmethod(judges.judge)
    apply = staticmethod(table.apply)
    asks = staticmethod(views.asks)
    view = staticmethod(views.view)
    board = staticmethod(views.board)
    audit = staticmethod(views.audit)
    swap = staticmethod(Swap)
    leave = staticmethod(Leave)
    join = staticmethod(Join)
    adopt = not_offered(
        say("only the score is kept, so the table is not known"), say("scan the piles, or type the sums")
    )

    @property
    def title(self) -> str:
        """The name that people gave the game, else what is done here."""
        return self.agreed.name or TITLE

    def options(self) -> Mapping[str, Any]:
        return encode_short(self.agreed, "of", "entry", "end")

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> CountTable:
        """A new deal; nothing of it is counted yet."""
        return CountTable(self.agreed, players, (NOTHING_YET,) * seats)

    def starter(self, deal: int, first: Seat, finished: CountTable) -> Seat:
        """Nobody has to be named for counting; the seat that was named stays."""
        return first

    def read(self, ask: Ask, seat: Seat | None, text: str) -> records.Command:
        return views.read(self.agreed, ask, seat, text)

    def label(self, card: str) -> Text:
        return label(self.agreed.box, card)

    def named(self, card: str) -> Text:
        return self.agreed.box.named(card)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> records.Command:
        read_card = partial(views.read_card, self.agreed.box)
        return records.Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def end_deal(self) -> records.Command:
        """Close the deal as it is counted."""
        return records.Close(anyway=True)


def make(seats: int, options: Mapping[str, Any]) -> Score:
    """Score-keeping for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Score(choices.read_options(seats, options))
