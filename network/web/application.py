"""The page of one table as one application, behind its door."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from html import escape
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import HTMLResponse

from companion.text.errors import CompanionError
from network.web import pages, records
from network.web.acting import Acting
from network.web.door import BURST, RATE_S, Door, Rates
from network.web.settings import SettingsPage
from network.web.stored import Stored
from network.web.watching import Watching

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from network.web.site import Site


def application(site: Site) -> ASGIApp:
    """The whole application."""

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        following = asyncio.create_task(site.link.run())
        try:
            yield
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def refused(request: Request, error: Exception) -> Response:
        """What cannot be shown, and why."""
        assert isinstance(error, CompanionError)  # noqa: S101 - it is registered for these
        translate = site.texts(request)
        fault, fix = escape(translate.say(error.fault_text)), escape(translate.say(error.fix_text))
        body = f"<h1>{fault}</h1><p>{fix}</p>"
        return HTMLResponse(pages.frame(records.MATCHES, translate, body, request.url.path), 404)

    parts = (Watching(site), Acting(site), SettingsPage(site), Stored(site))
    routes = [route for part in parts for route in part.routes()]
    app = Starlette(routes=routes, lifespan=life, exception_handlers={CompanionError: refused})
    return Door(app, frozenset(site.setting.names), Rates(RATE_S, BURST))
