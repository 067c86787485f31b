"""A sentence as a template with named facts, so that it can be translated later.

The core holds English templates only. `str(text)` is the English sentence; a translator
looks `text.template` (and `text.plural`) up and fills in `text.facts` itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_NO_FACTS: Mapping[str, object] = MappingProxyType({})

_WORD: Final = re.compile(r"(?<!\bno )\bplayers? (?=\{(\w+)\})")
"""The word before the number of a player; "there is no player 9" keeps it."""


@dataclass(frozen=True, slots=True)
class Who:
    """The player of a seat (0-based) as a fact; as a string its number, counted from 1.

    A device that knows the names of its players shows the name instead.
    """

    seat: int
    prefix: str = ""

    def __str__(self) -> str:
        """The number after its prefix."""
        return f"{self.prefix}{self.seat + 1}"


@dataclass(frozen=True, slots=True)
class Text:
    """An English template with `{named}` facts; `plural` is used unless the fact `count` is 1.

    A fact is a string, an integer, a `Who`, a `Text`, or a tuple of these, which is joined by commas.
    `context` tells templates apart that are the same in English, but not in every language.
    """

    template: str
    facts: Mapping[str, object] = field(default_factory=lambda: _NO_FACTS)
    plural: str = ""
    context: str = ""

    def __str__(self) -> str:
        """The English sentence."""
        # Not `said`: the referee tells every sentence in English, and this is the short way.
        if not self.facts:
            return self.template.format()
        facts, template = self.facts, self.template
        if self.plural:
            count = facts.get("count", 1)
            template = self.plural if isinstance(count, int) and count != 1 else template
        if tuple in map(type, facts.values()):
            facts = {name: _joined(fact) if isinstance(fact, tuple) else fact for name, fact in facts.items()}
        return template.format_map(facts)

    def said(self, wording: Callable[[Text, int], str], naming: Callable[[int], str] | None = None) -> str:
        """The sentence in the words of `wording(text, count)`, which gives the template to fill in.

        `naming` gives the name of a seat's player; without it every player is a number. English has
        the word "player" before a number, as in "it is player 3's turn", but not before a name.
        """
        count = self.facts.get("count", 1)
        template = wording(self, count if isinstance(count, int) else 1)
        if naming is not None and "player" in template:
            template = _WORD.sub(self._word, template)
        return template.format_map({name: _fact(fact, wording, naming) for name, fact in self.facts.items()})

    def with_facts(self, **facts: object) -> Text:
        """The same templates with these facts instead."""
        return Text(self.template, facts, self.plural, self.context)

    def _word(self, found: re.Match[str]) -> str:
        fact = self.facts.get(found[1])
        players = fact if isinstance(fact, tuple) else (fact,)
        return "" if players and all(isinstance(one, Who) for one in players) else found[0]


BULL: Final = "\ue000"
"""A bullhead, the points of 6 nimmt!: a private-use character that the display draws."""

ROCK: Final = "\ue008"
PAPER: Final = "\ue009"
SCISSORS: Final = "\ue00a"
"""The symbols of Ciao!, private-use characters like the bullhead."""

NOTHING: Final = Text("")
"""An empty text."""


def say(template: str, /, **facts: object) -> Text:
    """A `Text` from its template and facts."""
    return Text(template, facts)


def in_context(context: str, template: str, /, **facts: object) -> Text:
    """A `Text` whose template means something else elsewhere, for which other languages have another word."""
    return Text(template, facts, context=context)


def count(one: str, many: str, count: int, /, **facts: object) -> Text:
    """A `Text` that depends on a number, which both templates may name as `{count}`."""
    return Text(one, {"count": count, **facts}, plural=many)


def _joined(facts: tuple[object, ...]) -> str:
    return ", ".join(_joined(fact) if isinstance(fact, tuple) else str(fact) for fact in facts)


def _fact(fact: object, wording: Callable[[Text, int], str], naming: Callable[[int], str] | None) -> str:
    if isinstance(fact, Text):
        return fact.said(wording, naming)
    if isinstance(fact, Who) and naming is not None:
        return naming(fact.seat)
    if isinstance(fact, tuple):
        return ", ".join(_fact(part, wording, naming) for part in fact)
    return str(fact)
