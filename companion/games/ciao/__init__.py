"""Ciao! by Olivier Finet, 2 to 6 seats, with its special cards and the three steps for young players.

A deal is a `CiaoTable`: a discard pile of which only the top card matters, a draw pile, and hands. People
scan what they play, so the referee knows the number of cards in every hand, but which cards those are
only as far as they were seen (`table`): a card that was given away, taken back, or set up. It refuses
what is impossible from what it knows, and never claims more. A kind exists several times; a name with
a number (`gR#2`) is one copy, a name without a number any of them. Hands that are known completely
are scanned whenever a card has come into them (`legal`).

The table always waits for something: its `Stage`. A turn goes through these:

1. TURN: the player plays a card that is higher than the top card, or draws one. A drawn card leads to
   DRAWN: it may be played at once, or is kept.
2. A card may need a decision: the symbol of a joker (NAME), again or reverse (MODE), who gets a bad card
   (TO, GIVE, THANKS), whose hand is swapped (WITH), a trouble card that goes with it (TROUBLE). A command
   may bring the answers with it; the first one that is missing is asked for. `effects` is written so that
   both ways run through the same functions.
3. A speed challenge leads to RACE: everybody but the challenger may play, and the first card on the pile
   wins. A scanner sees no faces, so where several players can have the card, CLAIM asks whose it was.
4. COUNT, when a hand is empty or the deal was ended: the other hands are scanned, or their points typed.

A +3 is no question: `pending` cards wait for the next player, who draws them or answers.

A wrong card is refused first, because a scan can be an accident. The refusal carries a `penalty`: if the
players say that the card was really played, `judge` makes it a mistake, with three cards and a lost turn.

What follows from a command depends on the command and not only on the table, so there is no general
loop over follow-ups here: an `EventBuilder` (`legal`) collects the events of one command.

A correction goes back to `before`, the table before the latest card, and plays the right card from there.

Five rulings can be agreed otherwise, see `options`.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.core.codec import encode_short
from companion.core.game import Game, Hides
from companion.core.ruling import Rule, not_offered
from companion.core.score_sheet import EndRules
from companion.games.ciao import explain, legal, records, rules, table
from companion.games.ciao import judge as judges
from companion.games.ciao import options as choices
from companion.games.ciao import view as views
from companion.games.ciao.cards import Card, may_be_same
from companion.games.ciao.table import CiaoTable
from companion.games.ciao.view import read_card
from companion.text.sentence import say

TITLE: Final = "CIAO!"
CODE: Final = "CI"
BGG_ID: Final = 0
STARTER: Final = say("THE YOUNGEST BEGINS")
SEATS, DECK, worth = choices.SEATS, choices.DECK, choices.worth
questions, options_schema = choices.questions, choices.options_schema


class Ciao(Game):
    """Ciao! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: choices.Options

    key: ClassVar[str] = "ciao"
    title: ClassVar[str] = TITLE
    commands: ClassVar[tuple[type[records.Command], ...]] = records.COMMANDS
    events: ClassVar[tuple[type[records.Event], ...]] = records.EVENTS
    rules: ClassVar[Mapping[str, Rule]] = rules.RULES
    hidden: ClassVar[Mapping[str, Hides]] = views.HIDDEN
    hidden_in_events: ClassVar[Mapping[str, Mapping[str, Hides]]] = views.HIDDEN_IN_EVENTS
    tells_hands: ClassVar[tuple[type[records.Event], ...]] = (records.CardRegistered,)
    end_rules: ClassVar[EndRules] = explain.END_RULES

    starter = staticmethod(table.starter)
    asks = staticmethod(views.asks)
    card = staticmethod(views.card_in_use)
    label = staticmethod(explain.label)
    named = staticmethod(explain.in_capitals)
    sign = staticmethod(explain.sign)
    judge = staticmethod(judges.judge)
    apply = staticmethod(table.apply)
    why_starts = staticmethod(explain.why_starts)
    view = staticmethod(views.view)
    board = staticmethod(views.board)
    audit = staticmethod(views.audit)
    dealing = staticmethod(legal.dealing)
    swapped = staticmethod(legal.swapped)
    only = staticmethod(legal.only)
    hand = staticmethod(legal.hand_of)
    decides = staticmethod(legal.decides)
    swap = not_offered(
        say("in Ciao! a card belongs to the player whose turn it is"), say("undo, then say who played it")
    )

    def options(self) -> Mapping[str, Any]:
        return encode_short(self.agreed, "end")

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> CiaoTable:
        return table.deal(seats, players, first, self.agreed)

    def read(self, ask: Ask, seat: Seat | None, text: str) -> records.Command:
        return views.read(self.agreed, ask, seat, text)

    def cards(self, state: CiaoTable) -> tuple[str, ...]:
        return state.agreed.kinds()

    def may_be_same(self, one: str, other: str) -> bool:
        """The same kind, and no two different copies; a joker may be called by the symbol it was named."""
        return may_be_same(one.partition("=")[0], other.partition("=")[0])

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> records.Command:
        # A joker on top may be called by its symbol (yJ=P), which `read_card` would take apart.
        gone = tuple(Card(text) if "=" in text else read_card(self.agreed, text)[0] for text in remove)
        return records.Correct(gone, tuple(read_card(self.agreed, text)[0] for text in add))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> records.Command:
        """Set up the top card; hands and turn stay as they are."""
        if not stacks or not stacks[0]:
            return records.Adopt()
        card, name = read_card(self.agreed, stacks[0][-1])
        return records.Adopt(top=card if name is None else f"{card.partition('#')[0]}={name}")


def make(seats: int, options: Mapping[str, Any]) -> Ciao:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Ciao(choices.read_options(seats, options))
