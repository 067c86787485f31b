"""What can be agreed before a match of Ciao!: asked, read, and kept as `Options`.

Where the rulebook is silent or can be read in two ways, this product has a ruling (HC-1 to HC-15 in
`rules`). Five of these rulings can be agreed otherwise, because people really argue about them; each
Enum here, and `Options.plus3_higher`, says why. Two more decide which cards children get (`step_jokers`,
`step_trouble`). All others are as they are written (`RETIRED`).
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from companion.core.cards import Seat
from companion.core.questions import Choice, Question
from companion.core.score_sheet import MOST_DEALS, EndRule, When, end_rule_schema, read_end_rule
from companion.games.ciao.box import BOX, DEALS, DEALT, DECK, SEATS, copies
from companion.games.ciao.cards import KINDS, Card, split
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import say
from companion.values import Value, field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_OF_A_KIND: Final = 20


class Step(Enum):
    """The full game, or one of the steps for young players (Ciao! rulebook, For younger players)."""

    FULL = "full"
    SYMBOLS = 1
    SPECIALS = 2
    COLOURS = 3


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


CHOICES: Final[Mapping[str, tuple[Enum | bool, ...]]] = {
    "after_challenge": tuple(AfterChallenge),
    "plus3_higher": (True, False),
    "reverse_with_two": tuple(ReverseWithTwo),
    "last_special": tuple(LastSpecial),
    "trouble": tuple(TroubleLeaves),
    "step_jokers": (True, False),
    "step_trouble": (False, True),
}
"""The rulings that are a choice, by option; the first value is the default."""

RETIRED: Final[Mapping[str, tuple[str | bool, ...]]] = {
    "mistake": ("this turn", "next turn"),
    "drawn": ("play", "pass"),
    "opening": ("any", "plain"),
    "challenge_joker": (True, False),
    "challenge_icon": (True, False),
    "last_gift": ("wins", "kept"),
    "empty_pile": ("reshuffle", "end"),
    "thanks": (True, False),
}
"""Options of earlier versions, which are accepted and have no effect: stored matches may name them.

The first value is now the ruling. The others were not worth an option:

- `mistake`: a mistake costs one turn, as printed (HC-1); a second turn was a penalty that nobody expects.
- `drawn`: the rulebook prints that a drawn card may be played at once (HC-2).
- `opening`: the rulebook prints "any card" (HC-3).
- `challenge_joker`, `challenge_icon`: a joker goes on any card and an icon takes effect whenever it is
  played, as printed; a challenge is no exception (HC-4).
- `last_gift`: it happens only if the card before the last one is a bad card (HC-8).
- `empty_pile`: every game with a draw pile shuffles the discards; a deal hardly ever comes to it (HC-9).
- `thanks`: the rulebook prints it; a table that does not care answers YES (HC-12).
"""


class Options(Value):
    """What was agreed, under the names of the options.

    `counts` are the numbers of each kind that differ from the box (the option `deck`). `plus3_higher`
    says whether a +3 that answers a +3 must be higher (HC-5): the rulebook says "another +3" and nothing
    about its rank, which is what people argue about most in games where such cards add up. `step_jokers` and
    `step_trouble` say whether those cards are in the deck in the steps for young players (HC-15): who plays
    with children decides by their age.
    """

    end: EndRule = field(default_factory=lambda: EndRule(When.DEALS, DEALS))
    step: Step = Step.FULL
    counts: tuple[tuple[str, int], ...] = ()
    after_challenge: AfterChallenge = AfterChallenge.WINNER
    plus3_higher: bool = True
    reverse_with_two: ReverseWithTwo = ReverseWithTwo.NOTHING
    last_special: LastSpecial = LastSpecial.ENDS
    trouble: TroubleLeaves = TroubleLeaves.EFFECTS
    step_jokers: bool = True
    step_trouble: bool = False
    hands: tuple[Seat, ...] = ()
    """The seats whose cards are scanned whenever they come into the hand."""

    @property
    def colours(self) -> bool:
        """Whether the colours count."""
        return self.step in (Step.FULL, Step.COLOURS)

    def many(self, name: str) -> int:
        """How many cards of a kind are in the deck."""
        kind = KINDS[name]
        young = self.step is not Step.FULL
        if (
            (kind.icon is not None and self.step is Step.SYMBOLS)
            or (kind.trouble and young and not self.step_trouble)
            or (kind.joker and young and not self.step_jokers)
        ):
            return 0
        return dict(self.counts).get(name, BOX[name]) if self.counts else BOX[name]

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
        """The cards by the number in their code, from 1: the 90 of the box, then those that were added.

        Cards that are not in the deck keep their numbers, because the numbers are printed.
        """
        return _codes(self)

    def record(self) -> dict[str, Any]:
        """The options that are read as these again; defaults are left out, except for the end."""
        options: dict[str, Any] = {"end": self.end.options()}
        if self.step is not Step.FULL:
            options["step"] = self.step.value
        if self.counts:
            options["deck"] = dict(self.counts)
        for name, values in CHOICES.items():
            value = getattr(self, name)
            if value is not values[0]:
                options[name] = _word(value)
        if self.hands:
            options["hands"] = list(self.hands)
        return options


@lru_cache(maxsize=8)  # asked for every card that is read
def _codes(options: Options) -> tuple[Card, ...]:
    added = (card for card in options.deck() if _number(card) > BOX[_kind(card)])
    return (*DECK, *added)


def _kind(card: str) -> str:
    return card.partition("#")[0]


def _number(card: str) -> int:
    return int(card.partition("#")[2] or 1)


def _word(value: Enum | str | bool) -> str | bool:  # noqa: FBT001 - the value of an option
    """A value as it is written in the options."""
    return value.value if isinstance(value, Enum) else value


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for so many seats. Raises `InvalidRecord`, naming the option that will not do."""
    known = {"end", "step", "deck", "hands", *CHOICES, *RETIRED}
    for name in options:
        if name not in known:
            raise InvalidRecord(
                say("Ciao! has no option {name}", name=quoted(name)), did_you_mean(str(name), sorted(known))
            )
    if seats not in SEATS:
        raise InvalidRecord(
            say("the number of seats is {seats}", seats=quoted(seats)),
            say("use {seats} to {seats_2} for Ciao!", seats=SEATS[0], seats_2=SEATS[-1]),
        )
    for name, values in RETIRED.items():
        if name in options:
            _choice(name, options[name], values)
    chosen: dict[str, Any] = {
        name: _choice(name, options[name], values) for name, values in CHOICES.items() if name in options
    }
    end = read_end_rule(options["end"]) if "end" in options else EndRule(When.DEALS, DEALS)
    agreed = Options(end, _step(options), _counts(options), **chosen, hands=_hands(options.get("hands", ())))
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


