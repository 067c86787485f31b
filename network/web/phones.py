"""Pairing a phone with the code on the display, and the list of the paired ones for a host."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import JSONResponse, Response

from companion.text.sentence import say
from network.web.answers import refusal, table_answer
from network.web.pairing import new_id, shown_name

if TYPE_CHECKING:
    from starlette.requests import Request

    from network.web.answers import ActAnswer
    from network.web.site import TableSite

PAIRING: Final = "pairing"
"""The page of the box with the code; also the sender of all guesses: they take nobody's turn at the table."""

_NO_CODE: Final = say("The box shows no code now. Choose PAIR A PHONE there.")


async def pair(site: TableSite, request: Request) -> Response:
    """Pair a phone that sends the code on the display."""
    t = request.state.t
    asked = await site.pairing.read_code(request, partial(refusal, t=t))
    if isinstance(asked, Response):
        return asked
    code, name, hosts = asked
    table = site.link.snapshot
    if table is not None and not site.link.away and table.page.name != PAIRING:
        return JSONResponse(refusal("changed", t, _NO_CODE), 403)
    if not site.guesses.allows(""):
        return JSONResponse(refusal("busy", t), 429)
    notes, phone_id = await site.phone_notes(), new_id()
    if notes is None:
        return JSONResponse(refusal("away", t), 503)
    act: dict[str, Any] = {"act": "pair", "code": code, "sender": PAIRING, "expect": {"page": PAIRING}}
    if hosts:
        act["host"] = {"id": phone_id, "name": shown_name(name)}
    try:
        answer = await site.link.act(act)
    except ConnectionError:
        return JSONResponse(refusal("away", t), 503)
    except ValueError:  # no text that the table reads
        return JSONResponse(refusal("malformed", t), 400)
    if not answer.accepted:
        return JSONResponse(table_answer(answer, site.link, t), 403)
    if request.user.is_authenticated:  # the same phone with more rights, or another name
        site.phones.remove(request.user.identity)
    response = site.pairing.pair(request, name, notes.era, phone_id)
    await site.send_phones()
    return response


async def paired_phones(site: TableSite, request: Request) -> Response:
    """Every paired phone, for its list on the page of a host."""
    notes = await site.phone_notes()
    phones = [] if notes is None else site.phones.paired(notes)
    found = [
        {
            "id": phone.id,
            "name": phone.name,
            "own": phone.id == request.user.identity,
            "hosts": notes is not None and phone.id in notes.hosts,
            "used_s": phone.used_s,
        }
        for phone in phones
    ]
    return JSONResponse({"phones": found})


async def forget(site: TableSite, _request: Request, record: dict[str, Any]) -> ActAnswer:
    is_removed = site.phones.remove(str(record.get("id", "")))
    await site.send_phones()
    return {"accepted": is_removed}
