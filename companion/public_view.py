"""The public view: a state of the protocol without what the people at the table may not see.

Every outlet that people can look at (a page, a broker, a second display) shows what `public_view`
gives, and nothing else of a state. What is hidden is said by each game (`companion.game.HidesCards`),
and stands in the state itself under `hidden`, so that a program in another language can do the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.errors import InvalidRecord
from companion.game import Hides, HidesCards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.game import AnyGame


def hidden_fields(game: AnyGame) -> dict[str, str]:
    """The fields of a state that are hidden in part or whole, and how: the value is that of a `Hides`."""
    if not isinstance(game, HidesCards):
        return {}
    return {field: hides.value for field, hides in game.hidden.items()}


def public_view(state: Mapping[str, Any]) -> dict[str, Any]:
    """What people may see of a state.

    A field that is hidden as a whole is left out. Of covered piles each has its top card alone, as a
    list of one card (an empty pile stays empty). `hidden` stays: it says what was done. A public view
    that is given once more is unchanged.

    Raises `InvalidRecord` for a state that does not say what is hidden.
    """
    hidden = state.get("hidden")
    if not isinstance(hidden, dict):
        raise InvalidRecord(
            "the state does not say which fields are hidden",
            'take a state with "hidden", as the protocol has it',
        )
    view = {}
    for field, value in state.items():
        if field not in hidden:
            view[field] = value
        elif hidden[field] == Hides.ALL_BUT_TOP.value:
            view[field] = _tops(value)
        # Everything else is left out: a word that this program does not know must not show a card.
    return view


def _tops(piles: Any) -> Any:  # noqa: ANN401 - lists of cards, in a list or by name
    if isinstance(piles, dict):
        return {name: list(pile[-1:]) for name, pile in piles.items()}
    return [list(pile[-1:]) for pile in piles]
