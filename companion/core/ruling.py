"""What a referee answers: a rule, the reason why it applies, and whether the play is legal.

An illegal play is a value like a legal one, not an exception, so callers cannot forget to handle it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

from companion.text.sentence import Text
from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable

E = TypeVar("E")

Chart: TypeAlias = tuple[tuple[Text | str, ...], ...]
"""A small table of words and numbers, row by row."""


class Rule(Value):
    """A rule of a game, or a house rule where the rulebooks are silent.

    `key` never changes once a log may hold it. `source` says where people can look it up: the rulebook,
    its section, and the rule or paragraph ("6 nimmt! rulebook, Taking cards, rule 3"), or that it is a
    house rule. `short` fits one line of the display (21 columns, English), `full` is a sentence.
    """

    key: str
    source: str
    short: str
    full: str

    @property
    def title(self) -> Text:
        """`short`, to be said in any language."""
        return Text(self.short)

    @property
    def sentence(self) -> Text:
        """`full`, to be said in any language."""
        return Text(self.full)


class Because(Value):
    """A rule and how it applies to the facts on the table.

    `cells` are a small table for the display, row by row, first column the labels; empty where
    words are enough. `lit` is the column that decided it (0 = none). A judge leaves both out, because the
    log keeps neither: the lines of a board have them.
    """

    rule: Rule
    says: Text
    cells: Chart = ()
    lit: int = 0

    @property
    def chart(self) -> tuple[tuple[str, ...], ...]:
        """The table in English."""
        return self.chart_in(str)

    def chart_in(self, say: Callable[[Text], str]) -> tuple[tuple[str, ...], ...]:
        """The table in the words of a language, of which `say` says a text."""
        return tuple(
            tuple(say(cell) if isinstance(cell, Text) else cell for cell in row) for row in self.cells
        )

    def shown_as(self, cells: Chart, lit: int) -> Because:
        """The same reason with a table for the display."""
        return Because(self.rule, self.says, cells, lit)


class Reason(NamedTuple):
    """A `Because` as the log keeps it: the key of the rule, and the sentence with its facts.

    As a string, `says` is the English sentence. Where it was stored without facts, it has none. It is a
    pair, so that programs can go on writing `for rule, says in step.because`.
    """

    rule: str
    says: Text


class Allowed(Value, Generic[E]):
    """The play is legal: what happens now, in order, and why.

    A judge that has applied the events to see what follows gives the state after all of them as `after`, so
    that nobody applies them again. It must be what applying them one by one gives. None: not worked out.
    """

    events: tuple[E, ...]
    because: tuple[Because, ...]
    after: Any = None


class Refused(Value):
    """The play is illegal, and nothing has changed.

    `rule` says which rule forbids it, `fault` what is wrong with it, `fix` what to do next.
    Where the rules punish such a play, `penalty` is the order that does so; it is given only
    when people say that the card was really played, because a scan can be a slip.
    `waits`: another question is open, and nothing is wrong with the play but that it comes too early.
    """

    rule: Rule
    fault: Text
    fix: Text
    penalty: Any = None
    waits: bool = False
