"""6 nimmt! as a game that asks nothing before a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games import six

if TYPE_CHECKING:
    from companion.core.questions import Question


def __getattr__(name: str) -> Any:
    return getattr(six, name)


def questions(seats: int) -> tuple[Question, ...]:
    return ()
