"""Which games exist: one line each. A game is imported when it is first played.

A game that is installed elsewhere is added by `register`; from then on nothing tells it from the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.text.errors import UnknownGame, did_you_mean, quoted

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.core.options import Question
    from companion.text.sentence import Text

GAMES: Final[dict[str, str]] = {
    "six": "companion.games.six",
    "eleven": "companion.games.eleven",
    "ciao": "companion.games.ciao",
    "score": "companion.games.scorekeeping",
}


class GameModule(Protocol):
    """What the package of a game offers at its top. `lacking` says what of it a module has not."""

    TITLE: str
    """The name on the box."""

    SEATS: range
    """How many can play."""

    CODE: str
    """The two characters that begin the codes on its cards."""

    BGG_ID: int
    """The number of the game at boardgamegeek.com; 0 where nobody has checked it."""

    DECK: tuple[str, ...]
    """Every card in the box by the number in its code, from 1: `DECK[0]` has the number 1.

    Where a card is there several times, each copy has its own name, such as `gR#2`.
    """

    STARTER: Text
    """Who starts, as a text of up to 21 columns; `NOTHING` if the game has no starter."""

    def make(self, seats: int, options: Mapping[str, Any]) -> Game:
        """The game for a number of seats. Raises `InvalidRecord`, naming the invalid option."""

    def worth(self, card: str) -> int:
        """The points of a card of `DECK` for the player left with it, unless the players agreed otherwise."""

    def questions(self, seats: int) -> tuple[Question, ...]:
        """What to settle before a match."""

    def options_schema(self) -> dict[str, Any]:
        """The JSON Schema of its options."""


def with_hands(game: str, seats: Sequence[int]) -> Mapping[str, Any] | None:
    """The options by which the hands of these seats are known to the referee and to nobody else.

    They are scanned when they are dealt. None where the game has no option `hands`.
    """
    return {"hands": list(seats)} if "hands" in module(game).options_schema()["properties"] else None


_KINDS: Final[dict[str, type]] = {"TITLE": str, "SEATS": range, "CODE": str, "BGG_ID": int, "DECK": tuple}
_CALLED: Final = ("make", "worth", "questions", "options_schema")


def lacking(module: object) -> tuple[str, ...]:
    """What a module has not, or has as something else, of all that `GameModule` promises."""
    from companion.text.sentence import Text  # a start does not wait for it

    kinds = (
        name
        for name, kind in {**_KINDS, "STARTER": Text}.items()
        if not isinstance(getattr(module, name, None), kind)
    )
    return (*kinds, *(name for name in _CALLED if not callable(getattr(module, name, None))))


def register(key: str, name: str) -> None:
    """Add a game: `key` is its name in options, logs and the protocol, `name` the module of its package.

    It is listed behind those that are there. Raises `ValueError` if a game has this key already.
    """
    if key in GAMES:
        raise ValueError(key)
    GAMES[key] = name


def module(key: str) -> GameModule:
    """The game named `key`. Raises `UnknownGame`."""
    if key not in GAMES:
        from companion.text.sentence import say  # only who has mistyped waits for it

        raise UnknownGame(say("there is no game {key} here", key=quoted(key)), did_you_mean(key, GAMES))
    found: Any = _imported(GAMES[key])
    return found  # type: ignore[no-any-return] # a module is checked against the protocol by the tests


@cache  # asked for several times a card
def _imported(name: str) -> object:
    return import_module(name)


def lesson_file(key: str) -> Any:  # noqa: ANN401 - a module, or None
    """The file `lesson` of a game (see `companion.match.lesson`); None where the game has none."""
    module(key)
    name = f"{GAMES[key]}.lesson"
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None


def first() -> str:
    """The game that is played by default."""
    return next(iter(GAMES))
