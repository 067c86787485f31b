"""The box of Ciao!, and what can be agreed before a match: asked, read, and kept as `Options`.

Where the rulebook is silent or can be read in two ways, this product has a ruling (HC-1 to HC-15 in
`rules`). Five of these rulings can be agreed otherwise, because people really argue about them; each
Enum here, and `Options`, says why. Two more decide which cards children get (`step_jokers`,
`step_trouble`).
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from companion.core.codec import json_schema
from companion.core.options import Choice, Question, hands_of, read_agreed
from companion.core.score_sheet import MAX_DEALS, EndRule
from companion.games.ciao import rules
from companion.games.ciao.cards import KINDS, Card, CardKind, kind, split
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import Text, say
from companion.values import Value, cached_property, field, replace

SEATS: Final = range(2, 7)
DEALS: Final = 5
"""Deals of a match if nothing else was agreed (house rule HC-13)."""
DEALT: Final = 7
"""Cards dealt to each player (Ciao! rulebook, Setup)."""
PENALTY: Final = 3
"""Cards to draw for a mistake, a +3 or a missing thank you (Ciao! rulebook, How to play; Special cards)."""


def _in_the_box(kind: CardKind) -> int:
    if kind.trouble:
        return 3
    if kind.joker:
        return 2
    return 4 if kind.icon is None else 1


BOX: Final[Mapping[str, int]] = {name: _in_the_box(kind) for name, kind in KINDS.items()}
"""How many there are of each kind: 90 cards (Ciao! rulebook, figure 1; house rule HC-10)."""


def copies(counts: Mapping[str, int]) -> tuple[Card, ...]:
    """Every copy by its name; a kind that exists once needs no number."""
    return tuple(
        Card(name if number == 1 else f"{name}#{copy}")
        for name, number in counts.items()
        for copy in range(1, number + 1)
    )


DECK: Final[tuple[Card, ...]] = copies(BOX)
"""The 90 cards in the order of their codes: `DECK[0]` has the number 1."""


def worth(card: str) -> int:
    """What one card in a hand costs."""
    return kind(card).worth


def points(cards: tuple[Card, ...]) -> int:
    """What cards in a hand cost together."""
    return sum(map(worth, cards))


MAX_OF_A_KIND: Final = 20


class AfterChallenge(Enum):
    """After whom play continues when a speed challenge was answered (HC-4).

    The rulebook says who wins a challenge and not who is next. With the challenger, everybody keeps
    the place in the round; with the winner, a challenge can skip half of the table: tables argue about it.
    """

    WINNER = "winner"
    CHALLENGER = "challenger"


class ReverseWithTwo(Enum):
    """What a change of direction does with two players (HC-6).

    The rulebook does not say, and other games with such a card let the same player play again: people
    who know those expect it.
    """

    NOTHING = "nothing"
    AGAIN = "again"


class LastSpecial(Enum):
    """Whether the last card of a hand may be a special card (HC-7).

    The rulebook lets the first player without cards win, whatever the last card is. In many other games
    the last card must be a plain one, and people bring that rule along.
    """

    ENDS = "ends"
    FORBIDDEN = "forbidden"


class TroubleLeaves(Enum):
    """How a trouble card leaves a hand (HC-11).

    The rulebook says "only with a special card". That can mean the effects that move cards (a bad card,
    a swap of hands), or that a trouble card is discarded together with any special card.
    """

    EFFECTS = "effects"
    SPECIAL = "special"


Counts = Annotated[
    Mapping[str, Annotated[int, Meta(ge=0, le=MAX_OF_A_KIND)]],
    Meta(extra_json_schema={"propertyNames": {"enum": list(KINDS)}}),
]


class Options(Value, dict=True, forbid_unknown_fields=True):
    """What was agreed, under the names of the options.

    `step` is the full game, or one of the steps for young players (Ciao! rulebook, For younger players):
    1 symbols, 2 also special cards, 3 also colours. `deck` are the numbers of each kind that differ from the
    box. `plus3_higher` says whether a +3 that answers a +3 must be higher (HC-5): the rulebook says
    "another +3" and nothing about its rank, which is what people argue about most in games where such cards
    add up. `step_jokers` and `step_trouble` say whether those cards are in the deck in the steps for young
    players (HC-15): who plays with children decides by their age.
    """

    end: EndRule = EndRule(deals=DEALS)
    step: Literal["full", 1, 2, 3] = "full"
    deck: Counts = field(default_factory=dict)
    after_challenge: AfterChallenge = AfterChallenge.WINNER
    plus3_higher: bool = True
    reverse_with_two: ReverseWithTwo = ReverseWithTwo.NOTHING
    last_special: LastSpecial = LastSpecial.ENDS
    trouble: TroubleLeaves = TroubleLeaves.EFFECTS
    step_jokers: bool = True
    step_trouble: bool = False
    hands: tuple[int, ...] = ()
    """The seats whose cards are scanned whenever they come into the hand."""

    @property
    def colours(self) -> bool:
        return self.step in ("full", 3)

    @property
    def young(self) -> bool:
        """Whether it is one of the steps for young players."""
        return self.step != "full"

    @property
    def left_out(self) -> tuple[Text, ...]:
        """The kinds of cards that stay in the box for young players."""
        kinds = {
            say("SPECIALS"): self.step == 1,
            say("TROUBLE CARDS"): self.young and not self.step_trouble,
            say("JOKERS"): self.young and not self.step_jokers,
        }
        return tuple(name for name, out in kinds.items() if out)

    def many(self, name: str) -> int:
        """How many cards of a kind are in the deck."""
        kind = KINDS[name]
        if (
            (kind.icon is not None and self.step == 1)
            or (kind.trouble and self.young and not self.step_trouble)
            or (kind.joker and self.young and not self.step_jokers)
        ):
            return 0
        return self.deck.get(name, BOX[name])

    @property
    def size(self) -> int:
        """How many cards are in the deck."""
        return sum(self.many(name) for name in KINDS)

    def has(self, card: str) -> bool:
        """Whether the deck has such a card."""
        found = split(card)
        return found is not None and (found[1] or 1) <= self.many(found[0].name)

    @cached_property  # asked for every card that is dealt
    def _cards(self) -> tuple[Card, ...]:
        return copies({name: self.many(name) for name in KINDS})

    def cards(self) -> tuple[Card, ...]:
        """Every copy in the deck, as they are named in it."""
        return self._cards

    def kinds(self) -> tuple[str, ...]:
        return tuple(name for name in KINDS if self.many(name))

    @cached_property
    def codes(self) -> tuple[Card, ...]:
        """The cards by the number in their code, from 1: the 90 of the box, then those that were added.

        Cards that are not in the deck keep their numbers, because the numbers are printed.
        """
        box = Options()
        return (*DECK, *(card for card in self.cards() if not box.has(card)))


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    agreed = read_agreed(Options, options, "Ciao!", seats, SEATS)
    for name in agreed.deck:
        if name not in KINDS:
            raise InvalidRecord(
                say("the deck names {name}, which is not a Ciao! card", name=quoted(name)),
                did_you_mean(name, KINDS),
            )
    counts = {name: agreed.deck[name] for name in KINDS if agreed.deck.get(name, BOX[name]) != BOX[name]}
    agreed = replace(agreed, deck=counts, hands=hands_of(agreed.hands, SEATS))
    if agreed.size < DEALT * seats:
        raise InvalidRecord(
            say(
                "the deck has {size} cards; {seats} seats need {dealt}",
                size=agreed.size,
                seats=seats,
                dealt=DEALT * seats,
            ),
            say("add cards with the option 'deck', or play with fewer players"),
        )
    return agreed


def questions(seats: int) -> tuple[Question, ...]:  # noqa: ARG001 - they are the same for all
    """What to settle before a match: how many deals, and which rules."""
    # fmt: off
    deals = Question(say("HOW MANY DEALS?"), (
        Choice(say("5 DEALS"), {"end": {"deals": DEALS}}),
        Choice(say("3 DEALS"), {"end": {"deals": 3}}),
        Choice(say("1 DEAL"), {"end": {"deals": 1}}),
        Choice(say("ANOTHER NUMBER"), {"end": {"deals": 7}}),
    ), say("FEWEST POINTS WIN"), dial=("end.deals", 1, MAX_DEALS, 7), why=rules.DECK.sentence)
    steps = Question(say("WHICH RULES?"), (
        Choice(say("FULL RULES"), {"step": "full"}),
        Choice(say("1: SYMBOLS ONLY"), {"step": 1}),
        Choice(say("2: + SPECIALS"), {"step": 2}),
        Choice(say("3: + COLOURS"), {"step": 3}),
    ), say("RULES FOR CHILDREN"), why=rules.YOUNG.sentence)
    # fmt: on
    return (deals, steps)


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    return json_schema(Options)
