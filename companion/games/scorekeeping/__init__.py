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
68 and 89): then the deal waits until people say which one it is (`Doubt`), before anything else.

Nothing follows here without people.
"""

from companion.games.scorekeeping.counters import Counters
from companion.games.scorekeeping.game import Score, make
from companion.games.scorekeeping.legal import position_schema
from companion.games.scorekeeping.options import (
    BGG_ID,
    CODE,
    DECK,
    SEATS,
    STARTER,
    TITLE,
    options_schema,
    questions,
    worth,
)

__all__ = [
    "BGG_ID",
    "CODE",
    "DECK",
    "SEATS",
    "STARTER",
    "TITLE",
    "Counters",
    "Score",
    "make",
    "options_schema",
    "position_schema",
    "questions",
    "worth",
]
