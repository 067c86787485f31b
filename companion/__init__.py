"""The referee: cards, rules, rulings, matches.

It needs msgspec and the standard library: no clock, no chance, no input or output. A match is a value:
`play` gives the match after an answer, or the reason why it is refused. A turn of 6 nimmt! for two:

>>> import companion
>>> match = companion.begin(companion.Terms("six", seats=2))
>>> for card in ("12", "30", "55", "80", "31", "3"):  # four cards begin the rows, then everybody plays one
...     match = match.play(card)
>>> print(match.asks[0].says)
3 FITS NOWHERE
>>> match = match.play("2", seat=1)  # the third row, and who takes it
>>> for rule, reason in match.newest.because:
...     print(rule, reason)
6N-OWNER 3 was played by player 2
6N-4 3 is lower than the end of every row (12, 30, 55, 80): its owner takes row 3
6N-ORDER from the lowest to the highest: 3, 31
6N-4 3 is lower than the end of every row (12, 30, 55, 80): player 2 takes 55 (7 bullheads)
6N-1 3 fits no row: a card must be higher than the end of its row
6N-2 31 goes to row 2: 30 is the closest end below it; row 1 ends at 12, row 3 at 3
>>> print(match.play("31").fault)
card 31 is already in row 2

Rows and seats count from 0 for programs and from 1 in sentences. What is listed in `__all__` stays;
the modules below may move.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.ask import Answer, Ask, AskKind, Wait
    from companion.core.board import Audit, Board, PlacedCard, Stack
    from companion.core.cards import Seat
    from companion.core.game import Game
    from companion.core.games import register
    from companion.core.ruling import Allowed, Because, Reason, Refused, Rule
    from companion.match.dealer import Dealer
    from companion.match.log import from_lines, replay, to_lines
    from companion.match.match import Match, Step, Terms, begin
    from companion.protocol.referee import Referee
    from companion.text.errors import CompanionError, InvalidRecord, NotInThisGame, UnknownCard, UnknownGame
    from companion.text.sentence import Text

__all__ = [
    "Allowed",
    "Answer",
    "Ask",
    "AskKind",
    "Audit",
    "Because",
    "Board",
    "CompanionError",
    "Dealer",
    "Game",
    "InvalidRecord",
    "Match",
    "NotInThisGame",
    "PlacedCard",
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
    "core.ask": ("Answer", "Ask", "AskKind", "Wait"),
    "core.board": ("Audit", "Board", "PlacedCard", "Stack"),
    "core.cards": ("Seat",),
    "text.errors": ("CompanionError", "InvalidRecord", "NotInThisGame", "UnknownCard", "UnknownGame"),
    "core.game": ("Game",),
    "core.games": ("register",),
    "match.dealer": ("Dealer",),
    "match.log": ("from_lines", "replay", "to_lines"),
    "match.match": ("Match", "Step", "Terms", "begin"),
    "protocol.referee": ("Referee",),
    "core.ruling": ("Allowed", "Because", "Reason", "Refused", "Rule"),
    "text.sentence": ("Text",),
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
