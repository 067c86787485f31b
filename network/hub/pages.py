"""The pages of the hub as HTML: the standing, the matches, one match, the director, the faults, the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Row

from companion.match.match import Match
from companion.text.sentence import Text, in_context, say
from companion.tournament import acts
from companion.values import replace
from firmware.history.played_match import PlayedMatch
from firmware.history.report import article
from firmware.history.statistics import Statistics
from firmware.history.stored_time import shown
from firmware.paper.badges import LOOKS
from firmware.text.translation import Translator
from network.hub import director
from network.hub.faults import OF_MATCHES, SAYS
from network.hub.view import names_of, titled
from network.web.frame import ANSWER, listing, number_cell, pairing_form, table_of, totals, words

if TYPE_CHECKING:
    from network.hub.evening import MatchRow, TablesNow
    from network.hub.matches import HubMatch


NAVIGATION: Final[Mapping[str, Text]] = {
    "/": say("Tables"),
    "/standing": say("Standings"),
    "/history": say("Matches"),
    "/tournament": say("Tournament"),
    "/director": say("Director"),
}
"""The pages that can be reached from every page, by their path."""

_AWAY: Final[Mapping[str, Text]] = {
    "broker": say("The hub has no connection to the broker. What you see is not current."),
    "database": say("The hub cannot use its database at the moment. What you see is not current."),
}
"""By what the hub cannot reach, as `network.hub.intake.Intake.away` has it."""

FOR_THE_HALL: Final[Mapping[str, Text]] = {
    "no_tables": say("No table has reported yet"),
    "how": say("A table that is given the address of the broker is shown here by itself."),
    # Translators: a table of the hall that is connected, but where nobody plays.
    "free": in_context("a table", "free"),
    "gone": say("not connected"),
    "pages": say("Pages of tables"),
    **_AWAY,
}

FOR_A_TABLE: Final[Mapping[str, Text]] = {
    "away": say("This table is not connected. What you see is not current."),
    **_AWAY,
}

FOR_DIRECTORS: Final[Mapping[str, Text]] = {
    "unreachable": say("The page's server does not answer."),
    "unpaired": say("This phone is no longer paired."),
    **_AWAY,
}


ON_A_PAGE: Final = 40
"""Matches in a list."""


def standing(lines: Sequence[Statistics], t: Translator) -> str:
    """Everybody of the evening, for each game; `lines` has those of a game one after the other."""
    out = [f"<h1>{escape(t('Standings'))}</h1>"]
    if not lines:
        out.append(f"<p>{escape(t('No deal has been finished yet this evening.'))}</p>")
    for game, of_game in groupby(lines, key=lambda line: line.game):
        out.append(f"<h2><bdi>{escape(t.title(game))}</bdi></h2>{_standing(of_game, t)}")
    return "".join(out)


def _standing(lines: Iterable[Statistics], t: Translator) -> str:
    heads = (
        say("Player"), say("Wins"), in_context("a column", "Matches"), say("Deals"), say("Mean"),
        say("Best deal"),
    )  # fmt: skip
    rows = []
    for one in lines:
        cells = (one.wins, one.matches, len(one.deals), one.mean, one.best)
        rows.append((f"<bdi>{escape(one.name)}</bdi>", *(number_cell(cell, t) for cell in cells)))
    return table_of(t, heads, rows)


def history(found: Sequence[MatchRow], evening: TablesNow, t: Translator) -> str:
    """The matches of a page; one more than that says that there are older ones."""
    older = f"?before={found[ON_A_PAGE - 1].begun_s!r}" if len(found) > ON_A_PAGE else ""
    entries = (_entry(one, evening, t) for one in found[:ON_A_PAGE])
    return f"<h1>{words(t, say('Matches'))}</h1>" + listing(
        t, say("No match has been played yet."), entries, older
    )


def _entry(one: MatchRow, evening: TablesNow, t: Translator) -> str:
    box = evening.box(one.box)
    title = escape(t.title(one.tally.game) if one.tally else t("Match"))
    table = escape(one.box if box is None else titled(box, t))
    plays = one.tally is None or not one.tally.over
    if one.tally is None:
        lines = "".join(f"<li><bdi>{escape(name)}</bdi></li>" for name in one.names(t))
        places = f'<ol class="totals">{lines}</ol>'
    else:
        places = totals(one.tally, one.names(t), t)
    # Translators: of a match in a list.
    since = f" · {escape(t('is being played'))}" if plays else ""
    when = f'<span class="soft">{_time(one.begun_s, t)}{since}</span>'
    return (
        f'<li class="entry"><a href="/match/{escape(one.uid)}">'
        f"<b><bdi>{title}</bdi></b> · <bdi>{table}</bdi></a> "
        f"{when}{places}</li>"
    )


def one_match(played: PlayedMatch, t: Translator) -> str:
    return f'<div class="report">{"".join(article(played, LOOKS, t, ()))}</div>'


def score(folded: HubMatch, match: Match, t: Translator) -> str:
    """The deals of a match whose score alone is known."""
    names = names_of(folded, match, t)
    deals = match.position.score_sheet.deals
    unknown = escape(t("What was played lies face down, so only the score is known here."))
    heads = (t("Player"), *(t.number(deal + 1) for deal in range(len(deals))), t("Total"))
    rows = []
    for place in match.position.score_sheet.standings(match.players):
        for seat in place.seats:
            points = (row[seat] if seat < len(row) else 0 for row in deals)
            numbers = (t.number(one) for one in (*points, match.totals[seat]))
            rows.append((f"<bdi>{escape(names[seat])}</bdi>", *numbers))
    headed = f'<h1><bdi>{escape(t.title(match.title))}</bdi></h1><p class="soft">{unknown}</p>'
    return headed + table_of(t, heads, rows)


def pairing(t: Translator) -> str:
    """The form for the code that the hub prints."""
    how = say("Type the six digits that the hub has printed in its terminal, or in the log of its service.")
    why = say("A director sees what is wrong and can act. Watching needs no code.")
    return pairing_form(t, say("Director"), how, why)


def director_page(open_faults: int, t: Translator) -> str:
    links = (("/faults", say("Faults: {count}", count=open_faults)), ("/log", say("Log of the director")))
    buttons = "".join(f'<a class="button" href="{to}">{words(t, text)}</a> ' for to, text in links)
    return f'<h1>{escape(t("Director"))}</h1><p class="choices">{buttons}</p>'


def faults(found: Sequence[Row[Any]], evening: TablesNow, t: Translator, length: str) -> str:
    """What is wrong, and what was; `length` is that of the list, as `network.hub.faults.length` has it."""
    still = listing(
        t, say("Nothing is wrong."), (_fault(one, evening, t) for one in found if one.settled_s is None)
    )
    past = "".join(_fault(one, evening, t) for one in found if one.settled_s is not None)
    if past:
        past = f'<h2>{words(t, say("Resolved"))}</h2><ul class="entries">{past}</ul>'
    title = words(t, say("Faults"))
    return f'<h1>{title}</h1>{ANSWER}<div id="faults" data-length="{length}">{still}{past}</div>'


def _fault(one: Row[Any], evening: TablesNow, t: Translator) -> str:
    box = evening.box(one.box)
    about = [titled(box, t) if box else one.box or t("The hub")]
    when = _time(one.last_s, t) if one.times == 1 else f"{_time(one.first_s, t)} – {_time(one.last_s, t)}"
    if one.times > 1:
        about.append(t("{count} times", count=t.number(one.times)))
    says, fix = said(one, t)
    aside = f'<button type="button" data-fault="{one.id}">{escape(t("Dismiss"))}</button>'
    is_of_match = one.kind in OF_MATCHES
    match = f' <a href="/match/{escape(one.about)}">{escape(t("Match"))}</a>' if is_of_match else ""
    return (
        f'<li class="entry fault"><b><bdi>{escape(" · ".join(about))}</bdi></b> '
        f'<span class="soft">{when}</span>{match}'
        f'<p><bdi>{escape(says)}</bdi></p><p class="soft">{escape(fix)}</p>'
        f"{'' if one.settled_s is not None else aside}</li>"
    )


def said(one: Row[Any], t: Translator) -> tuple[str, str]:
    """A fault in words: what is wrong, and what to do."""
    says, fix = SAYS[one.kind]
    return t.say(replace(says, facts=one.facts)), t.say(fix)


def _did(facts: Mapping[str, Any]) -> Text:
    before = facts["name"]
    match acts.from_record(facts["act"]):
        case acts.Opened(title):
            return say("The tournament {title} was opened", title=title)
        case acts.Registered(badge, name):
            return say("{name} was registered with badge {badge}", name=name, badge=badge)
        case acts.Renamed(badge, name):
            return say("Badge {badge}: {before} is now called {name}", badge=badge, before=before, name=name)
        case acts.Withdrew(badge):
            return say("{name} (badge {badge}) has left", name=before, badge=badge)
        case acts.Returned(badge):
            return say("{name} (badge {badge}) plays again", name=before, badge=badge)
        case acts.Drawn(number):
            return say("Round {round} was drawn", round=number)
        case acts.Corrected(number, table, heads):
            totals = ", ".join(map(str, heads))
            return say(
                "Round {round}, table {table}: the result was entered: {totals}",
                round=number, table=table, totals=totals,
            )  # fmt: skip
        case acts.Closed(number):
            return say("Round {round} was closed", round=number)
    return say("The tournament was ended")


def log(rows: Sequence[Row[Any]], evening: TablesNow, t: Translator) -> str:
    entries = (_done(row, evening, t) for row in rows)
    title = words(t, say("Log of the director"))
    return f"<h1>{title}</h1>{listing(t, say('Nothing has been done yet.'), entries)}"


def _done(row: Row[Any], evening: TablesNow, t: Translator) -> str:
    facts, box = row.facts, evening.box(row.facts.get("table", ""))
    table = f" · <bdi>{escape(titled(box, t))}</bdi>" if box else ""
    did = say("A fault was dismissed") if row.kind == director.DISMISSED else _did(facts)
    about = ""
    if facts.get("kind") in SAYS:
        about = f"<p>{escape(t.say(replace(SAYS[facts['kind']][0], facts=facts['facts'])))}</p>"
    reason = f"<p>{escape(t('Reason'))}: <bdi>{escape(row.reason)}</bdi></p>" if row.reason else ""
    return (
        f'<li class="entry"><b>{words(t, did)}</b>{table} '
        f'<span class="soft">{_time(row.at_s, t)} · <bdi>{escape(row.who)}</bdi></span>{about}{reason}</li>'
    )


def _time(at_s: float, t: Translator) -> str:
    return escape(shown(datetime.fromtimestamp(at_s, UTC), t))
