"""Questions that are settled before a match, and the options that an answer stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.values import Value, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.text.sentence import Text


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
    """

    ask: Text
    choices: tuple[Choice, ...]
    note: Text
    dial: tuple[str, int, int, int] | None = None
    only: Mapping[str, Any] = field(default_factory=dict)
    writes: str = ""
