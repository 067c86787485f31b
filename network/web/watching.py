"""What people watch: the table, the television; and for paired phones the picture of the display."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from firmware.display import qr
from network.web.live import Watcher

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from network.web.site import TableSite


async def table(site: TableSite, request: Request, *, television: bool = False) -> Response:
    address = site.setting.address() if television else ""
    code = qr.modules(f"{address}/join") if address else ()
    return site.respond(request, "table.html", television=television, live="/live", code=code)


async def events(site: TableSite, request: Request) -> Watcher:
    return Watcher(site.live, request.state.t.language)


async def display(site: TableSite, request: Request) -> Watcher:
    """Each new picture of the display, until the phone is forgotten."""
    return Watcher(site.mirror, "", partial(_is_known, site, request))


async def _is_known(site: TableSite, request: Request) -> bool:
    """Whether a phone is not forgotten, as far as anybody can tell now."""
    notes = await site.phone_notes()
    return notes is None or site.pairing.phone(request, notes) is not None
