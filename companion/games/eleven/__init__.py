"""11 nimmt! by Wolfgang Kramer, 2 to 7 seats.

A deal is an `ElevenTable`: piles, the cards known to be in each hand, and the move in progress. One seat is
asked at a time, and it may answer in several ways: play a card, take a pile, end its move. `game`
therefore gives several questions at once, and the first is the one that people are shown.

What is hidden. Nobody may look into a pile, and the referee never sees a hand. But it follows the
cards: who takes a pile has those cards, and a card that lies open is in no hand. `ElevenTable` has this set
arithmetic: what a hand can hold, and when all of it is known. A card that cannot be in the hand is
refused; a hand that is wholly known is counted by itself at the end of a deal (`play.settle`). Hands can be
scanned when they are dealt: then they are known from the beginning.

A move of cards. The window of a pile (1 to 10 above its top, round the circle from 100 to 1) is that of
its top *before* the move (`ElevenTable.base`), for every card of the move. So a card is not simply put on
top: `play` puts it between the other cards of this move, in the order of the circle (H11-3). How many cards
a move may have depends on the bull cards of the player (`ElevenTable.permits`), and what was needed is
computed when the move ends, from how many cards lie on how many piles.

Taking a pile. Three cards or more give a bull card, from the supply or from a player with most of
them; when several have most, the pile waits (`taking`) until the taker has named one.

A correction replays the newest move: `MoveReopened` goes back to the table before it, and each card of
the move is judged again in order. Cards that were turned up are replaced where they lie.

When somebody has no card left, the hands are counted seat by seat, by scanning, by naming the heads, or
by saying that the rest is known (`counting`).
"""

from collections.abc import Mapping
from typing import Any, Final

from companion.games.eleven import options as choices
from companion.games.eleven.game import Eleven
from companion.text.sentence import say

TITLE: Final = Eleven.title
CODE: Final = "11"
BGG_ID: Final = 0
STARTER: Final = say("THE YOUNGEST BEGINS")
SEATS, DECK, worth = choices.SEATS, choices.DECK, choices.worth
questions, options_schema = choices.questions, choices.options_schema


def make(seats: int, options: Mapping[str, Any]) -> Eleven:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Eleven(choices.read_options(seats, options))
