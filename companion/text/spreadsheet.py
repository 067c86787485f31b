"""CSV for spreadsheets (RFC 4180)."""

import csv
from collections.abc import Iterable
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class _Echo:
    def write(self, line: str) -> str:
        return line


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """These rows; no text is read as a formula (https://owasp.org/www-community/attacks/CSV_Injection)."""
    writer = csv.writer(_Echo())
    return "".join(
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell for cell in row
        )
        for row in rows
    )
