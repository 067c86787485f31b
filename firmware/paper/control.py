"""The control sheet: every control code, so that the whole device works with a scanner alone."""

from collections.abc import Iterator, Mapping
from typing import Final

from companion.core.codes import Control, control_code
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.paper import frame
from firmware.paper.pen import FAINT, RULE, Pen, Type
from firmware.paper.stock import ENLARGED, Box, InvalidRequest, largest
from firmware.paper.symbols import BARS_MM, CodeKind, symbol

Entry = tuple[Control, Text, Text]
"""A command, its name on the sheet, and what happens when it is scanned."""

GROUPS: Final[Mapping[Text, tuple[Entry, ...]]] = {
    say("Answer"): (
        (Control.OK, say("OK"), say("Yes, done, continue.")),
        (Control.UNDO, say("Undo"), say("Undo the last step. Scan again for one more.")),
        (Control.REDO, say("Redo"), say("Restore what was undone.")),
        (Control.MENU, say("Menu"), say("Everything else the device can do.")),
    ),
    say("Choose"): (
        (Control.ROW_1, say("Row 1"), say("The first row, the first choice.")),
        (Control.ROW_2, say("Row 2"), say("The second.")),
        (Control.ROW_3, say("Row 3"), say("The third.")),
        (Control.ROW_4, say("Row 4"), say("The fourth.")),
        (Control.MORE, say("More"), say("One up; previous page.")),
        (Control.LESS, say("Less"), say("One down; next page.")),
    ),
    say("Look"): (
        (Control.WHY, say("Why?"), say("The reason for a ruling.")),
        (Control.TOTALS, say("Totals"), say("Everybody's points.")),
        (Control.ROWS, say("Rows"), say("All cards on the table.")),
        (Control.GRAPH, say("Graph"), say("The totals, deal by deal.")),
        (Control.HELP, say("Help"), say("What you can do now.")),
    ),
    say("Corrections"): (
        (Control.WRONG, say("Wrong card"), say("Then scan the wrong card, then the correct one.")),
        (Control.SWAP, say("Swap owners"), say("Then scan the two badges that were mixed up.")),
        (Control.EDIT, say("Old score"), say("Correct a finished deal.")),
        (Control.AUDIT, say("Check table"), say("Then scan the last card of each row.")),
    ),
    say("Players and device"): (
        (Control.ABSENT, say("Join or leave"), say("Then scan the badge of the player.")),
        (Control.NEXT, say("End the deal"), say("Score it as it stands.")),
        (Control.MUTE, say("Sound"), say("Off or on.")),
        (Control.LANGUAGE, say("Language"), say("Choose English, Deutsch or Farsi.")),
        (Control.PHONES, say("Phones"), say("Pair a phone, or forget one.")),
        (Control.ERASE, say("Erase"), say("Then scan a badge twice: the device forgets who had it.")),
    ),
}

GAP: Final = 2.5
HEADING: Final = 10.0
MAX_HEIGHT_MM: Final = 31.0
"""The height of a field where there is room, in mm, and the most that one may need."""
BESIDE: Final = 23.0
"""The least width for the words beside a code, in mm."""
BELOW: Final = 10.5
"""The height of the words below bars, in mm."""

_NAME: Final = Type(10.5, bold=True)
_DOES: Final = Type(8, colour=FAINT)
_TEXT: Final = Type(5.5, colour=FAINT)


