"""6 nimmt! as a game that asks one question before a match, with seven choices."""

from typing import Any

from companion.core.options import Choice, Question
from companion.games import six
from companion.text.sentence import NOTHING, say


def __getattr__(name: str) -> Any:
    return getattr(six, name)


def questions(seats: int) -> tuple[Question, ...]:
    choices = tuple(
        Choice(say("AFTER {deals} DEALS", deals=deals), {"end": {"deals": deals}}) for deals in range(1, 8)
    )
    return (Question(say("HOW LONG?"), choices, NOTHING),)
