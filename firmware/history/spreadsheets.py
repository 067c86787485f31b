"""The points of every deal, one line per deal and player: as CSV (RFC 4180, UTF-8) and as a workbook."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import Final

from companion.text.sentence import say
from companion.text.spreadsheet import csv_text
from firmware.history.bgstats import title_of
from firmware.history.played_match import PlayedMatch, Verified
from firmware.history.stored_matches import MatchExport

COLUMNS: Final = (
    ("game_id", say("Match"), 18),
    ("utc_end", say("End (UTC)"), 17),
    ("game", say("Game"), 12),
    ("match", say("Match number"), 8),
    ("deal", say("Deal"), 8),
    ("player", say("Player"), 24),
    ("points", say("Points"), 8),
    ("total", say("Total"), 8),
    ("rank", say("Place"), 8),
    ("rule", say("Played until"), 14),
    ("deck", say("Cards"), 8),
    ("verified", say("Verified by cards"), 18),
)
"""Each with its name for programs, its title for people and its width in letters.

`match` is its number in this journal, `total` and `rank` are after the deal, `deck` is how many cards."""

_READ: Final = re.compile(r"\d|^(true|false|wahr|falsch)$", re.IGNORECASE)


def as_csv(matches: Iterable[PlayedMatch]) -> Iterator[str]:
    """All finished deals, oldest first, in parts; the same in every language."""
    yield csv_text([[name for name, *_ in COLUMNS]])
    for past in matches:
        ended = f"{past.ended:%Y-%m-%dT%H:%M:%SZ}" if past.ended else ""
        yield csv_text((uid, ended, *more) for uid, _, *more in _rows(past))


def as_csv_for_people(export: MatchExport) -> Iterator[str]:
    """The `table` with the separator of the language, and a mark of UTF-8 in front.

    What might be read as a number, a date or true begins with a mark of direction, which nobody sees.
    """
    yield "\ufeff"
    for row in table(export):
        cells = (f"\u200e{cell}" if isinstance(cell, str) and _READ.search(cell) else cell for cell in row)
        yield csv_text([cells], "," if export.stored.translate.language == "en" else ";")


def as_xlsx(export: MatchExport) -> Iterator[bytes]:
    """The `table` as a workbook (Office Open XML), in one part: nothing is read into its cells."""
    from xlsxwriter import Workbook

    file = io.BytesIO()
    options = dict.fromkeys(("strings_to_formulas", "strings_to_urls", "strings_to_numbers"), False)
    with Workbook(file, {"in_memory": True, "default_date_format": "yyyy-mm-dd hh:mm", **options}) as book:
        sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
        if export.stored.translate.right_to_left:
            sheet.right_to_left()
        for place, (*_, letters) in enumerate(COLUMNS):
            sheet.set_column(place, place, letters)
        for line, row in enumerate(table(export)):
            sheet.write_row(line, 0, row, None if line else bold)
        sheet.freeze_panes(1, 0)
    yield file.getvalue()


def table(export: MatchExport) -> Iterator[list[object]]:
    """All finished deals, oldest first, under titles in the language of the export."""
    yield [export.stored.translate.say(title) for _, title, _ in COLUMNS]
    for past in export:
        for *row, verified in _rows(past):
            yield [*row, "✓" if verified == Verified.YES.value else ""]


def _rows(past: PlayedMatch) -> Iterator[tuple[object, ...]]:
    """What these columns have of a match; the time is a `datetime` of UTC without saying so, or empty."""
    ended = past.ended.replace(tzinfo=None, microsecond=0) if past.ended else ""
    for deal in past.deals:
        ranks = {seat: place.rank for place in deal.places for seat in place.seats}
        for seat in deal.players:
            who = (past.uid, ended, title_of(past), past.id, deal.number, past.people[seat].name)
            what = (deal.points[seat], deal.totals[seat], ranks[seat])
            yield (*who, *what, past.rule, past.deck or "", deal.verified.value)
