"""What was agreed before a match of Ciao!: the deck, the step, and every ruling where the booklet is silent.

Reading it from options, and asking people about it, is in `setup`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from companion.games.ciao.cards import BOX, DECK, KINDS, Card, copies, split
from companion.score_sheet import EndRule, When

if TYPE_CHECKING:
    from collections.abc import Mapping

FULL: Final = "full"
STEPS: Final = (FULL, 1, 2, 3)
"""The full game and the three steps for young players (booklet 004:88)."""

CHOICES: Final[Mapping[str, tuple[str | bool, ...]]] = MappingProxyType(
    {
        "mistake": ("this turn", "next turn"),
        "drawn": ("play", "pass"),
        "opening": ("any", "plain"),
        "after_challenge": ("winner", "challenger"),
        "challenge_joker": (True, False),
        "challenge_icon": (True, False),
        "plus3_higher": (True, False),
        "reverse_with_two": ("nothing", "again"),
        "last_special": ("ends", "forbidden"),
        "last_gift": ("wins", "kept"),
        "empty_pile": ("reshuffle", "end"),
        "trouble": ("effects", "special"),
        "thanks": (True, False),
        "step_jokers": (True, False),
        "step_trouble": (False, True),
    }
)
"""The house rules that are a choice, by option, and their values; the first is the default."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What was agreed. The fields after `counts` are the options of the same names.

    `counts` are the numbers of each kind that differ from the box.
    """

    end: EndRule = field(default_factory=lambda: EndRule(When.DEALS, 5))
    step: str | int = FULL
    counts: tuple[tuple[str, int], ...] = ()
    mistake: str = "this turn"
    drawn: str = "play"
    opening: str = "any"
    after_challenge: str = "winner"
    challenge_joker: bool = True
    challenge_icon: bool = True
    plus3_higher: bool = True
    reverse_with_two: str = "nothing"
    last_special: str = "ends"
    last_gift: str = "wins"
    empty_pile: str = "reshuffle"
    trouble: str = "effects"
    thanks: bool = True
    step_jokers: bool = True
    step_trouble: bool = False

    @property
    def colours(self) -> bool:
        """Whether the colours count."""
        return self.step in (FULL, 3)

    def many(self, name: str) -> int:
        """How many cards of a kind are in the deck."""
        kind = KINDS[name]
        young = self.step != FULL
        if (
            (kind.icon is not None and self.step == 1)
            or (kind.trouble and young and not self.step_trouble)
            or (kind.joker and young and not self.step_jokers)
        ):
            return 0
        return dict(self.counts).get(name, BOX[name])

    @property
    def size(self) -> int:
        """How many cards are in the deck."""
        return sum(self.many(name) for name in KINDS)

    def has(self, card: str) -> bool:
        """Whether the deck has such a card."""
        found = split(card)
        return found is not None and (found[1] or 1) <= self.many(found[0].name)

    def deck(self) -> tuple[Card, ...]:
        """Every copy in the deck, as they are named in it."""
        return copies({name: self.many(name) for name in KINDS})

    def kinds(self) -> tuple[str, ...]:
        """Every kind in the deck."""
        return tuple(name for name in KINDS if self.many(name))

    def codes(self) -> tuple[Card, ...]:
        """The cards by the number in their code, from 1: the 90 of the box, then those that were added."""
        added = (card for card in self.deck() if _number(card) > BOX[_kind(card)])
        return (*DECK, *added)

    def options(self) -> dict[str, Any]:
        """The options that make it again; defaults are left out, except for the end."""
        options: dict[str, Any] = {"end": self.end.options()}
        if self.step != FULL:
            options["step"] = self.step
        if self.counts:
            options["deck"] = dict(self.counts)
        for name, values in CHOICES.items():
            value = getattr(self, name)
            if value != values[0]:
                options[name] = value
        return options


def _kind(card: str) -> str:
    return card.partition("#")[0]


def _number(card: str) -> int:
    return int(card.partition("#")[2] or 1)
