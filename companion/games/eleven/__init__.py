"""11 nimmt! by Wolfgang Kramer, 2 to 7 seats.

`lid` is what stands on the box, `rules` what the booklet says, `agreed` what can be agreed where
it is silent, `events` and `table` the facts and what lies there, `hands` what can be in a hand,
`laying` what fits where, `playing`, `taking` and `counting` the orders of play, `mending` and
`position` those beside it, `following` what follows by itself, `reasons` why a ruling was made,
`setup` what is settled before a match, `game` who is asked, `people` how players answer by chance.
"""

from companion.games.eleven.bots import Bots
from companion.games.eleven.box import BGG_ID, CODE, DECK, SEATS, STARTER, TITLE, worth
from companion.games.eleven.game import Eleven
from companion.games.eleven.position import position_schema
from companion.games.eleven.setup import make, options_schema, questions

__all__ = [
    "BGG_ID",
    "CODE",
    "DECK",
    "SEATS",
    "STARTER",
    "TITLE",
    "Bots",
    "Eleven",
    "make",
    "options_schema",
    "position_schema",
    "questions",
    "worth",
]
