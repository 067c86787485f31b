"""6 nimmt! as a game that asks nothing before a match."""

from typing import Any

from companion.core.options import Question
from companion.games import six


def __getattr__(name: str) -> Any:
    return getattr(six, name)


def questions(seats: int) -> tuple[Question, ...]:
    return ()
