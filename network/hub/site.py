"""The pages of the evening: everybody may look, directors may act."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from companion.text.sentence import Text, say
from companion.values import Value
from firmware.extensions.phones.paired_phones import PhoneNotes
from firmware.history.report import article
from firmware.paper.badges import LOOKS
from firmware.text.translation import CALENDAR_CHOICES, DEFAULT, DIGIT_CHOICES, Translator, translator
from network.hub import director, evening, faults, view
from network.hub.evening import TableNow
from network.hub.pages import FOR_A_TABLE, FOR_DIRECTORS, FOR_THE_HALL, NAVIGATION, ON_A_PAGE, RENDERER
from network.hub.tournament import length_of
from network.web.door import network
from network.web.frame import NOT_THERE, Page, common_routes, language_of
from network.web.live import Live, Watcher
from network.web.pages import ACTING
from network.web.pairing import Pairing, Phone, body_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from network.hub.intake import Intake
    from network.hub.matches import HubMatch

STATIC: Final = Path(__file__).parent / "static"

_NOBODY_ENDED: Final = PhoneNotes()
"""A hub has no display that could forget a director."""

_AGAIN_S: Final = 5
"""A page that needs the database, which is away, is loaded again after so long."""

_NO_DATABASE: Final = say("The hub cannot use its database at the moment.")
_NO_MATCH: Final = say("This match cannot be shown.")
_TRIED_AGAIN: Final = say("What was played is not lost. Trying again …")

_MOST_LIVE: Final = 300
"""Pages that are kept although nobody watches them; the oldest are forgotten first."""

HALL: Final = Page("hall", say("Tables"), "hub/hall.js", FOR_THE_HALL)
HALL_TV: Final = Page("hall tv", say("Tables"), "hub/hall.js", FOR_THE_HALL, bare=True)
TABLE: Final = Page("table", say("Table"), "table.js", FOR_A_TABLE)
TABLE_TV: Final = Page("tv", say("Table"), "table.js", FOR_A_TABLE, bare=True)
STANDING: Final = Page("people", say("Standings"))
HISTORY: Final = Page("matches", say("Matches"))
MATCH: Final = Page("one-match", say("Match"))
PAIR: Final = Page("host", say("Director"), "pair.js", ACTING)
DIRECTOR: Final = Page("host", say("Director"), "hub/director.js", FOR_DIRECTORS)
FAULTS: Final = Page("host", say("Faults"), "hub/director.js", FOR_DIRECTORS)
LOG: Final = Page("host", say("Log of the director"))


class HubSetup(Value):
    """What the pages need: the file of paired browsers, names of this machine, who hears the code.

    `language` is that of browsers that want none of ours; `digits` and `calendar` are as in `[screen]`.
    """

    phones: Path
    names: Collection[str] = ()
    language: str = DEFAULT
    digits: str = DIGIT_CHOICES[0]
    calendar: str = CALENDAR_CHOICES[0]
    show_code: Callable[[str], None] = lambda _code: None


class Site:
    """All pages of a hub. What is called here belongs to the thread of the event loop, or says otherwise."""

    def __init__(self, setting: HubSetup, intake: Intake) -> None:
        self.setting, self._intake, self.conductor = setting, intake, intake.conductor
        self.store, self.matches, self.evening = intake.store, intake.matches, intake.tables
        self._pairing = Pairing(setting.phones)
        self._code = director.PairingCode(setting.show_code)
        self._lives: dict[tuple[str, str], Live] = {}
        self._tables: dict[tuple[str, str], tuple[TableNow, HubMatch | None, dict[str, Any]]] = {}
        """The tables of the hall by name and language, as they were drawn, and of what."""
        self._lengths: dict[str, str] = {}
        """Of the log of the tournament and of the list of faults: whoever sees another one loads it again."""
        self._loop: asyncio.AbstractEventLoop | None = None
        intake.changed.append(self._changed)

    def begin(self) -> None:
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        self._loop = None
        for live in self._lives.values():
            live.close()

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", partial(self.hall, HALL)),
            Route("/tv", partial(self.hall, HALL_TV)),
            Route("/live", self.live_hall),
            Route("/table/{name}", partial(self.table, TABLE)),
            Route("/table/{name}/tv", partial(self.table, TABLE_TV)),
            Route("/table/{name}/live", self.live_table),
            Route("/standing", self.standing),
            Route("/history", self.history),
            Route("/match/{uid}", self.match),
            Route("/tournament/live", partial(self.live_list, "tournament")),
            Route("/director", self.director),
            Route("/faults", self.faults),
            Route("/faults/live", partial(self.live_list, "faults")),
            Route("/faults", self.dismiss, methods=["POST"]),
            Route("/log", self.log),
            Route("/pair", self.pair, methods=["POST"]),
            Mount("/static/hub", StaticFiles(directory=STATIC)),
            *common_routes(),
        ]

    # ------------------------------------------------------------------------------------- for all pages

    def texts(self, request: Request) -> Translator:
        return self._told_in(language_of(request, self.setting.language))

    def _told_in(self, language: str) -> Translator:
        return translator(language, self.setting.digits, self.setting.calendar)

    def answer(
        self,
        request: Request,
        page: Page,
        template: str,
        status: int = 200,
        **facts: Any,  # noqa: ANN401 - what the template asks for
    ) -> Response:
        """A page from a template."""
        t = self.texts(request)
        return RENDERER.respond(request, page, template, t, navigation=NAVIGATION, status=status, **facts)

    def directing(self, request: Request) -> Phone | None:
        """The director who has sent a request; None for everybody else."""
        return self._pairing.phone(request, _NOBODY_ENDED)

    async def directed(
        self, request: Request, do: Callable[[Phone, dict[str, Any]], dict[str, Any]]
    ) -> Response:
        """Do what a director asks for, in a thread; `do` gives `accepted`, else `fault` and `fix`."""
        who = self.directing(request)
        if who is None:
            return JSONResponse(_refused("unpaired"), 403)
        answer = await run_in_threadpool(do, who, await body_of(request))
        await run_in_threadpool(self._look)
        return JSONResponse(answer, 200 if answer["accepted"] else 409)

    # ------------------------------------------------------------------------------------- tables

    async def hall(self, page: Page, request: Request) -> Response:
        return self.answer(request, page, "hall.html", title=page.title, number=_page_of(request))

    async def live_hall(self, request: Request) -> Watcher:
        return Watcher(self._live("hall", str(_page_of(request))), self.texts(request).language)

    async def table(self, page: Page, request: Request) -> Response:
        name = request.path_params["name"]
        if self.evening.box(name) is None:
            return self._nothing(request, say("There is no table with this name."))
        return self.answer(request, page, "table.html", live=f"/table/{name}/live")

    async def live_table(self, request: Request) -> Response | Watcher:
        name = request.path_params["name"]
        if self.evening.box(name) is None:
            return PlainTextResponse("There is no table with this name.", 404)
        return Watcher(self._live("table", name), self.texts(request).language)

    def _nothing(self, request: Request, text: Text) -> Response:
        return self.answer(request, HISTORY, "message.html", 404, fault=self.texts(request).say(text), fix="")

    async def missing(self, request: Request, _error: Exception) -> Response:
        return self._nothing(request, NOT_THERE)

    async def without_database(self, request: Request, _error: Exception) -> Response:
        """The answer to a request for which the database is needed, and away: a page loads itself again."""
        t, again = self.texts(request), {"retry-after": str(_AGAIN_S)}
        if request.method == "POST":
            answer = {**_refused("database"), "fault": t.say(_NO_DATABASE), "fix": t.say(_TRIED_AGAIN)}
            return JSONResponse(answer, 503, again)
        texts = {"fault": t.say(_NO_DATABASE), "fix": t.say(_TRIED_AGAIN)}
        response = self.answer(request, HISTORY, "message.html", 503, **texts)
        response.headers.update({**again, "refresh": str(_AGAIN_S)})
        return response

    def _live(self, kind: str, which: str) -> Live:
        found = self._lives.get((kind, which))
        if found is None:
            for key in [key for key, live in self._lives.items() if not live.watchers][: -_MOST_LIVE or None]:
                del self._lives[key]
            found = self._lives[kind, which] = Live(lambda language: self._draw(kind, which, language))
        return found

    def _draw(self, kind: str, which: str, language: str) -> dict[str, Any]:
        match kind:
            case "hall":
                return self._draw_hall(int(which), language)
            case "table":
                return self._draw_table(which, language)
        return {"length": self._lengths[kind], **self._is_current()}

    def _draw_hall(self, which: int, language: str) -> dict[str, Any]:
        here, page, all_pages = self.evening.page(which, view.ON_A_PAGE)
        tables = [self._drawn(box, self._folded(box), language) for box in here]
        return {"page": page, "pages": all_pages, "tables": tables, **self._is_current()}

    def _is_current(self) -> dict[str, Any]:
        away = self._intake.away
        return {"away": bool(away), "why": away}

    def _drawn(self, box: TableNow, folded: HubMatch | None, language: str) -> dict[str, Any]:
        """A table of the hall; what has not changed since it was drawn is not drawn again."""
        known = self._tables.get((box.name, language))
        if known is not None and known[0] is box and known[1] is folded:
            return known[2]
        drawn = view.hall_entry(box, folded, self._told_in(language))
        self._tables[box.name, language] = (box, folded, drawn)
        return drawn

    def _draw_table(self, which: str, language: str) -> dict[str, Any]:
        box = self.evening.box(which)
        if box is None:
            raise RuntimeError(f"table {which} is gone")
        return view.table(box, self._folded(box), self._told_in(language), self._intake.away)

    # ------------------------------------------------------------------------------------- lists

    async def live_list(self, kind: str, request: Request) -> Response | Watcher:
        """How long the log of the tournament is, or the list of faults, which only directors see."""
        if kind == "faults" and self.directing(request) is None:
            return PlainTextResponse("Only directors see the faults.", 403)
        live = self._live(kind, "")
        self._lengths[kind] = await run_in_threadpool(self._length, kind)
        return Watcher(live, self.texts(request).language)

    def _length(self, kind: str) -> str:
        if kind == "tournament":
            return length_of(self.conductor.now())
        with suppress(SQLAlchemyError), self.store.reading() as db:
            return faults.length(db)
        return self._lengths.get(kind, "")

    def _look(self) -> None:
        """Tell those who watch a list that is another one. From every thread but that of the event loop."""
        for (kind, _), live in list(self._lives.items()):
            if kind in self._lengths and (length := self._length(kind)) != self._lengths[kind]:
                self._lengths[kind] = length
                if self._loop is not None:
                    self._loop.call_soon_threadsafe(live.change_soon)

    def _folded(self, box: TableNow) -> HubMatch | None:
        return self.matches.get(box.uid) if box.uid else None

    def _changed(self, names: set[str] | None) -> None:
        """Tell those who watch these tables; called in the thread of the intake."""
        loop = self._loop
        if loop is not None and self._lives:
            loop.call_soon_threadsafe(self._note, names)
            self._look()

    def _note(self, names: set[str] | None) -> None:
        for (kind, which), live in self._lives.items():
            if names is None or kind == "hall" or which in names:
                live.change_soon()

    # ------------------------------------------------------------------------------------- what was played

    def standing(self, request: Request) -> Response:
        t = self.texts(request)
        with self.store.reading() as db:
            lines = evening.standing(evening.of_the_evening(db), lambda box: self._title(box, t), t)
        return self.answer(request, STANDING, "standing.html", lines=lines)

    def _title(self, name: str, t: Translator) -> str:
        box = self.evening.box(name)
        return name if box is None else view.titled(box, t)

    def history(self, request: Request) -> Response:
        try:
            before_s = float(request.query_params.get("before", ""))
        except ValueError:
            before_s = None
        with self.store.reading() as db:
            found = list(evening.matches(db, before_s, ON_A_PAGE + 1))
        older = found[ON_A_PAGE - 1].begun_s if len(found) > ON_A_PAGE else None
        return self.answer(
            request, HISTORY, "history.html", matches=found[:ON_A_PAGE], older=older, title_of=self._title
        )

    def match(self, request: Request) -> Response:
        t, uid = self.texts(request), request.path_params["uid"][:64]
        if not uid.isprintable():
            return self._nothing(request, _NO_MATCH)
        played = self.matches.played(uid)
        if played is not None:
            report = "".join(article(played, LOOKS, t))
            return self.answer(request, MATCH, "match.html", report=report)
        folded = self.matches.whole(uid)
        match = folded.match
        if match is None:
            return self._nothing(request, _NO_MATCH)
        numbers = [t.number(deal + 1) for deal in range(len(match.position.score_sheet.deals))]
        names = view.names_of(folded, match, t)
        return self.answer(request, MATCH, "score.html", match=match, names=names, numbers=numbers)

    # ------------------------------------------------------------------------------------- the director

    def director(self, request: Request) -> Response:
        return self._for_directors(
            request, DIRECTOR, "director.html", lambda db: {"open_faults": faults.count_open(db)}
        )

    def faults(self, request: Request) -> Response:
        def found(db: Connection) -> dict[str, Any]:
            length = faults.length(db)  # before the list: what comes between the two is told then
            return {"found": faults.listed(db), "length": length, "title_of": self._title}

        return self._for_directors(request, FAULTS, "faults.html", found)

    def log(self, request: Request) -> Response:
        return self._for_directors(
            request, LOG, "log.html", lambda db: {"rows": director.log(db), "evening": self.evening}
        )

    def _for_directors(
        self, request: Request, page: Page, template: str, facts: Callable[[Connection], dict[str, Any]]
    ) -> Response:
        if self.directing(request) is None:
            return self.answer(request, PAIR, "pair_director.html")
        with self.store.reading() as db:
            return self.answer(request, page, template, **facts(db))

    async def dismiss(self, request: Request) -> Response:
        return await self.directed(
            request, lambda who, body: {"accepted": director.dismiss(self.store, who, body.get("id"))}
        )

    async def pair(self, request: Request) -> Response:
        """Make a director of the browser that sends the code."""
        asked = await self._pairing.asked(request, _refused)
        if isinstance(asked, Response):
            return asked
        code, name, _ = asked
        where = network(request.client.host if request.client else "")
        if self._code.waits(where):
            return JSONResponse({**_refused("busy"), "wait_s": director.PAUSE_S}, 429)
        if not self._code.take(code, where):
            return JSONResponse(_refused("refused"), 403)
        return self._pairing.pair(request, name, 0)


def _refused(why: str) -> dict[str, Any]:
    return {"accepted": False, "why": why}


def _page_of(request: Request) -> int:
    text = request.query_params.get("page", "1")
    return max(1, int(text)) if text.isdecimal() and len(text) <= 4 else 1  # noqa: PLR2004 - digits
