"""The page as one application, and uvicorn that serves it."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.errors import CompanionError
from firmware.translation import DEFAULT, Translator
from web import hosting, pages, records
from web.door import BURST, RATE_S, Door, Rates
from web.link import Link
from web.live import Live
from web.pairing import COOKIE, GUESS_S, LASTS_S, LONGEST_NAME, Phones, guesses, network
from web.view import translator, view_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, MutableMapping
    from contextlib import AbstractContextManager

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from web.live import Watcher
    from web.pairing import Phone
    from web.records import Records

STATIC: Final = Path(__file__).parent / "static"

DRAWN: Final = frozenset({"snapshot", "table", "page", "notice", "language", "away"})
"""The events after which a page is drawn again."""

MIRRORED: Final = frozenset({"snapshot", "picture", "away"})
"""The events after which the picture of the display is sent again."""

TOGETHER_S: Final = 0.008
"""The events of one step come one after the other; they are sent together."""

_YEAR_S: Final = 365 * 86_400

_DIGITS: Final = 12
"""Of the number of a match; a longer one is no number of anything."""

_LONGEST_CODE: Final = 20
_LONGEST_TOKEN: Final = 100
_PIECE: Final = 65_536
_FIRST_FILE: Final = 3
_MOST_CONNECTIONS: Final = 400


@dataclass(frozen=True, slots=True)
class Setting:
    """What the page needs to know: the table's socket, its journal, further names of this machine."""

    table: Path
    journal: Path
    phones: Path
    """The file with the paired phones."""

    names: Collection[str] = ()
    box: int = 1
    players: tuple[str, ...] = ()
    """The names of the configuration, by badge."""


