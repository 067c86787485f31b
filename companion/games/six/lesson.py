"""The lesson of 6 nimmt!, and the two examples of the rulebook's section on hints as played scenes."""

from typing import Final

from companion.core.cards import Card
from companion.match.lesson import Exercise, ExerciseKind, Scene, numbers
from companion.text.sentence import Text, say


def _which_row(card: int) -> Text:
    return say("WHICH ROW GETS {card}?", card=Card(card))


_FULL: Final = ("43", "44", "45", "50", "55")

LESSON: Final = (
    Exercise(
        ExerciseKind.PLACE,
        _which_row(44),
        say("THE CLOSEST LOWER END"),
        stacks=(("12",), ("37",), ("43",), ("58",)),
        card="44",
        others=("99",),
    ),
    Exercise(
        ExerciseKind.PLACE,
        _which_row(56),
        say("FIVE CARDS ARE FULL"),
        stacks=(("61", "64"), ("73",), _FULL, ("88",)),
        card="56",
        others=("99",),
    ),
    Exercise(
        ExerciseKind.COST,
        say("{card} TAKES HOW MANY?", card=Card(56)),
        say("COUNT THE BULLHEADS"),
        stacks=(("61", "64"), ("73",), _FULL, ("88",)),
        card="56",
        others=("99",),
        choices=numbers(5, 18, 56),
    ),
    Exercise(
        ExerciseKind.CHEAPEST,
        say("TAKE WHICH ROW?"),
        say("THE CHEAPEST ROW"),
        stacks=(("12", "15"), ("30",), ("43", "44"), ("58",)),
        card="3",
        others=("99",),
    ),
    Exercise(
        ExerciseKind.WINNER,
        say("WHO WINS?"),
        say("NOBODY WANTS BULLHEADS"),
        choices=numbers(35, 22, 71),
        seats=3,
    ),
)
"""Which row, the sixth card, counting heads, the lowest card, the fewest win."""

SCENES: Final = (
    Scene(
        stacks=(("9",), ("21",), ("36", "41"), ("31", "33", "34", "38", "42")),
        cards=("45", "60"),
        says=(
            say("{card} WANTS TO LIE BESIDE {end}", card=Card(45), end=Card(41)),
            say("BUT {end} IS CLOSER, AND THAT ROW IS FULL", end=Card(42)),
            say("A LATER CARD IS SAFE"),
        ),
    ),
    Scene(
        stacks=(("61",), ("73",), ("88",), ("31", "40", "47", "52", "57")),
        cards=("62", "29"),
        says=(
            say("{card} WANTS TO LIE BESIDE {end}", card=Card(62), end=Card(61)),
            say("{card} IS LOWER: IT TAKES ROW {row} FIRST", card=Card(29), row=1),
            say("NOW {card} IS NUMBER SIX IN ROW {row}", card=Card(62), row=4),
        ),
        taken="1",
    ),
)
"""45 beside 42, and the row that a lower card has taken away (rulebook, Hints, examples 1 and 2)."""
