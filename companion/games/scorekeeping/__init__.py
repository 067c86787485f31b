"""Keeping the score of a game that is played without the referee, 2 to 10 seats, with cards or numbers only.

It is a game like the others, so that a match of it is stored, undone and shown like theirs; but
its "deal" is only the counting when a deal of the real game is over. Three ways to count (`Entry`):
points are typed; the cards of everybody are scanned, one pile or hand after the other; or cards are
scanned while they are taken, and a badge says whose they are.

What can be known depends on which cards are left at the end (`Left`). In 6 nimmt! everybody has a
pile, and all other cards lie in the rows: with the rows counted as well, every card of the deck is
somewhere, so a missing card has a name and a typed sum can be checked against the whole deck. In
games that count hands only, most cards stay unknown, and little can be checked.

The checks (`checks`, K1 to K6) never forbid anything: people may close a deal with a fault, and the
fault is stored with it. They see cards and sums, never whose they are.

Cards that were scanned and belong to nobody yet are `loose`. They go to a seat when somebody says
whose they are, or to the rows. A card that was typed may have been read upside down (66 and 99,
68 and 89): then the deal waits until people say which one it is (`CardDoubted`), before anything else.

Nothing follows here without people.
"""

from collections.abc import Mapping
from typing import Any, Final

from companion.games.scorekeeping import options as choices
from companion.games.scorekeeping.counters import Counters as Counters
from companion.games.scorekeeping.game import Score
from companion.text.sentence import NOTHING

CODE: Final = "SC"
BGG_ID: Final = 0
STARTER: Final = NOTHING
TITLE, SEATS, DECK, worth = choices.TITLE, choices.SEATS, choices.DECK, choices.worth
questions, options_schema = choices.questions, choices.options_schema


def make(seats: int, options: Mapping[str, Any]) -> Score:
    """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    return Score(choices.read_options(seats, options))
