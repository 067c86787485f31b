"""The cards of a game: their codes, what people call them, and where those of a match can be.

Codes are those that a deck is taught with: of copies that look alike that of the first. Which copy a card is,
nobody sees: it is the first one that can come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from companion.core import games
from companion.core.ask import Ask, AskKind, Gives
from companion.core.codes import card_code
from companion.match.match import Match
from companion.values import Value
from firmware.extensions.camera.rows import Rows
from firmware.text.translation import Translator

_FROM_HANDS: Final = (AskKind.PLAY, AskKind.RACE, AskKind.GIVE)


def kind_of(card: str) -> str:
    """What the copies of a card have in common, given the name of one in `GameModule.DECK`."""
    return card.partition("#")[0]


@lru_cache(maxsize=8)
def codes(game: str, box: int = 1) -> dict[str, str]:
    """The code with which a deck of a game is taught, by the name of each card."""
    module = games.module(game)
    first: dict[str, str] = {}
    return {
        name: first.setdefault(kind_of(name), card_code(module.CODE, number, box))
        for number, name in enumerate(module.DECK, 1)
    }


def different(game: str, box: int = 1) -> tuple[str, ...]:
    """The codes of the cards of a game that look different, in the order of the deck."""
    return tuple(dict.fromkeys(codes(game, box).values()))


def own_code(game: str, card: str, box: int = 1) -> str:
    """The code on the label of this very copy."""
    module = games.module(game)
    return card_code(module.CODE, module.DECK.index(card) + 1, box)


def label(code: str, game: str, box: int, t: Translator) -> str:
    """What people call the card with this code; the code itself where the game has no such card."""
    module = games.module(game)
    name = next((name for name, known in codes(game, box).items() if known == code), "")
    if not name:
        return code
    return t.say(module.make(module.SEATS[0], {}).label(name))


def shown(cards: Sequence[str], game: str, box: int, t: Translator) -> str:
    """Cards in a line: numbers that follow each other as the first and the last."""
    runs = list[list[str]]()
    for name in (label(code, game, box, t) for code in cards):
        if runs and name.isdecimal() and runs[-1][-1].isdecimal() and int(name) == int(runs[-1][-1]) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    return " ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs)  # noqa: PLR2004


class InPlay(Value):
    """The cards of a match, by name."""

    come: tuple[str, ...] = ()
    """What can be laid now, in the order of the deck."""
    lie: frozenset[str] = frozenset()
    """What can be seen on the table: that, and what lies there."""

    @classmethod
    def of(cls, match: Match, kept: Iterable[str] = ()) -> InPlay:
        """What is in play in a match; `kept` are cards that were laid, and wait for an answer."""
        if not match.asks or not match.box:
            return cls()
        table, game = match.position.table, match.game
        dealing = game.dealing(table)
        deck = dealing.deck or games.module(match.box).DECK
        laid = {*kept, *match.board.placing, *(card for ask in match.asks for card in ask.have)}
        seen = {card for stack in match.board.stacks for card in stack.cards} | laid
        out = laid | set(dealing.out) if dealing.deck else seen
        come = tuple([card for card in deck if card not in out])
        return cls(come, frozenset(come) | seen | {line.card for line in match.board.newest})

    def copy_of(self, card: str, taken: Collection[str] = ()) -> str | None:
        """The first copy of a card that can come and is not `taken`; None where none can."""
        kind = kind_of(card)
        return next((other for other in self.come if kind_of(other) == kind and other not in taken), None)


def rows_of(match: Match, by_name: Mapping[str, str]) -> Rows:
    """The rows and piles of a match, given the code of each card."""
    rows = [stack.cards[0 if stack.room else -1 :] for stack in match.board.stacks]
    copies = {code for code, count in Counter(by_name.values()).items() if count > 1}
    moved = frozenset(by_name[line.card] for line in match.board.newest if line.card in by_name)
    return Rows(tuple(tuple(by_name[card] for card in row) for row in rows), frozenset(copies), moved)


def asked(match: Match) -> Ask | None:
    """The open question that a card answers."""
    return next((ask for ask in match.asks if ask.kind.gives is Gives.CARD), None)


def in_no_hand(card: str, match: Match) -> bool:
    """Whether a card must come from a hand, all hands are known, and it is in none of them."""
    ask = asked(match)
    if ask is None or ask.kind not in _FROM_HANDS:
        return False
    dealing = match.game.dealing(match.position.table)
    if not dealing.deck:
        return False
    whole = all(len(dealing.known[seat]) == dealing.sizes[seat] for seat in ask.seats)
    hands: set[Any] = {kind_of(held) for seat in ask.seats for held in dealing.known[seat]}
    return whole and bool(hands) and kind_of(card) not in hands
