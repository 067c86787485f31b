"""The points of every deal as CSV, one line per deal and player, for spreadsheets (RFC 4180, UTF-8)."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from firmware.history.played_match import Deal, PlayedMatch

COLUMNS: Final = (
    "game_id",
    "utc_end",
    "deal",
    "player",
    "points",
    "total",
    "rank",
    "rule",
    "deck",
    "verified",
)
"""`total` and `rank` are after the deal, `utc_end` is when the match ended, `deck` the number of cards."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def as_csv(matches: Iterable[PlayedMatch]) -> Iterator[str]:
    """All finished deals, oldest first, in parts."""
    yield _lines([COLUMNS])
    for past in matches:
        yield _lines(row for deal in past.deals for row in _rows(past, deal))


def _lines(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def _rows(past: PlayedMatch, deal: Deal) -> Iterator[tuple[object, ...]]:
    ended = f"{past.ended:%Y-%m-%dT%H:%M:%SZ}" if past.ended else ""
    ranks = {seat: place.rank for place in deal.places for seat in place.seats}
    for seat in deal.players:
        yield (
            past.uid,
            ended,
            deal.number,
            _plain(past.people[seat].name),
            deal.points[seat],
            deal.totals[seat],
            ranks[seat],
            past.rule,
            past.deck or "",
            deal.verified.value,
        )


def _plain(name: str) -> str:
    """A name that is not read as a formula (https://owasp.org/www-community/attacks/CSV_Injection)."""
    return f"'{name}" if name.startswith(_FORMULA) else name
