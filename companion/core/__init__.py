"""What every game is made of: cards, questions, boards, rulings, score sheets, and the list of the games.

`game` says what a game has to offer (`Game`), `games` which games there are. A game asks and people
answer (`ask`); the answer is judged: `ruling` says that it is allowed or refused, and why. `codec`
writes commands and events as JSON. A match, which strings all of that together, is in `companion.match`.
"""
