"""The words of the hub's pages, for all scripts and pages in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.text.sentence import in_context, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.text.sentence import Text

NAVIGATION: Final[Mapping[str, Text]] = {
    "/": say("Tables"),
    "/standing": say("Standings"),
    "/history": say("Matches"),
    "/tournament": say("Tournament"),
    "/director": say("Director"),
}
"""The pages that can be reached from every page, by their path."""

_AWAY: Final = say("The hub has no connection to the broker. What you see is not current.")

FOR_THE_HALL: Final[Mapping[str, Text]] = {
    "no_tables": say("No table has been heard of yet"),
    "how": say("A table that is given the address of the broker is shown here by itself."),
    # Translators: a table of the hall that is connected, but where nobody plays.
    "free": in_context("a table", "free"),
    "gone": say("not connected"),
    "away": _AWAY,
    "pages": say("Pages of tables"),
}

FOR_A_TABLE: Final[Mapping[str, Text]] = {
    "away": say("This table is not connected. What you see is not current."),
}

FOR_DIRECTORS: Final[Mapping[str, Text]] = {
    "unreachable": say("The page's server does not answer."),
    "unpaired": say("This phone is no longer paired."),
    "away": _AWAY,
}
