"""One table for its pages: the connection to it, everybody who watches, the paired phones."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import to_builtins
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from companion.values import Value, field
from firmware.extensions.phones.paired_phones import EndedPairings
from firmware.service.clock import Clock
from firmware.table_socket.link import Link
from firmware.text.translation import DEFAULT, Translator, translator
from network.web import hosting, pages
from network.web.live import Live
from network.web.pairing import COOKIE, ENCRYPTED_COOKIE, LASTS_S, Phone, Phones, guesses
from network.web.view import view_of

if TYPE_CHECKING:
    from network.web.certificate import Certificate

DRAWN: Final = frozenset({"snapshot", "table", "page", "notice", "language", "away"})
"""The events after which a page is drawn again."""

MIRRORED: Final = frozenset({"snapshot", "picture", "away"})
"""The events after which the picture of the display is sent again."""

TOGETHER_S: Final = 0.008
"""The events of one step come one after the other; they are sent together."""

_YEAR_S: Final = 365 * 86_400
_LONGEST_TOKEN: Final = 100


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
    """All pages of one table, with the connection to it."""

    def __init__(self, setting: SiteSetup) -> None:
        self.setting = setting
        self.link = Link(setting.table, self._changed)
        self.live = Live(lambda language: view_of(self.link.snapshot, language, away=self.link.away))

        self.mirror = Live(lambda _language: self._picture())
        self._due: set[Live] = set()
        self.certificate = setting.certificate
        self.phones = Phones(setting.phones, time.time)
        self._telling = False
        self._address = ""
        """Where others find the page, as the table was told."""
        self.guesses = guesses(time.monotonic)

    def close(self) -> None:
        self.live.close()
        self.mirror.close()

    def _changed(self, kind: str) -> None:
        # The table was away, or there was a gap; or the machine is in another network by now.
        outdated = kind == "snapshot" or (kind == "table" and self.setting.address() != self._address)
        if outdated and not self._telling:
            self._telling = True
            asyncio.get_running_loop().create_task(self._tell_later()).add_done_callback(self._told)
        for live, kinds in ((self.live, DRAWN), (self.mirror, MIRRORED)):
            if kind in kinds and live not in self._due:
                self._due.add(live)
                asyncio.get_running_loop().call_later(TOGETHER_S, self._change, live)

    async def _tell_later(self) -> None:
        await asyncio.sleep(TOGETHER_S)
        await self.tell_phones()

    def _told(self, _: asyncio.Task[None]) -> None:
        self._telling = False

    def _change(self, live: Live) -> None:
        self._due.discard(live)
        live.change()

    def _picture(self) -> dict[str, Any]:
        snapshot = self.link.snapshot
        return {"away": self.link.away, "picture": snapshot and to_builtins(snapshot.picture)}

    def texts(self, request: Request) -> Translator:
        """The texts of the language for this request."""
        snapshot = self.link.snapshot
        usual, digits = (DEFAULT, "language") if snapshot is None else (snapshot.language, snapshot.digits)
        return translator(language_of(request, usual), digits)

    def answer(self, request: Request, page: pages.Page, translate: Translator, main: str) -> Response:
        """A page as a response; it keeps the language that was asked for."""
        return html(request, pages.frame(page, translate, main, request.url.path), translate.language)

    async def phone(self, request: Request) -> Phone | None:
        """The paired phone that has sent a request."""
        tokens = tokens_of(request)
        ended = await self.ended() if tokens else None
        if ended is None:  # a forgotten phone must not come back while nobody can tell
            return None
        return self._found(tokens, ended)

    async def is_known(self, request: Request) -> bool:
        """Whether the phone that has sent a request is not forgotten, as far as anybody can tell now."""
        ended = await self.ended()
        return ended is None or self._found(tokens_of(request), ended) is not None

    def _found(self, tokens: Iterable[str], ended: EndedPairings) -> Phone | None:
        return next(filter(None, (self.phones.find(token, ended) for token in tokens)), None)

    async def ended(self) -> EndedPairings | None:
        """Which phones were forgotten at the display; None while that cannot be read."""
        return await run_in_threadpool(hosting.ended, self.setting.journal)

    async def tell_phones(self) -> None:
        """Tell the table which phones may act, for its display; what cannot be told is told later."""
        ended = await self.ended()
        if ended is None:
            return
        try:
            self.phones.remove_ended(ended)
        except OSError:  # the table keeps in mind that they are forgotten as long as they are told
            return
        own = self.certificate.fingerprint if self.certificate is not None else ""
        self._address = self.setting.address()
        told = {"phones": self.phones.listed(ended), "fingerprint": own, "address": self._address}
        with suppress(ConnectionError, ValueError):
            await self.link.act({"act": "phones", **told})

    async def acted(
        self, request: Request, do: Callable[[dict[str, Any], str], Awaitable[dict[str, Any]]]
    ) -> Response:
        """Do what a paired phone asks for, with the body of its request and in its language."""
        language = self.texts(request).language
        if await self.phone(request) is None:
            return JSONResponse({**hosting.refused("not allowed", language), "why": "unpaired"}, 403)
        answer = await do(await body_of(request), language)
        return JSONResponse(answer, 200 if answer["accepted"] else 409)


def html(request: Request, text: str, language: str) -> Response:
    """A page as a response; it keeps the language that was asked for."""
    response = HTMLResponse(text)
    if request.query_params.get("language") == language:
        response.set_cookie(
            pages.LANGUAGE_COOKIE, language, max_age=_YEAR_S, httponly=True, samesite="strict"
        )
    return response


def language_of(request: Request, usual: str) -> str:
    """The language for this request, where `usual` is spoken."""
    asked = request.query_params.get("language")
    cookie = request.cookies.get(pages.LANGUAGE_COOKIE)
    return pages.chosen(asked, cookie, request.headers.get("accept-language", ""), usual)


def tokens_of(request: Request) -> tuple[str, ...]:
    """The tokens of a paired phone: who was paired twice may have one that has ended, and one that counts."""
    names = (ENCRYPTED_COOKIE, COOKIE) if _is_encrypted(request) else (COOKIE,)
    given = (request.cookies.get(name, "") for name in names)
    return tuple(token for token in given if 0 < len(token) <= _LONGEST_TOKEN)


def let_in(request: Request, token: str) -> Response:
    """The answer to a phone that has been paired just now."""
    response = JSONResponse({"accepted": True})
    secure = _is_encrypted(request)
    name = ENCRYPTED_COOKIE if secure else COOKIE
    response.set_cookie(name, token, max_age=LASTS_S, httponly=True, samesite="strict", secure=secure)
    return response


def _is_encrypted(request: Request) -> bool:
    return request.url.scheme == "https"


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request; an empty one for anything else."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError, ClientDisconnect):
        return {}
    return found if isinstance(found, dict) else {}
