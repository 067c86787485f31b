"""What every control code does, in words, in the groups of the control sheet."""

from __future__ import annotations

from typing import Final

from companion.core.codes import Control
from companion.text.sentence import Text, say
from companion.values import Value


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
            ControlEntry(
                Control.ERASE, say("Erase"), say("Then scan a badge twice: the device forgets who had it.")
            ),
        ),
    ),
)
