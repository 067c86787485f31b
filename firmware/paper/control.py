"""The control sheet: every control code, so that the whole device works with a scanner alone."""

from collections.abc import Iterator
from typing import Final

from companion.core.codes import Control, control_code
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.paper import frame
from firmware.paper.pen import FAINT, RULE, Pen, Type
from firmware.paper.stock import ENLARGED, Box, InvalidRequest, largest
from firmware.paper.symbols import BARS_MM, CodeKind, symbol


class ControlEntry(Value):
    """A command: its name on the sheet and what happens when it is scanned."""

    control: Control
    name: Text
    does: Text


class Group(Value):
    """Commands that belong together."""

    title: Text
    entries: tuple[ControlEntry, ...]


GROUPS: Final = (
    Group(
        say("Answer"),
        (
            ControlEntry(Control.OK, say("OK"), say("Yes, done, continue.")),
            ControlEntry(Control.UNDO, say("Undo"), say("Undo the last step. Scan again for one more.")),
            ControlEntry(Control.REDO, say("Redo"), say("Restore what was undone.")),
            ControlEntry(Control.MENU, say("Menu"), say("Everything else the device can do.")),
        ),
    ),
    Group(
        say("Choose"),
        (
            ControlEntry(Control.ROW_1, say("Row 1"), say("The first row, the first choice.")),
            ControlEntry(Control.ROW_2, say("Row 2"), say("The second.")),
            ControlEntry(Control.ROW_3, say("Row 3"), say("The third.")),
            ControlEntry(Control.ROW_4, say("Row 4"), say("The fourth.")),
            ControlEntry(Control.MORE, say("More"), say("One up; previous page.")),
            ControlEntry(Control.LESS, say("Less"), say("One down; next page.")),
        ),
    ),
    Group(
        say("Look"),
        (
            ControlEntry(Control.WHY, say("Why?"), say("The reason for a ruling.")),
            ControlEntry(Control.TOTALS, say("Totals"), say("Everybody's points.")),
            ControlEntry(Control.ROWS, say("Rows"), say("All cards on the table.")),
            ControlEntry(Control.GRAPH, say("Graph"), say("The totals, deal by deal.")),
            ControlEntry(Control.HELP, say("Help"), say("What you can do now.")),
        ),
    ),
    Group(
        say("Corrections"),
        (
            ControlEntry(
                Control.WRONG, say("Wrong card"), say("Then scan the wrong card, then the correct one.")
            ),
            ControlEntry(
                Control.SWAP, say("Swap owners"), say("Then scan the two badges that were mixed up.")
            ),
            ControlEntry(Control.EDIT, say("Old score"), say("Correct a finished deal.")),
            ControlEntry(Control.AUDIT, say("Check table"), say("Then scan the last card of each row.")),
        ),
    ),
    Group(
        say("Players and device"),
        (
            ControlEntry(Control.ABSENT, say("Join or leave"), say("Then scan the badge of the player.")),
            ControlEntry(Control.NEXT, say("End the deal"), say("Score it as it stands.")),
            ControlEntry(Control.MUTE, say("Sound"), say("Off or on.")),
            ControlEntry(Control.LANGUAGE, say("Language"), say("Choose English, Deutsch or Farsi.")),
            ControlEntry(Control.PHONES, say("Phones"), say("Pair a phone, or forget one.")),
            ControlEntry(
                Control.ERASE, say("Erase"), say("Then scan a badge twice: the device forgets who had it.")
            ),
        ),
    ),
)


GAP: Final = 2.5
HEADING: Final = 10.0
TALLEST: Final = 31.0
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

    def height(self, group: Group) -> float:
        """What a group takes, with its heading."""
        return HEADING + -(-len(group.entries) // self.columns) * (self.tall + GAP)

    def groups(self, room: Box) -> Iterator[tuple[Group, bool]]:
        """Each group, and whether it begins a page."""
        left = 0.0
        for group in GROUPS:
            begins = self.height(group) > left + GAP
            yield group, begins
            left = (room.height if begins else left) - self.height(group)

    def pages(self, room: Box) -> int:
        return sum(begins for _, begins in self.groups(room))


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
    for group, begins in layout.groups(sheet):
        if begins:
            said = say("Scan a code instead of pressing a key. Cover the codes next to it with your hand.")
            y = frame.page(pen, say("Control sheet"), said).y
        top = frame.heading(pen, group.title, sheet.x, y, sheet.width)
        for place, entry in enumerate(group.entries):
            column, line = place % layout.columns, place // layout.columns
            x = sheet.x + column * (layout.wide + GAP)
            _order(pen, Box(x, top + line * (layout.tall + GAP), layout.wide, layout.tall), entry, code, size)
        y += layout.height(group)
    return layout.pages(sheet)


def _layout(room: Box, code: CodeKind, module: float) -> _Layout | None:
    """The layout for that module, on one page where it can be; None if a field is larger than a page."""
    made = [symbol(code, control_code(control)) for control in Control]
    size = max(one.width_mm(module) for one in made)
    bars = code is CodeKind.CODE128
    need = size + 3.0 + (0.0 if bars else BESIDE)
    columns = min(4, int((room.width + GAP) / (need + GAP)))
    least = BELOW + BARS_MM + 3.0 if bars else size + 5.5
    if not columns or least > TALLEST:
        return None
    wide = (room.width - (columns - 1) * GAP) / columns
    lines = sum(-(-len(group.entries) // columns) for group in GROUPS)
    tall = (room.height - len(GROUPS) * HEADING) / lines - GAP
    return _Layout(columns, wide, max(least, min(TALLEST, tall)))


def _order(pen: Pen, box: Box, entry: ControlEntry, code: CodeKind, module: float) -> None:
    pen.box(box, stroke=RULE, round_mm=1.5)
    made = symbol(code, control_code(entry.control))
    inner = box.inset(1.5)
    size = made.width_mm(module)
    if code is CodeKind.CODE128:
        tall = inner.height - BELOW
        pen.symbol(made, (box.x + (box.width - size) / 2, inner.y), module, tall)
        y = inner.y + tall
        pen.text(entry.name, (inner.x + 1, y + 4.2), _NAME, fit=inner.width - 18)
        pen.text(made.text, (inner.x + inner.width - 1, y + 4.0), _TEXT, align="right")
        pen.text(entry.does, (inner.x + 1, y + 8.6), _DOES, fit=inner.width - 2)
        return
    top = inner.y + (inner.height - size - 3.0) / 2
    pen.symbol(made, (inner.x, top), module)
    pen.text(made.text, (inner.x + module, top + size + 2.4), _TEXT)
    x = inner.x + max(size + 2.0, 15.0)
    wide = inner.x + inner.width - x
    lines = pen.lines(entry.does, wide, _DOES)
    y = inner.y + (inner.height - 6.0 - lines * _DOES.leading) / 2
    pen.text(entry.name, (x, y + _NAME.capital), _NAME, fit=wide)
    pen.paragraph(entry.does, (x, y + 6.0), wide, _DOES)
