"""The rules of each game on one page: one line a game. `firmware.paper.in_short` draws it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from companion.text.errors import UnknownGame, did_you_mean
from companion.text.sentence import say

if TYPE_CHECKING:
    from firmware.paper.in_short import InShort

PAGES: Final[dict[str, str]] = {
    "six": "firmware.paper.rules_in_short.six",
    "eleven": "firmware.paper.rules_in_short.eleven",
    "ciao": "firmware.paper.rules_in_short.ciao",
}


def rules_of(key: str) -> InShort:
    """The rules of the game named `key`. Raises `UnknownGame`."""
    if key not in PAGES:
        raise UnknownGame(say("there is no table card for {key}", key=repr(key)), did_you_mean(key, PAGES))
    page: Any = import_module(PAGES[key])
    found: InShort = page.RULES
    return found
