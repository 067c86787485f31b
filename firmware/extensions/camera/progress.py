"""How far a lesson is. Imports no numpy, so that pages can show it."""

from enum import Enum

from companion.values import Value


class Advice(Enum):
    """What people do next."""

    LAY = "lay"  # lay the cards of `Progress.lay`
    SHIFT = "shift"  # shift or turn each of them a little, or change the light
    COUNT = "count"  # another number of cards lies there: `Progress.found`
    ORDER = "order"  # they lie in another order than before
    SHOWN = "shown"  # these are cards that were shown already
    AGAIN = "again"  # lay those of `Progress.lay` once more: they were not read for sure
    DONE = "done"  # nothing is left to teach


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
    read: tuple[str, ...] = ()
    """The cards of the group before, each of which was read for sure."""
    taught: int = 0
    of: int = 0
    """How many cards of the deck are taught, and how many look different in it."""
    confusable: tuple[tuple[str, str], ...] = ()
    """When all is done: the pairs of cards that it cannot tell apart."""
