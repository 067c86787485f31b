"""What a match amounts to, in a few numbers: for lists and statistics, which then need not replay it.

A summary is derived from the steps and kept beside them in the journal. It is true for as long as no step is
added: the journal forgets it then (`MatchEntry.summary`). The result is written with the last step of a
match. What was taken is costly to find, so it is added later, in a quiet moment.

As JSON:

    version   of this form
    game      the title of the game
    high      whether most points win
    over      whether the match is over; `deal` is the number of the deal in progress or of the last
    seats     how many players there were, with those who left
    winners   their seats, empty while the match is not over
    places    the standings, best first: rank, total, seats
    points    for each seat the points of the deals that it played
    taken     for each seat the number of rows or piles taken, the dearest card and its points; or null
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Generator

    from companion.match.match import Match
    from firmware.history.played_match import PlayedMatch
    from firmware.journal.rows import MatchEntry
    from firmware.text.translation import Translator

Summary: TypeAlias = dict[str, Any]

VERSION: Final = 1
"""Increased when what is derived changes; older summaries are derived again."""


def result_of(match: Match) -> Summary:
    """The summary of a match without what was taken."""
    from firmware.history.played_match import deals_of, title_of  # who reads summaries needs no rules

    deals = tuple(deals_of(match))
    return {
        "version": VERSION,
        "game": title_of(match),
        "high": match.scoring.high_wins,
        "over": match.position.over,
        "deal": match.position.deal,
        "seats": len(match.totals),
        "winners": list(match.winners or ()),
        "places": [
            [place.rank, place.total, list(place.seats)]
            for place in match.position.score_sheet.standings(match.players)
        ],
        "points": [
            [deal.points[seat] for deal in deals if seat in deal.players] for seat in range(len(match.totals))
        ],
        "taken": None,
    }


def summary_of(past: PlayedMatch, translate: Translator) -> Summary:
    """The whole summary of a match. Some 10 ms on a laptop, much more on the smallest Raspberry Pi."""
    from firmware.history.story import all_at_once

    return all_at_once(summary_slowly(past, translate))


def summary_slowly(past: PlayedMatch, translate: Translator) -> Generator[None, None, Summary]:
    """The same in small portions, one for each step."""
    from companion.core import games
    from firmware.history.story import Turn, story_slowly

    taken: list[list[Any]] = [[0, "", 0] for _ in past.match.totals]
    story = yield from story_slowly(past, translate)
    for chapter in story.chapters:
        for card in (card for part in chapter.parts if isinstance(part, Turn) for card in part.cards):
            if card.taker is None or not card.takes:
                continue
            of_seat = taken[card.taker.seat]
            of_seat[0] += 1
            worth = games.module(past.match.box).worth
            dearest = max(card.takes, key=worth)
            if worth(dearest) > of_seat[2]:
                of_seat[1:] = [dearest, worth(dearest)]
    return {**result_of(past.match), "taken": taken}


def kept(entry: MatchEntry) -> Summary | None:
    """The summary that the journal has of a match; None if it has to be derived."""
    found = entry.summary
    return found if found is not None and found.get("version") == VERSION else None
