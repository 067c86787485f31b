"""The pages of the tournament: everybody sees seats and standing, a director has the forms beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.text.digits import in_latin_digits
from companion.text.errors import CompanionError
from companion.text.names import in_order
from companion.text.sentence import Decimals, Text, in_context, in_sentences, say
from companion.tournament import acts, deals
from companion.tournament.course import Player, Round, Tournament, TournamentTable
from companion.tournament.export import results_csv, standing_csv
from companion.tournament.standing import Row, said, standing, table_points
from companion.values import Value
from firmware.history.players import shown_name
from firmware.text.translation import Translator
from network.hub.pages import FOR_DIRECTORS
from network.hub.tournament import Conductor, StoredTournament, length_of, lines_of, planned_deals, unnamed
from network.web.frame import ANSWER, DIGIT, Page, table_of, words

if TYPE_CHECKING:
    from starlette.requests import Request

    from network.hub.site import Site
    from network.web.pairing import Phone

TOURNAMENT: Final = Page("people", say("Tournament"), "hub/tournament.js", FOR_DIRECTORS)

_DECIDED: Final[Mapping[str, Text]] = {
    "points": in_context("what decides", "points"),
    "relative": in_context("what decides", "relative heads"),
    "heads": in_context("what decides", "heads"),
    "lot": in_context("what decides", "lot"),
    "final": in_context("what decides", "the final"),
    "left": in_context("what decides", "has left"),
}


class TakenAlong(Value):
    """A file of the tournament: its name, its type, what it is called on the page, and its content."""

    name: str
    kind: str
    title: Text
    make: Callable[[StoredTournament], str]


FILES: Final = {
    "standing.csv": TakenAlong(
        "standing.csv", "text/csv", say("Standing (CSV)"), lambda held: standing_csv(held.state)
    ),
    "results.csv": TakenAlong(
        "results.csv", "text/csv", say("Results (CSV)"), lambda held: results_csv(held.state)
    ),
    # With the log everybody can count again, and `nimmt print` reads it.
    "log.jsonl": TakenAlong(
        "tournament.jsonl", "application/jsonl", say("Log (JSON)"), lambda held: lines_of(held.entries)
    ),
}
"""By the end of their address."""


def routes(site: Site) -> list[BaseRoute]:
    files = [Route(f"/tournament/{at}", partial(_file, site, file)) for at, file in FILES.items()]
    shown = Route("/tournament", partial(_shown, site))
    return [shown, Route("/tournament", partial(_act, site), methods=["POST"]), *files]


async def _shown(site: Site, request: Request) -> Response:
    t, directs = site.texts(request), site.directing(request) is not None
    held = await run_in_threadpool(site.conductor.now)
    main = f'<div id="tournament" data-length="{length_of(held)}">{_page(held, t, directs=directs)}</div>'
    return site.answer(request, TOURNAMENT, t, ANSWER + main)


async def _act(site: Site, request: Request) -> Response:
    t = site.texts(request)

    def do(who: Phone, body: dict[str, Any]) -> dict[str, Any]:
        try:
            _do(site.conductor, who, body)
        except CompanionError as bad:
            fault, fix = (in_sentences(t.say(one)) for one in (bad.fault_text, bad.fix_text))
            return {"accepted": False, "fault": fault, "fix": fix}
        return {"accepted": True}

    return await site.directed(request, do)


async def _file(site: Site, file: TakenAlong, _request: Request) -> Response:
    held = await run_in_threadpool(site.conductor.now)
    if held is None:
        raise HTTPException(404)
    attached = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.make(held), media_type=f"{file.kind}; charset=utf-8", headers=attached)


# ----------------------------------------------------------------------------------------- what is done


def _do(conductor: Conductor, who: Phone, body: Mapping[str, Any]) -> None:
    held = conductor.now()
    match body.get("do"):
        case "open":
            act: acts.Act = _opened(body)
        case "register":
            act = _registered(held, _number(body, "badge"), _text(body, "name"))
        case "rename":
            act = acts.Renamed(_number(body, "badge"), _text(body, "name"))
        case "withdraw":
            act = acts.Withdrew(_number(body, "badge"))
        case "return":
            act = acts.Returned(_number(body, "badge"))
        case "draw":
            conductor.draw(who)
            return
        case "correct":
            heads = tuple(_whole(one) for one in _text(body, "heads").split())
            act = acts.Corrected(_number(body, "round"), _number(body, "table"), heads, _text(body, "reason"))
            _asked_about_closed(held, act.round, meant=_text(body, "closed") == "on")
        case "close":
            act = acts.Closed(len(held.state.rounds) if held else 0)
        case "finish":
            act = acts.Finished()
        case _:
            raise CompanionError(say("this page is older than the hub"), say("load it again"))
    conductor.act(act, who)


def _asked_about_closed(held: StoredTournament | None, number: int, *, meant: bool) -> None:
    """Refuse a correction of a round that is closed, unless it is meant. Raises `CompanionError`."""
    is_closed = held is not None and any(one.closed and one.number == number for one in held.state.rounds)
    if is_closed and not meant:
        raise CompanionError(
            say("round {round} is closed", round=number), say("tick the box to change it anyway")
        )


def _registered(held: StoredTournament | None, badge: int, name: str) -> acts.Registered | acts.Renamed:
    known = held.state.player(badge) if held else None
    if known is not None and known.name == unnamed(badge):
        return acts.Renamed(badge, name)
    return acts.Registered(badge, name)


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
        raise CompanionError(say("'{text}' is not a whole number", text=text), say("write digits")) from None


# ---------------------------------------------------------------------------------------- what is shown


def _page(held: StoredTournament | None, t: Translator, *, directs: bool) -> str:
    if held is None:
        none = (
            f"<h1>{words(t, say('Tournament'))}</h1><p>{words(t, say('No tournament has been opened.'))}</p>"
        )
        return none + (_opening(t) if directs else "")
    state = held.state
    out = [f"<h1><bdi>{escape(state.rules.title)}</bdi></h1>"]
    out.append(f'<p class="soft">{words(t, _rules(state))}</p>')
    leads = directs and not state.finished
    if leads:
        out += _directing(state, t)
    round_ = state.open_round
    if round_ is not None:
        out += _seats(state, round_, t)
    out += _standing(state, t)
    for past in reversed(state.rounds):
        if past.closed:
            out += _results(state, past, t, directs=leads)
    out.append('<p class="choices">')
    for at, file in FILES.items():
        out.append(f'<a class="button" href="/tournament/{at}">{words(t, file.title)}</a> ')
    return "".join([*out, "</p>", _opening(t) if directs and state.finished else ""])


def _rules(state: Tournament) -> Text:
    rules = state.rules
    # Numbers one after the other stay so in a text from right to left, and in one line.
    seed = f"\u2068{rules.seed.replace(' ', chr(0xA0))}\u2069"
    if rules.pairing == acts.SWISS:
        return say("Swiss rounds: {rounds}. Draw seed: {seed}", rounds=rules.rounds, seed=seed)
    return say(
        "Rounds with new opponents: {rounds}. Draw seed: {seed}",
        rounds=rules.rounds,
        seed=seed,
    )


def _directing(state: Tournament, t: Translator) -> list[str]:
    out = [f"<h2>{words(t, say('Director'))}</h2>"]
    badge = max((player.badge for player in state.players), default=0) + 1
    out.append(
        _form("register", t, say("Register"), (
            _input(t, say("Badge"), "badge", str(badge), "number"),
            _input(t, say("Name"), "name", "", "text"),
        ))
    )  # fmt: skip
    out.append('<p class="choices">')
    for do, text in (
        ("draw", say("Draw the round")),
        ("close", say("Close the round")),
        ("finish", say("End")),
    ):
        out.append(f'<button type="button" data-do="{do}">{words(t, text)}</button> ')
    out.append("</p>")
    if state.open_round is not None:
        out += _results(state, state.open_round, t, directs=True)
    if state.rules.duplicate:
        out += _deals(state, t)
    if not state.rounds:
        out.append(f'<p class="soft">{words(t, _REGISTRATION)}</p>')
    players = words(t, say("Players: {count}", count=len(state.playing)))
    opened = "" if state.rounds else " open"
    out.append(f'<details id="players"{opened}><summary>{players}</summary><ul class="seats">')
    for player in state.players:
        do, text = ("return", say("plays again")) if player.withdrawn else ("withdraw", say("leaves"))
        button = f'<button type="button" data-do="{do}" data-badge="{player.badge}">{words(t, text)}</button>'
        out.append(
            f'<li><span class="badge">{t.number(player.badge)}</span> '
            f'<bdi class="name">{_named(player, t)}</bdi> {button}</li>'
        )
    return [*out, "</ul></details>"]


def _named(one: Player | Row, t: Translator) -> str:
    return escape(shown_name(one.name, one.badge, 0, t))


_REGISTRATION: Final = say(
    "Until the first round is drawn, a badge that is scanned at any box is registered too. "
    "Register it here with a name, and it has that name."
)


def _deals(state: Tournament, t: Translator) -> list[str]:
    number = state.open_round.number if state.open_round else len(state.rounds) + 1
    title = say("Round {round}: the deals", round=number)
    out = [f'<details id="deals"><summary>{words(t, title)}</summary>']
    for at in range(1, planned_deals(state.rules) + 1):
        planned = deals.deal(state.rules.seed, number, at)
        out.append(f"<h3>{words(t, say('Deal {deal}', deal=at))}</h3>")
        hands = [(words(t, say("Rows")), _cards(planned.rows))]
        hands += [
            (words(t, say("Hand {seat}", seat=seat)), _cards(hand))
            for seat, hand in enumerate(planned.hands, start=1)
        ]
        out.append(table_of(t, (say("Seat"), say("Cards")), hands))
    return [*out, "</details>"]


def _cards(cards: Sequence[int]) -> str:
    return f'<bdi dir="ltr">{" ".join(map(str, cards))}</bdi>'


def _opening(t: Translator) -> str:
    pairings = {acts.SWISS: say("Swiss: by points"), acts.MEET: say("New opponents every round")}
    finals = {
        "4": say("the best {count}", count=4),
        "5": say("the best {count}", count=5),
        "0": say("no final"),
    }
    return f"<h2>{words(t, say('Open a tournament'))}</h2>" + _form(
        "open",
        t,
        say("Open"),
        (
            _input(t, say("Title"), "title", "", "text"),
            _input(t, say("Seed: any text, announced before the first draw"), "seed", "", "text"),
            _input(t, say("Rounds"), "rounds", "4", "number"),
            _choice(t, say("Seating"), "pairing", pairings),
            _input(t, say("Deals of a match (0: up to the limit)"), "deals", "3", "number"),
            _input(t, say("Limit"), "target", "66", "number"),
            _choice(t, say("Most players at a table"), "largest", {"5": "5", "4": "4"}),
            _choice(t, say("Final"), "final", finals),
            _tick(t, say("The same deals at all tables"), "duplicate"),
        ),
    )


def _form(do: str, t: Translator, button: Text, fields: Sequence[str]) -> str:
    end = f'<button class="main">{words(t, button)}</button></form>'
    return f'<form class="form" data-do="{do}">{"".join(fields)}{end}'


def _input(t: Translator, label: Text, name: str, value: str, kind: str) -> str:
    number = f'inputmode="numeric" pattern="{DIGIT}{{1,3}}" dir="ltr"'
    what = number if kind == "number" else 'maxlength="80"'
    field = f'<input name="{name}" value="{escape(value)}" {what} required>'
    return f"<label>{words(t, label)}{field}</label>"


def _tick(t: Translator, label: Text, name: str, *, must: bool = False) -> str:
    required = " required" if must else ""
    return f'<label class="tick"><input type="checkbox" name="{name}"{required}> {words(t, label)}</label>'


def _choice(t: Translator, label: Text, name: str, choices: Mapping[str, Text | str]) -> str:
    options = "".join(
        f'<option value="{key}">{t.digits(text) if isinstance(text, str) else words(t, text)}</option>'
        for key, text in choices.items()
    )
    return f'<label>{words(t, label)}<select name="{name}">{options}</select></label>'


def _seats(state: Tournament, round_: Round, t: Translator) -> list[str]:
    title = say("The final") if round_.final else say("Round {round}: who sits where", round=round_.number)
    places = {badge: table.number for table in round_.tables for badge in table.badges}
    seated = sorted(
        (player for player in state.players if player.badge in places), key=lambda one: in_order(one.name)
    )
    lines = (
        f'<li><span class="badge">{t.number(one.badge)}</span> '
        f'<bdi class="name">{_named(one, t)}</bdi> '
        f"<b>{words(t, say('Table {table}', table=places[one.badge]))}</b></li>"
        for one in seated
    )
    return [f"<h2>{words(t, title)}</h2>", f'<ol class="seats">{"".join(lines)}</ol>']


def _standing(state: Tournament, t: Translator) -> list[str]:
    heads = (
        say("Player"), say("Points"), say("Relative heads"), say("Heads"),
        in_context("a column", "Matches"), say("Decided by"),
    )  # fmt: skip
    rows = [
        (
            f'<span class="rank">{t.number(row.place)}</span> <bdi>{_named(row, t)}</bdi>',
            t.digits(said(row.points)),
            t.decimals(Decimals(float(row.relative), 2)),
            t.decimals(Decimals(float(row.heads), 1)),
            t.number(row.matches),
            words(t, say("has left"))
            if row.withdrawn
            else words(t, _DECIDED[row.decided_by])
            if row.decided_by
            else "",
        )
        for row in standing(state)
    ]
    return [f"<h2>{words(t, say('Standing'))}</h2>", table_of(t, heads, rows)] if rows else []


def _results(state: Tournament, round_: Round, t: Translator, *, directs: bool) -> list[str]:
    title = say("Final: result") if round_.final else say("Round {round}: results", round=round_.number)
    out = [f"<h2>{words(t, title)}</h2>", '<ul class="entries">']
    for table in round_.tables:
        out.append(f'<li class="entry"><b>{words(t, say("Table {table}", table=table.number))}</b> ')
        out.append(f'<span class="soft">{words(t, _how(table))}</span>')
        out.append(_totals(state, table, t))
        if directs:
            out.append(_correction(round_, table, t))
        out.append("</li>")
    return [*out, "</ul>"]


def _how(table: TournamentTable) -> Text:
    result = table.result
    if result is None:
        return say("no result yet")
    if result.reason:
        return say("entered by the director: {reason}", reason=result.reason)
    if table.is_confirmed:
        return say("confirmed by all")
    return say("confirmed by {count} of {players}", count=len(result.confirmed), players=len(table.badges))


def _totals(state: Tournament, table: TournamentTable, t: Translator) -> str:
    heads = table.result.heads if table.result else ()
    points = table_points(heads, lowest_wins=state.rules.lowest_wins) if heads else ()
    names = {player.badge: _named(player, t) for player in state.players}
    out = ['<ol class="totals">']
    for at, badge in enumerate(table.badges):
        score = f" <b>{t.number(heads[at])}</b> ({t.digits(said(points[at]))})" if heads else ""
        out.append(f"<li>{t.number(badge)} <bdi>{names[badge]}</bdi>{score}</li>")
    return "".join([*out, "</ol>"])


def _correction(round_: Round, table: TournamentTable, t: Translator) -> str:
    heads = " ".join(map(str, table.result.heads)) if table.result else ""
    fields = (
        f'<input type="hidden" name="round" value="{round_.number}">',
        f'<input type="hidden" name="table" value="{table.number}">',
        _input(t, say("Totals in the order of the list"), "heads", heads, "text"),
        _input(t, say("Reason"), "reason", "", "text"),
        _tick(t, say("The round is closed: change it anyway"), "closed", must=True) if round_.closed else "",
    )
    form = _form("correct", t, say("Correct"), fields)
    title = words(t, say("Enter or correct"))
    return f'<details id="correct-{round_.number}-{table.number}"><summary>{title}</summary>{form}</details>'
