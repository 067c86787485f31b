"""What the pages draw of tables and matches, in one language; the scripts that draw it decide nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.match.match import Match
from companion.protocol.snapshot import TableSnapshot, table_snapshot
from companion.text.codec import decode_text
from companion.text.errors import InvalidRecord
from companion.text.sentence import EMOJI
from firmware.history.players import badge_of, people_of, shown_name
from firmware.table_socket.as_text import heading, places, waited_for, won
from firmware.text.translation import Translator
from network.hub.evening import with_names
from network.web.view import NOTHING, table_view

if TYPE_CHECKING:
    from network.hub.evening import TableNow
    from network.hub.matches import HubMatch
    from network.mqtt.payloads import Match as SentMatch

ON_A_PAGE: Final = 24
"""Tables that one page of the hall shows."""


def one_of_the_hall(box: TableNow, folded: HubMatch | None, t: Translator) -> dict[str, Any]:
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
    sent, match = _sent(box), None if folded is None or folded.fault is not None else folded.match
    if folded is not None and match is not None and (folded.exact or sent is None):
        return shown | _of_match(folded, match, t)
    return shown if sent is None else shown | _of_sent(sent, t)


def table(box: TableNow, folded: HubMatch | None, t: Translator, away: str) -> dict[str, Any]:
    """One table, as the page of the table itself draws it, with its name in front.

    `away` is what the hub cannot reach, as `network.hub.intake.Intake.away` has it.
    """
    shown = NOTHING | {"away": bool(away) or not box.online, "why": away}
    if folded is not None and folded.match is not None and folded.fault is None and folded.exact:
        shown |= {"number": folded.match.steps, **table_view(_snapshot(folded, folded.match, t), t)}
    elif (sent := _sent(box)) is not None:
        small = _of_sent(sent, t)
        shown |= {
            "number": sent.steps,
            "layout": "score",
            "heading": small["heading"],
            "over": sent.over,
            "won": small["says"] if sent.over else "",
            "places": [{**one, "seat": 0, "badge": 0, "note": ""} for one in small["places"]],
            "step": sent.steps,
        }
    return shown | {"heading": [titled(box, t), *shown["heading"]]}


def _sent(box: TableNow) -> SentMatch | None:
    """What a table itself says of the match that is played there."""
    sent = None if box.state is None else box.state.match
    return sent if sent is not None and sent.uid == box.uid else None


def titled(box: TableNow, t: Translator) -> str:
    """What a table is called; most are called by a number."""
    return t("Table {table}", table=t.digits(box.title)) if box.title.isdecimal() else box.title


def names_of(folded: HubMatch, match: Match, t: Translator) -> tuple[str, ...]:
    """The players of a match by seat: the names that the table sends, else their badges."""
    return tuple(name or one.called(t) for one, name in with_names(people_of(match, ()), folded.names))


def _snapshot(folded: HubMatch, match: Match, t: Translator) -> TableSnapshot:
    names = names_of(folded, match, t)
    people = [(badge_of(match.terms.badges, seat), name) for seat, name in enumerate(names)]
    return table_snapshot(match, people, t.calling(names).say)


def _of_match(folded: HubMatch, match: Match, t: Translator) -> dict[str, Any]:
    table, names = _snapshot(folded, match, t), names_of(folded, match, t)
    t = t.calling(names)
    asked = waited_for(table.players, table.asks[0].seats if table.asks else ())
    says = won(table, t) if table.over else table.asks[0].says.says if table.asks and folded.exact else ""
    return {
        "heading": heading(table, t),
        "places": places(table, names, asked, t, ranked=bool(table.deals)),
        "over": table.over,
        "says": t.in_a_sentence(says),
        "step": table.steps,
    }


def _asked(sent: SentMatch, t: Translator) -> str:
    """What is asked at a table; in its own language, if it says no more."""
    try:
        asked = [t.say(decode_text(one)) for one in sent.asks]
    except (InvalidRecord, LookupError):
        asked = []
    return " · ".join(asked).translate(EMOJI) or sent.waiting


def _of_sent(sent: SentMatch, t: Translator) -> dict[str, Any]:
    by_seat = {one.seat: shown_name(one.name, one.badge, one.seat, t) for one in sent.players}
    names = [by_seat.get(seat, "") for seat in range(len(sent.totals))]
    called = t.calling(names)
    return {
        "heading": heading(sent, t),
        "places": places(sent, names, waited_for(sent.players, sent.waits_for), t, ranked=True),
        "over": sent.over,
        "says": (sent.over and won(sent, called)) or _asked(sent, called),
        "step": sent.steps,
    }
