"""Matches as one self-contained HTML page: for a phone, a screen, and paper (A4).

The page is made from the templates beside this file, match by match, as it is read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from companion.core.cards import Seat
from companion.text.sentence import count, in_sentences
from companion.values import Value
from firmware.history.chart import NARROW, WIDE, ChartSize, PlayerLook, as_svg, looks_of, outline
from firmware.history.played_match import PlayedDeal, PlayedMatch
from firmware.history.rendering import templates
from firmware.history.stored_matches import MatchExport
from firmware.history.stored_time import day, read_time, shown
from firmware.history.story import Story, story_of
from firmware.text import persian_font
from firmware.text.translation import Translator

Section = Callable[[PlayedMatch, Translator], str]
"""A part of the page about a match, as HTML; empty where there is nothing to say."""

_TEMPLATES: Final = templates()
_TEMPLATES.globals.update(NARROW=NARROW, WIDE=WIDE, outline=outline)


class _ReportedMatch(Value):
    """What the template of a match shows."""

    past: PlayedMatch
    looks: Mapping[Seat, PlayerLook]
    story: Callable[[], Story]
    sections: Sequence[str]
    translate: Translator

    @property
    def facts(self) -> Iterator[str]:
        past, t = self.past, self.translate
        if past.begun:
            yield shown(past.begun, t)
        if past.minutes is not None:
            yield t.say(count("{count} minute", "{count} minutes", past.minutes))
        yield t.say(past.length)
        if past.deck:
            yield t("{cards} cards", cards=past.deck)
        if past.match.scoring.high_wins:
            yield t("most points win")
        if past.id:  # none in a list of many tables
            yield t("match {id}", id=past.id)

    @property
    def damage(self) -> str:
        say, damage = self.translate.say, self.past.damage
        return in_sentences(say(damage.fault_text), say(damage.fix_text)) if damage else ""

    def chart(self, size: ChartSize) -> str:
        return as_svg(self.past, self.looks, self.translate, size)

    def best(self, deal: PlayedDeal) -> int:
        better = max if self.past.match.scoring.high_wins else min
        return better(deal.points[seat] for seat in deal.players)


def as_html(
    export: MatchExport, looks: Mapping[int, PlayerLook], t: Translator, sections: Sequence[Section] = ()
) -> Iterator[str]:
    """The page in parts, with at least one match.

    `looks` say by badge how players are drawn; `sections` come at the end of each match.
    """
    lines = list(_lines(export, t))
    return _TEMPLATES.get_template("report.html").generate(
        t=t,
        title=_title([(title, when) for title, when, _ in lines], t),
        font=persian_font.embedded(t.language),
        contents=[cells for _, _, cells in lines],
        matches=(_reported(past, looks, t, sections) for past in export),
    )


def article(
    past: PlayedMatch, looks: Mapping[int, PlayerLook], translate: Translator, deal: int | None = None
) -> Iterator[str]:
    """One match as an element of HTML, in parts, without the style; with a `deal`, only its turns."""
    template = _TEMPLATES.get_template("match.html")
    context = template.new_context({"t": translate, "match": _reported(past, looks, translate, (), deal)})
    yield from template.root_render_func(context)
    context.vars.clear()  # its macros and the match refer to each other: that is long to search for


def _reported(
    past: PlayedMatch,
    looks: Mapping[int, PlayerLook],
    translate: Translator,
    sections: Sequence[Section],
    deal: int | None = None,
) -> _ReportedMatch:
    past = past.named_in(translate)
    parts = [section(past, translate) for section in sections]
    story = lambda: story_of(past, translate, deal)  # noqa: E731 - told when the template comes to it
    return _ReportedMatch(past, looks_of(past, looks), story, parts, translate)


def _lines(
    export: MatchExport, translate: Translator
) -> Iterator[tuple[str, str, tuple[int, str, int, Sequence[str]]]]:
    """The title of each match, its day, and its line in the contents: number, title, deals, winners.

    By the stored summaries: nobody waits until every match was read.
    """
    for entry in export.entries:
        tally, _ = export.stored.tally(entry)
        people = export.stored.people(entry, tally)
        winners = [people[seat].called(translate) for seat in tally.winners]
        begun = read_time(entry.started_at)
        title, when = translate.title(tally.game), day(begun, translate) if begun else ""
        yield title, when, (entry.id, title, max(map(len, tally.points), default=0), winners)


def _title(matches: Sequence[tuple[str, str]], translate: Translator) -> str:
    (title, first), (_, last) = matches[0], matches[-1]
    if len(matches) == 1:
        return f"{title} {first}".rstrip()
    days = dict.fromkeys(filter(None, (first, last)))
    return translate("{count} matches, {days}", count=len(matches), days=" – ".join(days))
