"""The scanner set-up sheet: what to switch on and off in any scanner's own manual, and codes to try it with.

No maker's set-up codes are printed: they differ from model to model, and a wrong one can silence a scanner.
"""

from typing import Final

from companion.text.sentence import Text, say
from firmware.paper import frame
from firmware.paper.pen import FAINT, INK, RULE, WASH, WHITE, Pen, Type
from firmware.paper.stock import Box
from firmware.paper.symbols import CodeKind, symbol
from firmware.paper.trial import Trial

MODULE: Final = 0.5
_BODY: Final = Type(10)
_NAME: Final = Type(10, bold=True)
_INDENT: Final = 42.0

_SETTINGS: Final = (
    (
        say("Connection"),
        say("“USB serial”, “virtual COM port” or “USB-CDC”. Not “keyboard” (HID), if it has a choice."),
    ),
    (
        say("End of a code"),
        say("Carriage return (CR, “Enter”). Nothing before a code: no prefix, no AIM identifier."),
    ),
    (say("Codes to enable"), say("Data Matrix, QR code, Code 128.")),
    (say("Codes to disable"), say("EAN, UPC and all others: then a bottle on the table is ignored.")),
    (say("Letters"), say("Unchanged: no conversion, no keyboard layout, no function keys.")),
    (
        say("Trigger"),
        say("“Presentation”, “auto-sense” or “induction” on a stand; the button for a hand-held scanner."),
    ),
    (say("Same code again"), say("Allowed after one second. Repeats do no harm, they only make it beep.")),
    (
        say("Set-up codes"),
        say(
            "Off, as the last step: otherwise any such code in view can change the scanner. Keep the manual."
        ),
    ),
)
_PLACE: Final = (
    say("On a stand at the edge of the table, facing a spot where no card ends up by accident."),
    say("5 to 15 cm from the card: many read nothing below 4 cm. The test page finds the best distance."),
    say("Avoid reflections of lamps in the label; matt labels work better than glossy ones."),
    say("Keep the control sheet and other codes out of its view."),
)
_TROUBLE: Final = (
    (
        say("Nothing arrives"),
        say("It is still in keyboard mode, or another program uses its port. Run nimmt doctor."),
    ),
    (say("Strange letters"), say("A wrong speed (try 9600 and 115200), or letters are converted.")),
    (
        say("It beeps, no card"),
        say("It sends something before or after the code: prefix, suffix, AIM identifier."),
    ),
    (
        say("Large codes only"),
        say("Move it closer or further away, clean its window, print with a larger --module."),
    ),
    (
        say("No Data Matrix"),
        say("It cannot read them: print the cards with --code qr, or with --code code128."),
    ),
)


def draw(pen: Pen) -> None:
    """One page: settings to tick, three codes to try, where to put the scanner, what to do if it fails."""
    said = say("Once for every scanner, with the set-up codes from its own manual.")
    room = frame.page(pen, say("Scanner set-up"), said)
    y = frame.heading(pen, say("1  Set it up"), room.x, room.y, room.width)
    for name, text in _SETTINGS:
        pen.box(Box(room.x, y - 0.3, 3.2, 3.2), stroke=INK, width=0.3)
        y = _pair(pen, room, y, (name, text), 6.0)
    y = frame.heading(pen, say("2  Try it"), room.x, y + 2.0, room.width)
    said = say(
        "Open its port in a terminal program on any computer (9600 baud, 8N1; over USB the speed does "
        "not matter). Scan: exactly the text below the code must arrive, and a new line. On the "
        "device, nimmt doctor names the port to configure."
    )
    y = pen.paragraph(said, (room.x, y), room.width, _BODY)
    y = _codes(pen, room, y + 1.5)
    y = frame.heading(pen, say("3  Place it"), room.x, y + 4.0, room.width)
    for text in _PLACE:
        pen.circle((room.x + 1.4, y + _BODY.capital / 2), 0.6, fill=INK)
        y = pen.paragraph(text, (room.x + 5, y), room.width - 5, _BODY) + 0.9
    y = frame.heading(pen, say("If it does not work"), room.x, y + 2.0, room.width)
    for pair in _TROUBLE:
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
