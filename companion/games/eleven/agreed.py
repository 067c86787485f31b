"""What can be agreed about a deal of 11 nimmt! where the booklet is silent; reading it is done in `setup`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.cards import Card, bullheads
from companion.games.eleven.table import CARDS

if TYPE_CHECKING:
    from collections.abc import Iterable

HEADS: Final = {"six": tuple(bullheads(Card(card)) for card in range(1, CARDS + 1))}
"""Tables of heads by name; `HEADS["six"]` is house rule H11-1. The first number is for card 1."""

CHOICES: Final = {
    "bulls": ("kept", "spent"),
    "stacking": ("circular", "number"),
    "leader": ("nothing", "others"),
    "short_deck": ("rest", "nothing"),
    "no_pile": ("open", "end"),
    "starter_tie": ("clockwise", "seat"),
    "bull_piles": ("exact", "one_more"),
}
"""The options that are words, and their values; the first of each is the default."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """The agreements about a deal, as the options of the same names."""

    heads: tuple[int, ...] = HEADS["six"]
    bulls: str = "kept"
    stacking: str = "circular"
    leader: str = "nothing"
    short_deck: str = "rest"
    no_pile: str = "open"
    starter_tie: str = "clockwise"
    bull_piles: str = "exact"

    def heads_on(self, cards: Iterable[Card]) -> int:
        """The bullheads on several cards together."""
        return sum(self.heads[card - 1] for card in cards)

    def options(self) -> dict[str, Any]:
        """The options that are not the default."""
        options: dict[str, Any] = {}
        if self.heads != HEADS["six"]:
            options["heads"] = list(self.heads)
        for name, (default, *_) in CHOICES.items():
            value = getattr(self, name)
            if value != default:
                options[name] = value
        return options
