"""6 nimmt! by Wolfgang Kramer, 2 to 10 seats, with the known deck and the open draft.

A deal is a `SixTable`: four rows, the piles that were taken, and the cards of the turn that is
being played. A turn goes through three states, and only these fields say which:

1. Cards are being shown (`shown` has fewer cards than there are players). They may come in any
   order and without owners, because all are shown together and a scanner sees no faces.
2. The cards are being placed, from the lowest. `play.settle` places one card after the other by
   itself until somebody has to be asked: a card below every end needs a row, a card that takes
   cards needs an owner. Nobody is asked for the owner of a card that takes nothing, which is why
   most cards of a match are never anybody's.
3. The turn is finished (`shown` is empty). `placed` keeps it for the display and for corrections.

The next placement is computed from the table alone, so an undo, or a replay of a log, ends in the
same question. What people decided (a row, an owner) is stored as an event of its own; what follows
from the rules is stored too, as `CardPlaced`, so that a log can be read without asking any rule.

A correction does not change placed cards. It goes back to `before`, the table as the newest turn
began, shows the corrected cards, and lets `play.settle` place them again; a row that was chosen is
asked for again, since another card may be the lowest now.

Hands are known after an open draft, or where they were scanned: then nobody is asked for the owner of a card.
"""

from collections.abc import Mapping
from typing import Any, Final

from companion.games.six import options as choices
from companion.games.six.game import Six
from companion.text.sentence import NOTHING

TITLE: Final = Six.title
CODE: Final = "6N"
BGG_ID: Final = 432
STARTER: Final = NOTHING
SEATS, DECK, worth = choices.SEATS, choices.DECK, choices.worth
questions, options_schema = choices.questions, choices.options_schema


def make(seats: int, options: Mapping[str, Any]) -> Six:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Six(choices.read_options(seats, options))
