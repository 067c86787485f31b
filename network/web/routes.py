"""The addresses of the page of a table, in one table, and what is answered at each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.history.stored_matches import StoredMatches
from firmware.table_socket.messages import SettingsAnswer
from firmware.text.translation import Translator
from network.web import frame, hosting, pages, records, settings
from network.web.door import gated
from network.web.frame import Page
from network.web.live import Watcher
from network.web.records import in_pieces
from network.web.site import Site

if TYPE_CHECKING:
    from starlette.types import ASGIApp

STATIC: Final = Path(__file__).parent / "static"

_DIGITS: Final = 12
"""Of the number of a match; a longer one is no number of anything."""

_POST: Final = ("POST",)


def application(site: Site) -> ASGIApp:

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        following = asyncio.create_task(site.link.run())
        try:
            yield
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, CompanionError)  # noqa: S101 - it is registered for these
        t = site.texts(request)
        body = f"<h1>{frame.words(t, error.fault_text)}</h1><p>{frame.words(t, error.fix_text)}</p>"
        return HTMLResponse(frame.frame(records.MATCHES, t, body, request.url.path), 404)

    app = Starlette(
        routes=_Addresses(site).routes(), lifespan=life, exception_handlers={CompanionError: refused}
    )
    return gated(app, site.setting.names)


OFF: Final = say(
    "The page of this box is switched off. In its configuration, “on = true” under [web] switches it on."
)


def switched_off(names: Collection[str], translate: Translator) -> ASGIApp:
    """An application that says so at every address; it knows nothing of the table."""
    return gated(PlainTextResponse(f"{translate.say(OFF)}\n", 503), names)


class _Addresses:
    """What is answered. A method without `async` runs in a thread, as it reads the journal."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[BaseRoute]:
        return [
            # what everybody may see: the table, the television, what they are made of
            Route("/", partial(self.table, pages.TABLE)),
            Route("/tv", partial(self.table, pages.TV)),
            Route("/live", self.events),
            *common_routes(),
            # what a paired phone sees: the pages of the host, of a player and of the scanner, the settings
            Route("/host", self.host),
            Route("/join", self.join),
            Route("/scan", self.scan_page),
            Route("/settings", self.settings),
            Route("/display", self.display),
            Route("/phones", self.phones),
            Route("/backup", self.backup),
            # what it does
            Route("/pair", self.pair, methods=_POST),
            Route("/act", self.act, methods=_POST),
            Route("/scan", self.scan, methods=_POST),
            Route("/phones", self.forget, methods=_POST),
            Route("/clock", self.clock, methods=_POST),
            Route("/settings", self.change_settings, methods=_POST),
            # what was played
            Route("/records", self.matches),
            Route("/records/people", partial(self._recorded, page=records.PEOPLE, made=records.people)),
            Route("/records/{number:int}", self.match),
            Route("/records/{which}/{kind}", self.file),
        ]

    # --------------------------------------------------------------------------------- for everybody

    async def table(self, page: Page, request: Request) -> Response:
        translate = self._site.texts(request)
        return self._site.answer(request, page, translate, pages.table(translate))

    async def events(self, request: Request) -> Watcher:
        return self._site.live.response(self._site.texts(request).language)

    # --------------------------------------------------------------------------------- for paired phones

    async def _paired(
        self, request: Request, page: Page, make: Callable[[Translator], Awaitable[str]]
    ) -> Response:
        """A page for a paired phone; else the form that pairs one."""
        translate = self._site.texts(request)
        if await self._site.phone(request) is None:
            return self._site.answer(request, pages.PAIR, translate, pages.pair(translate))
        return self._site.answer(request, page, translate, await make(translate))

    async def host(self, request: Request) -> Response:

        async def make(translate: Translator) -> str:
            asks = await run_in_threadpool(self._site.setting.clock.asks)
            return pages.host(translate, asks_for_time=asks)

        return await self._paired(request, pages.HOST, make)

    async def join(self, request: Request) -> Response:
        return await self._paired(
            request, pages.JOIN, lambda translate: run_in_threadpool(pages.join, translate)
        )

    async def scan_page(self, request: Request) -> Response:
        port, secure = self._site.setting.encrypted_port, ""
        if port and request.url.scheme != "https":  # there is a page with a live camera
            secure = str(request.url.replace(scheme="https", port=port, path="/scan", query=""))
        reader = (STATIC / "vendor" / "zxing.wasm").is_file()
        return await self._paired(
            request,
            pages.SCAN,
            lambda translate: run_in_threadpool(pages.scan, translate, reader=reader, secure=secure),
        )

    async def settings(self, request: Request) -> Response:
        """Every key of the configuration with its text, its limits and its value."""

        async def make(translate: Translator) -> str:
            try:
                known = await self._site.link.settings({})
            except ConnectionError:
                known = SettingsAnswer("", accepted=False)
            return await run_in_threadpool(settings.form, known, translate)

        return await self._paired(request, pages.SETTINGS, make)

    async def display(self, request: Request) -> Response | Watcher:
        if await self._site.phone(request) is None:
            return _unpaired()
        return self._site.mirror.response("", lambda: self._site.is_known(request))

    async def phones(self, request: Request) -> Response:
        own, ended = await self._site.phone(request), await self._site.ended()
        if own is None or ended is None:
            return _unpaired()
        found = [
            {"id": phone.id, "name": phone.name, "own": phone.id == own.id, "used_s": phone.used_s}
            for phone in self._site.phones.paired(ended)
        ]
        return JSONResponse({"phones": found})

    async def backup(self, request: Request) -> Response:
        if await self._site.phone(request) is None:
            return _unpaired()
        made = await run_in_threadpool(hosting.backup, self._site.setting.journal)
        headers = {"content-disposition": 'attachment; filename="nimmt-journal.sqlite"'}
        return StreamingResponse(in_pieces(made), media_type="application/vnd.sqlite3", headers=headers)

    # --------------------------------------------------------------------------------- what a phone does

    async def pair(self, request: Request) -> Response:
        """Pair a phone that sends the code on the display."""
        site = self._site
        language = site.texts(request).language
        asked = await site.pairing.asked(request, lambda why: hosting.refused(why, language))
        if isinstance(asked, Response):
            return asked
        code, name = asked
        ended = await site.ended()
        if ended is None:
            return JSONResponse(hosting.refused("away", language), 503)
        try:
            answer = await site.link.act({"act": "pair", "code": code, "expect": {"page": "pairing"}})
        except ConnectionError:
            return JSONResponse(hosting.refused("away", language), 503)
        if not answer.accepted:
            return JSONResponse(hosting.told(answer, site.link, language), 403)
        response = site.pairing.pair(request, name, ended.era)
        await site.tell_phones()
        return response

    async def act(self, request: Request) -> Response:
        link = self._site.link
        return await self._site.acted(request, lambda body, language: hosting.act(link, body, language))

    async def scan(self, request: Request) -> Response:
        link, box = self._site.link, self._site.setting.box
        return await self._site.acted(
            request, lambda body, language: hosting.scan(link, body.get("codes"), box, language)
        )

    async def forget(self, request: Request) -> Response:

        async def forgot(body: dict[str, Any], _language: str) -> dict[str, Any]:
            is_removed = self._site.phones.remove(str(body.get("id", "")))
            await self._site.tell_phones()
            return {"accepted": is_removed}

        return await self._site.acted(request, forgot)

    async def clock(self, request: Request) -> Response:
        """Set the clock of the box to the time of the phone."""
        clock, phones = self._site.setting.clock, self._site.phones
        return await self._site.acted(
            request, lambda body, language: hosting.set_clock(clock, phones, body.get("now_ms"), language)
        )

    async def change_settings(self, request: Request) -> Response:
        """Change keys of the configuration, or start the game again."""
        link = self._site.link
        return await self._site.acted(request, lambda body, language: settings.changed(link, body, language))

    # --------------------------------------------------------------------------------- what was played

    def matches(self, request: Request) -> Response:
        number = _number(request.query_params.get("before", ""))
        return self._recorded(request, records.MATCHES, lambda found: records.matches(found, number))

    def match(self, request: Request) -> Response:
        number = int(request.path_params["number"])
        return self._recorded(request, records.MATCH, lambda found: records.one_match(found, number))

    def file(self, request: Request) -> Response:
        """A stored match, or all of them, as a file."""
        which, kind = request.path_params["which"], request.path_params["kind"]
        number = _number(which)
        if kind not in records.KINDS or (number is None and which != "all"):
            return PlainTextResponse("There is no such file.", 404)
        with self._records(self._site.texts(request)) as found:
            made = records.file(found, kind, number)
        name, media = records.file_name(kind, number), records.KINDS[kind][1]
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(in_pieces(made), media_type=media, headers=headers)

    def _recorded(self, request: Request, page: Page, made: Callable[[StoredMatches], str]) -> Response:
        translate = self._site.texts(request)
        with self._records(translate) as found:
            return self._site.answer(request, page, translate, made(found))

    def _records(self, translate: Translator) -> AbstractContextManager[StoredMatches]:
        return records.opened(self._site.setting.journal, self._site.setting.players, translate)


def _unpaired() -> Response:
    return PlainTextResponse("Pair this phone first.", 403)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < _DIGITS else None


# ------------------------------------------------------------------------------------- for a hub as well


class Static(StaticFiles):
    """The files of the pages; a browser asks each time whether they are still the same."""

    def file_response(self, *args: Any, **options: Any) -> Response:  # noqa: ANN401 - as starlette has it
        """A file, or that it has not changed."""
        response = super().file_response(*args, **options)
        response.headers["cache-control"] = "no-cache"
        return response


def common_routes() -> list[BaseRoute]:
    """What all pages are made of."""
    return [Route("/manifest.webmanifest", _manifest), Mount("/static", Static(directory=STATIC))]


async def _manifest(_request: Request) -> Response:
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
