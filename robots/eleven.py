"""The normal robot for 11 nimmt!."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.cards import Card, bullheads, heads
from companion.games.eleven.box import PILE_FOR_BULL
from companion.games.eleven.legal import above, fits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards import Seat
    from companion.games.eleven.table import Pile, Table


def choose(table: Table, seat: Seat, answers: Sequence[Any]) -> Any:  # noqa: ANN401 - one of them
    """The card with the smallest step; the smallest pile, or one that brings the first bull card."""
    if isinstance(answers[0], int):
        return min(answers, key=lambda card: (_step(table, Card(card)), -bullheads(Card(card))))
    piles = {str(pile.number): pile for pile in table.piles}
    if not all(answer in piles for answer in answers):
        return answers[0]
    waiting = table.waiting
    if waiting is not None:
        return min(answers, key=lambda answer: above(waiting, table.top_before(piles[answer])))
    return min(answers, key=lambda answer: _burden(piles[answer], table.bulls[seat]))


def _step(table: Table, card: Card) -> int:
    """How far a card is above the pile it fits best; 0 where it opens one."""
    tops = [table.top_before(pile) for pile in table.piles]
    return min((above(card, top) for top in tops if fits(card, top)), default=0)


def _burden(pile: Pile, bulls: int) -> tuple[bool, int, int]:
    """How bad it is to take a pile."""
    brings_first = bulls == 0 and len(pile.cards) >= PILE_FOR_BULL
    return (not brings_first, len(pile.cards), heads(pile.cards))
