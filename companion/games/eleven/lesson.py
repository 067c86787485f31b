"""The lesson of 11 nimmt!."""

from typing import Final

from companion.core.ask import AskKind
from companion.core.cards import Card
from companion.match.lesson import Exercise, ExerciseKind, LessonChoice, numbers
from companion.text.sentence import say


def _card(card: int) -> LessonChoice:
    return LessonChoice(str(card), say("{card}", card=Card(card)))


_TAKE: Final = LessonChoice("0", say("TAKE IT"), AskKind.TAKE)

# fmt: off
LESSON: Final = (
    Exercise(ExerciseKind.PLAY, say("WHAT GOES ON {card}?", card=Card(31)), say("HIGHER, BY AT MOST 10"),
        stacks=(("31",),), choices=(_card(20), _card(36), _card(46)), seats=3),
    Exercise(ExerciseKind.PLAY, say("WHAT GOES ON {card}?", card=Card(96)), say("AFTER 100 COMES 1"),
        stacks=(("96",),), choices=(_card(3), _card(15), _card(90)), seats=3),
    Exercise(ExerciseKind.PLAY, say("NOTHING FITS ON {card}?", card=Card(50)),
        say("THEN YOU MUST TAKE CARDS"),
        stacks=(("50",),), choices=(_card(49), _card(61), _TAKE), seats=3),
    Exercise(ExerciseKind.WINNER, say("WHO WINS THE MATCH?"), say("FEWEST BULLHEADS WIN"),
        choices=numbers(18, 25, 4), seats=3),
)
# fmt: on
"""At most ten higher, round again after 100, taking a pile, the fewest win."""
