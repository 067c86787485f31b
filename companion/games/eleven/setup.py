"""What can be agreed before a match of 11 nimmt!, as questions and options; the game itself is in `game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.errors import InvalidRecord, did_you_mean, quoted
from companion.games.eleven.agreed import CHOICES, HEADS, Agreed
from companion.games.eleven.box import SEATS
from companion.games.eleven.game import Eleven
from companion.games.eleven.table import CARDS
from companion.questions import Choice, Question
from companion.score_sheet import MOST_DEALS, EndRule, When
from companion.text import say

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_HEADS: Final = 99
"""The most heads of one card in a custom list."""


def make(seats: int, options: Mapping[str, Any]) -> Eleven:
    """The game for so many seats. Raises `InvalidRecord`."""
    known = ("deals", "heads", *CHOICES)
    for name in options:
        if name not in known:
            raise InvalidRecord(f"11 nimmt! has no option {quoted(name)}", did_you_mean(str(name), known))
    if seats not in SEATS:
        raise InvalidRecord(
            f"11 nimmt! cannot be played with {quoted(seats)} seats", f"use {SEATS[0]} to {SEATS[-1]} seats"
        )
    deals = options.get("deals", seats)
    if type(deals) is not int or not 1 <= deals <= MOST_DEALS:
        raise InvalidRecord(
            f"the option 'deals' is {quoted(deals)}", f"use a whole number from 1 to {MOST_DEALS}"
        )
    words = {name: _word(name, options[name]) for name in CHOICES if name in options}
    heads = _heads(options.get("heads", "six"))
    return Eleven(EndRule(When.DEALS, deals), Agreed(heads=heads, **words))


def _word(name: str, value: Any) -> str:  # noqa: ANN401 - it comes from outside, anything may come
    if isinstance(value, str) and value in CHOICES[name]:
        return value
    will_do = " or ".join(repr(one) for one in CHOICES[name])
    raise InvalidRecord(f"the option {name!r} is {quoted(value)}", f"use {will_do}")


def _heads(value: Any) -> tuple[int, ...]:  # noqa: ANN401 - see above
    will_do = f"use 'six', or a list of {CARDS} whole numbers from 1 to {MOST_HEADS}"
    if isinstance(value, str) and value in HEADS:
        return HEADS[value]
    if not isinstance(value, list):
        raise InvalidRecord(f"the option 'heads' is {quoted(value)}", will_do)
    if len(value) != CARDS:
        raise InvalidRecord(f"the option 'heads' has {len(value)} numbers", will_do)
    for card, heads in enumerate(value, start=1):
        if type(heads) is not int or not 1 <= heads <= MOST_HEADS:
            raise InvalidRecord(f"the option 'heads' gives card {card} {quoted(heads)}", will_do)
    return tuple(value)


def questions(seats: int) -> tuple[Question, ...]:
    """What to settle before a match: the number of deals."""
    return (
        Question(
            say("HOW MANY DEALS?"),
            (
                Choice(say("{deals}: ONE EACH", deals=seats), {"deals": seats}),
                Choice(say("ONE"), {"deals": 1}),
                Choice(say("OTHER NUMBER"), {"deals": seats}),
            ),
            say("FEWEST HEADS WIN"),
            dial=("deals", 1, MOST_DEALS, seats),
        ),
    )


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    one_head = {"type": "integer", "minimum": 1, "maximum": MOST_HEADS}
    table = {"type": "array", "items": one_head, "minItems": CARDS, "maxItems": CARDS}
    return {
        "type": "object",
        "properties": {
            "deals": {"type": "integer", "minimum": 1, "maximum": MOST_DEALS},
            "heads": {"anyOf": [{"enum": sorted(HEADS)}, table]},
            **{name: {"enum": list(words)} for name, words in CHOICES.items()},
        },
        "additionalProperties": False,
    }
