"""What is answered while the page is switched off: that it is, and how it is switched on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

from companion.text.sentence import say
from network.web.door import BURST, RATE_S, Door, Rates

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp

    from firmware.text.translation import Translator

OFF = say(
    "The page of this box is switched off. In its configuration, “on = true” under [web] switches it on."
)


def switched_off(names: Collection[str], translate: Translator) -> ASGIApp:
    """An application that says so at every address; it knows nothing of the table."""
    app = PlainTextResponse(f"{translate.say(OFF)}\n", 503)
    return Door(app, frozenset(names), Rates(RATE_S, BURST))
