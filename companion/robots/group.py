"""Robots of one level each at a match of any game, as scripted players: they hold the cards and answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core import games
from companion.robots import levels
from companion.robots.levels import THINK_S, Level
from companion.text.errors import CompanionError
from companion.text.sentence import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.game import Bots, RandomSource

GAMES: Final = dict.fromkeys(("six", "eleven", "ciao"), tuple(Level))
"""The games that robots play, and on which levels."""


def group(
    game: str,
    of: Sequence[Level],
    rng: RandomSource,
    clock: Callable[[], float] | None = None,
    think_s: float = THINK_S,
) -> Bots[Any]:
    """Robots for a match of this game, one for each player in the order of seats.

    Each thinks for `think_s` seconds of `clock`, or as long as it likes. Raises `CompanionError` for a game
    or a level that they do not play, and where numpy is missing.
    """
    for level in of:
        check(game, level)
    seeds = enumerate(of)
    match game:
        case "six":
            from companion.robots.six.group import Group

            return Group([levels.six(level, seed, clock, think_s) for seed, level in seeds], rng)
        case "eleven":
            from companion.robots.eleven.group import Group as ElevenGroup

            return ElevenGroup([levels.eleven(level, seed, clock, think_s) for seed, level in seeds], rng)
        case _:
            from companion.robots.ciao.group import Group as CiaoGroup

            return CiaoGroup([levels.ciao(level, seed, clock, think_s) for seed, level in seeds], rng)


def check(game: str, level: Level) -> None:
    """Raises `CompanionError` where no robot of this level can play this game here."""
    known, title = GAMES.get(game, ()), games.module(game).TITLE
    if not known:
        raise CompanionError(say("no robot plays {game}", game=title), say("let it be played by chance"))
    if level not in known:
        raise CompanionError(
            say("no {level} robot plays {game}", level=level.value, game=title),
            say("choose one of the levels {levels}", levels=tuple(one.value for one in known)),
        )
    if game == "six" and level is Level.HARD:
        levels.need_numpy()
