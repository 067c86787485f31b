"""What can be agreed before a match of Ciao!, as questions and options; the game itself is in `game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.errors import InvalidRecord, did_you_mean, quoted
from companion.games.ciao.agreement import CHOICES, FULL, STEPS, Agreement
from companion.games.ciao.box import SEATS
from companion.games.ciao.cards import KINDS
from companion.games.ciao.game import Ciao
from companion.games.ciao.table import DEALT
from companion.questions import Choice, Question
from companion.score_sheet import MOST_DEALS, EndRule, When, end_rule_schema, read_end_rule
from companion.text import say

if TYPE_CHECKING:
    from collections.abc import Mapping

DEALS: Final = 5
"""If nothing else was agreed (booklet 004:86, house ruling HC-13)."""
MOST_OF_A_KIND: Final = 20


def make(seats: int, options: Mapping[str, Any]) -> Ciao:
    """The game for so many seats. Raises `InvalidRecord`."""
    known = {"end", "step", "deck", *CHOICES}
    for name in options:
        if name not in known:
            raise InvalidRecord(f"Ciao! has no option {quoted(name)}", did_you_mean(str(name), sorted(known)))
    if seats not in SEATS:
        raise InvalidRecord(
            f"the number of seats is {quoted(seats)}", f"use {SEATS[0]} to {SEATS[-1]} for Ciao!"
        )
    chosen: dict[str, Any] = {}
    for name, values in CHOICES.items():
        value = options.get(name, values[0])
        if not any(type(value) is type(one) and value == one for one in values):
            will_do = " or ".join(
                "true" if one is True else "false" if one is False else repr(one) for one in values
            )
            raise InvalidRecord(f"the option {name!r} is {quoted(value)}", f"use {will_do}")
        chosen[name] = value
    agreement = Agreement(_end(options), _step(options), _counts(options), **chosen)
    if agreement.size < DEALT * seats:
        raise InvalidRecord(
            f"the deck has {agreement.size} cards; {seats} seats need {DEALT * seats}",
            "add cards with the option 'deck', or play with fewer players",
        )
    return Ciao(agreement)


def _end(options: Mapping[str, Any]) -> EndRule:
    return read_end_rule(options["end"]) if "end" in options else EndRule(When.DEALS, DEALS)


def _step(options: Mapping[str, Any]) -> str | int:
    step = options.get("step", FULL)
    if type(step) not in (str, int) or step not in STEPS:
        raise InvalidRecord(f"the option 'step' is {quoted(step)}", "use 1, 2, 3 or 'full'")
    return FULL if step == FULL else int(step)


def _counts(options: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    deck = options.get("deck", {})
    if not isinstance(deck, dict):
        raise InvalidRecord(
            f"the option 'deck' is {quoted(deck)}",
            'use an object such as {"T": 6}: kinds and how many there are',
        )
    for name, many in deck.items():
        if name not in KINDS:
            raise InvalidRecord(
                f"the deck names {quoted(name)}, which is not a Ciao! card", did_you_mean(str(name), KINDS)
            )
        if type(many) is not int or not 0 <= many <= MOST_OF_A_KIND:
            raise InvalidRecord(
                f"the deck has {quoted(many)} of {name}", f"use a whole number from 0 to {MOST_OF_A_KIND}"
            )
    box = Agreement()
    return tuple((name, deck[name]) for name in KINDS if name in deck and deck[name] != box.many(name))


def questions(seats: int) -> tuple[Question, ...]:  # noqa: ARG001 - they are the same for all
    """What to settle before a match: how many deals, and which rules."""
    deals = Question(
        say("HOW MANY DEALS?"),
        (
            Choice(say("5 DEALS"), {"end": {"deals": DEALS}}),
            Choice(say("3 DEALS"), {"end": {"deals": 3}}),
            Choice(say("1 DEAL"), {"end": {"deals": 1}}),
            Choice(say("ANOTHER NUMBER"), {"end": {"deals": 7}}),
        ),
        say("FEWEST POINTS WIN"),
        dial=("end.deals", 1, MOST_DEALS, 7),
    )
    steps = Question(
        say("WHICH RULES?"),
        (
            Choice(say("ALL OF THEM"), {"step": FULL}),
            Choice(say("1: SYMBOLS ONLY"), {"step": 1}),
            Choice(say("2: + SPECIALS"), {"step": 2}),
            Choice(say("3: + COLOURS"), {"step": 3}),
        ),
        say("RULES FOR CHILDREN"),
    )
    return (deals, steps)


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    many = {"type": "integer", "minimum": 0, "maximum": MOST_OF_A_KIND}
    return {
        "type": "object",
        "properties": {
            "end": end_rule_schema(),
            "step": {"enum": list(STEPS)},
            "deck": {
                "type": "object",
                "properties": dict.fromkeys(KINDS, many),
                "additionalProperties": False,
            },
            **{name: {"enum": list(values)} for name, values in CHOICES.items()},
        },
        "additionalProperties": False,
    }
