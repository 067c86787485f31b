"""What can be agreed before a match of Ciao!, and what can lie on its table at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.errors import BadRecord, did_you_mean, shown
from companion.game import Choice, Question
from companion.games.ciao.agreement import CHOICES, FULL, STEPS, Agreement
from companion.games.ciao.cards import KINDS, Icon, face, kind, split
from companion.games.ciao.table import DEALT, Table
from companion.ledger import HIGHEST_TARGET, MOST_DEALS, EndRule, When, read_end_rule
from companion.text import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.ciao.events import TableAdopted
    from companion.games.ciao.game import Ciao

TITLE: Final = "CIAO!"
SEATS: Final = range(2, 7)
CODE: Final = "CI"
BGG_ID: Final = 0
STARTER: Final = "THE YOUNGEST BEGINS"
DEALS: Final = 5
"""If nothing else was agreed (booklet 004:86, house ruling HC-13)."""
MOST_OF_A_KIND: Final = 20
MOST_PENDING: Final = 99
MOST_SKIPS: Final = 9


def make(seats: int, options: Mapping[str, Any]) -> Ciao:
    """The game for so many seats. Raises `BadRecord`."""
    from companion.games.ciao.game import Ciao

    known = {"end", "step", "deck", *CHOICES}
    for name in options:
        if name not in known:
            raise BadRecord(f"Ciao! has no option {shown(name)}", did_you_mean(str(name), sorted(known)))
    if seats not in SEATS:
        raise BadRecord(f"{shown(seats)} seats cannot play Ciao!", f"use {SEATS[0]} to {SEATS[-1]} seats")
    chosen: dict[str, Any] = {}
    for name, values in CHOICES.items():
        value = options.get(name, values[0])
        if not any(type(value) is type(one) and value == one for one in values):
            will_do = " or ".join(
                "true" if one is True else "false" if one is False else repr(one) for one in values
            )
            raise BadRecord(f"the option {name!r} is {shown(value)}", f"use {will_do}")
        chosen[name] = value
    agreement = Agreement(_end(options), _step(options), _counts(options), **chosen)
    if agreement.size < DEALT * seats:
        raise BadRecord(
            f"the deck has {agreement.size} cards; {seats} seats need {DEALT * seats}",
            "add cards with the option 'deck', or play with fewer",
        )
    return Ciao(agreement)


def _end(options: Mapping[str, Any]) -> EndRule:
    return read_end_rule(options["end"]) if "end" in options else EndRule(When.DEALS, DEALS)


def _step(options: Mapping[str, Any]) -> str | int:
    step = options.get("step", FULL)
    if type(step) not in (str, int) or step not in STEPS:
        raise BadRecord(f"the option 'step' is {shown(step)}", "use 1, 2, 3 or 'full'")
    return FULL if step == FULL else int(step)


def _counts(options: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    deck = options.get("deck", {})
    if not isinstance(deck, dict):
        raise BadRecord(
            f"the option 'deck' is {shown(deck)}",
            'use an object such as {"T": 6}: kinds and how many there are',
        )
    for name, many in deck.items():
        if name not in KINDS:
            raise BadRecord(
                f"the deck names {shown(name)}, which is no card of Ciao!", did_you_mean(str(name), KINDS)
            )
        if type(many) is not int or not 0 <= many <= MOST_OF_A_KIND:
            raise BadRecord(
                f"the deck has {shown(many)} of {name}", f"use a whole number from 0 to {MOST_OF_A_KIND}"
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
        say("STEPS FOR THE YOUNG"),
    )
    return (deals, steps)


def position_faults(table: Table, at: TableAdopted) -> list[str]:
    """Everything that can never lie on this table, in words; empty if it can.

    How many there are of a kind is not asked: what lies there, lies there (house ruling HC-10).
    """
    faults: list[str] = []
    seats, size = len(table.hands), table.agreement.size
    for name, many in (
        ("hands", len(at.hands)),
        ("hand_sizes", len(at.hand_sizes)),
        ("skips", len(at.skips)),
    ):
        if many != seats:
            faults.append(f"{name!r} has {many} entries for {seats} seats")
    if at.turn not in table.players:
        faults.append(f"nobody plays at seat {at.turn}")
    if at.dir not in (1, -1):
        faults.append(f"the direction is {at.dir}, not 1 or -1")
    if not 0 <= at.draw <= size or len(at.pile) > at.draw:
        faults.append(f"the draw pile has {at.draw} cards, {len(at.pile)} of them known; the deck has {size}")
    if len(at.discards) > size:
        faults.append(f"{len(at.discards)} cards lie under the top card; the deck has {size}")
    if any(not 0 <= skips <= MOST_SKIPS for skips in at.skips):
        faults.append(f"turns to lose are not 0 to {MOST_SKIPS}")
    cards = [card for hand in at.hands for card in hand] + [*at.discards, *at.pile]
    top = at.top.partition("=")[0]
    faults += [f"{card[:20]!r} is no card of Ciao!" for card in cards if split(card) is None]
    if faults:
        return faults
    faults += _top_faults(at, top)
    copies = [card for card in (*cards, top) if "#" in card]
    faults += [f"{card} lies in two places" for card in sorted(set(copies)) if copies.count(card) > 1]
    for seat, (known, many) in enumerate(zip(at.hands, at.hand_sizes, strict=True), start=1):
        if seat - 1 not in table.players and (known or many):
            faults.append(f"nobody plays at seat {seat - 1}, who cannot have cards")
        if not len(known) <= many <= size:
            faults.append(f"the hand of player {seat} has {many} cards, {len(known)} of them known")
    if sum(not at.hand_sizes[seat] for seat in table.players) > 1:
        faults.append("more than one hand is empty")
    if at.race is not None and at.race not in table.players:
        faults.append(f"the challenger, seat {at.race}, does not play")
    return faults


def _top_faults(at: TableAdopted, top: str) -> list[str]:
    if not at.top:
        faults = ["something lies under the top card, but nothing on top"] if at.discards else []
        return [
            *faults,
            *(["nothing lies there that could have an effect"] if at.pending or at.race is not None else []),
        ]
    if split(top) is None or (face(at.top) is None and (at.top != top or not kind(top).joker)):
        return [f"{at.top[:20]!r} cannot lie on top"]
    icon = kind(top).icon
    faults = []
    if at.pending and (not 0 < at.pending <= MOST_PENDING or at.pending % 3 or icon is not Icon.PLUS_THREE):
        faults.append(f"{at.pending} cards cannot wait for the next player on {at.top}")
    if at.race is not None and icon is not Icon.CHALLENGE:
        faults.append(f"{at.top} is no challenge")
    return faults


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    many = {"type": "integer", "minimum": 0, "maximum": MOST_OF_A_KIND}
    target = {
        "type": "object",
        "properties": {
            "target": {"type": "integer", "minimum": 1, "maximum": HIGHEST_TARGET},
            "when": {"enum": ["reached", "passed"]},
        },
        "required": ["target"],
        "additionalProperties": False,
    }
    deals = {
        "type": "object",
        "properties": {"deals": {"type": "integer", "minimum": 1, "maximum": MOST_DEALS}},
        "required": ["deals"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "end": {"oneOf": [target, deals]},
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


def position_schema() -> dict[str, Any]:
    """The JSON Schema of a position."""
    number = {"type": ["integer", "null"]}
    cards = {"type": "array", "items": {"type": "string"}}

    def maybe(schema: dict[str, Any]) -> dict[str, Any]:
        return {"anyOf": [schema, {"type": "null"}]}

    return {
        "type": "object",
        "properties": {
            "top": {"type": ["string", "null"]},
            "turn": number,
            "dir": number,
            "pending": number,
            "hands": maybe({"type": "array", "items": cards}),
            "hand_sizes": maybe({"type": "array", "items": {"type": "integer"}}),
            "draw": number,
            "pile": maybe(cards),
            "discards": maybe(cards),
            "skips": maybe({"type": "array", "items": {"type": "integer"}}),
            "race": number,
        },
        "additionalProperties": False,
    }
