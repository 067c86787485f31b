"""The pages of one table: their addresses, what is answered at each, and what all of them share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from msgspec import to_builtins
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value, field
from firmware.extensions.phones.paired_phones import EndedPairings
from firmware.history.stored_matches import StoredMatches
from firmware.service.clock import Clock
from firmware.table_socket.link import Link
from firmware.table_socket.messages import SettingsAnswer
from firmware.text.translation import DEFAULT, Translator, translator
from network.web import hosting, pages, records, settings
from network.web.door import gated
from network.web.frame import STATIC, Page, common_routes, language_of, respond, words
from network.web.live import TOGETHER_S, Live, Watcher
from network.web.pairing import Pairing, Phone, body_of, tokens_of
from network.web.view import view_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from network.web.certificate import Certificate

DRAWN: Final = frozenset({"snapshot", "table", "page", "notice", "language", "away"})
"""The events after which a page is drawn again."""

MIRRORED: Final = frozenset({"snapshot", "picture", "away"})
"""The events after which the picture of the display is sent again."""

_DIGITS: Final = 12
"""Of the number of a match; a longer one is no number of anything."""

_POST: Final = ("POST",)

OFF: Final = say(
    "The page of this box is switched off. In its configuration, “on = true” under [web] switches it on."
)


def switched_off(names: Collection[str], translate: Translator) -> ASGIApp:
    """An application that says so at every address; it knows nothing of the table."""
    return gated(PlainTextResponse(f"{translate.say(OFF)}\n", 503), names)


class SiteSetup(Value):
    """What the page needs to know: the table's socket, its journal, further names of this machine."""

    table: Path
    journal: Path
    phones: Path
    """The file with the paired phones."""

    names: Collection[str] = ()
    box: int = 1
    players: tuple[str, ...] = ()
    """The names of the configuration, by badge."""

    certificate: Certificate | None = None
    """If the page is served encrypted as well."""

    encrypted_port: int = 0
    """The port of the encrypted page; 0 where there is none."""

    address: Callable[[], str] = str
    """Where other machines find the page at this moment, see `server.address_for_others`."""

    clock: Clock = field(default_factory=Clock)


