"""The pages of tables, of matches and of directors: everybody may look, directors may act."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from companion.text.sentence import say
from firmware.history.portions import in_portions
from firmware.history.report import article
from firmware.paper.badges import LOOKS
from network.hub import director, evening, faults, view
from network.hub.reports import LONGEST_UID
from network.hub.site import HubSite, refused
from network.web.frame import common_routes
from network.web.live import Watcher

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from firmware.history.portions import Portions
    from network.hub.evening import TableNow
    from network.hub.matches import HubMatch

STATIC: Final = Path(__file__).parent / "static"

ON_A_PAGE: Final = 40
"""Matches in a list."""

_NO_TABLE: Final = say("There is no table with this name.")
_NO_MATCH: Final = say("This match cannot be shown.")


def routes(site: HubSite) -> list[BaseRoute]:
    shown: dict[str, Callable[..., Any]] = {
        "/": partial(_hall, television=False),
        "/tv": partial(_hall, television=True),
        "/live": _live_hall,
        "/table/{name}": partial(_table, television=False),
        "/table/{name}/tv": partial(_table, television=True),
        "/table/{name}/live": _live_table,
        "/standing": partial(_stored, _standing),
        "/history": partial(_stored, _history),
        "/match/{uid}": partial(_stored, _match),
        "/tournament/live": partial(_live_list, "tournament"),
        "/director": partial(_for_directors, "director.html"),
        "/faults": partial(_for_directors, "faults.html"),
        "/faults/live": partial(_live_list, "faults"),
        "/log": partial(_for_directors, "log.html"),
    }
    return [
        *(Route(path, partial(answer, site=site)) for path, answer in shown.items()),
        Route("/faults", partial(site.directed, do=partial(director.dismiss, site.store)), methods=["POST"]),
        Route("/pair", partial(_pair, site=site), methods=["POST"]),
        Mount("/static/hub", StaticFiles(directory=STATIC)),
        *common_routes(),
    ]


# ----------------------------------------------------------------------------------------- tables


async def _hall(request: Request, site: HubSite, *, television: bool) -> Response:
    return site.answer(request, "hall.html", television=television, number=_page_of(request))


async def _live_hall(request: Request, site: HubSite) -> Watcher:
    def hall(language: str) -> dict[str, Any]:
        here, page, pages = site.tables.page(number, view.ON_A_PAGE)
        tables = [view.hall_entry(box, _folded(site, box), site.texts_in(language)) for box in here]
        return {"page": page, "pages": pages, "tables": tables}

    number = _page_of(request)
    return Watcher(site.live("hall", str(number), hall), site.texts(request).language)


def _page_of(request: Request) -> int:
    text = request.query_params.get("page", "1")
    return max(1, int(text)) if text.isdecimal() and len(text) <= 4 else 1  # noqa: PLR2004 - digits


async def _table(request: Request, site: HubSite, *, television: bool) -> Response:
    name = request.path_params["name"]
    if site.tables.box(name) is None:
        return site.missing(request, _NO_TABLE)
    return site.answer(request, "hub_table.html", television=television, live=f"/table/{name}/live")


async def _live_table(request: Request, site: HubSite) -> Response | Watcher:
    name = request.path_params["name"]
    if site.tables.box(name) is None:
        return PlainTextResponse(_NO_TABLE.template, 404)

    def table(language: str) -> dict[str, Any]:
        box = site.tables.box(name)
        assert box is not None  # noqa: S101 - none is ever removed
        return view.table(box, _folded(site, box), site.texts_in(language), site.intake.away)

    return Watcher(site.live("table", name, table), site.texts(request).language)


def _folded(site: HubSite, box: TableNow) -> HubMatch | None:
    return site.matches.get(box.uid) if box.uid else None


# ----------------------------------------------------------------------------------------- matches


async def _stored(make: Callable[..., Portions[Response]], request: Request, site: HubSite) -> Response:
    """A page of stored matches, or of the one that is asked for."""
    uid = request.path_params.get("uid")
    if uid is not None and not (uid.isprintable() and len(uid) <= LONGEST_UID):
        return site.missing(request, _NO_MATCH)
    return await site.read(request, partial(make, request, site), uid)


def _standing(request: Request, site: HubSite) -> Portions[Response]:
    t, found = site.texts(request), list[evening.MatchRow]()
    with site.store.reading() as db:
        for match in evening.of_the_evening(db):
            if len(found) % 250 == 0:
                yield
            found.append(match)
    lines = evening.standing(found, lambda name: site.title_of(name, t), t)
    return site.answer(request, "standing.html", lines=lines)


def _history(request: Request, site: HubSite) -> Portions[Response]:
    yield
    try:
        before_s = float(request.query_params.get("before", ""))
    except ValueError:
        before_s = None
    with site.store.reading() as db:
        found = list(evening.matches(db, before_s, ON_A_PAGE + 1))
    older = found[ON_A_PAGE - 1].begun_s if len(found) > ON_A_PAGE else None
    return site.answer(request, "history.html", matches=found[:ON_A_PAGE], older=older)


def _match(request: Request, site: HubSite) -> Portions[Response]:
    t, uid = site.texts(request), request.path_params["uid"]
    played = yield from site.matches.played(uid)
    if played is not None:
        report = yield from in_portions(article(played, LOOKS, t))
        return site.answer(request, "match.html", report=report)
    folded = yield from site.matches.read(uid)
    match = folded.match
    if match is None:
        return site.missing(request, _NO_MATCH)
    numbers = [t.number(deal + 1) for deal in range(len(match.position.score_sheet.deals))]
    names = view.names_of(folded, match, t)
    return site.answer(request, "score.html", match=match, names=names, numbers=numbers)


# ----------------------------------------------------------------------------------------- directors

_FACTS: Final[Mapping[str, Callable[[Connection], dict[str, Any]]]] = {
    "director.html": lambda db: {"open_faults": faults.count_open(db)},
    # The length comes before the list: so what comes between the two is told.
    "faults.html": lambda db: {"length": faults.length(db), "found": faults.listed(db)},
    "log.html": lambda db: {"rows": director.log(db)},
}


def _for_directors(template: str, request: Request, site: HubSite) -> Response:
    if site.directing(request) is None:
        return site.answer(request, "pair_director.html")
    with site.store.reading() as db:
        return site.answer(request, template, **_FACTS[template](db))


async def _live_list(kind: str, request: Request, site: HubSite) -> Response:
    if kind == "faults" and site.directing(request) is None:
        return PlainTextResponse("Only directors see the faults.", 403)
    return Watcher(await site.live_list(kind), site.texts(request).language)


async def _pair(request: Request, site: HubSite) -> Response:
    """Make a director of the browser that sends the code."""
    asked = await site.pairing.read_code(request, refused)
    if isinstance(asked, Response):
        return asked
    code, name, _ = asked
    if not site.code.take(code):
        return JSONResponse(refused("refused"), 403)
    return site.pairing.pair(request, name, 0)
