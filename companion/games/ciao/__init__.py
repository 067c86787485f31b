"""Ciao! by Olivier Finet, 2 to 6 seats, with its special cards and the three steps for young players.

`lid` is what stands on the box, `rules` what the booklet says and where this house rules,
`agreement` what was agreed, `cards` what is printed on them, `table` what lies there and how
facts (`events`) change it, `position` what can lie there at all.
`judge` decides on orders (`commands`), with `legal` for single cards, `effects` for what a
card leads to, `fouls` for mistakes, `counting` for the end of a deal and `mending` for what is
beside the game. `asking` asks and reads answers, `reasons` says why, `views` shows it,
`setup` is what comes before a match, and `people` play by chance.
"""

from companion.games.ciao.bots import Bots
from companion.games.ciao.box import BGG_ID, CODE, SEATS, STARTER, TITLE
from companion.games.ciao.cards import DECK, worth
from companion.games.ciao.game import Ciao
from companion.games.ciao.position import position_schema
from companion.games.ciao.setup import make, options_schema, questions

__all__ = [
    "BGG_ID",
    "CODE",
    "DECK",
    "SEATS",
    "STARTER",
    "TITLE",
    "Bots",
    "Ciao",
    "make",
    "options_schema",
    "position_schema",
    "questions",
    "worth",
]
