"""Keeping the score of a game that is played without the referee, 2 to 10 seats, with cards or numbers only.

`rules` is what is checked, `box` the cards whose points count, `table` what is counted and how
facts change it, `checks` what of it cannot be, `asking` what is asked, `judge` and `mending` what
is decided (`refusals` says why not), `setup` what can be agreed, `game` the whole, `people` how
people count by chance.
"""

from companion.games.score.game import Score
from companion.games.score.people import People
from companion.games.score.setup import (
    BGG_ID,
    CODE,
    DECK,
    SEATS,
    STARTER,
    TITLE,
    make,
    options_schema,
    position_schema,
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
    "People",
    "Score",
    "make",
    "options_schema",
    "position_schema",
    "questions",
    "worth",
]
