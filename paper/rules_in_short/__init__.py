"""The rules of each game on one page: one line a game. `paper.in_short` draws it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from companion.errors import UnknownGame, did_you_mean
from companion.text import say

if TYPE_CHECKING:
    from paper.in_short import InShort

PAGES: Final[dict[str, str]] = {
    "six": "paper.rules_in_short.six",
    "eleven": "paper.rules_in_short.eleven",
    "ciao": "paper.rules_in_short.ciao",
}


def rules_of(key: str) -> InShort:
    """The rules of the game named `key`. Raises `UnknownGame`."""
    if key not in PAGES:
        raise UnknownGame(say("there is no table card for {key}", key=repr(key)), did_you_mean(key, PAGES))
    page: Any = import_module(PAGES[key])
    found: InShort = page.RULES
    return found
