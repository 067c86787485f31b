"""CSV for spreadsheets (RFC 4180)."""

import csv
import re
from collections.abc import Iterable
from typing import Final

# Some spreadsheets part a cell at a semicolon or a tab as well, and some take wide signs for narrow ones.
_FORMULA: Final = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠])|^(?=[\t\r\n])")


class _Echo:
    def write(self, line: str) -> str:
        return line


def csv_text(rows: Iterable[Iterable[object]], separator: str = ",") -> str:
    """These rows; no text is read as a formula (https://owasp.org/www-community/attacks/CSV_Injection)."""
    writer = csv.writer(_Echo(), delimiter=separator)
    return "".join(
        writer.writerow(_FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell for cell in row)
        for row in rows
    )
