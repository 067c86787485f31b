"""The box of 11 nimmt!, and what can be agreed before a match: asked, read, and kept as `Options`."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from companion.core.cards import Card, bullheads
from companion.core.codec import json_schema
from companion.core.options import Choice, Question, hands_of, read_agreed
from companion.core.score_sheet import MAX_DEALS, EndRule
from companion.text.sentence import say
from companion.values import Value, field, replace

SEATS: Final = range(2, 8)

CARDS: Final = 100
DEALT: Final = 10
BULLS: Final = 10
PILE_FOR_BULL: Final = 3
"""This many cards in a pile give a bull card (11 nimmt! rulebook, Taking a pile, paragraph 5)."""
NEW_PILES: Final = 2

DECK: Final = tuple(map(str, range(1, CARDS + 1)))


def worth(card: str) -> int:
    """The bullheads on a card: as on the cards of 6 nimmt! with the same numbers (house rule H11-1)."""
    return bullheads(Card(int(card)))


HEADS: Final = {"six": tuple(bullheads(Card(card)) for card in range(1, CARDS + 1))}
"""Tables of heads by name; `HEADS["six"]` is house rule H11-1. The first number is for card 1."""

MAX_HEADS: Final = 99
"""The most heads of one card in a custom list."""

HeadsOfCards = Annotated[
    tuple[Annotated[int, Meta(ge=1, le=MAX_HEADS)], ...], Meta(min_length=CARDS, max_length=CARDS)
]


class Bulls(Enum):
    """Whether bull cards are returned after a move that used them (H11-2).

    The rulebook does not say, and it decides how strong a bull card is: tables argue about it.
    """

    KEPT = "kept"
    SPENT = "spent"


class Leader(Enum):
    """From whom a player who alone has most bull cards draws one when the supply is empty (H11-4).

    The rulebook lets the player with most give one and forgets that this player may be the taker.
    """

    NOTHING = "nothing"
    OTHERS = "others"


class BullPiles(Enum):
    """On how many piles a player with bull cards may lay cards (H11-9).

    The rulebook can be read both ways.
    """

    EXACT = "exact"
    ONE_MORE = "one_more"


class Options(Value, forbid_unknown_fields=True):
    """What was agreed, under the names of the options."""

    deals: Annotated[int, Meta(ge=1, le=MAX_DEALS)] = 0
    heads_of: Literal["six"] | HeadsOfCards = field(default="six", name="heads")
    bulls: Bulls = Bulls.KEPT
    leader: Leader = Leader.NOTHING
    bull_piles: BullPiles = BullPiles.EXACT
    hands: tuple[int, ...] = ()
    """The seats whose hands are scanned when they are dealt."""

    @property
    def end(self) -> EndRule:
        """The match ends after this number of deals."""
        return EndRule(deals=self.deals)

    @property
    def heads(self) -> tuple[int, ...]:
        """The heads of each card from 1."""
        return HEADS["six"] if self.heads_of == "six" else self.heads_of

    def heads_on(self, cards: Iterable[Card]) -> int:
        """The bullheads on several cards together."""
        return sum(self.heads[card - 1] for card in cards)


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    agreed = read_agreed(Options, options, "11 nimmt!", seats, SEATS)
    return replace(
        agreed,
        deals=agreed.deals or seats,
        heads_of="six" if agreed.heads_of == HEADS["six"] else agreed.heads_of,
        hands=hands_of(agreed.hands, SEATS),
    )


def questions(seats: int) -> tuple[Question, ...]:
    """What to settle before a match: the number of deals."""
    # fmt: off
    return (Question(say("HOW MANY DEALS?"), (
        Choice(say("{deals}: ONE EACH", deals=seats), {"deals": seats}),
        Choice(say("ONE"), {"deals": 1}),
        Choice(say("OTHER NUMBER"), {"deals": seats}),
    ), say("FEWEST HEADS WIN"), dial=("deals", 1, MAX_DEALS, seats)),)
    # fmt: on


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    return json_schema(Options)
