"""The sheets for a scanner: its set-up, and a test page that shows which codes it reads and how small.

The codes of the test page say which kind and which module size was read. They look like the cards of a game
that does not exist, so they are as long as card codes, and no table ever takes one for a card.

No set-up codes of makers are printed: they differ from model to model, and a wrong one can silence a scanner.
"""

from typing import Final

from companion.core.codes import card_code
from companion.text.sentence import Decimals, Text, say
from companion.values import Value
from firmware.paper import frame
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WASH, WHITE, Pen, Type
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


DPI: Final = (300, 600)
_BODY: Final = Type(10)
_SMALL: Final = Type(7, colour=FAINT)

_STEPS: Final = (
    say("Print this page on the paper that you will use. The line at the bottom must be 50 mm long."),
    say("Cover all codes but one with paper. Begin with the largest, at the bottom."),
    say("Scan it ten times, at the distance and in the light of your table. Tick it if all ten scans work."),
    say("Take the smallest size with a tick and go one size up: that is the --module for your cards."),
)


def draw_test_page(pen: Pen) -> None:
    """One page: a row for each size, a column for each kind, and how to judge them."""
    said = say("Which codes does this scanner read, and how small can they be?")
    room = frame.page(pen, say("Test page"), said)
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


MODULE: Final = 0.5
_NAME: Final = Type(10, bold=True)
_INDENT: Final = 42.0

_SETTINGS: Final = {
    say("Connection"): say(
        "As shipped: “keyboard” (HID) or “USB serial”. A module on the pins: “serial port”."
    ),
    say("End of a code"): say(
        "Carriage return (CR, “Enter”). Nothing before a code: no prefix, no AIM identifier."
    ),
    say("Codes to enable"): say("Data Matrix, QR code, Code 128."),
    say("Codes to disable"): say("EAN, UPC and all others: then a bottle on the table is ignored."),
    say("Letters"): say(
        "Unchanged: no conversion, no function keys. As a keyboard: layout “USA”, as shipped."
    ),
    say("Trigger"): say(
        "“Presentation”, “auto-sense” or “induction” on a stand; the button for a hand-held scanner."
    ),
    say("Same code again"): say("Allowed after one second. Repeats do no harm; they only make it beep."),
    say("Set-up codes"): say(
        "Off, as the last step: otherwise any such code in view can change the scanner. Keep the manual."
    ),
}
_PLACE: Final = (
    say("On a stand at the edge of the table, facing a spot where no card ends up by accident."),
    say("5 to 15 cm from the card: few scanners read below 4 cm. The test page finds the best distance."),
    say("Avoid reflections of lamps on the label; matt labels work better than glossy ones."),
    say("Keep the control sheet and other codes out of its view."),
)
_TROUBLE: Final = {
    say("Nothing arrives"): say(
        "Scan a few cards: they show the box which keyboard is the scanner, or how fast it sends."
    ),
    say("Strange letters"): say("Letters are converted, or the keyboard layout is not “USA”."),
    say("It beeps, no card"): say(
        "It sends something before or after the code: prefix, suffix, AIM identifier."
    ),
    say("Large codes only"): say(
        "Move it closer or further away, clean its window, print with a larger --module."
    ),
    say("No Data Matrix"): say(
        "It cannot read them: print the cards with --code qr, or with --code code128."
    ),
}


def draw(pen: Pen) -> None:
    """One page: settings to tick, three codes to try, where to put the scanner, what to do if it fails."""
    said = say("Most scanners need none of this. If one does: the set-up codes are in its own manual.")
    room = frame.page(pen, say("Scanner set-up"), said)
    y = frame.heading(pen, say("1  Set it up"), room.x, room.y, room.width)
    for name, text in _SETTINGS.items():
        pen.box(Box(room.x, y - 0.3, 3.2, 3.2), stroke=INK, width=0.3)
        y = _pair(pen, room, y, (name, text), 6.0)
    y = frame.heading(pen, say("2  Try it"), room.x, y + 2.0, room.width)
    said = say(
        "Plug it into any computer, open an empty document and scan: exactly the text below the code must "
        "appear, and a new line. With a keyboard layout other than “USA” on that computer, Y and Z may be "
        "swapped there: the box does not mind. A scanner set to USB serial types nothing."
    )
    y = pen.paragraph(said, (room.x, y), room.width, _BODY)
    y = _codes(pen, room, y + 1.5)
    y = frame.heading(pen, say("3  Place it"), room.x, y + 4.0, room.width)
    for text in _PLACE:
        pen.circle((room.x + 1.4, y + _BODY.capital / 2), 0.6, fill=INK)
        y = pen.paragraph(text, (room.x + 5, y), room.width - 5, _BODY) + 0.9
    y = frame.heading(pen, say("If it does not work"), room.x, y + 2.0, room.width)
    for pair in _TROUBLE.items():
        y = _pair(pen, room, y, pair, 0.0)


def _pair(pen: Pen, room: Box, y: float, pair: tuple[Text, Text], indent: float) -> float:
    pen.text(pair[0], (room.x + indent, y + _NAME.capital), _NAME)
    return pen.paragraph(pair[1], (room.x + _INDENT, y), room.width - _INDENT, _BODY) + 1.4


def _codes(pen: Pen, room: Box, y: float) -> float:
    tall = 26.0
    pen.box(Box(room.x, y, room.width, tall), fill=WASH, round_mm=2.0)
    x = room.x
    for code, share in zip(CodeKind, (0.23, 0.27, 0.5), strict=True):
        made = symbol(code, Trial(code, MODULE).text)
        wide = share * room.width
        high = 11.0 if code is CodeKind.CODE128 else made.height_mm(MODULE)
        size = made.width_mm(MODULE)
        left, top = x + (wide - size) / 2, y + (tall - high - 4.0) / 2
        pen.box(Box(left, top, size, high).inset(-0.5), fill=WHITE)
        pen.symbol(made, (left, top), MODULE, high)
        label = say("{kind}: {text}", kind=code.title, text=made.text)
        pen.text(label, (x + wide / 2, y + tall - 2.0), Type(8, colour=FAINT), align="center")
        if code is not CodeKind.CODE128:
            pen.line((x + wide, y + 3), (x + wide, y + tall - 3), colour=RULE)
        x += wide
    return y + tall
