"""6 nimmt! by Wolfgang Kramer, 2 to 10 seats, with the known deck and the open draft.

`lid` is what stands on the box, `rules` what the booklets say, `table` what lies there and how
facts change it, `position` what can lie on a table at all, `reasons` why a ruling was made,
`game` who is asked, `judge` and `mending` what is decided, `placing` what follows by itself,
`setup` what can be agreed before a match, `people` how players answer by chance.
"""

from companion.games.six.bots import Bots
from companion.games.six.box import BGG_ID, CODE, DECK, SEATS, STARTER, TITLE, worth
from companion.games.six.game import Six
from companion.games.six.position import position_schema
from companion.games.six.setup import make, options_schema, questions

__all__ = [
    "BGG_ID",
    "CODE",
    "DECK",
    "SEATS",
    "STARTER",
    "TITLE",
    "Bots",
    "Six",
    "make",
    "options_schema",
    "position_schema",
    "questions",
    "worth",
]
