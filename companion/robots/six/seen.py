"""What a player of 6 nimmt! has seen: all that a robot may know, and what a robot does with it."""

from typing import Final, Protocol

from companion.core.cards import HIGHEST
from companion.values import Value

CardRows = tuple[tuple[int, ...], ...]


class TurnCards(Value):
    """A turn of a deal: the rows before it, and the card of every player in the order of seats."""

    rows: CardRows
    cards: tuple[int, ...]


class SixPlayerView(Value):
    """A deal as the player at place `seat` of `seats` sees it, before a card is chosen, or a row.

    `hand` is the own one, ascending. `turns` are those of this deal that are placed, with their owners, and
    `earlier` those of the deals before: every hand of these is known, for all of it was played. `totals` are
    the points of the finished deals and `heads` those of this one. A match ends at `target` points, 0: nobody
    knows. `shown` is empty while a card is chosen; while a row is chosen for the lowest card, these are the
    cards of the turn, and `hand` is without the own one. `gone` are cards that lay open, also those of turns
    of which nobody knows who has played what.
    """

    seats: int
    seat: int
    rows: CardRows
    hand: tuple[int, ...]
    turns: tuple[TurnCards, ...] = ()
    earlier: tuple[tuple[TurnCards, ...], ...] = ()
    totals: tuple[int, ...] = ()
    heads: tuple[int, ...] = ()
    target: int = 0
    deck: int = HIGHEST
    shown: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()

    @property
    def known(self) -> tuple[TurnCards, ...]:
        """The turns whose cards are known, with the one that is being placed."""
        return (*self.turns, TurnCards(self.rows, self.shown)) if self.shown else self.turns

    def unseen(self) -> list[int]:
        """The cards that may be in other hands or not in the deal, ascending."""
        seen = {*self.hand, *self.shown, *self.gone}
        for rows in (self.rows, *(turn.rows for turn in self.turns)):
            seen.update(*rows)
        for turn in self.turns:
            seen.update(turn.cards)
        return [card for card in range(1, self.deck + 1) if card not in seen]


class SixPlayer(Protocol):
    """A player of 6 nimmt!, which knows only what it is given with each question."""

    def card(self, seen: SixPlayerView) -> int:
        """The card to play: one of `seen.hand`."""

    def row(self, seen: SixPlayerView) -> int:
        """The row to take, from 0, for the own card, the lowest of `seen.shown`, which fits nowhere."""


WHOLE_HAND: Final = 10
