"""What a referee answers: a rule, the reason why it applies, and whether the play is legal.

An illegal play is a value like a legal one, not an exception, so callers cannot forget to handle it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from companion.text import Text

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a game, or a house rule where the rulebooks are silent.

    `key` never changes once a log may hold it. `source` says where people can look it up: the rulebook,
    its section, and the rule or paragraph ("6 nimmt! rulebook, Taking cards, rule 3"), or that it is a
    house rule. `short` fits one line of the display (21 columns, English), `full` is a sentence.
    """

    key: str
    source: str
    short: str
    full: str


@dataclass(frozen=True, slots=True)
class Because:
    """A rule and how it applies to the facts on the table.

    `chart` is a small table for the display, row by row, first column the labels; empty where
    words are enough. `lit` is the column that decided it (0 = none).
    """

    rule: Rule
    says: Text
    chart: tuple[tuple[str, ...], ...] = ()
    lit: int = 0


@dataclass(frozen=True, slots=True)
class Allowed(Generic[E]):
    """The play is legal: what happens now, in order, and why."""

    events: tuple[E, ...]
    because: tuple[Because, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """The play is illegal, and nothing has changed.

    `rule` says which rule forbids it, `fault` what is wrong with it, `fix` what to do next.
    Where the rules punish such a play, `penalty` is the order that does so; it is given only
    when people say that the card was really played, because a scan can be a slip.
    """

    rule: Rule
    fault: Text
    fix: Text
    penalty: Any = None
