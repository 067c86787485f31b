"""How far a lesson is. Imports no numpy, so that pages can show it."""

from enum import Enum

from companion.values import Value
from firmware.extensions.camera.seen import Corners


class Advice(Enum):
    """What people do next."""

    LAY = "lay"  # lay the cards of `Progress.lay`
    SHIFT = "shift"  # shift or turn each of them a little, or change the light
    COUNT = "count"  # another number of cards lies there: `Progress.found`
    ORDER = "order"  # they lie in another order than before
    SHOWN = "shown"  # these are cards that were shown already
    AGAIN = "again"  # lay those of `Progress.lay` once more: they were not read for sure
    DONE = "done"  # nothing is left to teach


class Hint(Enum):
    """What is wrong with a lesson, or would help it."""

    LIGHT = "light"  # it is too dark
    NEARER = "nearer"  # cards are too small
    FOCUS = "focus"  # they are out of focus
    CLOTH = "cloth"  # on this table not all of them are found
    HARD = "hard"  # they were laid once more, and most are still not read


class Progress(Value):
    """How far a lesson is. Cards are codes."""

    advice: Advice
    lay: tuple[str, ...] = ()
    """What is to be laid now, in order."""
    showing: int = 0
    """How many pictures of these cards are taken."""
    showings: int = 0
    """How many are taken of each card."""
    found: int = 0
    """How many cards were in the newest picture."""
    seen: tuple[Corners, ...] = ()
    """Where these lie, in widths of the picture, which is as `high`."""
    high: float = 0.75
    hint: Hint | None = None
    read: tuple[str, ...] = ()
    """The cards of the group before, each of which was read for sure."""
    taught: int = 0
    of: int = 0
    """How many cards of the deck are taught, and how many look different in it."""
    doubtful: tuple[str, ...] = ()
    """When all is done: the cards that were never read for sure."""
