"""The lesson of Ciao!."""

from typing import Final

from companion.games.ciao.cards import KINDS
from companion.games.ciao.explain import words
from companion.match.lesson import Exercise, ExerciseKind, LessonChoice, numbers
from companion.text.sentence import say

OPTIONS: Final = {"deck": {name: 0 for name, kind in KINDS.items() if kind.icon or kind.trouble}}
"""Without special cards: the lesson does not teach them."""


def _card(card: str) -> LessonChoice:
    return LessonChoice(card, words(card))


# fmt: off
LESSON: Final = (
    Exercise(ExerciseKind.PLAY, say("WHAT BEATS ROCK?"), say("AS IN ROCK-PAPER-SCISSORS"),
        stacks=(("rR",),), choices=(_card("gS"), _card("gP"), _card("gR")), seats=3),
    Exercise(ExerciseKind.PLAY, say("ON A YELLOW ROCK?"), say("RED IS HIGHEST"),
        stacks=(("yR",),), choices=(_card("gR"), _card("yS"), _card("rR")), seats=3),
    Exercise(ExerciseKind.PLAY, say("WHAT ALWAYS FITS?"), say("A JOKER"),
        stacks=(("rP",),), choices=(_card("rR"), _card("yJ"), _card("yP")), seats=3),
    Exercise(ExerciseKind.WINNER, say("WHO WINS THE MATCH?"), say("CARDS IN THE HAND COST POINTS"),
        choices=numbers(3, 7, 11), seats=3),
)
# fmt: on
"""Symbols, colours, jokers, the fewest win."""
