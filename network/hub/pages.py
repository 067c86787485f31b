"""What the templates of the hub's pages share, and their texts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Row

from companion.text.sentence import Text, in_context, say
from companion.tournament import acts
from companion.values import replace
from firmware.history.stored_time import shown
from firmware.text.translation import Translator
from network.hub import director
from network.hub.faults import OF_MATCHES, SAYS
from network.hub.view import titled
from network.web.frame import Renderer

NAVIGATION: Final[Mapping[str, Text]] = {
    "/": say("Tables"),
    "/standing": say("Standings"),
    "/history": say("Matches"),
    "/tournament": say("Tournament"),
    "/director": say("Director"),
}
"""The pages that can be reached from every page, by their path."""

_AWAY: Final[Mapping[str, Text]] = {
    "broker": say("The hub has no connection to the broker. What you see is not current."),
    "database": say("The hub cannot use its database at the moment. What you see is not current."),
}
"""By what the hub cannot reach, as `network.hub.intake.Intake.away` has it."""

FOR_THE_HALL: Final[Mapping[str, Text]] = {
    "no_tables": say("No table has reported yet"),
    "how": say("A table that is given the address of the broker is shown here by itself."),
    # Translators: a table of the hall that is connected, but where nobody plays.
    "free": in_context("a table", "free"),
    "gone": say("not connected"),
    "pages": say("Pages of tables"),
    **_AWAY,
}

FOR_A_TABLE: Final[Mapping[str, Text]] = {
    "away": say("This table is not connected. What you see is not current."),
    **_AWAY,
}

FOR_DIRECTORS: Final[Mapping[str, Text]] = {
    "unreachable": say("The page's server does not answer."),
    "unpaired": say("This phone is no longer paired."),
    **_AWAY,
}


ON_A_PAGE: Final = 40
"""Matches in a list."""


def time(at_s: float, t: Translator) -> str:
    return shown(datetime.fromtimestamp(at_s, UTC), t)


def said(kind: str, facts: Mapping[str, Any], t: Translator) -> tuple[str, str]:
    """A fault in words: what is wrong, and what to do."""
    says, fix = SAYS[kind]
    return t.say(replace(says, facts=facts)), t.say(fix)


def did(row: Row[Any]) -> Text:
    """What a director did, as its row of the log has it."""
    if row.kind == director.DISMISSED:
        return say("A fault was dismissed")
    facts = row.facts
    before = facts["name"]
    match acts.from_record(facts["act"]):
        case acts.Opened(title):
            return say("The tournament {title} was opened", title=title)
        case acts.Registered(badge, name):
            return say("{name} was registered with badge {badge}", name=name, badge=badge)
        case acts.Renamed(badge, name):
            return say("Badge {badge}: {before} is now called {name}", badge=badge, before=before, name=name)
        case acts.Withdrew(badge):
            return say("{name} (badge {badge}) has left", name=before, badge=badge)
        case acts.Returned(badge):
            return say("{name} (badge {badge}) plays again", name=before, badge=badge)
        case acts.Drawn(number):
            return say("Round {round} was drawn", round=number)
        case acts.Corrected(number, table, heads):
            totals = ", ".join(map(str, heads))
            return say(
                "Round {round}, table {table}: the result was entered: {totals}",
                round=number, table=table, totals=totals,
            )  # fmt: skip
        case acts.Closed(number):
            return say("Round {round} was closed", round=number)
    return say("The tournament was ended")


RENDERER: Final = Renderer(
    Path(__file__).parent / "templates", styles=("hub/hub.css",),
    OF_MATCHES=OF_MATCHES, SAYS=SAYS, did=did, said=said, time=time, titled=titled,
)  # fmt: skip
