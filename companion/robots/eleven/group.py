"""Robots at a table of 11 nimmt!: they hold the cards, and answer what the referee asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.eleven.bots import Dealt
from companion.robots.eleven.answers import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.ask import Answer, Ask
    from companion.core.game import RandomSource
    from companion.games.eleven.table import Table
    from companion.robots.eleven.players import ElevenPlayer


class Group:
    """One robot for each player, by seat; `rng` deals."""

    def __init__(self, robots: Sequence[ElevenPlayer], rng: RandomSource) -> None:
        self._robots: Final = robots
        self._dealt: Final = Dealt(rng)

    def answer(self, state: Table, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of them."""
        if (dealt := self._dealt.answer(state, asks[0])) is not None:
            return dealt
        seat = asks[0].seats[0]
        return answer(self._robots[seat], state, asks, seat, self._dealt.hand(seat))
