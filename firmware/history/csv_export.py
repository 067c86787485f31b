"""The points of every deal as CSV, one line per deal and player, for spreadsheets (RFC 4180, UTF-8)."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from firmware.history.played_match import PlayedDeal, PlayedMatch


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_of(letter) for letter in text)


def cut(text: str, width: int) -> str:
    """As much of a text as so many columns hold."""
    while columns(text) > width:
        text = text[:-1]
    return text


def left(text: str, width: int) -> str:
    """A text at the left of so many columns; one that is wider stays as it is."""
    return text + " " * (width - columns(text))


def right(text: str, width: int) -> str:
    """A text at the right of so many columns; one that is wider stays as it is."""
    return " " * (width - columns(text)) + text


def wrapped(text: str, width: int, lead: str = "") -> list[str]:
    """The lines of a text that is broken between words; `lead` stands before the first, room before others.

    A word that is wider than a line has one of its own.
    """
    lines, line = [], lead
    room = " " * columns(lead)
    empty = True
    for word in filter(None, text.split(" ")):
        if not empty and columns(line) + 1 + columns(word) > width:
            lines.append(line)
            line, empty = room, True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line]


def _of(letter: str) -> int:
    if unicodedata.category(letter) in {"Cf", "Mn"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


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


def _rows(past: PlayedMatch, deal: PlayedDeal) -> Iterator[tuple[object, ...]]:
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
