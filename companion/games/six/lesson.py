"""The lesson of 6 nimmt!, and a turn to look at."""

from typing import Final

from companion.core.cards import Card
from companion.match.lesson import Exercise, ExerciseKind, Scene, numbers
from companion.text.sentence import Text, say


def _which_row(card: int) -> Text:
    return say("WHICH ROW GETS {card}?", card=Card(card))


_FULL: Final = ("43", "44", "45", "50", "55")

# fmt: off
LESSON: Final = (
    Exercise(ExerciseKind.PLACE, _which_row(57), say("CLOSEST LOWER CARD"),
        stacks=(("12",), ("37",), ("43",), ("58",)), card="57", others=("99",)),
    Exercise(ExerciseKind.PLACE, _which_row(56), say("THE ROW IS FULL"),
        stacks=(("61", "64"), ("73",), _FULL, ("88",)), card="56", others=("99",)),
    Exercise(ExerciseKind.COST, say("{card} TAKES HOW MANY?", card=Card(56)), say("COUNT THE BULLHEADS"),
        stacks=(("61", "64"), ("73",), _FULL, ("88",)), card="56", others=("99",),
        choices=numbers(5, 18, 56)),
    Exercise(ExerciseKind.CHEAPEST,
        say("{card} IS LOWER THAN ALL", card=Card(3)), say("TOO LOW: TAKE THE CHEAPEST ROW"),
        stacks=(("12", "15"), ("30",), ("43", "44"), ("58",)), card="3", others=("99",)),
    Exercise(ExerciseKind.WINNER, say("WHO WINS?"), say("NOBODY WANTS BULLHEADS"),
        choices=numbers(35, 22, 71), seats=3),
)
# fmt: on
"""Which row, the sixth card, counting heads, the lowest card, the fewest win."""

SCENE: Final = Scene(stacks=(("12",), ("37",), ("43",), ("58",)), cards=("44", "60", "42"))
"""Three cards of one turn that go to three rows: 42 to 37, for 43 is nearer but not lower."""
