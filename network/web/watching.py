"""What everybody may see without being let in: the table, the television, what they are made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from network.web import pages

if TYPE_CHECKING:
    from starlette.requests import Request

    from network.web.live import Watcher
    from network.web.site import Site

STATIC: Final = Path(__file__).parent / "static"


class Watching:
    """The pages of a site for those who watch."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[BaseRoute]:
        """What is answered at which path."""
        return [
            Route("/", self.table),
            Route("/tv", self.tv),
            Route("/live", self.events),
            Route("/manifest.webmanifest", manifest),
            Mount("/static", Static(directory=STATIC)),
        ]

    async def table(self, request: Request) -> Response:
        """The table for phones and desktops."""
        translate = self._site.texts(request)
        return self._site.answer(request, pages.TABLE, translate, pages.table(translate))

    async def tv(self, request: Request) -> Response:
        translate = self._site.texts(request)
        return self._site.answer(request, pages.TV, translate, pages.table(translate))

    async def events(self, request: Request) -> Watcher:
        return self._site.live.response(self._site.texts(request).language)


class Static(StaticFiles):
    """The files of the pages; a browser asks each time whether they are still the same."""

    def file_response(self, *args: Any, **options: Any) -> Response:  # noqa: ANN401 - as starlette has it
        """A file, or that it has not changed."""
        response = super().file_response(*args, **options)
        response.headers["cache-control"] = "no-cache"
        return response


async def manifest(_request: Request) -> Response:
    """What a phone needs to put the page on its home screen."""
    icons = [
        {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any"},
    ]
    record = {
        "name": "nimmt",
        "short_name": "nimmt",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#0e1816",
        "theme_color": "#0e1816",
        "icons": icons,
    }
    return JSONResponse(record, media_type="application/manifest+json")
