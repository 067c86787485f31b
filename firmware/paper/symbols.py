"""A text as dark and light modules: Data Matrix, QR and Code 128."""

from enum import Enum
from functools import cache
from typing import Any, Final

from companion.values import Value


class CodeKind(Enum):
    """A kind of code; the value is its name in requests."""

    DATAMATRIX = "datamatrix"
    QR = "qr"
    CODE128 = "code128"

    @property
    def title(self) -> str:
        return _TITLES[self]

    @property
    def quiet(self) -> int:
        """How many light modules must surround it: ISO/IEC 16022, 18004 and 15417; none over bars."""
        return _QUIET[self]

    @property
    def usual_mm(self) -> float:
        """The module size to begin with, in whole dots, so that all bars come out equally wide."""
        return _USUAL_MM[self]


_TITLES: Final = {CodeKind.DATAMATRIX: "Data Matrix", CodeKind.QR: "QR code", CodeKind.CODE128: "Code 128"}
_QUIET: Final = {CodeKind.DATAMATRIX: 1, CodeKind.QR: 4, CodeKind.CODE128: 10}
DOT_MM: Final = 25.4 / 300
"""The dot of a coarse printer; finer ones have two or four of theirs in it."""
_USUAL_MM: Final = {CodeKind.DATAMATRIX: 5 * DOT_MM, CodeKind.QR: 4 * DOT_MM, CodeKind.CODE128: 3 * DOT_MM}

BARS_MM: Final = 6.0
"""The least height of bars: lower ones are hard to hit with a hand-held scanner."""


class CodeSymbol(Value):
    """Rows of modules from the top, True is dark, without the quiet zone. Bars are a single row."""

    code: CodeKind
    text: str
    rows: tuple[tuple[bool, ...], ...]

    @property
    def columns(self) -> int:
        """Modules across, with the quiet zone on both sides."""
        return len(self.rows[0]) + 2 * self.code.quiet

    def width_mm(self, module_mm: float) -> float:
        return self.columns * module_mm

    def height_mm(self, module_mm: float) -> float:
        """Its height with the quiet zone; of bars the least height."""
        if self.code is CodeKind.CODE128:
            return BARS_MM
        return (len(self.rows) + 2 * self.code.quiet) * module_mm


@cache
def symbol(code: CodeKind, text: str) -> CodeSymbol:
    """The smallest symbol of that kind that holds `text` (digits, capitals and -)."""
    make = {CodeKind.DATAMATRIX: _datamatrix, CodeKind.QR: _qr, CodeKind.CODE128: _code128}[code]
    return CodeSymbol(code, text, make(text))


def _datamatrix(text: str) -> tuple[tuple[bool, ...], ...]:
    from ppf.datamatrix import DataMatrix

    return tuple(tuple(module == 1 for module in row) for row in DataMatrix(text).matrix)


def _qr(text: str) -> tuple[tuple[bool, ...], ...]:
    from segno import make_qr  # not make(): it chooses Micro QR for short texts, which few scanners read

    return tuple(tuple(module & 1 == 1 for module in row) for row in make_qr(text).matrix)


def _code128(text: str) -> tuple[tuple[bool, ...], ...]:
    from reportlab.graphics.barcode.code128 import Code128

    bars: Any = Code128(text)  # its methods carry no types
    bars.validate()
    bars.encode()
    row: list[bool] = []
    for width in bars.decompose():  # "B" is a bar of two modules, "b" a gap of two
        row += [width.isupper()] * (ord(width.upper()) - ord("A") + 1)
    return (tuple(row),)
