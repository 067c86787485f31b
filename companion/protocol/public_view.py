"""What the people at the table may see of a match, in the words of the protocol.

Every outlet that people can look at (a page, a message, a second display) shows what `public_view` gives of a
state and what `public_events` and `public_reasons` give of a step, and nothing else of either. What is hidden
is said by each game (`companion.core.game.HidesCards`). For a state it also stands in the state itself, under
`hidden`, so that a program in another language can do the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.codec import encode
from companion.core.game import Hides
from companion.text.errors import InvalidRecord
from companion.text.sentence import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import AnyGame
    from companion.match.match import Step


def hidden_fields(game: AnyGame) -> dict[str, str]:
    """The fields of a state that are hidden in part or whole, and how: the value is that of a `Hides`."""
    # Whether it has the member is what `isinstance` with `HidesCards` asks, only a hundred times slower.
    hidden: Mapping[str, Hides] = getattr(game, "hidden", {})
    return {field: hides.value for field, hides in hidden.items()} if hidden else {}


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
            say("the state does not say which fields are hidden"),
            say('take a state with "hidden", as the protocol has it'),
        )
    return _without(state, hidden)


def public_events(game: AnyGame, step: Step) -> list[dict[str, Any]]:
    """The events of a step of this game as records, with what people may see of them, as in `public_view`."""
    return [_public_event(game, encode(event)) for event in step.events]


def public_reasons(game: AnyGame, step: Step) -> list[dict[str, str]]:
    """The reasons of a step of this game: `rule` and what it `says`, as far as people may see it.

    Today's sentences name no hidden card, but those of former versions did, and such a sentence was stored
    without its facts. So the sentence is left out where it has no facts and the step hides something.
    """
    hides = hides_cards(game, step)
    return [
        {"rule": rule} if hides and not says.facts else {"rule": rule, "says": str(says)}
        for rule, says in step.because
    ]


def hides_cards(game: AnyGame, step: Step) -> bool:
    """Whether the events of a step of this game tell of cards that people may not see."""
    return any(_public_event(game, record) != record for record in map(encode, step.events))


def _public_event(game: AnyGame, record: Mapping[str, Any]) -> dict[str, Any]:
    hidden: Mapping[str, Mapping[str, Hides]] = getattr(game, "hidden_in_events", {})
    return _without(record, {field: how.value for field, how in hidden.get(record["kind"], {}).items()})


def _without(record: Mapping[str, Any], hidden: Mapping[str, str]) -> dict[str, Any]:
    view = {}
    for field, value in record.items():
        if field not in hidden:
            view[field] = value
        elif hidden[field] == Hides.ALL_BUT_TOP.value:
            view[field] = _tops(value)
        # Everything else is left out: a word that this program does not know must not show a card.
    return view


def _tops(piles: Any) -> Any:  # noqa: ANN401 - a pile, or piles in a list or by name
    if isinstance(piles, dict):
        return {name: list(pile[-1:]) for name, pile in piles.items()}
    if all(isinstance(pile, list) for pile in piles):
        return [list(pile[-1:]) for pile in piles]
    return list(piles[-1:])
