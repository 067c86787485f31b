"""The pages of stored matches, and their files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from firmware.history.stored_matches import StoredMatches
from firmware.text.translation import Translator
from network.web import pages, records
from network.web.records import in_pieces

if TYPE_CHECKING:
    from starlette.requests import Request

    from network.web.site import Site

_DIGITS: Final = 12
"""Of the number of a match; a longer one is no number of anything."""


class RecordPages:
    """The pages of a site about what was played."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[BaseRoute]:
        """What is answered at which path."""
        return [
            Route("/records", self.matches),
            Route("/records/people", self.people),
            Route("/records/{number:int}", self.match),
            Route("/records/{which}/{kind}", self.file),
        ]

    def matches(self, request: Request) -> Response:
        before = request.query_params.get("before", "")
        number = int(before) if before.isdecimal() and len(before) < _DIGITS else None
        return self._recorded(request, records.MATCHES, lambda found: records.matches(found, number))

    def people(self, request: Request) -> Response:
        return self._recorded(request, records.PEOPLE, records.people)

    def match(self, request: Request) -> Response:
        number = int(request.path_params["number"])
        return self._recorded(request, records.MATCH, lambda found: records.one_match(found, number))

    def file(self, request: Request) -> Response:
        """A stored match, or all of them, as a file."""
        which, kind = request.path_params["which"], request.path_params["kind"]
        number = int(which) if which.isdecimal() and len(which) < _DIGITS else None
        if kind not in records.KINDS or (number is None and which != "all"):
            return PlainTextResponse("There is no such file.", 404)
        with self._records(self._site.texts(request)) as found:
            made = records.file(found, kind, number)
        name, media = records.file_name(kind, number), records.KINDS[kind][1]
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(in_pieces(made), media_type=media, headers=headers)

    def _recorded(self, request: Request, page: pages.Page, made: Callable[[StoredMatches], str]) -> Response:
        translate = self._site.texts(request)
        with self._records(translate) as found:
            return self._site.answer(request, page, translate, made(found))

    def _records(self, translate: Translator) -> AbstractContextManager[StoredMatches]:
        return records.opened(self._site.setting.journal, self._site.setting.players, translate)
