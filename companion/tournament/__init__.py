"""A tournament: who sits where, what results are worth, who has won. Pure functions over a log of acts.

Theory of operation
-------------------
A tournament is its log, as a match is. An `Entry` says what the director, a box or a player did (`acts`); the
`Tournament` is the fold of the entries (`course`). `after` refuses an act that does not fit and changes
nothing then. A correction is an act with its reason: it replaces a result, and the first result stays in the
log.

*Chance is published.* All lots follow from one seed that is told before the first round (`seating.Lots`). The
same players, results and seed give the same seating on every machine, so everybody can draw it again.

*Seating* (`seating`) takes tables of four, with three or five players where the number needs it
(`table_sizes`), so that nobody sits out. It makes the sum of the squared meetings of all pairs as small as it
can; in Swiss rounds players of like score sit together as far as that allows.

*Points* (`standing`) are given by place at the table; players with the same heads share them. The order of
all players (`standing`) is by points, then relative heads, then heads, then lot.

*The same deals at all tables* (`deals`): the cards of every hand follow from the seed, and what was played
can be compared with them.

Nothing here knows a broker, a database or a page. It imports the referee's texts and errors, and nothing
else.
"""
