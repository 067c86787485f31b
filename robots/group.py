"""Robots of one level each at a match of any game, as scripted players: they hold the cards and answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.errors import CompanionError
from robots import levels
from robots.levels import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Bots, RandomSource

GAMES = {"six": tuple(Level), "eleven": (Level.EASY, Level.NORMAL), "ciao": (Level.EASY, Level.NORMAL)}
"""The games that robots play, and on which levels."""


def group(game: str, of: Sequence[Level], rng: RandomSource) -> Bots[Any]:
    """Robots for a match of this game, one for each player in the order of seats.

    Raises `CompanionError` for a game or a level that they do not play, and where numpy is missing.
    """
    for level in of:
        if level not in GAMES.get(game, ()):
            raise not_played(game, level)
    if game == "six":
        from robots.six.group import Group

        return Group([levels.six(level, seed) for seed, level in enumerate(of)], rng)
    from robots import ciao, eleven
    from robots.steered import Steered

    choose = eleven.choose if game == "eleven" else ciao.choose
    return Steered(games.module(game).Bots, of, rng, choose)


def not_played(game: str, level: Level) -> CompanionError:
    """The error of a game, or a level of it, that no robot plays."""
    known = GAMES.get(game, ())
    usable = ", ".join(one.value for one in known)
    return CompanionError(
        f"no {level.value} robot plays {games.module(game).TITLE}",
        f"choose one of the levels {usable}" if known else "let it be played by chance",
    )
