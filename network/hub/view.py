"""What the pages draw of tables and matches, in one language; the scripts that draw it decide nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from companion.text.sentence import Players, count
from firmware.history.players import people_of
from firmware.table_socket.seen import Seen
from firmware.table_socket.view import View as TableView
from hardware.ports import Light
from network.web.view import Teller, translator, view_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.match.match import Match
    from firmware.text.translation import Translator
    from network.hub.evening import Box
    from network.hub.matches import Folded
    from network.mqtt.payloads import Match as ToldMatch

DIGITS: Final = "language"

ON_A_PAGE: Final = 24
"""Tables that one page of the hall shows."""


def hall(tables: Sequence[dict[str, Any]], *, page: int, pages: int, away: bool) -> dict[str, Any]:
    """A page of the hall with tables of `one_of_the_hall`; `page` counts from 1. `away`: the broker is."""
    return {"away": away, "page": page, "pages": pages, "tables": tables}


def one_of_the_hall(box: Box, folded: Folded | None, t: Translator) -> dict[str, Any]:
    """A table as the hall shows it: what is played, the standing, who is waited for."""
    shown: dict[str, Any] = {
        "name": box.name,
        "title": titled(box, t),
        "online": box.online,
        "heading": [],
        "places": [],
        "over": False,
        "says": "",
        "uid": box.uid,
        "step": 0,
    }
    known = folded is not None and folded.fault is None
    told = _told(box)
    if folded is not None and folded.match is not None and known and (folded.exact or told is None):
        return shown | _of_match(folded, folded.match, t)
    return shown if told is None else shown | _of_told(told, t)


def table(box: Box, folded: Folded | None, language: str, *, away: bool) -> dict[str, Any]:
    """One table, as the page of the table itself draws it, with its name in front."""
    shown = _table(box, folded, language, away=away)
    return shown | {"heading": [titled(box, translator(language, DIGITS)), *shown["heading"]]}


def _table(box: Box, folded: Folded | None, language: str, *, away: bool) -> dict[str, Any]:
    away = away or not box.online
    empty = view_of(None, language, away=away)
    if folded is not None and folded.match is not None and folded.fault is None and folded.exact:
        seen = _seen(folded, folded.match, language)
        telling = TableView(seen)
        snapshot = {
            "number": folded.match.steps,
            "language": language,
            "digits": DIGITS,
            "table": telling.table(),
            "steps": [],
            "page": telling.page(),
        }
        return view_of(snapshot, language, away=away)
    told = _told(box)
    if told is None:
        return empty
    t = translator(language, DIGITS)
    small = _of_told(told, t)
    return empty | {
        "number": told.steps,
        "layout": "score",
        "heading": small["heading"],
        "over": told.over,
        "won": small["says"] if told.over else "",
        "places": [{**one, "seat": 0, "badge": 0, "note": ""} for one in small["places"]],
        "step": told.steps,
    }


def _told(box: Box) -> ToldMatch | None:
    """What a table itself says of the match that is played there."""
    told = None if box.state is None else box.state.match
    return told if told is not None and told.uid == box.uid else None


def titled(box: Box, t: Translator) -> str:
    """What a table is called; most are called by a number."""
    return t("Table {table}", table=t.digits(box.title)) if box.title.isdecimal() else box.title


def names_of(folded: Folded, match: Match) -> tuple[str, ...]:
    """The players of a match by seat: the names that the table sends, else their badges."""
    names = folded.names
    people = people_of(match, ())
    return tuple(
        name if (name := names[one.seat] if one.seat < len(names) else None) else one.name for one in people
    )


def _of_match(folded: Folded, match: Match, t: Translator) -> dict[str, Any]:
    names = names_of(folded, match)
    tell = Teller(t, names)
    over, points = match.position.over, match.points
    asked = set(match.asks[0].seats) if match.asks else set()
    some = asked if len(asked) < len(match.players) else set()
    places = [
        {
            "rank": t.number(one.rank) if match.position.score_sheet.deals else "",
            "name": names[seat],
            "total": t.number(one.total + (0 if over else points[seat])),
            "points": f"+{t.number(points[seat])}" if points[seat] > 0 and not over else "",
            "asked": seat in some,
            "won": seat in (match.winners or ()),
        }
        for one in match.position.score_sheet.standings(match.players)
        for seat in one.seats
    ]
    if over:
        winners = match.winners or ()
        who = Players(tuple(winners))
        says = (
            tell.say(count("{who} wins the match", "{who} win the match", len(winners), who=who))
            if winners
            else ""
        )
    else:
        says = tell.say(match.asks[0].says) if match.asks and folded.exact else ""
    board = match.board
    turn = () if over else (board.turn, board.turns)
    return {
        "heading": _heading(match.game.title, match.position.deal, turn, t),
        "places": places,
        "over": over,
        "says": tell.in_a_sentence(says),
        "step": match.steps,
    }


def _of_told(told: ToldMatch, t: Translator) -> dict[str, Any]:
    names = {one.seat: one.name or f"P{one.badge}" for one in told.players}
    some = set(told.waits_for) if len(told.waits_for) < len(told.players) else set()
    points = dict(enumerate(told.points))
    places = [
        {
            "rank": t.number(one.rank),
            "name": names.get(seat, ""),
            "total": t.number(one.total + (0 if told.over else points.get(seat, 0))),
            "points": f"+{t.number(points[seat])}" if points.get(seat, 0) > 0 and not told.over else "",
            "asked": seat in some,
            "won": seat in (told.winners or ()),
        }
        for one in told.places
        for seat in one.seats
    ]
    says = told.waiting
    if told.over and told.winners:
        tell = Teller(t, [names.get(seat, "") for seat in range(len(told.totals))])
        who = Players(tuple(told.winners))
        says = tell.say(count("{who} wins the match", "{who} win the match", len(told.winners), who=who))
    turn = () if told.over else (told.turn, told.turns)
    return {
        "heading": _heading(told.title, told.deal, turn, t),
        "places": places,
        "over": told.over,
        "says": says,
        "step": told.steps,
    }


def _heading(title: str, deal: int, turn: tuple[int, ...], t: Translator) -> list[str]:
    words = [t.title(title), t("Deal {deal}", deal=deal)]
    if turn and turn[1]:
        words.append(t("Turn {turn} of {turns}", turn=t.number(turn[0]), turns=t.number(turn[1])))
    return words


def _seen(folded: Folded, match: Match, language: str) -> Seen:
    """The match as the socket of a table has it, so that both draw the same."""
    nameless = Seen(
        match=match, match_id=None, names=(), translate=translator(language, DIGITS), digits=DIGITS, page="",
        goes_on=False, joined=None, refusal="", notice="", light=Light.OFF, bits=b"", issues=(),
    )  # fmt: skip
    by_badge = dict(zip(nameless.badges(), names_of(folded, match), strict=True))
    last = max(by_badge, default=0)
    return replace(nameless, names=tuple(by_badge.get(badge, f"P{badge}") for badge in range(1, last + 1)))
