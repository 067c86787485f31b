"""What the pages draw of tables and matches, in one language; the scripts that draw it decide nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.match.match import Match
from companion.protocol.snapshot import TableSnapshot, table_snapshot
from companion.text.codec import decode_text
from companion.text.errors import InvalidRecord
from companion.text.sentence import EMOJI
from firmware.history.players import badge_of, people_of
from firmware.table_socket.as_text import heading, name_of, places, waited_for, won
from firmware.text.translation import Translator
from network.hub.evening import with_names
from network.mqtt.state import match_of
from network.web.view import NOTHING, table_view

if TYPE_CHECKING:
    from network.hub.evening import TableNow
    from network.hub.matches import HubMatch
    from network.mqtt.payloads import MatchState

ON_A_PAGE: Final = 24
"""Tables that one page of the hall shows."""


def hall_entry(box: TableNow, folded: HubMatch | None, t: Translator) -> dict[str, Any]:
    """A table as the hall shows it: what is played, the standing, who is waited for."""
    match = _played(box, folded, t)
    score = {"heading": [], "places": [], "over": False, "says": "", "step": 0}
    return {
        "name": box.name,
        "title": titled(box, t),
        "online": box.online,
        "uid": box.uid,
        **(score if match is None else _score(match, t)),
    }


def table(box: TableNow, folded: HubMatch | None, t: Translator, away: str) -> dict[str, Any]:
    """One table, as the page of the table itself draws it, with its name in front.

    `away` is what the hub cannot reach, as `network.hub.intake.Intake.away` has it.
    """
    shown = NOTHING | {"away": bool(away) or not box.online, "why": away}
    if folded is not None and folded.match is not None and folded.fault is None and folded.exact:
        shown |= {"number": folded.match.steps, **table_view(_snapshot(folded, folded.match, t), t)}
    elif (match := _played(box, folded, t)) is not None:
        score = _score(match, t)
        shown |= {
            "number": match.steps,
            "layout": "score",
            "heading": score["heading"],
            "over": match.over,
            "won": score["says"] if match.over else "",
            "places": [place | {"badge": 0, "note": ""} for place in score["places"]],
            "step": match.steps,
        }
    return shown | {"heading": [titled(box, t), *shown["heading"]]}


def _played(box: TableNow, folded: HubMatch | None, t: Translator) -> MatchState | None:
    """The match at a table: as the table itself says, else as far as the referee could follow its steps."""
    sent = None if box.state is None else box.state.match
    if sent is not None and sent.uid == box.uid:
        return sent
    if folded is None or folded.match is None or folded.fault is not None:
        return None
    return match_of(_snapshot(folded, folded.match, t), folded.uid, t, names=True)


def titled(box: TableNow, t: Translator) -> str:
    """What a table is called; most are called by a number."""
    return t("Table {table}", table=t.digits(box.title)) if box.title.isdecimal() else box.title


def names_of(folded: HubMatch, match: Match, t: Translator) -> tuple[str, ...]:
    """The players of a match by seat: the names that the table sends, else their badges."""
    return tuple(name or person.called(t) for person, name in with_names(people_of(match, ()), folded.names))


def _snapshot(folded: HubMatch, match: Match, t: Translator) -> TableSnapshot:
    names = names_of(folded, match, t)
    people = [(badge_of(match.terms.badges, seat), name) for seat, name in enumerate(names)]
    return table_snapshot(match, people, t.calling(names).say)


def _asked(sent: MatchState, t: Translator) -> str:
    """What is asked at a table; in its own language, if it says no more."""
    try:
        asked = [t.say(decode_text(ask)) for ask in sent.asks]
    except (InvalidRecord, LookupError):
        asked = []
    return " · ".join(asked).translate(EMOJI) or sent.waiting


def _score(match: MatchState, t: Translator) -> dict[str, Any]:
    by_seat = {player.seat: name_of(player, t) for player in match.players}
    names = [by_seat.get(seat, "") for seat in range(len(match.totals))]
    t, asked = t.calling(names), waited_for(match.players, match.waits_for)
    return {
        "heading": heading(match, t),
        "places": places(match, names, asked, t),
        "over": match.over,
        "says": won(match, t) if match.over else t.in_a_sentence(_asked(match, t)),
        "step": match.steps,
    }
