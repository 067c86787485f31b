"""The points of every deal as a workbook for spreadsheets (Office Open XML).

It opens in columns, with every letter, in the spreadsheet of any language: numbers are numbers, times are
times, and no text is a formula, a link or a number, whatever a player is called.
"""

import io
from collections.abc import Iterator
from typing import Final

from companion.text.sentence import say
from firmware.history.csv_export import rows
from firmware.history.played_match import Verified
from firmware.history.stored_matches import MatchExport

_COLUMNS: Final = (
    (say("Match"), 18),
    (say("End (UTC)"), 17),
    (say("Game"), 12),
    (say("Match number"), 8),
    (say("Deal"), 8),
    (say("Player"), 24),
    (say("Points"), 8),
    (say("Total"), 8),
    (say("Place"), 8),
    (say("Played until"), 14),
    (say("Cards"), 8),
    (say("Proved by cards"), 16),
)
"""Those of the CSV, for people, each with its width in letters."""


def as_xlsx(export: MatchExport) -> Iterator[bytes]:
    """All finished deals, oldest first, in the language of the export; in one part."""
    from xlsxwriter import Workbook

    t, file = export.stored.translate, io.BytesIO()
    as_they_are = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with Workbook(
        file, {"in_memory": True, "default_date_format": "yyyy-mm-dd hh:mm", **as_they_are}
    ) as book:
        sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
        if t.right_to_left:
            sheet.right_to_left()
        for column, (title, letters) in enumerate(_COLUMNS):
            sheet.set_column(column, column, letters)
            sheet.write_string(0, column, t.say(title), bold)
        lines = (row for past in export for row in rows(past))
        for line, (*row, verified) in enumerate(lines, start=1):
            sheet.write_row(line, 0, (*row, "✓" if verified == Verified.YES.value else ""))
        sheet.freeze_panes(1, 0)
    yield file.getvalue()
