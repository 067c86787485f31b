"""6 nimmt! by Wolfgang Kramer, 2 to 10 seats, with the known deck and the open draft.

A deal is a `SixTable`: four rows, the piles that were taken, and the cards of the turn that is
being played. A turn goes through three states, and only these fields say which:

1. Cards are being shown (`shown` has fewer cards than there are players). They may come in any
   order and without owners, because all are shown together and a scanner sees no faces.
2. The cards are being placed, from the lowest. `placing.settle` places one card after the other by
   itself until somebody has to be asked: a card below every end needs a row, a card that takes
   cards needs an owner. Nobody is asked for the owner of a card that takes nothing, which is why
   most cards of a match are never anybody's.
3. The turn is finished (`shown` is empty). `placed` keeps it for the display and for corrections.

The next placement is computed from the table alone, so an undo, or a replay of a log, ends in the
same question. What people decided (a row, an owner) is stored as an event of its own; what follows
from the rules is stored too, as `CardPlaced`, so that a log can be read without asking any rule.

A correction does not change placed cards. It goes back to `before`, the table as the newest turn
began, shows the corrected cards, and lets `placing.settle` place them again; a row that was chosen is
asked for again, since another card may be the lowest now.

Hands are known after an open draft, or where they were scanned: then nobody is asked for the owner of a card.
"""

from collections.abc import Mapping
from operator import attrgetter, eq
from typing import Any, ClassVar, Final

from companion.core.cards import Seat, heads, number_label
from companion.core.codec import encode_short
from companion.core.game import CardGame, Hides
from companion.core.ruling import Because, Rule, Swap
from companion.core.score_sheet import EndRules
from companion.games.six import explain, hands, placing, records, rules, table
from companion.games.six import judge as judges
from companion.games.six import options as choices
from companion.games.six import view as views
from companion.games.six.table import SixTable
from companion.games.six.view import read_card
from companion.text.sentence import NOTHING

TITLE: Final = "6 NIMMT!"
CODE: Final = "6N"
BGG_ID: Final = 432
STARTER: Final = NOTHING
SEATS, DECK, worth = choices.SEATS, choices.DECK, choices.worth
questions, options_schema = choices.questions, choices.options_schema


class Six(CardGame):
    """6 nimmt! as it was agreed; what its members are for is said in `companion.core.game.Game`."""

    agreed: choices.Options

    key: ClassVar[str] = "six"
    title: ClassVar[str] = TITLE
    commands: ClassVar[tuple[type[records.Command], ...]] = records.COMMANDS
    events: ClassVar[tuple[type[records.Event], ...]] = records.EVENTS
    rules: ClassVar[Mapping[str, Rule]] = rules.RULES
    hidden: ClassVar[Mapping[str, Hides]] = {}
    hidden_in_events: ClassVar[Mapping[str, Mapping[str, Hides]]] = views.HIDDEN_IN_EVENTS
    tells_hands: ClassVar[tuple[type[records.Event], ...]] = (records.CardRegistered,)
    corrects_finished: ClassVar[tuple[type[records.Command], ...]] = (records.Correct, records.Claim)
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
    why_deal_over = staticmethod(explain.why_deal_over)
    view = staticmethod(views.view)
    board = staticmethod(views.board)
    audit = staticmethod(views.audit)
    dealing = staticmethod(hands.dealing)
    hand = staticmethod(hands.hand_of)
    may_be_same = staticmethod(eq)
    decides = staticmethod(placing.decides)
    swap = staticmethod(Swap)

    def options(self) -> Mapping[str, Any]:
        return encode_short(self.agreed, "deck", "end")

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> SixTable:
        return table.start(self.agreed, seats, players, first)

    def why_starts(self, starter: Seat, finished: SixTable | None) -> tuple[Because, ...]:
        """Who picks first; without the draft, all play at once."""
        return explain.why_starts(starter) if self.agreed.draft else ()

    def without_owner(self, card: str) -> records.Command:
        return records.SkipOwner(read_card(card))

    def unclaimed(self, state: SixTable) -> tuple[tuple[str, int], ...]:
        """The cards of unknown owners that took a row, with the heads of that row."""
        return tuple((str(card), heads(row)) for card, row in state.unclaimed)

    def claim(self, card: str, seat: Seat) -> records.Command:
        return records.Claim(read_card(card), seat)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> records.Command:
        return records.Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int | None) -> records.Command:
        """Take over the rows as they are after `turn` turns; who took which cards stays as it is."""
        return records.Adopt(tuple(tuple(map(read_card, row)) for row in stacks), turn)


def make(seats: int, options: Mapping[str, Any]) -> Six:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Six(choices.read_options(seats, options))
