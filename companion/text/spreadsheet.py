"""CSV for spreadsheets (RFC 4180)."""

import csv
import io
from collections.abc import Iterable
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """These rows; no text is read as a formula (https://owasp.org/www-community/attacks/CSV_Injection)."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows(
        [f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell for cell in row]
        for row in rows
    )
    return out.getvalue()
