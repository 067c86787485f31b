"""11 nimmt! by Wolfgang Kramer, 2 to 7 seats.

A deal is an `ElevenTable`: piles, the cards known to be in each hand, and the move in progress. One seat is
asked at a time, and it may answer in several ways: play a card, take a pile, end its move. `view`
therefore gives several questions at once, and the first is the one that people are shown.

What is hidden. Nobody may look into a pile, and the referee never sees a hand. But it follows the
cards: who takes a pile has those cards, and a card that lies open is in no hand. `legal` has this set
arithmetic: what a hand can hold, and when all of it is known. A card that cannot be in the hand is
refused; a hand that is wholly known is counted by itself at the end of a deal (`moves`). Hands can be
scanned when they are dealt (`legal`): then they are known from the beginning.

A move of cards. The window of a pile (1 to 10 above its top, round the circle from 100 to 1) is that of
its top *before* the move, for every card of the move. So a card is not simply put on top: `moves` puts
it between the other cards of this move, in the order of the circle (H11-3). How many cards a move may
have depends on the bull cards of the player (`legal.permitted`), and what was needed is computed when
the move ends, from how many cards lie on how many piles.

Taking a pile. Three cards or more give a bull card, from the supply or from a player with most of
them; when several have most, the pile waits (`taking`) until the taker has named one.

A correction replays the newest move: `MoveReopened` goes back to the table before it, and each card of
the move is judged again in order. Cards that were turned up are replaced where they lie.

When somebody has no card left, the hands are counted seat by seat, by scanning, by naming the heads, or
by saying that the rest is known (`counting`).
"""

from collections.abc import Mapping
from operator import attrgetter, eq
from typing import Any, ClassVar, Final

from companion.core.cards import Seat, number_label
from companion.core.codec import encode_short
from companion.core.game import CardGame, Hides
from companion.core.ruling import Rule, not_offered
from companion.core.score_sheet import EndRules
from companion.games.eleven import explain, legal, records, rules, table
from companion.games.eleven import judge as judges
from companion.games.eleven import options as choices
from companion.games.eleven import view as views
from companion.games.eleven.table import ElevenTable
from companion.games.eleven.view import read_card
from companion.text.sentence import say

TITLE: Final = "11 NIMMT!"
CODE: Final = "11"
BGG_ID: Final = 0
STARTER: Final = say("THE YOUNGEST BEGINS")
SEATS, DECK, worth = choices.SEATS, choices.DECK, choices.worth
questions, options_schema = choices.questions, choices.options_schema


class Eleven(CardGame):
    """11 nimmt! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: choices.Options

    key: ClassVar[str] = "eleven"
    title: ClassVar[str] = TITLE
    commands: ClassVar[tuple[type[records.Command], ...]] = records.COMMANDS
    events: ClassVar[tuple[type[records.Event], ...]] = records.EVENTS
    rules: ClassVar[Mapping[str, Rule]] = rules.RULES
    corrects_finished: ClassVar[tuple[type[records.Command], ...]] = (records.Correct,)
    hidden: ClassVar[Mapping[str, Hides]] = views.HIDDEN
    hidden_in_events: ClassVar[Mapping[str, Mapping[str, Hides]]] = views.HIDDEN_IN_EVENTS
    tells_hands: ClassVar[tuple[type[records.Event], ...]] = (records.CardRegistered,)
    end_rules: ClassVar[EndRules] = explain.END_RULES

    takes = staticmethod(attrgetter("takes"))
    starter = staticmethod(table.starter)
    asks = staticmethod(views.asks)
    read = staticmethod(views.read)
    cards = staticmethod(views.cards)
    card = staticmethod(views.card_in_use)
    label = staticmethod(number_label)
    named = staticmethod(number_label)
    judge = staticmethod(judges.judge)
    apply = staticmethod(table.apply)
    why_starts = staticmethod(explain.why_starts)
    view = staticmethod(views.view)
    board = staticmethod(views.board)
    audit = staticmethod(views.audit)
    dealing = staticmethod(legal.dealing)
    hand = staticmethod(legal.hand_of)
    may_be_same = staticmethod(eq)
    decides = staticmethod(legal.decides)
    # Nobody's card is mixed up with another's: the seat whose turn it is plays.
    swap = not_offered(say("in 11 nimmt! there are no owners to swap"), say("undo the move that was wrong"))

    def options(self) -> Mapping[str, Any]:
        return encode_short(self.agreed, "deals")

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> ElevenTable:
        return table.start(self.agreed, seats, players, first)

    def show(self, card: str) -> records.Command:
        return records.ShowCard(read_card(card))

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> records.Command:
        return records.Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> records.Command:
        """Take over the piles as they are after `turn` moves; hands and bull cards stay as they were.

        With None, turn and moves stay as well, and what is given of a pile is what lies on top of it.
        """
        if turn is None:
            return records.Adopt(tops=tuple(tuple(map(read_card, stack)) for stack in stacks if stack))
        piles = {str(number): tuple(map(read_card, stack)) for number, stack in enumerate(stacks)}
        return records.Adopt(piles, moves=turn)


def make(seats: int, options: Mapping[str, Any]) -> Eleven:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Eleven(choices.read_options(seats, options))
