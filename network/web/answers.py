"""What a page is told of an act: whether it was accepted, else what is wrong, in the language of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.text.sentence import Text, in_sentences, say
from firmware.table_socket.as_text import told_in

if TYPE_CHECKING:
    from firmware.table_socket.link import Link
    from firmware.table_socket.messages import SettingsAnswer, TableAnswer
    from firmware.text.translation import Translator

ActAnswer: TypeAlias = dict[str, Any]
"""As JSON: `accepted`, and `why` not, `fault` and `fix`."""

ACCEPTED: Final[ActAnswer] = {"accepted": True, "why": "", "fault": "", "fix": ""}

_REASONS: Final[dict[str, Text]] = {
    "changed": say("Somebody else was faster: the table has changed."),
    "repeated": say("That was scanned just now."),
    "busy": say("That was too fast. Try again."),
    "not allowed": say("This page is not allowed to control the table."),
    "unpaired": say("This page is not allowed to control the table."),
    "host": say("That needs the phone of a host."),
    "malformed": say("The box does not understand what this page has sent. Load the page again."),
    "refused": say("That is not possible now."),
    "away": say("The game does not answer."),
}


def refusal(why: str, t: Translator, fault: Text | None = None) -> ActAnswer:
    """Why something was not done; `fault` says it more exactly."""
    text = fault or _REASONS.get(why, _REASONS["refused"])
    return {"accepted": False, "why": why, "fault": t.say(text), "fix": ""}


def table_refusal(answer: TableAnswer | SettingsAnswer, t: Translator) -> ActAnswer:
    """Why the game has not done something, in its own words if it has said any."""
    if not answer.fault:
        return refusal(answer.why or "away", t)
    fix = in_sentences(t.say(answer.fix.as_text)) if answer.fix else ""
    fault = in_sentences(t.say(answer.fault.as_text))
    return {"accepted": False, "why": answer.why or "", "fault": fault, "fix": fix}


def table_answer(answer: TableAnswer, link: Link, t: Translator) -> ActAnswer:
    """What came of an act at the table, with the names of its players."""
    if answer.accepted:
        return {**ACCEPTED, "steps": answer.steps}
    if link.snapshot is not None and link.snapshot.table is not None:
        _, t = told_in(link.snapshot.table, t)
    return table_refusal(answer, t)
