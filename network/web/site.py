"""The pages of one table: their addresses, what is answered at each, and what all of them share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Generator
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import to_builtins
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from companion.core.codes import BADGES, ROWS, Control, badge_code, control_code, row_code
from companion.text.errors import CompanionError
from companion.text.sentence import Text, in_sentences, say
from companion.values import Value, field
from firmware.extensions.phones.paired_phones import PhoneNotes
from firmware.history.portions import Made, Portions
from firmware.history.stored_matches import StoredMatches
from firmware.service.clock import Clock
from firmware.table_socket.link import Link
from firmware.table_socket.messages import SettingsAnswer
from firmware.text.translation import DEFAULT, Translator, translator
from network.web import camera, deck_pages, hosting, pages, printing, records, settings
from network.web.camera import Camera
from network.web.door import gated
from network.web.frame import (
    CHOOSE_ANOTHER,
    NAVIGATION,
    NOT_THERE,
    STATIC,
    Page,
    Renderer,
    common_routes,
    language_of,
)
from network.web.in_turn import AGAIN_S, BusyError, Download, InTurn
from network.web.live import TOGETHER_S, Live, Watcher
from network.web.pairing import Pairing, Phone, body_of, new_id, shown_name, tokens_of
from network.web.view import view_of
from network.web.voice import Utterances

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from network.web.certificate import Certificate

DRAWN: Final = frozenset({"snapshot", "table", "page", "notice", "language", "away"})
"""The events after which a page is drawn again."""

MIRRORED: Final = frozenset({"snapshot", "picture", "away"})
"""The events after which the picture of the display is sent again."""

_DIGITS: Final = 12
"""Of the number of a match; a longer one is no number of anything."""

UNPAIRED_SHARE: Final = 0.25
"""Of a core, for all stored matches that are looked at without a paired phone."""

_POST: Final = ("POST",)

_RENDERER: Final = Renderer(
    BADGES=BADGES,
    ROWS=ROWS,
    Control=Control,
    badge_code=badge_code,
    control_code=control_code,
    row_code=row_code,
)

_TEACH: Final = "/teach"

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

    records: str = "everybody"
    """Who may see stored matches, see `config.WebOptions`."""

    certificate: Certificate | None = None
    """If the page is served encrypted as well."""

    encrypted_port: int = 0
    """The port of the encrypted page; 0 where there is none."""

    address: Callable[[], str] = str
    """Where other machines find the page at this moment, see `server.address_for_others`."""

    clock: Clock = field(default_factory=Clock)
    deck: str = ""
    """The deck of the cards on the table that the configuration names, if any."""


class Site:
    """All pages of one table, with the connection to it.

    Stored matches are read in threads of their own: paired phones never wait for others.
    """

    def __init__(self, setting: SiteSetup) -> None:
        self.setting = setting
        self.link = Link(setting.table, self._changed)
        self.live = Live(self._view)
        self.mirror = Live(lambda _language: self._picture())
        self.pairing = Pairing(setting.phones)
        self.phones = self.pairing.phones
        self.reading = {True: InTurn(), False: InTurn(UNPAIRED_SHARE)}
        """Where stored matches are read, by whether a phone is paired."""
        self.exports = InTurn()
        """Where files of the whole journal are made."""
        self.camera = Camera(setting.journal, setting.box, setting.deck)
        self._people: tuple[object, dict[str, Any]] = (None, {})
        """The statistics of people, and of what they were made."""
        self._navigation = {
            to: text for to, text in NAVIGATION.items() if to != "/records" or setting.records != "nobody"
        }
        self._utterances = Utterances()
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

        refused = {CompanionError: self._refused, BusyError: self._busy, 404: self._missing}
        app = Starlette(routes=self._routes(), lifespan=life, exception_handlers=refused)
        return gated(app, self.setting.names, camera.BODIES)

    def _routes(self) -> list[BaseRoute]:
        acted, change = self._acted, partial(settings.changed, self.link)
        return [
            # what everybody may see: the table, the television, what they are made of
            Route("/", partial(self._table, pages.TABLE)),
            Route("/tv", partial(self._table, pages.TV)),
            Route("/live", self._events),
            *common_routes(),
            # what a paired phone sees: the pages of the host, of a player and of the scanner, the settings
            Route("/host", self._host),
            Route("/join", self._join),
            Route("/scan", self._scan),
            Route("/settings", self._settings),
            Route("/print", self._print_page),
            Route("/print/file", self._print),
            Route("/display", self._display),
            Route("/decks", self._decks_page),
            Route("/decks/file", self._deck_file),
            Route(_TEACH, self._decks_page),
            Route("/phones", self._phones),
            Route("/backup", self._backup),
            # what it does
            Route("/pair", self._pair, methods=_POST),
            Route("/act", partial(acted, partial(hosting.act, self.link)), methods=_POST),
            Route("/scan", partial(acted, partial(hosting.scan, self.link, self.setting.box)), methods=_POST),
            Route("/photo", self._photo, methods=_POST),
            Route("/lesson", self._lesson, methods=_POST),
            Route("/decks", partial(acted, self.camera.change, hosts=True), methods=_POST),
            Route(
                "/decks/file",
                partial(acted, self.camera.take, hosts=True, read=camera.bytes_of),
                methods=_POST,
            ),
            Route("/phones", partial(acted, self._forget, hosts=True), methods=_POST),
            Route("/clock", partial(acted, self._set_clock), methods=_POST),
            Route("/settings", partial(acted, change, hosts=True), methods=_POST),
            # what was played
            Route("/records", self._matches),
            Route("/records/people", self._statistics),
            Route("/records/{number}", self._match),
            Route("/records/all/{kind}", self._everything),
            Route("/records/{which}/{kind}", self._file),
        ]

    def close(self) -> None:
        self.live.close()
        self.mirror.close()
        self.camera.close()
        for thread in (*self.reading.values(), self.exports):
            thread.close()

    # --------------------------------------------------------------------------------- the table

    def _changed(self, kind: str) -> None:
        # The table was away, or there was a gap; or the machine is in another network by now.
        outdated = kind == "snapshot" or (kind == "table" and self.setting.address() != self._address)
        if outdated and (self._telling is None or self._telling.done()):
            self._telling = asyncio.get_running_loop().create_task(self._tell_later())
        for live, kinds in ((self.live, DRAWN), (self.mirror, MIRRORED)):
            if kind in kinds:
                live.change_soon()

    def _view(self, language: str) -> dict[str, Any]:
        snapshot = self.link.snapshot
        view = view_of(snapshot, language, away=self.link.away)
        return view | {"said": self._utterances.newest(snapshot, language)}

    async def _tell_later(self) -> None:
        await asyncio.sleep(TOGETHER_S)
        await self.tell_phones()

    async def tell_phones(self) -> None:
        """Tell the table which phones may act, for its display; what cannot be told is told later."""
        ended = await self._notes()
        if ended is None:
            return
        try:
            self.phones.remove_ended(ended)
        except OSError:  # the table keeps in mind that they are forgotten as long as they are told
            return
        certificate = self.setting.certificate
        own = certificate.fingerprint if certificate is not None else ""
        self._address = self.setting.address() if self.setting.records != "nobody" else ""
        told = {"phones": self.phones.listed(ended), "fingerprint": own, "address": self._address}
        with suppress(ConnectionError, ValueError):
            await self.link.act({"act": "phones", **told})

    def _picture(self) -> dict[str, Any]:
        snapshot = self.link.snapshot
        return {"away": self.link.away, "picture": snapshot and to_builtins(snapshot.picture)}

    # --------------------------------------------------------------------------------- for everybody

    def _texts(self, request: Request) -> Translator:
        snapshot = self.link.snapshot
        if snapshot is None:
            return translator(language_of(request, DEFAULT))
        return translator(language_of(request, snapshot.language), snapshot.digits, snapshot.calendar)

    async def _table(self, page: Page, request: Request) -> Response:
        t = self._texts(request)
        return self._respond(request, page, "table.html", t, live="/live")

    async def _events(self, request: Request) -> Watcher:
        is_paired = await self._phone(request) is not None
        return Watcher(self.live, self._texts(request).language, paired=is_paired)

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, CompanionError)  # noqa: S101 - it is registered for these
        return self._says(request, 404, error.fault_text, error.fix_text)

    async def _missing(self, request: Request, _error: Exception) -> Response:
        return self._says(request, 404, NOT_THERE, CHOOSE_ANOTHER)

    async def _busy(self, request: Request, _error: Exception) -> Response:
        fix = say("Try it again in some seconds.")
        response = self._says(request, 503, say("Others are looking at stored matches."), fix)
        response.headers["retry-after"] = str(AGAIN_S)
        return response

    def _says(self, request: Request, status: int, fault: Text, fix: Text) -> Response:
        t = self._texts(request)
        what, to_do = (in_sentences(t.say(text)) for text in (fault, fix))
        return self._respond(
            request, records.MATCHES, "message.html", t, status=status, fault=what, fix=to_do
        )

    def _respond(
        self,
        request: Request,
        page: Page,
        template: str,
        t: Translator,
        **facts: Any,  # noqa: ANN401 - what the template asks for
    ) -> Response:
        return _RENDERER.respond(request, page, template, t, navigation=self._navigation, **facts)

    # --------------------------------------------------------------------------------- for paired phones

    async def _phone(self, request: Request) -> Phone | None:
        """The paired phone that has sent a request."""
        ended = await self._notes() if tokens_of(request) else None
        # A forgotten phone must not come back while nobody can tell.
        return None if ended is None else self.pairing.phone(request, ended)

    async def _host_phone(self, request: Request) -> Phone | None:
        """The same if it is the phone of a host."""
        notes = await self._notes() if tokens_of(request) else None
        found = None if notes is None else self.pairing.phone(request, notes)
        return found if found is not None and notes is not None and found.id in notes.hosts else None

    async def _is_known(self, request: Request) -> bool:
        """Whether the phone that has sent a request is not forgotten, as far as anybody can tell now."""
        ended = await self._notes()
        return ended is None or self.pairing.phone(request, ended) is not None

    async def _notes(self) -> PhoneNotes | None:
        """Which phones were forgotten at the display, and which host; None while that cannot be read."""
        return await run_in_threadpool(hosting.notes, self.setting.journal)

    def _asks_to_pair(self, request: Request, status: int = 200, *, hosts: bool = False) -> Response:
        """The form that pairs a phone, in the place of what only a paired one gets."""
        t = self._texts(request)
        return self._respond(request, pages.PAIR, "pair.html", t, status=status, hosts=hosts)

    async def _join(self, request: Request) -> Response:
        if await self._phone(request) is None:
            return self._asks_to_pair(request)
        return self._respond(request, pages.JOIN, "join.html", self._texts(request))

    async def _print_page(self, request: Request) -> Response:
        if await self._phone(request) is None:
            return self._asks_to_pair(request)
        t = self._texts(request)
        return self._respond(request, printing.PRINT, "print.html", t, **printing.choices(t))

    async def _host(self, request: Request) -> Response:
        if await self._phone(request) is None:
            return self._asks_to_pair(request)
        hosts = await self._host_phone(request) is not None
        facts = {"asks_for_time": self.setting.clock.asks(), "hosts": hosts}
        teaches = hosts and camera.is_installed()
        return self._respond(request, pages.HOST, "host.html", self._texts(request), teaches=teaches, **facts)

    async def _scan(self, request: Request) -> Response:
        if await self._phone(request) is None:
            return self._asks_to_pair(request)
        facts = {
            "reads_codes": (STATIC / "vendor" / "zxing.wasm").is_file(),
            "reads_faces": bool(await run_in_threadpool(self.camera.decks)),
            "encrypted": self._encrypted(request, "/scan"),
        }
        return self._respond(request, pages.SCAN, "scan.html", self._texts(request), **facts)

    def _encrypted(self, request: Request, path: str, query: str = "") -> str:
        """The same page where a browser gives it a live camera; empty if it is there, or is nowhere."""
        port = self.setting.encrypted_port
        if not port or request.url.scheme == "https":
            return ""
        return str(request.url.replace(scheme="https", port=port, path=path, query=query))

    async def _settings(self, request: Request) -> Response:
        """Every key of the configuration with its text, its limits and its value."""
        t = self._texts(request)
        if await self._host_phone(request) is None:
            return self._asks_to_pair(request, hosts=True)
        try:
            known = await self.link.settings({})
        except ConnectionError:
            known = SettingsAnswer("", accepted=False)
        facts = await run_in_threadpool(settings.facts, known, t)
        return self._respond(request, pages.SETTINGS, "settings.html", t, **facts)

    async def _display(self, request: Request) -> Response | Watcher:
        if await self._phone(request) is None:
            return _unpaired()
        return Watcher(self.mirror, "", partial(self._is_known, request), paired=True)

    async def _decks_page(self, request: Request) -> Response:
        """The decks that a camera was taught, for a host; with one in the query of /teach, its lesson."""
        if not camera.is_installed():
            raise HTTPException(404)
        t, lesson = self._texts(request), None
        if await self._host_phone(request) is None:
            return self._asks_to_pair(request, hosts=True)
        found = await run_in_threadpool(self.camera.decks)
        if request.url.path == _TEACH:
            lesson = deck_pages.lesson_of(request.query_params, found)
        if lesson is None:
            facts = deck_pages.list_facts(found, t)
            return self._respond(request, deck_pages.DECKS, "decks.html", t, **facts)
        facts = deck_pages.lesson_facts(*lesson, t, self.setting.box)
        facts["encrypted"] = self._encrypted(request, _TEACH, request.url.query)
        return self._respond(request, deck_pages.TEACH, "teach.html", t, **facts)

    async def _deck_file(self, request: Request) -> Response:
        """A deck as a file, which the page names."""
        if await self._host_phone(request) is None:
            return self._asks_to_pair(request, 403, hosts=True)
        deck = request.query_params.get("deck", "")
        content = await run_in_threadpool(self.camera.file, deck)
        return Response(content, media_type=camera.DECK.media, headers={"content-disposition": "attachment"})

    async def _phones(self, request: Request) -> Response:
        own, notes = await self._host_phone(request), await self._notes()
        if own is None or notes is None:
            return _unpaired()
        found = [
            {
                "id": phone.id,
                "name": phone.name,
                "own": phone.id == own.id,
                "hosts": phone.id in notes.hosts,
                "used_s": phone.used_s,
            }
            for phone in self.phones.paired(notes)
        ]
        return JSONResponse({"phones": found})

    async def _backup(self, request: Request) -> Response:
        if await self._host_phone(request) is None:
            return self._asks_to_pair(request, 403, hosts=True)
        parts = partial(hosting.backup, self.setting.journal)
        return self._download(request, parts, "journal.sqlite", "application/vnd.sqlite3")

    async def _print(self, request: Request) -> Response:
        """A sheet as PDF, in the language that was chosen; one is made at a time."""
        if await self._phone(request) is None:
            return _unpaired()
        order = printing.asked(request.query_params)
        pdf = await self.exports.do(printing.made(order, self._texts(request)))
        return Response(pdf, media_type=printing.MEDIA, headers=_as_file(f"{order.sheet.lower()}.pdf"))

    # --------------------------------------------------------------------------------- what a phone does

    async def _pair(self, request: Request) -> Response:
        """Pair a phone that sends the code on the display."""
        t = self._texts(request)
        asked = await self.pairing.asked(request, partial(hosting.refused, t=t))
        if isinstance(asked, Response):
            return asked
        code, name, hosts = asked
        notes, before, called = await self._notes(), await self._phone(request), new_id()
        if notes is None:
            return JSONResponse(hosting.refused("away", t), 503)
        act: dict[str, Any] = {"act": "pair", "code": code, "expect": {"page": "pairing"}}
        if hosts:
            act["host"] = {"id": called, "name": shown_name(name)}
        try:
            answer = await self.link.act(act)
        except ConnectionError:
            return JSONResponse(hosting.refused("away", t), 503)
        except ValueError:  # no text that the table reads
            return JSONResponse(hosting.refused("malformed", t), 400)
        if not answer.accepted:
            return JSONResponse(hosting.told(answer, self.link, t), 403)
        if before is not None:  # the same phone with more rights, or another name
            self.phones.remove(before.id)
        response = self.pairing.pair(request, name, notes.era, called)
        await self.tell_phones()
        return response

    async def _acted(
        self,
        do: Acts,
        request: Request,
        *,
        hosts: bool = False,
        read: Callable[[Request], Awaitable[Any]] = body_of,
    ) -> Response:
        """Do what a paired phone asks for, with the body of its request and in its language.

        `hosts`: it must be the phone of a host.
        """
        t = self._texts(request)
        if await self._phone(request) is None:
            return _not_allowed(t)
        if hosts and await self._host_phone(request) is None:
            return JSONResponse(hosting.refused("host", t), 403)
        answer = await do(await read(request), t)
        return JSONResponse(answer, 200 if answer["accepted"] else 409)

    async def _photo(self, request: Request) -> Response:
        """Read a photo of a paired phone with the deck of the game in play."""
        t, phone = self._texts(request), await self._phone(request)
        if phone is None:
            return _not_allowed(t)
        photo = await camera.bytes_of(request)
        table = self.link.snapshot.table if self.link.snapshot is not None else None
        answer = await self.camera.read(phone.id, photo, table, t)
        return JSONResponse(answer, 200 if answer["accepted"] else 409)

    async def _lesson(self, request: Request) -> Response:
        """Take a photo of a host's phone for the lesson of a deck."""
        teach = partial(self.camera.teach, query=request.query_params)
        return await self._acted(
            lambda photo, t: teach(photo, t=t), request, hosts=True, read=camera.bytes_of
        )

    async def _forget(self, body: dict[str, Any], _t: Translator) -> dict[str, Any]:
        is_removed = self.phones.remove(str(body.get("id", "")))
        await self.tell_phones()
        return {"accepted": is_removed}

    async def _set_clock(self, body: dict[str, Any], t: Translator) -> dict[str, Any]:
        """Set the clock of the box to the time of the phone."""
        return await hosting.set_clock(self.setting.clock, self.phones, body.get("now_ms"), t)

    # --------------------------------------------------------------------------------- what was played

    async def _matches(self, request: Request) -> Response:
        before = _number(request.query_params.get("before", ""))
        return await self._recorded(
            request,
            records.MATCHES,
            "matches.html",
            lambda found, whole: records.matches(found, before, whole=whole),
        )

    async def _match(self, request: Request) -> Response:
        number = _number(request.path_params["number"])
        if number is None:
            raise HTTPException(404)
        deal = _number(request.query_params.get("deal", ""))
        return await self._recorded(
            request,
            records.MATCH,
            "match.html",
            lambda found, whole: records.one_match(found, number, deal, whole=whole),
        )

    async def _statistics(self, request: Request) -> Response:
        return await self._recorded(
            request, records.PEOPLE, "people.html", lambda found, _: self._people_of(found)
        )

    def _people_of(self, found: StoredMatches) -> Portions[dict[str, Any]]:
        """The statistics; they are made again when something was played since."""
        t = found.translate
        known = (found.journal.state(), found.names, t.language, t.number(0))
        if self._people[0] != known:
            self._people = known, (yield from records.people(found))
        return self._people[1]

    async def _file(self, request: Request) -> Response:
        """A stored match as a file."""
        kind = records.KINDS.get(request.path_params["kind"])
        number = _number(request.path_params["which"])
        if kind is None or number is None:
            raise HTTPException(404)
        content = await self._read(
            request, lambda found, whole: records.file(found, kind, number, whole=whole)
        )
        if isinstance(content, Response):
            return content
        return Response(content, media_type=kind.media, headers=_as_file(f"match-{number}.{kind.ending}"))

    async def _everything(self, request: Request) -> Response:
        """All stored matches as a file, for a paired phone; one at a time."""
        kind = records.KINDS.get(request.path_params["kind"])
        if kind is None:
            raise HTTPException(404)
        if self.setting.records == "nobody" or await self._phone(request) is None:
            return self._asks_to_pair(request, 403)
        parts = partial(records.everything, partial(self._opened, self._texts(request)), kind)
        return self._download(request, parts, f"matches.{kind.ending}", kind.media)

    def _download(
        self, request: Request, parts: Callable[[], Generator[bytes]], name: str, media: str
    ) -> Response:
        """A file while it is made, one at a time. Raises `BusyError`."""
        headers = _as_file(name)
        if request.method == "HEAD":
            return Response(media_type=media, headers=headers)
        return Download(self.exports.export(parts), media, headers)

    async def _recorded(
        self,
        request: Request,
        page: Page,
        template: str,
        make: Callable[[StoredMatches, bool], Portions[dict[str, Any]]],
    ) -> Response:
        def drawn(found: StoredMatches, is_paired: bool) -> Portions[Response]:  # noqa: FBT001
            facts = yield from make(found, is_paired)
            return self._respond(request, page, template, found.translate, **facts)

        return await self._read(request, drawn)

    async def _read(
        self, request: Request, make: Callable[[StoredMatches, bool], Portions[Made]]
    ) -> Made | Response:
        """What `make` makes of the stored matches, given whether the phone is paired; else why not."""
        t, is_paired = self._texts(request), await self._phone(request) is not None
        match self.setting.records:
            case "nobody":
                fix = say("Whoever has the box can change that: [web] records")
                return self._says(request, 403, say("Stored matches are not shown here."), fix)
            case "paired" if not is_paired:
                return self._asks_to_pair(request)

        def read() -> Portions[Made]:
            with self._opened(t) as found:
                return (yield from make(found, is_paired))

        return await self.reading[is_paired].do(read())

    def _opened(self, t: Translator) -> AbstractContextManager[StoredMatches]:
        return records.opened(self.setting.journal, self.setting.players, t)


Acts = Callable[[Any, Translator], Awaitable[dict[str, Any]]]
"""Does what the body of a request asks for; gives `accepted`, else what is wrong in the language."""


def _unpaired() -> Response:
    return PlainTextResponse("Pair this phone first.", 403)


def _not_allowed(t: Translator) -> Response:
    return JSONResponse({**hosting.refused("not allowed", t), "why": "unpaired"}, 403)


def _as_file(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="nimmt-{name}"'}


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < _DIGITS else None
