"""A story as lines of text for a terminal: where the cards went, then who took what, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.text.sentence import COMMA, count, say
from firmware.history.columns import left, right, wrapped
from firmware.history.stored_time import shown
from firmware.history.story import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.history.played_match import Deal, PlayedMatch
    from firmware.history.story import Chapter, Story
    from firmware.text.translation import Translator

WIDTH: Final = 100
"""Columns, where the width of the terminal is unknown."""
_MARGIN: Final = 7
_COLUMNS: Final = 10
"""What a name with points takes, and a longer one more."""
_ASIDE: Final = "    -  "


def headline(past: PlayedMatch, translate: Translator) -> str:
    """Match, game, date, duration, and the end rule."""
    when = shown(past.begun, translate) if past.begun else say("at an unknown time")
    lasted = () if past.minutes is None else (say("{minutes} min", minutes=past.minutes),)
    title = translate.isolated(translate.title(past.title))
    return translate("match {id}: {facts}", id=past.id, facts=(title, when, *lasted, past.length))


def outcome(past: PlayedMatch, translate: Translator) -> str:
    """The winners with their points, or how many deals were played."""
    if not past.winners:
        played = count(
            "not finished, {count} deal played", "not finished, {count} deals played", len(past.deals)
        )
        return translate.say(played)
    *others, last = (translate.isolated(person.name) for person in past.winners)
    total = past.places[0].total
    if not others:
        return translate("won by {name} with {total}", name=last, total=total)
    return translate("won by {names} and {name} with {total}", names=tuple(others), name=last, total=total)


def in_lines(past: PlayedMatch, story: Story, translate: Translator, width: int = WIDTH) -> Iterator[str]:
    """The whole story, wrapped to this many columns."""
    yield headline(past, translate)
    for chapter in story.chapters:
        yield ""
        yield from _chapter(past, chapter, translate, width)
    if story.after:
        yield ""
        yield translate("After the last deal")
        for remark in story.after:
            yield from wrapped(remark.text, width, _ASIDE)
    yield ""
    yield outcome(past, translate)
    for place in past.places:
        rank, total = translate.number(place.rank), translate.number(place.total)
        yield f"  {rank}. {left(past.names(place.seats), 24)} {right(total, 4)}"


def _chapter(past: PlayedMatch, chapter: Chapter, translate: Translator, width: int) -> Iterator[str]:
    begins = translate(", started with {cards}", cards=" ".join(chapter.begins)) if chapter.begins else ""
    yield translate("Deal {deal}", deal=chapter.number) + begins
    for part in chapter.parts:
        yield from (
            _turn(part, translate, width) if isinstance(part, Turn) else wrapped(part.text, width, _ASIDE)
        )
    if chapter.ended is None:
        yield _ASIDE + translate("not played to the end")
    else:
        yield from wrapped(points(past, chapter.ended, translate), width, "    =  ")
    for remark in chapter.outcome:
        yield from wrapped(remark.text, width, _ASIDE)


def points(past: PlayedMatch, deal: Deal, translate: Translator) -> str:
    """The points of all players in a deal, with the new total in brackets."""
    number, isolated = translate.number, translate.isolated
    return translate.say(COMMA).join(
        f"{isolated(past.people[seat].name)} {number(deal.points[seat])} ({number(deal.totals[seat])})"
        for seat in deal.players
    )


def _turn(turn: Turn, translate: Translator, width: int) -> Iterator[str]:
    lead = f"  {right(translate.number(turn.number), 3)}  "
    together = any(card.to for card in turn.cards)
    if together:
        yield from wrapped(
            translate.say(COMMA).join(f"{card.name} {card.to}" for card in turn.cards), width, lead
        )
        lead = " " * _MARGIN
    last = ""
    for card in turn.cards:
        if card.taker is not None or not together:
            who = translate.isolated(turn.who if card.taker is None else card.taker.name)
            gain = translate("{who} +{points}", who=who, points=card.points) if card.points else who
            first = gain if gain != last else ""
            yield from wrapped(card.why, width, f"{lead}{left(first, _COLUMNS)} ")
            lead, last = " " * _MARGIN, gain
