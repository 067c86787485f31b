"""Keeping the score of a game that is played without the referee, 2 to 10 seats, with cards or numbers only.

`lid` is its name and who can play, `rules` what is checked, `box` the cards whose points count,
`table` what is counted and how facts change it, `checks` what of it cannot be, `asking` what is
asked, `judge` and `mending` what is decided (`refusals` says why not), `position` what can be
counted at all, `setup` what can be agreed, `game` the whole, `people` how people count by chance.
"""

from companion.games.scorekeeping.bots import Bots
from companion.games.scorekeeping.box import BGG_ID, CODE, DECK, SEATS, STARTER, TITLE, worth
from companion.games.scorekeeping.game import Score
from companion.games.scorekeeping.position import position_schema
from companion.games.scorekeeping.setup import make, options_schema, questions

__all__ = [
    "BGG_ID",
    "CODE",
    "DECK",
    "SEATS",
    "STARTER",
    "TITLE",
    "Bots",
    "Score",
    "make",
    "options_schema",
    "position_schema",
    "questions",
    "worth",
]
