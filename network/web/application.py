"""The pages of one table as an application: what is answered at each address, and who may ask for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from companion.text.errors import CompanionError
from companion.text.sentence import say
from network.web import acts, decks, host, phones, printing, records, settings, watching
from network.web.answers import ActAnswer, refusal
from network.web.bodies import BODIES, bytes_of, json_of
from network.web.frame import common_routes
from network.web.job_queue import AGAIN_S, BUSY, BusyError
from network.web.middleware import LanguageMiddleware, RequestGuard
from network.web.permissions import HOST, PAIRED, PhoneAuthentication
from network.web.site import TableSite

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from firmware.text.translation import Translator

OFF: Final = say(
    "The page of this box is switched off. In its configuration, “on = true” under [web] switches it on."
)


def switched_off(names: Collection[str], translate: Translator) -> ASGIApp:
    """An application that says so at every address; it knows nothing of the table."""
    return RequestGuard(PlainTextResponse(f"{translate.say(OFF)}\n", 503), names)


def application(site: TableSite) -> ASGIApp:
    """The pages behind their guard; they follow the table as long as the application runs."""

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        following = asyncio.create_task(site.link.run())
        try:
            yield
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    pages = Starlette(
        routes=routes(site),
        lifespan=life,
        middleware=[
            Middleware(LanguageMiddleware, site.texts),
            Middleware(AuthenticationMiddleware, PhoneAuthentication(site.pairing, site.phone_notes)),
        ],
        exception_handlers={
            CompanionError: partial(_refused, site),
            BusyError: partial(_busy, site),
            404: partial(_missing, site),
        },
    )
    return RequestGuard(pages, site.setting.names, BODIES)


def routes(site: TableSite) -> list[BaseRoute]:
    """Every address, with the permission that it needs."""
    page, act = partial(_page, site), partial(_act, site)
    file = partial(page, status=403)
    return [
        # what everybody may watch, and what the pages are made of
        page("/", watching.table),
        page("/tv", partial(watching.table, television=True)),
        page("/live", watching.events),
        *common_routes(),
        # what a paired phone does at the table
        page("/host", host.host, PAIRED),
        page("/join", host.join, PAIRED),
        page("/scan", host.scan, PAIRED),
        file("/display", watching.display, PAIRED),
        act("/act", acts.act),
        act("/scan", acts.scan),
        act("/photo", decks.photo, read=bytes_of),
        act("/clock", acts.set_clock),
        # phones, settings, a backup
        Route("/pair", partial(phones.pair, site), methods=["POST"]),
        file("/phones", phones.paired_phones, HOST),
        act("/phones", phones.forget, HOST),
        page("/settings", settings.page, HOST),
        act("/settings", settings.change, HOST),
        file("/backup", host.backup, HOST),
        # sheets
        page("/print", printing.page, PAIRED),
        file("/print/file", printing.file, PAIRED),
        # decks of a camera
        page("/decks", decks.list_page, HOST),
        page("/teach", decks.lesson_page, HOST),
        file("/decks/file", decks.file, HOST),
        act("/decks", decks.change, HOST),
        act("/decks/file", decks.add, HOST, read=bytes_of),
        act("/lesson", decks.lesson, HOST, read=bytes_of),
        # what was played; `[web] records` says who may see it
        page("/records", records.list_page),
        page("/records/people", records.people_page),
        page("/records/{number}", records.match_page),
        file("/records/all/{kind}", records.all_matches, PAIRED),
        page("/records/{which}/{kind}", records.match_file),
    ]


def _page(
    site: TableSite,
    path: str,
    answer: Callable[[TableSite, Request], Awaitable[Response]],
    needs: str = "",
    status: int = 200,
) -> Route:
    """A page; who may not see it gets the form that pairs a phone, with this status."""

    async def endpoint(request: Request) -> Response:
        if needs and needs not in request.auth.scopes:
            return site.ask_to_pair(request, status, hosts=needs == HOST)
        return await answer(site, request)

    return Route(path, endpoint)


def _act(
    site: TableSite,
    path: str,
    do: Callable[[TableSite, Request, Any], Awaitable[ActAnswer]],
    needs: str = PAIRED,
    read: Callable[[Request], Awaitable[Any]] = json_of,
) -> Route:
    """What a phone does, with what it sends; it is told what came of it."""

    async def endpoint(request: Request) -> Response:
        if needs not in request.auth.scopes:
            why = "host" if PAIRED in request.auth.scopes else "unpaired"
            return JSONResponse(refusal(why, request.state.t), 403)
        result = await do(site, request, await read(request))
        return JSONResponse(result, 200 if result["accepted"] else 409)

    return Route(path, endpoint, methods=["POST"])


async def _refused(site: TableSite, request: Request, error: Exception) -> Response:
    assert isinstance(error, CompanionError)  # noqa: S101 - it is registered for these
    return site.message(request, 404, error.fault_text, error.fix_text)


async def _missing(site: TableSite, request: Request, _error: Exception) -> Response:
    return site.message(request, 404, say("There is nothing at this address."), say("Choose a page above."))


async def _busy(site: TableSite, request: Request, _error: Exception) -> Response:
    response = site.message(request, 503, *BUSY)
    response.headers["retry-after"] = str(AGAIN_S)
    return response
