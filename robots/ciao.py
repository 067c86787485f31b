"""The normal robot for Ciao!."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.ciao.cards import Card, kind, split
from companion.games.ciao.table import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards import Seat
    from companion.games.ciao.table import Table


def choose(table: Table, _seat: Seat, answers: Sequence[Any]) -> Any:  # noqa: ANN401 - one of them
    """Special cards first and jokers last; a bad card, or a swap of hands, for who has the fewest cards."""
    if table.stage in (Stage.TO, Stage.WITH):
        return min(answers, key=lambda answer: table.hands[int(answer)].size)
    if all(isinstance(answer, str) and split(answer) is not None for answer in answers):
        if table.stage is Stage.GIVE:
            return max(answers, key=lambda card: kind(Card(card)).worth)
        return max(answers, key=_wanted)
    return answers[0]


def _wanted(card: str) -> tuple[bool, bool, int]:
    """How much a card should be played: jokers always fit, so they wait; dear ones cost most in the end."""
    one = kind(Card(card))
    return (not one.joker, one.icon is not None, one.worth)
