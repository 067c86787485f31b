"""The points of every deal as CSV, one line per deal and player, for spreadsheets (RFC 4180, UTF-8)."""

from collections.abc import Iterable, Iterator

from companion.text.spreadsheet import csv_text
from firmware.history.played_match import PlayedDeal, PlayedMatch

COLUMNS = ("game_id", "utc_end", "deal", "player", "points", "total", "rank", "rule", "deck", "verified")
"""`total` and `rank` are after the deal, `utc_end` is when the match ended, `deck` the number of cards."""


def as_csv(matches: Iterable[PlayedMatch]) -> Iterator[str]:
    """All finished deals, oldest first, in parts."""
    yield csv_text([COLUMNS])
    for past in matches:
        yield csv_text(row for deal in past.deals for row in _rows(past, deal))


def _rows(past: PlayedMatch, deal: PlayedDeal) -> Iterator[tuple[object, ...]]:
    ended = f"{past.ended:%Y-%m-%dT%H:%M:%SZ}" if past.ended else ""
    ranks = {seat: place.rank for place in deal.places for seat in place.seats}
    for seat in deal.players:
        who = (past.uid, ended, deal.number, past.people[seat].name)
        what = (deal.points[seat], deal.totals[seat], ranks[seat])
        yield (*who, *what, past.rule, past.deck or "", deal.verified.value)
