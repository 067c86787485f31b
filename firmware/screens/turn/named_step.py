"""What a step was about, in a few words: for the line that says what was undone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from companion.text.sentence import Text, say
from companion.values import replace
from firmware.screens.parts.base import NOTICE_COLUMNS

if TYPE_CHECKING:
    from companion.match.match import Step
    from firmware.session.session import Session

_TEMPLATES: Final[Mapping[str, Text]] = {
    "claim": say("OWNER OF {card}"),
    "skip_owner": say("OWNER OF {card}"),
    "take_row": say("ROW {row}"),
    "take": say("PILE {pile}"),
    "choose": say("PILE {pile}"),
    "draw": say("A DRAWN CARD"),
    "keep": say("CARD KEPT"),
    "name": say("THE SYMBOL"),
    "mode": say("THE CHOICE"),
    "whom": say("THE PLAYER"),
    "give": say("A CARD GIVEN"),
    "thanks": say("THE ANSWER"),
    "trouble": say("THE ANSWER"),
    "done": say("END OF MOVE"),
    "race_off": say("END OF RACE"),
    "foul": say("A PENALTY"),
    "hand": say("A HAND"),
    "type_sum": say("{points} POINTS"),
    "end_pile": say("A WHOLE PILE"),
    "close": say("END OF DEAL"),
    "end_deal": say("END OF DEAL"),
    "end_match": say("END OF MATCH"),
    "correct": say("CORRECTION"),
    "correct_score": say("A SCORE"),
    "swap": say("A SWAP"),
    "swap_scores": say("A SWAP"),
    "adopt": say("TABLE SET UP"),
    "leave": say("{seat} LEFT"),
    "register": say("A CARD OF {seat}"),
    "forget_hands": say("WITHOUT HANDS"),
    "join": say("{seat} JOINED"),
}
"""By the kind of the command. Any other one that has a card is about that card."""


def undone(step: Step, session: Session) -> str:
    """What to say when a step was undone."""
    t, what = session.translate, _named(step, session, NOTICE_COLUMNS - len(" UNDONE"))
    return t("{what} UNDONE", what=what) if what else t("UNDONE")


def redone(step: Step, session: Session) -> str:
    """What to say when a step was redone."""
    t, what = session.translate, _named(step, session, NOTICE_COLUMNS - len(" REDONE"))
    return t("{what} REDONE", what=what) if what else t("REDONE")


def _named(step: Step, session: Session, columns: int) -> str:
    """Such as `58 OF SARA`, in up to so many columns; empty where there is no short word for it."""
    t, command = session.translate, step.command
    kind, seat = getattr(command, "KIND", ""), getattr(command, "seat", None)
    facts: dict[str, object] = {}
    card = str(getattr(command, "card", None) or "")
    if card:
        facts["card"] = session.label(card)
    for place in ("row", "pile"):
        if isinstance(number := getattr(command, place, None), int):
            facts[place] = number + 1
    if isinstance(points := getattr(command, "points", None), int):
        facts["points"] = points
    if seat is not None:
        facts["seat"] = session.short_name(seat, min(8, columns - 7))
    try:
        if (template := _TEMPLATES.get(kind)) is not None:
            return t.say(replace(template, facts=facts))
    except KeyError:
        return ""
    if not card:
        return ""
    room = columns - len(t("{card} OF {name}", card=facts["card"], name=""))
    if seat is None or room <= 1:
        return str(facts["card"])
    return t("{card} OF {name}", card=facts["card"], name=session.short_name(seat, min(8, room)))