class Site:
    """All pages of one table, with the connection to it."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.link = Link(setting.table, self._changed)
        self.live = Live(lambda language: view_of(self.link.snapshot, language, away=self.link.away))

        self._mirror = Live(lambda _language: self._picture())
        self._due: set[Live] = set()
        self._phones = Phones(setting.phones, time.time)
        self._guesses = guesses(time.monotonic)

    def close(self) -> None:
        """Let everybody go who watches."""
        self.live.close()
        self._mirror.close()

    def _changed(self, kind: str) -> None:
        for live, kinds in ((self.live, DRAWN), (self._mirror, MIRRORED)):
            if kind in kinds and live not in self._due:
                self._due.add(live)
                asyncio.get_running_loop().call_later(TOGETHER_S, self._change, live)

    def _change(self, live: Live) -> None:
        self._due.discard(live)
        live.change()

    def _picture(self) -> dict[str, Any]:
        snapshot = self.link.snapshot
        return {"away": self.link.away, "picture": snapshot and snapshot["picture"]}

    def texts(self, request: Request) -> Translator:
        """The texts of the language for this request."""
        snapshot = self.link.snapshot or {}
        usual = snapshot.get("language", DEFAULT)
        asked = request.query_params.get("language")
        cookie = request.cookies.get(pages.LANGUAGE_COOKIE)
        accepted = request.headers.get("accept-language", "")
        return translator(pages.chosen(asked, cookie, accepted, usual), snapshot.get("digits", "language"))

    async def table(self, request: Request) -> Response:
        """The table for phones and desktops."""
        translate = self.texts(request)
        return self.answer(request, pages.TABLE, translate, pages.table(translate))

    async def tv(self, request: Request) -> Response:
        """The table for a television."""
        translate = self.texts(request)
        return self.answer(request, pages.TV, translate, pages.table(translate))

    async def events(self, request: Request) -> Watcher:
        """The table as it changes."""
        return self.live.response(self.texts(request).language)

    # ------------------------------------------------------------------------------------ a paired phone

    async def host(self, request: Request) -> Response:
        """The keys of the device for a paired phone, else the form to pair it."""
        translate = self.texts(request)
        paired = await self._phone(request) is not None
        main = pages.host(translate) if paired else pages.pair(translate)
        return self.answer(request, pages.HOST if paired else pages.PAIR, translate, main)

    async def join(self, request: Request) -> Response:
        """The phone of one player."""
        translate = self.texts(request)
        paired = await self._phone(request) is not None
        main = pages.join(translate) if paired else pages.pair(translate)
        return self.answer(request, pages.JOIN if paired else pages.PAIR, translate, main)

    async def scan_page(self, request: Request) -> Response:
        """The camera as a scanner."""
        translate = self.texts(request)
        paired = await self._phone(request) is not None
        main = (
            pages.scan(translate, reader=(STATIC / "vendor" / "zxing.wasm").is_file())
            if paired
            else pages.pair(translate)
        )
        return self.answer(request, pages.SCAN if paired else pages.PAIR, translate, main)

    async def display(self, request: Request) -> Response | Watcher:
        """The picture of the display as it changes, for a paired phone."""
        if await self._phone(request) is None:
            return PlainTextResponse("Pair this phone first.", 403)
        return self._mirror.response("")

    async def pair(self, request: Request) -> Response:
        """Pair a phone that sends the code on the display."""
        body = await _body(request)
        language = self.texts(request).language
        code, name = body.get("code"), body.get("name", "")
        if not isinstance(code, str) or not isinstance(name, str) or len(code) > _LONGEST_CODE:
            return JSONResponse(hosting.refused("malformed", language), 400)
        address = request.client.host if request.client else ""
        if not self._guesses.take(network(address)):
            return JSONResponse({**hosting.refused("busy", language), "wait_s": GUESS_S}, 429)
        try:
            answer = await self.link.act({"act": "pair", "code": code, "expect": {"page": "pairing"}})
        except ConnectionError:
            return JSONResponse(hosting.refused("away", language), 503)
        if not answer.get("accepted"):
            return JSONResponse(hosting.told(answer, self.link, language), 403)
        era = await run_in_threadpool(hosting.era, self.setting.journal)
        shown = "".join(char for char in name if char.isprintable())[:LONGEST_NAME].strip()
        token = self._phones.pair(shown or "–", era)
        response = JSONResponse({"accepted": True})
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, max_age=LASTS_S, httponly=True, samesite="strict", secure=secure)
        return response

    async def act(self, request: Request) -> Response:
        """Do something at the table."""
        return await self._acted(request, lambda body, language: hosting.act(self.link, body, language))

    async def scan(self, request: Request) -> Response:
        """Scan the codes of a photo."""

        async def scanned(body: dict[str, Any], language: str) -> dict[str, Any]:
            found = body.get("codes")
            if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
                return hosting.refused("malformed", language)
            return await hosting.scan(self.link, found, self.setting.box, language)

        return await self._acted(request, scanned)

    async def phones_list(self, request: Request) -> Response:
        """The paired phones, for one of them."""
        own = await self._phone(request)
        if own is None:
            return PlainTextResponse("Pair this phone first.", 403)
        era = await run_in_threadpool(hosting.era, self.setting.journal)
        found = [
            {"id": phone.id, "name": phone.name, "own": phone.id == own.id, "used_s": phone.used_s}
            for phone in self._phones.all()
            if phone.era == era
        ]
        return JSONResponse({"phones": found})

    async def forget(self, request: Request) -> Response:
        """Forget a paired phone."""

        async def forgot(body: dict[str, Any], _language: str) -> dict[str, Any]:
            return {"accepted": self._phones.remove(str(body.get("id", "")))}

        return await self._acted(request, forgot)

    async def backup(self, request: Request) -> Response:
        """A copy of the whole journal, for a paired phone."""
        if await self._phone(request) is None:
            return PlainTextResponse("Pair this phone first.", 403)
        made = await run_in_threadpool(hosting.backup, self.setting.journal)
        headers = {"content-disposition": 'attachment; filename="nimmt-journal.sqlite"'}
        return StreamingResponse(_in_pieces(made), media_type="application/vnd.sqlite3", headers=headers)

    async def _acted(
        self, request: Request, do: Callable[[dict[str, Any], str], Awaitable[dict[str, Any]]]
    ) -> Response:
        language = self.texts(request).language
        if await self._phone(request) is None:
            return JSONResponse({**hosting.refused("not allowed", language), "why": "unpaired"}, 403)
        answer = await do(await _body(request), language)
        return JSONResponse(answer, 200 if answer["accepted"] else 409)

    async def _phone(self, request: Request) -> Phone | None:
        """The paired phone that has sent a request."""
        token = request.cookies.get(COOKIE, "")
        if not token or len(token) > _LONGEST_TOKEN:
            return None
        era = await run_in_threadpool(hosting.era, self.setting.journal)
        return self._phones.find(token, era)

    # ------------------------------------------------------------------------------------ stored matches

    def matches(self, request: Request) -> Response:
        """The list of stored matches."""
        before = request.query_params.get("before", "")
        number = int(before) if before.isdecimal() and len(before) < _DIGITS else None
        return self._recorded(request, records.MATCHES, lambda found: records.matches(found, number))

    def people(self, request: Request) -> Response:
        """Statistics."""
        return self._recorded(request, records.PEOPLE, records.people)

    def match(self, request: Request) -> Response:
        """A stored match."""
        number = int(request.path_params["number"])
        return self._recorded(request, records.MATCH, lambda found: records.one_match(found, number))

    def file(self, request: Request) -> Response:
        """A stored match, or all of them, as a file."""
        which, kind = request.path_params["which"], request.path_params["kind"]
        number = int(which) if which.isdecimal() and len(which) < _DIGITS else None
        if kind not in records.KINDS or (number is None and which != "all"):
            return PlainTextResponse("There is no such file.", 404)
        with self._records(self.texts(request)) as found:
            made = records.file(found, kind, number)
        name, media = records.file_name(kind, number), records.KINDS[kind][1]
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(_in_pieces(made), media_type=media, headers=headers)

    async def refused(self, request: Request, error: Exception) -> Response:
        """What cannot be shown, and why."""
        assert isinstance(error, CompanionError)  # noqa: S101 - it is registered for these
        translate = self.texts(request)
        fault, fix = escape(translate.say(error.fault_text)), escape(translate.say(error.fix_text))
        body = f"<h1>{fault}</h1><p>{fix}</p>"
        return HTMLResponse(pages.frame(records.MATCHES, translate, body, request.url.path), 404)

    def _recorded(self, request: Request, page: pages.Page, made: Callable[[Records], str]) -> Response:
        translate = self.texts(request)
        with self._records(translate) as found:
            return self.answer(request, page, translate, made(found))

    def _records(self, translate: Translator) -> AbstractContextManager[Records]:
        return records.opened(self.setting.journal, self.setting.players, translate)

    def answer(self, request: Request, page: pages.Page, translate: Translator, main: str) -> Response:
        """A page as a response; it keeps the language that was asked for."""
        response = HTMLResponse(pages.frame(page, translate, main, request.url.path))
        if request.query_params.get("language") == translate.language:
            response.set_cookie(
                pages.LANGUAGE_COOKIE, translate.language, max_age=_YEAR_S, httponly=True, samesite="strict"
            )
        return response


def application(site: Site) -> ASGIApp:
    """The whole application, behind its door."""

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        following = asyncio.create_task(site.link.run())
        try:
            yield
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    routes = [
        Route("/", site.table),
        Route("/tv", site.tv),
        Route("/live", site.events),
        Route("/manifest.webmanifest", _manifest),
        Route("/host", site.host),
        Route("/join", site.join),
        Route("/scan", site.scan_page),
        Route("/display", site.display),
        Route("/pair", site.pair, methods=["POST"]),
        Route("/act", site.act, methods=["POST"]),
        Route("/scan", site.scan, methods=["POST"]),
        Route("/phones", site.phones_list),
        Route("/phones", site.forget, methods=["POST"]),
        Route("/backup", site.backup),
        Route("/records", site.matches),
        Route("/records/people", site.people),
        Route("/records/{number:int}", site.match),
        Route("/records/{which}/{kind}", site.file),
        Mount("/static", _Static(directory=STATIC)),
    ]
    app = Starlette(routes=routes, lifespan=life, exception_handlers={CompanionError: site.refused})
    return Door(app, frozenset(site.setting.names), Rates(RATE_S, BURST))


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object of a request; an empty one for anything else."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError, ClientDisconnect):
        return {}
    return found if isinstance(found, dict) else {}


def _in_pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece


class _Static(StaticFiles):
    """The files of the pages; a browser asks each time whether they are still the same."""

    def file_response(self, *args: Any, **options: Any) -> Response:  # noqa: ANN401 - as starlette has it
        """A file, or that it has not changed."""
        response = super().file_response(*args, **options)
        response.headers["cache-control"] = "no-cache"
        return response


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


def listening(listen: str, port: int, environ: MutableMapping[str, str]) -> socket.socket:
    """The socket that clients connect to: the one of the service manager, else a new one. Raises `OSError`.

    The service manager passes its socket as file 3 (man 3 sd_listen_fds).
    """
    if environ.get("LISTEN_PID") == str(os.getpid()) and environ.get("LISTEN_FDS") == "1":
        for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
            environ.pop(name, None)
        return socket.socket(fileno=_FIRST_FILE)
    family = socket.AF_INET6 if ":" in listen else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((listen, port))
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made


def server(site: Site, ready: Callable[[], None] = lambda: None) -> uvicorn.Server:
    """What serves a site: its `run(sockets=[...])` blocks until SIGTERM, SIGINT or its `should_exit`.

    `ready` is called once clients are answered.
    """
    config = uvicorn.Config(
        application(site),
        http="h11",
        ws="none",
        loop="asyncio",
        log_level="warning",
        access_log=False,  # it would be a record of who looked when
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
        backlog=128,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
    )
    return _Server(config, ready, site.close)


class _Server(uvicorn.Server):
    """uvicorn that says when it answers, and when it is about to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready, self._ending = ready, ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let those go who watch, then end."""
        self._ending()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer."""
        await super().startup(sockets)
        self._ready()
