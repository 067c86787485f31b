"""The referee: cards, rules, rulings, matches.

Standard library only; no clock, no chance, no input or output. A match is a value: an order
makes the next step or a refusal, and the step makes the next match. A turn of 6 nimmt! for two:

>>> import companion
>>> match = companion.begin(companion.Terms("six", seats=2))
>>> def give(text, seat=None):
...     step = match.propose(match.game.read(match.asks[0], seat, text))
...     return match.then(step) if isinstance(step, companion.Step) else step
>>> for card in ("12", "30", "55", "80", "31", "3"):  # four cards begin the rows, then everybody plays one
...     match = give(card)
>>> print(match.asks[0].says)
3 FITS NOWHERE
>>> match = give("2", seat=1)
>>> for rule, reason in match.newest.because:
...     print(rule, reason)
6N-OWNER 3 was played by player 2
6N-4 3 is lower than the end of every row (12, 30, 55, 80): its owner takes row 3
6N-ORDER from the lowest to the highest: 3, 31
6N-4 3 is lower than the end of every row (12, 30, 55, 80): player 2 takes 55 (7 bullheads)
6N-1 3 fits no row: a card must be higher than the end of its row
6N-2 31 goes to row 2: 30 is the closest end below it; row 1 ends at 12, row 3 at 3
>>> print(give("31").fault)
card 31 is already in row 2

Rows and seats count from 0 for programs and from 1 in sentences. What is listed in `__all__` stays;
the modules below may move.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.ask import Answer, Ask, AskKind, Wait
    from companion.board import Audit, Board, Line, Stack
    from companion.cards import Seat
    from companion.errors import CompanionError, InvalidRecord, NotInThisGame, UnknownCard, UnknownGame
    from companion.game import AnyGame, Bots, Game
    from companion.games import register
    from companion.log import from_lines, replay, to_lines
    from companion.match import Match, Step, Terms, begin
    from companion.protocol import Referee
    from companion.ruling import Allowed, Because, Reason, Refused, Rule
    from companion.text import Text

__all__ = [
    "Allowed",
    "Answer",
    "AnyGame",
    "Ask",
    "AskKind",
    "Audit",
    "Because",
    "Board",
    "Bots",
    "CompanionError",
    "Game",
    "InvalidRecord",
    "Line",
    "Match",
    "NotInThisGame",
    "Reason",
    "Referee",
    "Refused",
    "Rule",
    "Seat",
    "Stack",
    "Step",
    "Terms",
    "Text",
    "UnknownCard",
    "UnknownGame",
    "Wait",
    "begin",
    "from_lines",
    "register",
    "replay",
    "to_lines",
]

_HOMES = {
    "ask": ("Answer", "Ask", "AskKind", "Wait"),
    "board": ("Audit", "Board", "Line", "Stack"),
    "cards": ("Seat",),
    "errors": ("CompanionError", "InvalidRecord", "NotInThisGame", "UnknownCard", "UnknownGame"),
    "game": ("AnyGame", "Bots", "Game"),
    "games": ("register",),
    "log": ("from_lines", "replay", "to_lines"),
    "match": ("Match", "Step", "Terms", "begin"),
    "protocol": ("Referee",),
    "ruling": ("Allowed", "Because", "Reason", "Refused", "Rule"),
    "text": ("Text",),
}


def __getattr__(name: str) -> object:
    """A public name, from the module that has it.

    It is imported when it is first asked for: `nimmt --version` needs none of them, and every
    import costs a slow machine milliseconds.
    """
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f"companion.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'companion' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, as editors complete them."""
    return sorted({*globals(), *__all__})
