"""One table for its pages: the connection to it, everybody who watches, the paired phones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import to_builtins
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.values import Value, field
from firmware.extensions.phones.paired_phones import EndedPairings
from firmware.service.clock import Clock
from firmware.table_socket.link import Link
from firmware.text.translation import DEFAULT, Translator, translator
from network.web import hosting
from network.web.frame import Page, frame, language_of, respond
from network.web.live import TOGETHER_S, Live
from network.web.pairing import Pairing, Phone, body_of, tokens_of
from network.web.view import view_of

if TYPE_CHECKING:
    from network.web.certificate import Certificate

DRAWN: Final = frozenset({"snapshot", "table", "page", "notice", "language", "away"})
"""The events after which a page is drawn again."""

MIRRORED: Final = frozenset({"snapshot", "picture", "away"})
"""The events after which the picture of the display is sent again."""


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
        self.certificate = setting.certificate
        self.pairing = Pairing(setting.phones)
        self.phones = self.pairing.phones
        self._telling: asyncio.Task[None] | None = None
        self._address = ""
        """Where others find the page, as the table was told."""

    def close(self) -> None:
        self.live.close()
        self.mirror.close()

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

    def _picture(self) -> dict[str, Any]:
        snapshot = self.link.snapshot
        return {"away": self.link.away, "picture": snapshot and to_builtins(snapshot.picture)}

    def texts(self, request: Request) -> Translator:
        snapshot = self.link.snapshot
        usual, digits = (DEFAULT, "language") if snapshot is None else (snapshot.language, snapshot.digits)
        return translator(language_of(request, usual), digits)

    def answer(self, request: Request, page: Page, translate: Translator, main: str) -> Response:
        """A page as a response; it keeps the language that was asked for."""
        return respond(request, frame(page, translate, main, request.url.path), translate.language)

    async def phone(self, request: Request) -> Phone | None:
        ended = await self.ended() if tokens_of(request) else None
        # A forgotten phone must not come back while nobody can tell.
        return None if ended is None else self.pairing.phone(request, ended)

    async def is_known(self, request: Request) -> bool:
        """Whether the phone that has sent a request is not forgotten, as far as anybody can tell now."""
        ended = await self.ended()
        return ended is None or self.pairing.phone(request, ended) is not None

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
