"""What can be agreed before a match of 6 nimmt!, asked and read; the game that comes of it is in `game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.cards import Card, heads
from companion.errors import InvalidRecord, did_you_mean, quoted
from companion.games.six.box import KNOWN_DECK_SEATS, SEATS, deck_for
from companion.games.six.game import Six
from companion.questions import Choice, Question
from companion.score_sheet import HIGHEST_TARGET, EndRule, When, end_rule_schema, read_end_rule
from companion.text import say

if TYPE_CHECKING:
    from collections.abc import Mapping

BOOKLETS: Final = {
    "000": EndRule(When.PASSED, 66),
    "002": EndRule(When.REACHED, 66),
}
"""The end rule each booklet prints (000:103 "more than 66", 002:128 "66 or more")."""


def make(seats: int, options: Mapping[str, Any]) -> Six:
    """The game for so many seats. Raises `InvalidRecord`."""
    known = {"deck", "draft", "end", "booklet"}
    for name in options:
        if name not in known:
            raise InvalidRecord(
                f"6 nimmt! has no option {quoted(name)}", did_you_mean(str(name), sorted(known))
            )
    if seats not in SEATS:
        raise InvalidRecord(
            f"{quoted(seats)} seats cannot play 6 nimmt!", f"use {SEATS[0]} to {SEATS[-1]} seats"
        )
    deck = options.get("deck", "full")
    if deck not in ("full", "known"):
        raise InvalidRecord(
            f"the option 'deck' is {quoted(deck)}", "use 'full' (1 to 104) or 'known' (1 to 10 x seats + 4)"
        )
    draft = options.get("draft", False)
    if type(draft) is not bool:
        raise InvalidRecord(f"the option 'draft' is {quoted(draft)}", "use true or false")
    if draft and deck != "known":
        raise InvalidRecord("the open draft needs the known deck", 'add "deck": "known"')
    if deck == "known" and seats not in KNOWN_DECK_SEATS:
        raise InvalidRecord(f"the known deck is for 2 to 6 seats, not {seats}", 'use "deck": "full"')
    return Six(_end(options), known_deck=deck == "known", draft=draft)


def _end(options: Mapping[str, Any]) -> EndRule:
    if "booklet" not in options:
        return read_end_rule(options["end"]) if "end" in options else BOOKLETS["002"]
    booklet = options["booklet"]
    if not isinstance(booklet, str) or booklet not in BOOKLETS:
        raise InvalidRecord(
            f"the option 'booklet' is {quoted(booklet)}", "use '000' (more than 66) or '002' (66 or more)"
        )
    if "end" in options and read_end_rule(options["end"]) != BOOKLETS[booklet]:
        raise InvalidRecord("the options 'end' and 'booklet' disagree", "give one of the two")
    return BOOKLETS[booklet]


def questions(seats: int) -> tuple[Question, ...]:
    """What to settle before a match: the end rule, and where it is allowed the deck."""
    end = Question(
        say("MATCH ENDS WHEN ..."),
        (
            Choice(say("SOMEONE HAS ≥ 66"), {"end": BOOKLETS["002"].options()}),
            Choice(say("SOMEONE HAS > 66"), {"end": BOOKLETS["000"].options()}),
            Choice(say("AFTER 3 DEALS"), {"end": {"deals": 3}}),
            Choice(say("OTHER LIMIT"), {"end": {"target": 66, "when": "reached"}}),
        ),
        say("ALWAYS A WHOLE DEAL"),
        dial=("end.target", 1, HIGHEST_TARGET, 66),
    )
    if seats not in KNOWN_DECK_SEATS:
        return (end,)
    highest = deck_for(seats, known=True)
    total = heads(Card(card) for card in range(1, highest + 1))
    deck = Question(
        say("WHICH CARDS?"),
        (
            Choice(say("ALL 104"), {"deck": "full"}),
            Choice(say("PRO 1-{highest} {heads} HEADS", highest=highest, heads=total), {"deck": "known"}),
            Choice(say("PRO + OPEN DRAFT"), {"deck": "known", "draft": True}),
        ),
        say("OTHERS ARE REFUSED"),
    )
    return (end, deck)


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    return {
        "type": "object",
        "properties": {
            "deck": {"enum": ["full", "known"]},
            "draft": {"type": "boolean"},
            "end": end_rule_schema(),
            "booklet": {"enum": sorted(BOOKLETS)},
        },
        "additionalProperties": False,
    }
