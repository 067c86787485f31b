"""The points of every deal as CSV, one line per deal and player, for spreadsheets (RFC 4180, UTF-8)."""

from collections.abc import Iterable, Iterator

from companion.text.spreadsheet import csv_text
from firmware.history.bgstats import title_of
from firmware.history.played_match import PlayedMatch

COLUMNS = ("game_id", "utc_end", "game", "match", "deal", "player", "points", "total", "rank", "rule",
           "deck", "verified")  # fmt: skip
"""`match` is its number in this journal, `total` and `rank` are after the deal, `deck` is how many cards."""


def as_csv(matches: Iterable[PlayedMatch]) -> Iterator[str]:
    """All finished deals, oldest first, in parts."""
    yield csv_text([COLUMNS])
    for past in matches:
        ended = f"{past.ended:%Y-%m-%dT%H:%M:%SZ}" if past.ended else ""
        yield csv_text((uid, ended, *more) for uid, _, *more in rows(past))


def rows(past: PlayedMatch) -> Iterator[tuple[object, ...]]:
    """What these columns have of a match; the time is a `datetime` of UTC without saying so, or empty."""
    ended = past.ended.replace(tzinfo=None) if past.ended else ""
    for deal in past.deals:
        ranks = {seat: place.rank for place in deal.places for seat in place.seats}
        for seat in deal.players:
            who = (past.uid, ended, title_of(past), past.id, deal.number, past.people[seat].name)
            what = (deal.points[seat], deal.totals[seat], ranks[seat])
            yield (*who, *what, past.rule, past.deck or "", deal.verified.value)
