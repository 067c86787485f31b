"""What every command code does, in words for people, in the groups of the control sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.codes import Verb
from companion.text import Text, say


@dataclass(frozen=True, slots=True)
class Order:
    """A command: its name on the sheet and what happens when it is scanned."""

    verb: Verb
    name: Text
    does: Text


@dataclass(frozen=True, slots=True)
class Group:
    """Commands that belong together."""

    title: Text
    orders: tuple[Order, ...]


GROUPS: Final = (
    Group(
        say("Answer"),
        (
            Order(Verb.OK, say("OK"), say("Yes, done, go on.")),
            Order(Verb.UNDO, say("Undo"), say("Take the last thing back. Again: one step more.")),
            Order(Verb.REDO, say("Redo"), say("Bring back what was taken back.")),
            Order(Verb.MENU, say("Menu"), say("Everything else the device can do.")),
        ),
    ),
    Group(
        say("Choose"),
        (
            Order(Verb.ROW_1, say("Row 1"), say("The first row, the first choice.")),
            Order(Verb.ROW_2, say("Row 2"), say("The second.")),
            Order(Verb.ROW_3, say("Row 3"), say("The third.")),
            Order(Verb.ROW_4, say("Row 4"), say("The fourth.")),
            Order(Verb.MORE, say("More"), say("One up; the page before.")),
            Order(Verb.LESS, say("Less"), say("One down; the next page.")),
        ),
    ),
    Group(
        say("Look"),
        (
            Order(Verb.WHY, say("Why?"), say("Why was it ruled so?")),
            Order(Verb.TOTALS, say("Totals"), say("Who has how many points.")),
            Order(Verb.ROWS, say("Rows"), say("All cards on the table.")),
            Order(Verb.GRAPH, say("Graph"), say("The totals, deal by deal.")),
            Order(Verb.HELP, say("Help"), say("What can be done now.")),
        ),
    ),
    Group(
        say("Put right"),
        (
            Order(Verb.WRONG, say("Wrong card"), say("Then scan the wrong card, then the right one.")),
            Order(Verb.SWAP, say("Swap owners"), say("Then scan the two badges that were mixed up.")),
            Order(Verb.EDIT, say("Old score"), say("The points of a finished deal.")),
            Order(Verb.AUDIT, say("Check table"), say("Then scan the last card of each row.")),
        ),
    ),
    Group(
        say("People and device"),
        (
            Order(Verb.ABSENT, say("Come or go"), say("Then scan the badge of who leaves or comes back.")),
            Order(Verb.NEXT, say("End the deal"), say("Count it as it is now.")),
            Order(Verb.MUTE, say("Sound"), say("Off, and on again.")),
            Order(Verb.ERASE, say("Erase"), say("Then scan a badge twice: the device forgets who had it.")),
        ),
    ),
)
