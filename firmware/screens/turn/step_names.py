"""What a step was about, for the line that says that it was undone or redone."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from companion.match.match import Match, Step
from companion.text.sentence import Text, say
from companion.values import replace
from firmware.session.session import Session

_COLUMNS: Final = 13
"""What is left of a line that is shown over a page for a moment."""

_TEMPLATES: Final[Mapping[str, Text]] = {
    "claim": say("OWNER OF {card}"),
    "skip_owner": say("OWNER OF {card}"),
    "take_row": say("ROW {row}"),
    "take": say("PILE WITH {pile}"),
    "choose": say("PILE WITH {pile}"),
    "draw": say("A DRAWN CARD"),
    "keep": say("CARD KEPT"),
    "name": say("THE SYMBOL"),
    "mode": say("THE CHOICE"),
    "whom": say("THE PLAYER"),
    "give": say("A CARD GIVEN"),
    "thanks": say("THE ANSWER"),
    "trouble": say("THE ANSWER"),
    "done": say("END OF MOVE"),
    "race_off": say("CHALLENGE END"),
    "foul": say("PENALTY OF {seat}"),
    "hand": say("A HAND"),
    "type_sum": say("SUM {points}"),
    "end_pile": say("A WHOLE PILE"),
    "close": say("END OF DEAL"),
    "end_deal": say("END OF DEAL"),
    "end_match": say("END OF MATCH"),
    "correct": say("CORRECTION"),
    "correct_score": say("A SCORE"),
    "settle_tie": say("THE CHOICE"),
    "swap": say("A SWAP"),
    "adopt": say("TABLE SET UP"),
    "leave": say("{seat} IS OUT"),
    "register": say("A CARD OF {seat}"),
    "forget_hands": say("HANDS FORGOTTEN"),
    "join": say("{seat} JOINED"),
}
"""By the kind of the command. Any other one that has a card is about that card."""


def undone(step: Step, session: Session) -> Text:
    """What to say when a step was undone, such as `UNDONE: 58 OF SARA`."""
    return say("UNDONE: {what}", what=named(step, session.playing, session, _COLUMNS))


def redone(step: Step, session: Session) -> Text:
    """What to say when a step was redone."""
    before = session.playing.before or session.playing
    return say("REDONE: {what}", what=named(step, before, session, _COLUMNS))


def named(step: Step, before: Match, session: Session, columns: int) -> str:
    """Such as `58 OF SARA`, in up to so many columns.

    A pile is called by the card that was on top of it `before`.
    """
    t, command = session.translate, step.command
    kind, seat = getattr(command, "KIND", ""), getattr(command, "seat", None)
    facts: dict[str, object] = {}
    turned: tuple[object, ...] = getattr(command, "cards", ()) if kind == "turn_up" else ()
    card = str(turned[0] if len(turned) == 1 else getattr(command, "card", None) or "")
    if card:
        facts["card"] = session.label(card)
    if isinstance(row := getattr(command, "row", None), int):
        facts["row"] = row + 1
    if isinstance(pile := getattr(command, "pile", None), int):
        facts["pile"] = next((stack.name for stack in before.board.stacks if stack.choice == str(pile)), "")
    if isinstance(points := getattr(command, "points", None), int):
        facts["points"] = points
    if seat is not None:
        facts["seat"] = session.short_name(seat, min(8, columns - 7))
    if (template := _TEMPLATES.get(kind)) is not None:
        with suppress(KeyError):
            return t.say(replace(template, facts=facts))
    if not card:
        return t("A STEP")
    room = columns - len(t("{card} OF {name}", card=facts["card"], name=""))
    if seat is None or room <= 1:
        return str(facts["card"])
    return t("{card} OF {name}", card=facts["card"], name=session.short_name(seat, min(8, room)))
