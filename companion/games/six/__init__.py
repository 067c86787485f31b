"""6 nimmt! by Wolfgang Kramer, 2 to 10 seats, with the known deck and the open draft.

`rules` is what the booklets say, `table` what lies there and how facts change it, `reasons`
why a ruling was made, `setup` what can be agreed before a match and what can lie on a table
at all, `game` who is asked and what is decided, `people` how players answer by chance.
"""

from companion.games.six.game import Six
from companion.games.six.people import People
from companion.games.six.setup import (
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
    "Six",
    "make",
    "options_schema",
    "position_schema",
    "questions",
    "worth",
]
