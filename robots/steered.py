"""Chance that a robot steers: it takes the decisions that scripted players leave to chance.

The scripted players of a game hold the hands and know which answers are legal; which of these they give,
they ask a source of chance. A robot is such a source. It is told whose decision it is and what everybody
sees, and it gets the legal answers, in which nothing is hidden from that player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from robots.levels import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.ask import Answer, Ask
    from companion.cards import Seat
    from companion.game import Bots, RandomSource

S = TypeVar("S")

_NEITHER: float = 0.5
"""Between rarely and often: what scripted players do rarely is not done, what they do often is."""


class Steered(Generic[S]):
    """Players of one game, each on its level: `choose` decides for those that are not easy.

    It gets the table, the seat and the legal answers, of which it gives one. `bots`
    makes the scripted players; `rng` deals, and decides for the easy ones.
    """

    def __init__(
        self,
        bots: Callable[[RandomSource], Bots[S]],
        levels: Sequence[Level],
        rng: RandomSource,
        choose: Callable[[S, Seat, Sequence[Any]], Any],
    ) -> None:
        self._rng = rng
        self._levels = levels
        self._choose = choose
        self._bots = bots(self)
        self._at: tuple[S, Seat] | None = None

    def answer(self, state: S, asks: tuple[Ask, ...]) -> Answer:
        """The next answer of one of the players."""
        seats = asks[0].seats
        # Where several are asked, it is about speed or order, which no level decides.
        self._at = (state, seats[0]) if len(seats) == 1 else None
        try:
            return self._bots.answer(state, asks)
        finally:
            self._at = None

    def choice(self, seq: Sequence[Any], /) -> Any:  # noqa: ANN401 - one of them
        """One of several answers."""
        if self._at is None or self._levels[self._at[1]] is Level.EASY:
            return self._rng.choice(seq)
        return self._choose(*self._at, seq)

    def random(self) -> float:
        """A number by which something is done or not."""
        if self._at is None or self._levels[self._at[1]] is Level.EASY:
            return self._rng.random()
        return _NEITHER

    def shuffle(self, x: list[Any], /) -> None:
        """Another order, by chance."""
        self._rng.shuffle(x)

    def randrange(self, stop: int, /) -> int:
        """A whole number by chance."""
        return self._rng.randrange(stop)
