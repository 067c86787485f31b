"""The options of a match: the questions that settle them, and reading them."""

from collections.abc import Mapping
from typing import Any, TypeVar

from companion.core.cards import Seat
from companion.core.codec import read
from companion.text.errors import InvalidRecord, quoted
from companion.text.sentence import NOTHING, Text, say
from companion.values import Value, field

Options = TypeVar("Options", bound=Value)


def read_agreed(
    kind: type[Options], options: Mapping[str, Any], title: str, seats: int, possible: range
) -> Options:
    """The options of a game for a number of seats. Raises `InvalidRecord`, naming what is invalid."""
    agreed = read(dict(options), kind, "options")
    if seats not in possible:
        raise InvalidRecord(
            say("the number of seats is {seats}", seats=quoted(seats)),
            say("use {least} to {most} for {title}", least=possible[0], most=possible[-1], title=title),
        )
    return agreed


def hands_of(hands: tuple[int, ...], possible: range) -> tuple[Seat, ...]:
    """The seats whose hands are scanned, each once, in order. Raises `InvalidRecord`."""
    for seat in hands:
        if not 0 <= seat < possible[-1]:
            raise InvalidRecord(
                say("{path} is {value}", path="options.hands", value=quoted(list(hands))),
                say("use seats from 0 to {seats}", seats=possible[-1] - 1),
            )
    return tuple(Seat(seat) for seat in sorted(set(hands)))


class Choice(Value):
    """One answer to a set-up question: a text of up to 18 columns and the options it stands for."""

    text: Text
    options: Mapping[str, Any]


class Question(Value):
    """Something to settle before a match: `ask` in 21 columns, choices, the usual one first.

    `note` is a remark in 21 columns; it is shown where there are fewer than four choices.

    `dial` names a number that the last choice lets people set: its key path within the
    options, the lowest and the highest value and the one to begin with. A question with
    `only` is asked where the options chosen before have these values.

    `writes` names an option that holds a text. The last choice lets people write it; before it, texts that
    they have written in earlier matches are offered, with the options of the last choice.

    `why` is what people read who ask what the question is about.
    """

    ask: Text
    choices: tuple[Choice, ...]
    note: Text
    dial: tuple[str, int, int, int] | None = None
    only: Mapping[str, Any] = field(default_factory=dict)
    writes: str = ""
    why: Text = NOTHING