class _Layout(Value):
    """The layout of the fields: columns, and their size in mm."""

    columns: int
    wide: float
    tall: float

    def groups(self, room: Box) -> Iterator[tuple[Text, tuple[Entry, ...], float, bool]]:
        """Each group with its title, its height with the heading, and whether it begins a page."""
        left = 0.0
        for title, entries in GROUPS.items():
            height = HEADING + -(-len(entries) // self.columns) * (self.tall + GAP)
            begins = height > left + GAP
            yield title, entries, height, begins
            left = (room.height if begins else left) - height

    def pages(self, room: Box) -> int:
        return sum(begins for *_, begins in self.groups(room))


def draw(pen: Pen, code: CodeKind, module: float) -> int:
    """All commands, in groups, their codes at least as large as asked. Gives the number of pages.

    Raises `InvalidRequest` where the codes are too large for any page.
    """
    sheet = frame.room(pen)

    def is_one_page(size: float) -> bool:
        layout = _layout(sheet, code, size)
        return layout is not None and layout.pages(sheet) == 1

    most = module if code is CodeKind.CODE128 else module * ENLARGED
    size = largest(most, is_one_page, module) or module
    layout = _layout(sheet, code, size)
    if layout is None:
        raise InvalidRequest(
            f"a {code.title} of {module:.2f} mm modules is too large for the control sheet",
            f"use a smaller --module; the usual size is {code.usual_mm:.2f}",
        )
    y = 0.0
    for title, entries, height, begins in layout.groups(sheet):
        if begins:
            said = say("Scan a code instead of pressing a key. Cover the codes next to it with your hand.")
            y = frame.page(pen, say("Control sheet"), said).y
        top = frame.heading(pen, title, sheet.x, y, sheet.width)
        for place, entry in enumerate(entries):
            line, column = divmod(place, layout.columns)
            x = sheet.x + column * (layout.wide + GAP)
            _entry(pen, Box(x, top + line * (layout.tall + GAP), layout.wide, layout.tall), entry, code, size)
        y += height
    return layout.pages(sheet)


def _layout(room: Box, code: CodeKind, module: float) -> _Layout | None:
    """The layout for that module, on one page where it can be; None if a field is larger than a page."""
    made = [symbol(code, control_code(control)) for control in Control]
    size = max(code_symbol.width_mm(module) for code_symbol in made)
    bars = code is CodeKind.CODE128
    need = size + 3.0 + (0.0 if bars else BESIDE)
    columns = min(4, int((room.width + GAP) / (need + GAP)))
    least = BELOW + BARS_MM + 3.0 if bars else size + 5.5
    if not columns or least > MAX_HEIGHT_MM:
        return None
    wide = (room.width - (columns - 1) * GAP) / columns
    lines = sum(-(-len(entries) // columns) for entries in GROUPS.values())
    tall = (room.height - len(GROUPS) * HEADING) / lines - GAP
    return _Layout(columns, wide, max(least, min(MAX_HEIGHT_MM, tall)))


def _entry(pen: Pen, box: Box, entry: Entry, code: CodeKind, module: float) -> None:
    pen.box(box, stroke=RULE, round_mm=1.5)
    control, name, does = entry
    made = symbol(code, control_code(control))
    inner = box.inset(1.5)
    size = made.width_mm(module)
    if code is CodeKind.CODE128:
        tall = inner.height - BELOW
        pen.symbol(made, (box.x + (box.width - size) / 2, inner.y), module, tall)
        y = inner.y + tall
        pen.text(name, (inner.x + 1, y + 4.2), _NAME, fit=inner.width - 18)
        pen.text(made.text, (inner.x + inner.width - 1, y + 4.0), _TEXT, align="right")
        pen.text(does, (inner.x + 1, y + 8.6), _DOES, fit=inner.width - 2)
        return
    top = inner.y + (inner.height - size - 3.0) / 2
    x = inner.x + max(size + 2.0, 15.0)
    pen.symbol(made, (inner.x, top), module)
    pen.text(made.text, (inner.x + module, top + size + 2.4), _TEXT, fit=x - inner.x - module - 1.0)
    wide = inner.x + inner.width - x
    lines = pen.lines(does, wide, _DOES)
    y = inner.y + (inner.height - 6.0 - lines * _DOES.leading) / 2
    pen.text(name, (x, y + _NAME.capital), _NAME, fit=wide)
    pen.paragraph(does, (x, y + 6.0), wide, _DOES)
