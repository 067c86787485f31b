"""Matches as one self-contained HTML page: for a phone, a screen, and paper (A4)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from companion.core.cards import Seat
from companion.text.sentence import COMMA, count, in_context, in_sentences
from firmware.history.chart import NARROW, PlayerLook, as_svg, looks_of, shape
from firmware.history.played_match import PlayedDeal, PlayedMatch, Verified
from firmware.history.players import Person
from firmware.history.stored_matches import Export
from firmware.history.stored_time import day, read_time, shown
from firmware.history.story import Chapter, StoryCard, StoryTurn, story_of
from firmware.text import persian_font
from firmware.text.translation import Translator

Section = Callable[[PlayedMatch, Translator], Iterator[str]]
"""A part of the page about a match, as HTML; it yields nothing where it has nothing to say."""

_PAGE: Final = Path(__file__).with_name("report.html")
_BODY: Final = "\0"  # stands for the matches, which come one after the other


def as_html(
    export: Export, looks: Mapping[int, PlayerLook], translate: Translator, sections: Sequence[Section] = ()
) -> Iterator[str]:
    """The page in parts, with at least one match.

    `looks` say by badge how players are drawn; `sections` come at the end of each match.
    """
    lines = list(_lines(export, translate))
    title = _title([(title, when) for title, when, _ in lines], translate)
    page = Template(_PAGE.read_text(encoding="utf-8")).substitute(
        language=translate.language,
        font=persian_font.embedded(translate.language),
        direction="rtl" if translate.right_to_left else "ltr",
        title=escape(title),
        body=_BODY,
        foot=escape(translate("Recorded by nimmt-companion.")),
    )
    head, foot = page.split(_BODY)
    yield head
    if len(lines) > 1:
        heads = translate("Match"), translate("Game"), translate("Deals"), translate("Won by")
        contents = rows(heads, [cells for _, _, cells in lines], "scroll evening", ' class="contents"')
        yield f"<h1>{escape(title)}</h1>\n{''.join(contents)}\n"
    for past in export:
        for part in article(past, looks, translate, sections):
            yield f"{part}\n"
    yield foot


def _lines(export: Export, translate: Translator) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The title of each match, its day, and its cells in the list of contents, which are HTML.

    By the stored summaries: nobody waits until every match was read.
    """
    for entry in export.entries:
        tally, _ = export.stored.tally(entry)
        people = export.stored.people(entry, tally)
        winners = [_alone(people[seat].called(translate)) for seat in tally.winners]
        won = translate.say(COMMA).join(winners) or escape(translate("not finished"))
        begun = read_time(entry.started_at)
        title, when = translate.title(tally.game), day(begun, translate) if begun else ""
        deals = translate.number(max(map(len, tally.points), default=0))
        link = f'<a href="#match-{entry.id}">{entry.id}</a>'
        yield title, when, (link, _alone(title), deals, won)


def _title(matches: Sequence[tuple[str, str]], translate: Translator) -> str:
    (title, first), (_, last) = matches[0], matches[-1]
    if len(matches) == 1:
        return f"{title} {first}".rstrip()
    days = dict.fromkeys(filter(None, (first, last)))
    return translate("{count} matches, {days}", count=len(matches), days=" – ".join(days))


def article(
    past: PlayedMatch,
    looks: Mapping[int, PlayerLook],
    translate: Translator,
    sections: Sequence[Section] = (),
    deal: int | None = None,
) -> Iterator[str]:
    """One match as an element of HTML, in parts, without the style of the page.

    With a `deal`, of all its turns only those of that deal.
    """
    past = past.said_in(translate)
    yield f'<article class="match" id="match-{past.id}">'
    yield f"<h1>{_alone(translate.title(past.match.title))}</h1>"
    yield f'<p class="facts">{" · ".join(map(_alone, _facts(past, translate)))}</p>'
    drawn = looks_of(past, looks)
    signs = {seat: _sign(look) for seat, look in drawn.items()}
    yield f'<p class="won">{_outcome(past, translate)}</p>'
    if past.damage:
        fault, fix = translate.say(past.damage.fault_text), translate.say(past.damage.fix_text)
        yield f'<p class="note">{escape(in_sentences(fault, fix))}</p>'
    yield '<ol class="places">'
    for place in past.places:
        first = ' class="first"' if past.winners and place.rank == 1 else ""
        names = " + ".join(signs[seat] + called(past.people[seat]) for seat in place.seats)
        yield f'<li{first}><span class="rank">{translate.number(place.rank)}</span>{names}'
        yield f'<span class="total">{translate.number(place.total)}</span></li>'
    yield "</ol>"
    if past.deals:
        yield f'<figure><div class="wide">{as_svg(past, drawn, translate)}</div>'
        yield f'<div class="narrow">{as_svg(past, drawn, translate, NARROW)}</div></figure>'
        yield from _table(past, signs, translate)
    yield f'<h2>{escape(translate("How it went"))}</h2><div class="story">'
    story = story_of(past, translate, deal)
    for chapter in story.chapters:
        yield from _deal(past, chapter, translate)
    if story.after:
        yield f'<section class="deal"><h3>{escape(translate("After the last deal"))}</h3>'
        yield from map(_aside, story.after)
        yield "</section>"
    yield "</div>"
    for section in sections:
        yield from section(past, translate)
    yield "</article>"


