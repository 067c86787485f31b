"""Ciao! by Olivier Finet, 2 to 6 seats, with its special cards and the three steps for young players.

A deal is a `CiaoTable`: a discard pile of which only the top card matters, a draw pile, and hands. People
scan what they play, so the referee knows the number of cards in every hand, but which cards those are
only as far as they were seen (`table`): a card that was given away, taken back, or set up. It refuses
what is impossible from what it knows, and never claims more. A kind exists several times; a name with
a number (`gR#2`) is one copy, a name without a number any of them. Hands that are known completely
are scanned whenever a card has come into them (`hands`).

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
players say that the card was really played, `play.foul` makes it a mistake, with three cards and a lost turn.

What follows from a command depends on the command and not only on the table, so there is no general
loop over follow-ups here: an `EventBuilder` (`effects`) collects the events of one command.

A correction goes back to `before`, the table before the latest card, and plays the right card from there.

Five rulings can be agreed otherwise, see `options`.
"""

from collections.abc import Mapping
from typing import Any, Final

from companion.games.ciao import options as choices
from companion.games.ciao.game import Ciao
from companion.text.sentence import say

TITLE: Final = Ciao.title
CODE: Final = "CI"
BGG_ID: Final = 0
STARTER: Final = say("THE YOUNGEST BEGINS")
SEATS, DECK, worth = choices.SEATS, choices.DECK, choices.worth
questions, options_schema = choices.questions, choices.options_schema


def make(seats: int, options: Mapping[str, Any]) -> Ciao:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Ciao(choices.read_options(seats, options))
