"""What a paired phone may do: the pages of the host, of a player and of the scanner, and what they send."""

from __future__ import annotations

from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from network.web import hosting, pages
from network.web.live import Watcher
from network.web.pairing import GUESS_S, network
from network.web.records import in_pieces
from network.web.site import Site, body_of, let_in
from network.web.watching import STATIC

_LONGEST_CODE: Final = 20


class Acting:
    """The pages of a site for paired phones, and the form that pairs one."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[BaseRoute]:
        """What is answered at which path."""
        return [
            Route("/host", self.host),
            Route("/join", self.join),
            Route("/scan", self.scan_page),
            Route("/display", self.display),
            Route("/pair", self.pair, methods=["POST"]),
            Route("/act", self.act, methods=["POST"]),
            Route("/scan", self.scan, methods=["POST"]),
            Route("/phones", self.phones_list),
            Route("/phones", self.forget, methods=["POST"]),
            Route("/clock", self.clock, methods=["POST"]),
            Route("/backup", self.backup),
        ]

    async def host(self, request: Request) -> Response:
        """The keys of the device for a paired phone, else the form to pair it."""
        translate = self._site.texts(request)
        paired = await self._site.phone(request) is not None
        if paired:
            asks = await run_in_threadpool(self._site.setting.clock.asks)
            main = pages.host(translate, asks_for_time=asks)
        else:
            main = pages.pair(translate)
        return self._site.answer(request, pages.HOST if paired else pages.PAIR, translate, main)

    async def join(self, request: Request) -> Response:
        translate = self._site.texts(request)
        paired = await self._site.phone(request) is not None
        main = pages.join(translate) if paired else pages.pair(translate)
        return self._site.answer(request, pages.JOIN if paired else pages.PAIR, translate, main)

    async def scan_page(self, request: Request) -> Response:
        translate = self._site.texts(request)
        paired = await self._site.phone(request) is not None
        main = (
            pages.scan(
                translate, reader=(STATIC / "vendor" / "zxing.wasm").is_file(), secure=self._secure(request)
            )
            if paired
            else pages.pair(translate)
        )
        return self._site.answer(request, pages.SCAN if paired else pages.PAIR, translate, main)

    def _secure(self, request: Request) -> str:
        """The address of the encrypted page of the camera; empty if this is it, or there is none."""
        port = self._site.setting.encrypted_port
        if not port or request.url.scheme == "https":
            return ""
        return str(request.url.replace(scheme="https", port=port, path="/scan", query=""))

    async def display(self, request: Request) -> Response | Watcher:
        """The picture of the display as it changes, for a paired phone."""
        if await self._site.phone(request) is None:
            return PlainTextResponse("Pair this phone first.", 403)

        return self._site.mirror.response("", lambda: self._site.is_known(request))

    async def pair(self, request: Request) -> Response:
        """Pair a phone that sends the code on the display."""
        body = await body_of(request)
        language = self._site.texts(request).language
        code, name = body.get("code"), body.get("name", "")
        if not isinstance(code, str) or not isinstance(name, str) or len(code) > _LONGEST_CODE:
            return JSONResponse(hosting.refused("malformed", language), 400)
        address = request.client.host if request.client else ""
        if not self._site.guesses.take(network(address)):
            return JSONResponse({**hosting.refused("busy", language), "wait_s": GUESS_S}, 429)
        ended = await self._site.ended()
        if ended is None:
            return JSONResponse(hosting.refused("away", language), 503)
        try:
            answer = await self._site.link.act({"act": "pair", "code": code, "expect": {"page": "pairing"}})
        except ConnectionError:
            return JSONResponse(hosting.refused("away", language), 503)
        if not answer.accepted:
            return JSONResponse(hosting.told(answer, self._site.link, language), 403)
        token = self._site.phones.pair(name, ended.era)
        await self._site.tell_phones()
        return let_in(request, token)

    async def act(self, request: Request) -> Response:
        return await self._site.acted(
            request, lambda body, language: hosting.act(self._site.link, body, language)
        )

    async def scan(self, request: Request) -> Response:
        """Scan the codes of a photo."""

        async def scanned(body: dict[str, Any], language: str) -> dict[str, Any]:
            found = body.get("codes")
            if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
                return hosting.refused("malformed", language)
            return await hosting.scan(self._site.link, found, self._site.setting.box, language)

        return await self._site.acted(request, scanned)

    async def phones_list(self, request: Request) -> Response:
        """The paired phones, for one of them."""
        own, ended = await self._site.phone(request), await self._site.ended()
        if own is None or ended is None:
            return PlainTextResponse("Pair this phone first.", 403)
        found = [
            {"id": phone.id, "name": phone.name, "own": phone.id == own.id, "used_s": phone.used_s}
            for phone in self._site.phones.paired(ended)
        ]
        return JSONResponse({"phones": found})

    async def forget(self, request: Request) -> Response:

        async def forgot(body: dict[str, Any], _language: str) -> dict[str, Any]:
            is_removed = self._site.phones.remove(str(body.get("id", "")))
            await self._site.tell_phones()
            return {"accepted": is_removed}

        return await self._site.acted(request, forgot)

    async def clock(self, request: Request) -> Response:
        """Set the clock of the box to the time of a paired phone."""

        async def set_clock(body: dict[str, Any], language: str) -> dict[str, Any]:
            now_ms = body.get("now_ms")
            if type(now_ms) is not int or now_ms < 0:
                return hosting.refused("malformed", language)
            return await hosting.set_clock(
                self._site.setting.clock, self._site.phones, now_ms / 1000, language
            )

        return await self._site.acted(request, set_clock)

    async def backup(self, request: Request) -> Response:
        """A copy of the whole journal, for a paired phone."""
        if await self._site.phone(request) is None:
            return PlainTextResponse("Pair this phone first.", 403)
        made = await run_in_threadpool(hosting.backup, self._site.setting.journal)
        headers = {"content-disposition": 'attachment; filename="nimmt-journal.sqlite"'}
        return StreamingResponse(in_pieces(made), media_type="application/vnd.sqlite3", headers=headers)
