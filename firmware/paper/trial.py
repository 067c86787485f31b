"""The codes of the test page: the text says which kind and which module size a scanner has read.

They look like the cards of a game that does not exist, so they are as long as card codes, and no
table ever takes one for a card.
"""

from typing import Final

from companion.core.codes import card_code
from companion.text.sentence import Decimals, say
from companion.values import Value
from firmware.paper import frame
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, Pen, Type
from firmware.paper.stock import Box
from firmware.paper.symbols import CodeKind, symbol

NO_GAME: Final = "TP"
"""The two characters in place of a game's; no game may have them."""

SIZES_MM: Final = (0.25, 0.30, 0.35, 0.40, 0.45, 0.50)
"""The module sizes on the test page, in mm."""


class Trial(Value):
    """A code of the test page."""

    code: CodeKind
    module_mm: float

    @property
    def text(self) -> str:
        """What is in the code: 125 for a Data Matrix of 0.25 mm, 350 for a Code 128 of 0.50 mm."""
        kind = list(CodeKind).index(self.code) + 1
        return card_code(NO_GAME, kind * 100 + round(self.module_mm * 100))


TRIALS: Final = tuple(Trial(code, size) for size in SIZES_MM for code in CodeKind)


def read(text: str) -> Trial | None:
    """Which code of the test page a scanned text is; None if it is none of them."""
    came = text.strip().upper()
    return next((trial for trial in TRIALS if trial.text == came), None)


DPI: Final = (300, 600)
_BODY: Final = Type(10)
_SMALL: Final = Type(7, colour=FAINT)

_STEPS: Final = (
    say("Print this page on the paper that you will use. The line at the bottom must be 50 mm long."),
    say("Cover all codes but one with paper. Begin with the largest, at the bottom."),
    say("Scan it ten times, at the distance and in the light of your table. Tick it if all ten scans work."),
    say("Take the smallest size with a tick and go one size up: that is the --module for your cards."),
)


def draw(pen: Pen) -> None:
    """One page: a row for each size, a column for each kind, and how to judge them."""
    room = frame.page(
        pen, say("Test page"), say("Which codes does this scanner read, and how small can they be?")
    )
    y = frame.numbered(pen, _STEPS, room, _BODY, 0.6) + 4
    columns = (room.x + 32, room.x + 62, room.x + 98)
    for x, code in zip(columns, CodeKind, strict=True):
        pen.text(say("{kind}", kind=code.title), (x, y + 3), Type(10, bold=True, colour=ACCENT))
    pen.text(say("Module"), (room.x, y + 3), Type(10, bold=True, colour=ACCENT))
    y += 5
    tall = (room.y + room.height - y) / len(SIZES_MM)
    for size in SIZES_MM:
        _row(pen, size, Box(room.x, y, room.width, tall), columns)
        y += tall


def _row(pen: Pen, size: float, box: Box, columns: tuple[float, ...]) -> None:
    pen.line((box.x, box.y), (box.x + box.width, box.y), colour=RULE)
    middle = box.y + box.height / 2
    pen.text(say("{size} mm", size=Decimals(size, 2)), (box.x, middle), Type(13, bold=True))
    dots = [Decimals(size / 25.4 * dpi, 1) for dpi in DPI]
    said = say("{few} dots at 300 dpi, {many} at 600", few=dots[0], many=dots[1])
    frame.beside(pen, said, (box.x, middle + 5.0), 22, _SMALL)
    ends = (*columns[1:], box.x + box.width + 3.0)
    for code, x, end in zip(CodeKind, columns, ends, strict=True):
        made = symbol(code, Trial(code, size).text)
        tall = 12.0 if code is CodeKind.CODE128 else made.height_mm(size)
        quiet = code.quiet * size
        pen.symbol(made, (x - quiet, middle - tall / 2), size, tall)
        tick = end - 14.0
        pen.box(Box(tick, middle - 4.2, 3.6, 3.6), stroke=INK, width=0.3)
        pen.text(made.text, (tick, middle + 3.0), Type(6, colour=FAINT))