def _hands(value: object) -> tuple[Seat, ...]:
    if isinstance(value, list | tuple) and all(type(seat) is int and 0 <= seat < SEATS[-1] for seat in value):
        return tuple(Seat(seat) for seat in sorted(set(value)))
    raise InvalidRecord(
        say("the option 'hands' is {hands}", hands=quoted(value)), say("use a list of seats from 0")
    )


def _choice(name: str, value: object, values: tuple[Enum | str | bool, ...]) -> Enum | str | bool:
    """The one of these values that is written so. Raises `InvalidRecord`."""
    for one in values:
        # The types are compared because in Python 1 == True, and 1 is no answer to yes or no.
        if type(value) is type(_word(one)) and value == _word(one):
            return one
    words = map(_word, values)
    will_do = tuple("true" if one is True else "false" if one is False else repr(one) for one in words)
    raise InvalidRecord(
        say("the option {name} is {value}", name=repr(name), value=quoted(value)),
        say("use one of: {choices}", choices=will_do),
    )


def _step(options: Mapping[str, Any]) -> Step:
    step = options.get("step", Step.FULL.value)
    if type(step) not in (str, int) or step not in [one.value for one in Step]:
        raise InvalidRecord(
            say("the option 'step' is {step}", step=quoted(step)), say("use 1, 2, 3 or 'full'")
        )
    return Step(step)


def _counts(options: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    deck = options.get("deck", {})
    if not isinstance(deck, dict):
        raise InvalidRecord(
            say("the option 'deck' is {deck}", deck=quoted(deck)),
            say('use an object such as {{"T": 6}}: kinds and how many there are'),
        )
    for name, many in deck.items():
        if name not in KINDS:
            raise InvalidRecord(
                say("the deck names {name}, which is not a Ciao! card", name=quoted(name)),
                did_you_mean(str(name), KINDS),
            )
        if type(many) is not int or not 0 <= many <= MOST_OF_A_KIND:
            raise InvalidRecord(
                say("the deck has {many} of {name}", many=quoted(many), name=name),
                say("use a whole number from 0 to {most_of_a_kind}", most_of_a_kind=MOST_OF_A_KIND),
            )
    return tuple((name, deck[name]) for name in KINDS if name in deck and deck[name] != BOX[name])


def questions(seats: int) -> tuple[Question, ...]:  # noqa: ARG001 - they are the same for all
    """What to settle before a match: how many deals, and which rules."""
    deals = Question(
        say("HOW MANY DEALS?"),
        (
            Choice(say("5 DEALS"), {"end": {"deals": DEALS}}),
            Choice(say("3 DEALS"), {"end": {"deals": 3}}),
            Choice(say("1 DEAL"), {"end": {"deals": 1}}),
            Choice(say("ANOTHER NUMBER"), {"end": {"deals": 7}}),
        ),
        say("FEWEST POINTS WIN"),
        dial=("end.deals", 1, MOST_DEALS, 7),
    )
    steps = Question(
        say("WHICH RULES?"),
        (
            Choice(say("ALL OF THEM"), {"step": Step.FULL.value}),
            Choice(say("1: SYMBOLS ONLY"), {"step": Step.SYMBOLS.value}),
            Choice(say("2: + SPECIALS"), {"step": Step.SPECIALS.value}),
            Choice(say("3: + COLOURS"), {"step": Step.COLOURS.value}),
        ),
        say("RULES FOR CHILDREN"),
    )
    return (deals, steps)


def with_hands(seats: Sequence[int]) -> dict[str, Any]:
    """The option by which the cards of these seats are scanned whenever they come into the hand."""
    return {"hands": list(seats)}


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    many = {"type": "integer", "minimum": 0, "maximum": MOST_OF_A_KIND}
    return {
        "type": "object",
        "properties": {
            "end": end_rule_schema(),
            "step": {"enum": [step.value for step in Step]},
            "deck": {
                "type": "object",
                "properties": dict.fromkeys(KINDS, many),
                "additionalProperties": False,
            },
            "hands": {"type": "array", "items": {"type": "integer"}},
            **{name: {"enum": list(map(_word, values))} for name, values in CHOICES.items()},
            **{name: {"enum": list(values)} for name, values in RETIRED.items()},
        },
        "additionalProperties": False,
    }
