"""The page that prints: labels, badges and the other sheets as PDF, by the code of `nimmt print`.

Making one takes a small board some seconds, so it is for paired phones, one after the other.
"""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from companion.core import games
from firmware.history.portions import Portions
from firmware.paper.cards import EVERY_GAME, chosen
from firmware.paper.print_job import PrintRequest, SheetKind
from firmware.paper.ready_sheets import LABELS, printed
from firmware.paper.stock import SHEETS, Paper
from firmware.paper.symbols import CodeKind
from firmware.text.translation import Translator
from network.web.site import TableSite, as_file


async def page(site: TableSite, request: Request) -> Response:
    titles = {key: games.module(key).TITLE for key in chosen(EVERY_GAME)}
    choices = {"titles": titles, "EVERY_GAME": EVERY_GAME, "Paper": Paper, "CodeKind": CodeKind}
    return site.respond(request, "print.html", SHEETS=SHEETS, LABELS=LABELS, **choices)


async def file(site: TableSite, request: Request) -> Response:
    """A sheet as PDF, in the language that was chosen; one is made at a time."""
    order = _order(request.query_params)
    pdf = await site.exports.do(_made(order, request.state.t))
    return Response(pdf, media_type="application/pdf", headers=as_file(f"{order.sheet.lower()}.pdf"))


def _order(query: Mapping[str, str]) -> PrintRequest:
    """The request of what was chosen; what it may hold is checked when it is made."""
    on = query.get("on", Paper.A4.value)
    is_plain = on in {paper.value for paper in Paper}
    return PrintRequest(
        query.get("sheet", SheetKind.TEST_PAGE.value),
        game=query.get("game"),
        paper=on if is_plain else None,
        labels=None if is_plain else on,
        code=query.get("code", CodeKind.DATAMATRIX.value),
    )


def _made(request: PrintRequest, translate: Translator) -> Portions[bytes]:
    """The PDF. Raises `CompanionError` for what cannot be printed, and says what can."""
    yield
    return printed(request, translate).pdf