def rows(
    heads: Sequence[str], rows: Iterable[Sequence[str]], around: str = "scroll", kind: str = ""
) -> Iterator[str]:
    """A table of cells that are HTML already; `around` and `kind` are for its style."""
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    yield f'<div class="{around}" tabindex="0"><table{kind}><thead><tr>{top}</tr></thead><tbody>'
    for row in rows:
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
    yield "</tbody></table></div>"


def _facts(past: PlayedMatch, translate: Translator) -> Iterator[str]:
    if past.begun:
        yield shown(past.begun, translate)
    if past.minutes is not None:
        yield translate.say(count("{count} minute", "{count} minutes", past.minutes))
    yield translate.say(past.length)
    if past.deck:
        yield translate("{cards} cards", cards=past.deck)
    if past.match.scoring.high_wins:
        yield translate("most points win")
    if past.id:  # none in a list of many tables
        yield translate("match {id}", id=past.id)


def _outcome(past: PlayedMatch, translate: Translator) -> str:
    if not past.winners:
        return escape(translate("Not finished: {deals} deals played", deals=len(past.deals)))
    also = escape(translate.say(in_context("between winners", " & ")))
    names = also.join(f"<b>{called(person)}</b>" for person in past.winners)
    total = past.places[0].total
    if len(past.winners) == 1:
        return f"{names} {escape(translate('wins with {total}', total=total))}"
    return f"{names} {escape(translate('share the win with {total}', total=total))}"


def called(person: Person) -> str:
    """The name of a player as HTML, in its own direction."""
    return _alone(person.name)


def _alone(text: str) -> str:
    """A text whose direction is its own, whatever stands beside it."""
    return f"<bdi>{escape(text)}</bdi>"


def _sign(look: PlayerLook) -> str:
    return f'<svg class="sign" viewBox="0 0 20 20" aria-hidden="true">{shape(look, (10, 10), 9.5)}</svg>'


def _table(past: PlayedMatch, signs: Mapping[Seat, str], translate: Translator) -> Iterator[str]:
    head = "".join(f"<th>{signs[person.seat]}{called(person)}</th>" for person in past.people)
    yield f'<h2>{escape(translate("Points"))}</h2><div class="scroll" tabindex="0"><table>'
    yield f"<thead><tr><td></td>{head}</tr></thead><tbody>"
    for deal in past.deals:
        mark = {Verified.YES: "", Verified.NO: " °", Verified.CORRECTED: " *"}[deal.verified]
        cells = "".join(_cell(past, deal, person, translate) for person in past.people)
        yield f"<tr><td>{escape(translate('Deal {deal}', deal=deal.number))}{mark}</td>{cells}</tr>"
    totals = "".join(f"<td>{translate.number(past.match.totals[person.seat])}</td>" for person in past.people)
    yield f"</tbody><tfoot><tr><th>{escape(translate('Total'))}</th>{totals}</tr></tfoot></table></div>"
    marks = {deal.verified for deal in past.deals}
    if Verified.NO in marks:
        yield f'<p class="note">{escape(translate("° points as entered, not verified by cards"))}</p>'
    if Verified.CORRECTED in marks:
        yield f'<p class="note">{escape(translate("* corrected by hand"))}</p>'


def _cell(past: PlayedMatch, deal: PlayedDeal, person: Person, translate: Translator) -> str:
    if person.seat not in deal.players:
        return "<td>–</td>"
    better, here = max if past.match.scoring.high_wins else min, deal.points[person.seat]
    kind = ' class="best"' if here == better(deal.points[seat] for seat in deal.players) else ""
    total = translate.number(deal.totals[person.seat])
    return f"<td{kind}>{translate.number(here)} <small>{total}</small></td>"


def _deal(past: PlayedMatch, chapter: Chapter, translate: Translator) -> Iterator[str]:
    begins = ""
    if chapter.begins:
        begins = f" <small>{escape(translate('started with {cards}', cards=tuple(chapter.begins)))}</small>"
    yield f'<section class="deal"><h3>{escape(translate("Deal {deal}", deal=chapter.number))}{begins}</h3>'
    for part in chapter.parts:
        yield from _turn(part, translate) if isinstance(part, StoryTurn) else (_aside(part),)
    if chapter.ended is None:
        yield _aside(translate("not played to the end"))
    else:
        deal = chapter.ended
        points = [(past.people[seat], translate.number(deal.points[seat])) for seat in deal.players]
        sums = translate.say(COMMA).join(f"<span>{called(one)} {here}</span>" for one, here in points)
        yield f'<p class="sum">{sums}</p>'
    yield from map(_aside, chapter.outcome)
    yield "</section>"


def _aside(text: str) -> str:
    return f'<p class="aside">{escape(text)}</p>'


def _turn(turn: StoryTurn, translate: Translator) -> Iterator[str]:
    yield f'<div class="turn"><span class="n">{translate.number(turn.number)}</span><div>'
    if turn.together:
        yield f'<div class="cards">{"".join(map(_played, turn.cards))}</div>'
    last = ""
    for who, card in turn.reasons:
        gain = f" <i><bdi>+{translate.number(card.points)}</bdi></i>" if card.points else ""
        lead = f"<b>{_alone(who)}{gain}</b> " if who + gain != last else ""
        last = who + gain
        yield f'<p class="taken">{lead}<span class="why">{escape(card.why)}</span></p>'
    yield "</div></div>"


def _played(card: StoryCard) -> str:
    kind = "card takes" if card.taker is not None else "card"
    to = f'<span class="to">{escape(card.to)}</span>'
    return f'<span><span class="{kind}">{escape(card.name)}</span>{to}</span>'