class Site:
    """All pages of one table, with the connection to it.

    What is answered by a method without `async` is made in a thread, as it reads the journal.
    """

    def __init__(self, setting: SiteSetup) -> None:
        self.setting = setting
        self.link = Link(setting.table, self._changed)
        self.live = Live(lambda language: view_of(self.link.snapshot, language, away=self.link.away))
        self.mirror = Live(lambda _language: self._picture())
        self.pairing = Pairing(setting.phones)
        self.phones = self.pairing.phones
        self._telling: asyncio.Task[None] | None = None
        self._address = ""
        """Where others find the page, as the table was told."""

    def application(self) -> ASGIApp:
        """The pages, behind the door; it follows the table as long as it runs."""

        @asynccontextmanager
        async def life(_app: Starlette) -> AsyncIterator[None]:
            following = asyncio.create_task(self.link.run())
            try:
                yield
            finally:
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)

        app = Starlette(
            routes=self._routes(), lifespan=life, exception_handlers={CompanionError: self._refused}
        )
        return gated(app, self.setting.names)

    def _routes(self) -> list[BaseRoute]:
        acted = self._acted
        return [
            # what everybody may see: the table, the television, what they are made of
            Route("/", partial(self._table, pages.TABLE)),
            Route("/tv", partial(self._table, pages.TV)),
            Route("/live", self._events),
            *common_routes(),
            # what a paired phone sees: the pages of the host, of a player and of the scanner, the settings
            Route("/host", self._host),
            Route("/join", partial(self._for_paired, pages.JOIN, pages.join)),
            Route("/scan", self._scan),
            Route("/settings", self._settings),
            Route("/display", self._display),
            Route("/phones", self._phones),
            Route("/backup", self._backup),
            # what it does
            Route("/pair", self._pair, methods=_POST),
            Route("/act", partial(acted, partial(hosting.act, self.link)), methods=_POST),
            Route("/scan", partial(acted, partial(hosting.scan, self.link, self.setting.box)), methods=_POST),
            Route("/phones", partial(acted, self._forget), methods=_POST),
            Route("/clock", partial(acted, self._set_clock), methods=_POST),
            Route("/settings", partial(acted, partial(settings.changed, self.link)), methods=_POST),
            # what was played
            Route("/records", self._matches),
            Route("/records/people", partial(self._recorded, records.PEOPLE, records.people)),
            Route("/records/{number:int}", self._match),
            Route("/records/{which}/{kind}", self._file),
        ]

    def close(self) -> None:
        self.live.close()
        self.mirror.close()

    # --------------------------------------------------------------------------------- the table

    def _changed(self, kind: str) -> None:
        # The table was away, or there was a gap; or the machine is in another network by now.
        outdated = kind == "snapshot" or (kind == "table" and self.setting.address() != self._address)
        if outdated and (self._telling is None or self._telling.done()):
            self._telling = asyncio.get_running_loop().create_task(self._tell_later())
        for live, kinds in ((self.live, DRAWN), (self.mirror, MIRRORED)):
            if kind in kinds:
                live.change_soon()

    async def _tell_later(self) -> None:
        await asyncio.sleep(TOGETHER_S)
        await self.tell_phones()

    async def tell_phones(self) -> None:
        """Tell the table which phones may act, for its display; what cannot be told is told later."""
        ended = await self._ended()
        if ended is None:
            return
        try:
            self.phones.remove_ended(ended)
        except OSError:  # the table keeps in mind that they are forgotten as long as they are told
            return
        certificate = self.setting.certificate
        own = certificate.fingerprint if certificate is not None else ""
        self._address = self.setting.address()
        told = {"phones": self.phones.listed(ended), "fingerprint": own, "address": self._address}
        with suppress(ConnectionError, ValueError):
            await self.link.act({"act": "phones", **told})

    def _picture(self) -> dict[str, Any]:
        snapshot = self.link.snapshot
        return {"away": self.link.away, "picture": snapshot and to_builtins(snapshot.picture)}

    # --------------------------------------------------------------------------------- for everybody

    def _texts(self, request: Request) -> Translator:
        snapshot = self.link.snapshot
        usual, digits = (DEFAULT, "language") if snapshot is None else (snapshot.language, snapshot.digits)
        return translator(language_of(request, usual), digits)

    async def _table(self, page: Page, request: Request) -> Response:
        t = self._texts(request)
        return respond(request, page, t, pages.table(t))

    async def _events(self, request: Request) -> Watcher:
        return Watcher(self.live, self._texts(request).language)

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, CompanionError)  # noqa: S101 - it is registered for these
        t = self._texts(request)
        main = f"<h1>{words(t, error.fault_text)}</h1><p>{words(t, error.fix_text)}</p>"
        return respond(request, records.MATCHES, t, main, status=404)

    # --------------------------------------------------------------------------------- for paired phones

    async def _phone(self, request: Request) -> Phone | None:
        """The paired phone that has sent a request."""
        ended = await self._ended() if tokens_of(request) else None
        # A forgotten phone must not come back while nobody can tell.
        return None if ended is None else self.pairing.phone(request, ended)

    async def _is_known(self, request: Request) -> bool:
        """Whether the phone that has sent a request is not forgotten, as far as anybody can tell now."""
        ended = await self._ended()
        return ended is None or self.pairing.phone(request, ended) is not None

    async def _ended(self) -> EndedPairings | None:
        """Which phones were forgotten at the display; None while that cannot be read."""
        return await run_in_threadpool(hosting.ended, self.setting.journal)

    async def _for_paired(self, page: Page, make: Callable[[Translator], str], request: Request) -> Response:
        """A page for a paired phone, made in a thread; else the form that pairs one."""
        t = self._texts(request)
        if await self._phone(request) is None:
            return respond(request, pages.PAIR, t, pages.pair(t))
        return respond(request, page, t, await run_in_threadpool(make, t))

    async def _host(self, request: Request) -> Response:
        clock = self.setting.clock
        return await self._for_paired(
            pages.HOST, lambda t: pages.host(t, asks_for_time=clock.asks()), request
        )

    async def _scan(self, request: Request) -> Response:
        port, secure = self.setting.encrypted_port, ""
        if port and request.url.scheme != "https":  # there is a page with a live camera
            secure = str(request.url.replace(scheme="https", port=port, path="/scan", query=""))
        reader = (STATIC / "vendor" / "zxing.wasm").is_file()
        return await self._for_paired(pages.SCAN, partial(pages.scan, reader=reader, secure=secure), request)

    async def _settings(self, request: Request) -> Response:
        """Every key of the configuration with its text, its limits and its value."""
        t = self._texts(request)
        if await self._phone(request) is None:
            return respond(request, pages.PAIR, t, pages.pair(t))
        try:
            known = await self.link.settings({})
        except ConnectionError:
            known = SettingsAnswer("", accepted=False)
        return respond(request, pages.SETTINGS, t, await run_in_threadpool(settings.form, known, t))

    async def _display(self, request: Request) -> Response | Watcher:
        if await self._phone(request) is None:
            return _unpaired()
        return Watcher(self.mirror, "", partial(self._is_known, request))

    async def _phones(self, request: Request) -> Response:
        own, ended = await self._phone(request), await self._ended()
        if own is None or ended is None:
            return _unpaired()
        found = [
            {"id": phone.id, "name": phone.name, "own": phone.id == own.id, "used_s": phone.used_s}
            for phone in self.phones.paired(ended)
        ]
        return JSONResponse({"phones": found})

    async def _backup(self, request: Request) -> Response:
        if await self._phone(request) is None:
            return _unpaired()
        made = await run_in_threadpool(hosting.backup, self.setting.journal)
        return _download(made, "nimmt-journal.sqlite", "application/vnd.sqlite3")

    # --------------------------------------------------------------------------------- what a phone does

    async def _pair(self, request: Request) -> Response:
        """Pair a phone that sends the code on the display."""
        t = self._texts(request)
        asked = await self.pairing.asked(request, partial(hosting.refused, t=t))
        if isinstance(asked, Response):
            return asked
        code, name = asked
        ended = await self._ended()
        if ended is None:
            return JSONResponse(hosting.refused("away", t), 503)
        try:
            answer = await self.link.act({"act": "pair", "code": code, "expect": {"page": "pairing"}})
        except ConnectionError:
            return JSONResponse(hosting.refused("away", t), 503)
        if not answer.accepted:
            return JSONResponse(hosting.told(answer, self.link, t), 403)
        response = self.pairing.pair(request, name, ended.era)
        await self.tell_phones()
        return response

    async def _acted(self, do: Acts, request: Request) -> Response:
        """Do what a paired phone asks for, with the body of its request and in its language."""
        t = self._texts(request)
        if await self._phone(request) is None:
            return JSONResponse({**hosting.refused("not allowed", t), "why": "unpaired"}, 403)
        answer = await do(await body_of(request), t)
        return JSONResponse(answer, 200 if answer["accepted"] else 409)

    async def _forget(self, body: dict[str, Any], _t: Translator) -> dict[str, Any]:
        is_removed = self.phones.remove(str(body.get("id", "")))
        await self.tell_phones()
        return {"accepted": is_removed}

    async def _set_clock(self, body: dict[str, Any], t: Translator) -> dict[str, Any]:
        """Set the clock of the box to the time of the phone."""
        return await hosting.set_clock(self.setting.clock, self.phones, body.get("now_ms"), t)

    # --------------------------------------------------------------------------------- what was played

    def _matches(self, request: Request) -> Response:
        number = _number(request.query_params.get("before", ""))
        return self._recorded(records.MATCHES, partial(records.matches, before=number), request)

    def _match(self, request: Request) -> Response:
        number = int(request.path_params["number"])
        return self._recorded(records.MATCH, partial(records.one_match, number=number), request)

    def _file(self, request: Request) -> Response:
        """A stored match, or all of them, as a file."""
        which, kind = request.path_params["which"], records.KINDS.get(request.path_params["kind"])
        number = _number(which)
        if kind is None or (number is None and which != "all"):
            return PlainTextResponse("There is no such file.", 404)
        with self._records(self._texts(request)) as found:
            made = records.file(found, kind, number)
        name = "matches" if number is None else f"match-{number}"
        return _download(made, f"nimmt-{name}.{kind.ending}", kind.media)

    def _recorded(self, page: Page, make: Callable[[StoredMatches], str], request: Request) -> Response:
        t = self._texts(request)
        with self._records(t) as found:
            return respond(request, page, t, make(found))

    def _records(self, t: Translator) -> AbstractContextManager[StoredMatches]:
        return records.opened(self.setting.journal, self.setting.players, t)


Acts = Callable[[dict[str, Any], Translator], Awaitable[dict[str, Any]]]
"""Does what the body of a request asks for; gives `accepted`, else what is wrong in the language."""


def _unpaired() -> Response:
    return PlainTextResponse("Pair this phone first.", 403)


def _download(file: IO[bytes], name: str, media: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(records.in_pieces(file), media_type=media, headers=headers)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < _DIGITS else None
