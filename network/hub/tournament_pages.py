"""The pages of the tournament: everybody sees seats and standing, a director has the forms beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.text.digits import in_latin_digits
from companion.text.errors import CompanionError
from companion.text.names import in_order
from companion.text.sentence import Decimals, Text, say
from companion.tournament import acts, deals
from companion.tournament.course import Tournament
from companion.tournament.export import results_csv, standing_csv
from companion.tournament.standing import format_points, standing, table_points
from firmware.history.players import shown_name
from network.hub.tournament import Conductor, StoredTournament, length_of, lines_of, unnamed

if TYPE_CHECKING:
    from starlette.requests import Request

    from firmware.history.portions import Portions
    from firmware.text.translation import Translator
    from network.hub.site import HubSite
    from network.web.pairing import Phone

FILES: Final[Mapping[str, tuple[Text, str, Callable[[StoredTournament], str]]]] = {
    "standing.csv": (say("Standings (CSV)"), "text/csv", lambda held: standing_csv(held.state)),
    "results.csv": (say("Results (CSV)"), "text/csv", lambda held: results_csv(held.state)),
    # With the log everybody can count again, and `nimmt print` reads it.
    "tournament.jsonl": (say("Log (JSON)"), "application/jsonl", lambda held: lines_of(held.entries)),
}
"""By the name of the file: what it is called on the page, its type, and what makes it."""


def routes(site: HubSite) -> list[BaseRoute]:
    return [
        Route("/tournament", partial(_render, site, "tournament.html")),
        Route("/winners", partial(_render, site, "winners.html")),
        Route("/tournament", partial(site.directed, do=partial(_do, site.conductor)), methods=["POST"]),
        *(Route(f"/tournament/{name}", partial(_file, site, name)) for name in FILES),
    ]


async def _render(site: HubSite, template: str, request: Request) -> Response:
    """The page, rendered once for all clients until the tournament changes: they never hold a director up."""
    held, directs = site.conductor.held, site.directing(request) is not None

    def render() -> Portions[Response]:
        yield from ()
        facts = _facts(held.state, site.texts(request)) if held else {"state": None}
        return site.answer(request, template, length=key[1], directs=directs, FILES=FILES, **facts)

    language = site.texts(request).language
    key = template, length_of(held), language, request.query_params.get("language") == language, directs
    return await site.rounds.once(key, render, "")


async def _file(site: HubSite, name: str, _request: Request) -> Response:
    held, (_, kind, make) = site.conductor.held, FILES[name]
    if held is None:
        raise HTTPException(404)
    attached = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(make(held), media_type=f"{kind}; charset=utf-8", headers=attached)


# ----------------------------------------------------------------------------------------- what is done


def _do(conductor: Conductor, who: Phone, body: Mapping[str, Any]) -> None:
    """Do what the form or the button of this name asks for. Raises `CompanionError`."""
    held = conductor.held
    rounds = held.state.rounds if held else ()
    match body.get("do"):
        case "open":
            act: acts.Act = _opened(body)
        case "register":
            badge, name = _number(body, "badge"), _text(body, "name")
            known = held.state.player(badge) if held else None
            is_unnamed = known is not None and known.name == unnamed(badge)
            act = (acts.Renamed if is_unnamed else acts.Registered)(badge, name)
        case "rename":
            act = acts.Renamed(_number(body, "badge"), _text(body, "name"))
        case "withdraw":
            act = acts.Withdrew(_number(body, "badge"))
        case "return":
            act = acts.Returned(_number(body, "badge"))
        case "draw":
            conductor.draw(who, _number(body, "seen"))
            return
        case "correct":
            heads = tuple(_whole(word) for word in _text(body, "heads").split())
            act = acts.Corrected(_number(body, "round"), _number(body, "table"), heads, _text(body, "reason"))
            closed = {round_.number for round_ in rounds if round_.closed}
            if act.round in closed and _text(body, "closed") != "on":
                fault = say("round {round} is closed", round=act.round)
                raise CompanionError(fault, say("tick the box to change it anyway"))
        case "close":
            act = acts.Closed(len(rounds))
        case "finish":
            act = acts.Finished()
        case _:
            raise CompanionError(say("this page is older than the hub"), say("load it again"))
    conductor.act(act, who, _number(body, "seen"))


def _opened(body: Mapping[str, Any]) -> acts.Opened:
    deals, target = _number(body, "deals"), _number(body, "target")
    end = {"deals": deals} if deals else {"target": target, "when": "reached"}
    return acts.Opened(
        _text(body, "title"),
        _text(body, "seed"),
        _number(body, "rounds"),
        _text(body, "pairing"),
        options={"end": end},
        largest=_number(body, "largest"),
        final=_number(body, "final"),
        duplicate=_text(body, "duplicate") == "on",
    )


def _text(body: Mapping[str, Any], name: str) -> str:
    text = body.get(name, "")
    return text.strip()[:200] if isinstance(text, str) else ""


def _number(body: Mapping[str, Any], name: str) -> int:
    return _whole(_text(body, name) or "0")


def _whole(text: str) -> int:
    try:
        return int(in_latin_digits(text) if len(text) <= 6 else "")  # noqa: PLR2004 - no total has more digits
    except ValueError:
        raise CompanionError(say("'{text}' is not a whole number", text=text), say("use digits")) from None


# ---------------------------------------------------------------------------------------- what is shown


def _facts(state: Tournament, t: Translator) -> dict[str, Any]:
    """What the template wants to know of a tournament besides its state."""
    rules, round_ = state.rules, state.open_round
    next_round = round_.number if round_ else len(state.rounds) + 1
    planned = range(1, rules.options["end"].get("deals", deals.MAX_DEALS) + 1) if rules.duplicate else ()
    places = {badge: table.number for table in round_.tables for badge in table.badges} if round_ else {}
    playing = (player for player in state.players if player.badge in places)
    seated = sorted(playing, key=lambda player: in_order(player.name))
    return {
        "state": state,
        "rows": standing(state),
        # Numbers one after the other stay so in a text from right to left, and in one line.
        "seed": f"\u2068{rules.seed.replace(' ', chr(0xA0))}\u2069",
        "next_badge": max((player.badge for player in state.players), default=0) + 1,
        "next_round": next_round,
        "deals": [deals.deal(rules.seed, next_round, number) for number in planned],
        "seated": [(player, places[player.badge]) for player in seated],
        "names": {player.badge: shown_name(player.name, player.badge, 0, t) for player in state.players},
        "table_points": table_points,
        "format_points": format_points,
        "Decimals": Decimals,
    }
