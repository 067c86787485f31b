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

from companion.games.eleven.game import Eleven, make
from companion.games.eleven.options import (
    BGG_ID,
    CODE,
    DECK,
    SEATS,
    STARTER,
    TITLE,
    options_schema,
    questions,
    with_hands,
    worth,
)
from companion.games.eleven.position import position_schema

__all__ = [
    "BGG_ID",
    "CODE",
    "DECK",
    "SEATS",
    "STARTER",
    "TITLE",
    "Eleven",
    "make",
    "options_schema",
    "position_schema",
    "questions",
    "with_hands",
    "worth",
]
