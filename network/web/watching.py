"""What people watch: the table, the television; and for paired phones the picture of the display."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from network.web.live import Watcher
from network.web.permissions import PAIRED

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from network.web.site import Site


async def table(site: Site, request: Request) -> Response:
    """The table as it is."""
    return site.respond(request, "table.html", television=False, live="/live")


async def television(site: Site, request: Request) -> Response:
    """The same for a screen that all look at."""
    return site.respond(request, "table.html", television=True, live="/live")


async def events(site: Site, request: Request) -> Watcher:
    """Each new view of the table."""
    return Watcher(site.live, request.state.t.language, paired=PAIRED in request.auth.scopes)


async def display(site: Site, request: Request) -> Watcher:
    """Each new picture of the display, until the phone is forgotten."""
    return Watcher(site.mirror, "", partial(_is_known, site, request), paired=True)


async def _is_known(site: Site, request: Request) -> bool:
    """Whether a phone is not forgotten, as far as anybody can tell now."""
    notes = await site.phone_notes()
    return notes is None or site.pairing.phone(request, notes) is not None
