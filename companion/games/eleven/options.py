"""What can be agreed before a match of 11 nimmt!: asked, read, and kept as `Options`."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from companion.core.cards import Card, Seat, bullheads
from companion.core.questions import Choice, Question
from companion.core.score_sheet import MOST_DEALS, EndRule, When
from companion.games.eleven.box import CARDS, SEATS
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import say
from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HEADS: Final = {"six": tuple(bullheads(Card(card)) for card in range(1, CARDS + 1))}
"""Tables of heads by name; `HEADS["six"]` is house rule H11-1. The first number is for card 1."""

MOST_HEADS: Final = 99
"""The most heads of one card in a custom list."""


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


RETIRED: Final[Mapping[str, tuple[str, ...]]] = {
    "stacking": ("circular", "number"),
    "short_deck": ("rest", "nothing"),
    "no_pile": ("open", "end"),
    "starter_tie": ("clockwise", "seat"),
}
"""Options of earlier versions, which are accepted and have no effect: stored matches may name them.

Each settled a case that hardly ever comes up, and no table has an opinion about it. The first value is
now the ruling: cards of one move lie in the order of the circle (H11-3), a short deck gives what it has
(H11-5), without piles any card opens one (H11-6), and of several players with most points the next one
clockwise starts (H11-7).
"""


class Options(Value):
    """What was agreed, under the names of the options; `end` comes from the number of deals."""

    end: EndRule
    heads: tuple[int, ...] = HEADS["six"]
    bulls: Bulls = Bulls.KEPT
    leader: Leader = Leader.NOTHING
    bull_piles: BullPiles = BullPiles.EXACT
    hands: tuple[Seat, ...] = ()
    """The seats whose hands are scanned when they are dealt."""

    def heads_on(self, cards: Iterable[Card]) -> int:
        """The bullheads on several cards together."""
        return sum(self.heads[card - 1] for card in cards)

    def record(self) -> dict[str, Any]:
        """The options that are read as these again: the number of deals, and what is not the default."""
        options: dict[str, Any] = {"deals": self.end.number}
        if self.heads != HEADS["six"]:
            options["heads"] = list(self.heads)
        for name, kind in CHOICES.items():
            value = getattr(self, name)
            if value is not next(iter(kind)):
                options[name] = value.value
        if self.hands:
            options["hands"] = list(self.hands)
        return options


CHOICES: Final[Mapping[str, type[Enum]]] = {"bulls": Bulls, "leader": Leader, "bull_piles": BullPiles}
"""The options that are words; the first value of each is the default."""


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for so many seats. Raises `InvalidRecord`, naming the invalid option."""
    known = ("deals", "heads", "hands", *CHOICES, *RETIRED)
    for name in options:
        if name not in known:
            raise InvalidRecord(
                say("11 nimmt! has no option {name}", name=quoted(name)), did_you_mean(str(name), known)
            )
    if seats not in SEATS:
        raise InvalidRecord(
            say("the number of seats is {seats}", seats=quoted(seats)),
            say("use {seats} to {seats_2} for 11 nimmt!", seats=SEATS[0], seats_2=SEATS[-1]),
        )
    deals = options.get("deals", seats)
    if type(deals) is not int or not 1 <= deals <= MOST_DEALS:
        raise InvalidRecord(
            say("the option 'deals' is {deals}", deals=quoted(deals)),
            say("use a whole number from 1 to {most_deals}", most_deals=MOST_DEALS),
        )
    for name, values in RETIRED.items():
        if name in options:
            _word(name, options[name], values)
    chosen: dict[str, Any] = {
        name: kind(_word(name, options[name], tuple(one.value for one in kind)))
        for name, kind in CHOICES.items()
        if name in options
    }
    heads = _heads(options.get("heads", "six"))
    hands = _hands(options.get("hands", ()))
    return Options(EndRule(When.DEALS, deals), heads, **chosen, hands=hands)


def _hands(value: object) -> tuple[Seat, ...]:
    if isinstance(value, list | tuple) and all(type(seat) is int and 0 <= seat < SEATS[-1] for seat in value):
        return tuple(Seat(seat) for seat in sorted(set(value)))
    raise InvalidRecord(
        say("the option 'hands' is {hands}", hands=quoted(value)), say("use a list of seats from 0")
    )


def _word(name: str, value: object, words: tuple[str, ...]) -> str:
    if isinstance(value, str) and value in words:
        return value
    will_do = tuple(map(repr, words))
    raise InvalidRecord(
        say("the option {name} is {value}", name=repr(name), value=quoted(value)),
        say("use one of: {choices}", choices=will_do),
    )


def _heads(value: Any) -> tuple[int, ...]:  # noqa: ANN401 - see above
    will_do = say(
        "use 'six', or a list of {cards} whole numbers from 1 to {most_heads}",
        cards=CARDS,
        most_heads=MOST_HEADS,
    )
    if isinstance(value, str) and value in HEADS:
        return HEADS[value]
    if not isinstance(value, list):
        raise InvalidRecord(say("the option 'heads' is {value}", value=quoted(value)), will_do)
    if len(value) != CARDS:
        raise InvalidRecord(say("the option 'heads' has {value} numbers", value=len(value)), will_do)
    for card, heads in enumerate(value, start=1):
        if type(heads) is not int or not 1 <= heads <= MOST_HEADS:
            raise InvalidRecord(
                say("the option 'heads' gives card {card} {heads}", card=card, heads=quoted(heads)), will_do
            )
    return tuple(value)


def questions(seats: int) -> tuple[Question, ...]:
    """What to settle before a match: the number of deals."""
    return (
        Question(
            say("HOW MANY DEALS?"),
            (
                Choice(say("{deals}: ONE EACH", deals=seats), {"deals": seats}),
                Choice(say("ONE"), {"deals": 1}),
                Choice(say("OTHER NUMBER"), {"deals": seats}),
            ),
            say("FEWEST HEADS WIN"),
            dial=("deals", 1, MOST_DEALS, seats),
        ),
    )


def with_hands(seats: Sequence[int]) -> dict[str, Any]:
    """The option by which the hands of these seats are scanned when they are dealt."""
    return {"hands": list(seats)}


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    one_head = {"type": "integer", "minimum": 1, "maximum": MOST_HEADS}
    table = {"type": "array", "items": one_head, "minItems": CARDS, "maxItems": CARDS}
    return {
        "type": "object",
        "properties": {
            "deals": {"type": "integer", "minimum": 1, "maximum": MOST_DEALS},
            "heads": {"anyOf": [{"enum": sorted(HEADS)}, table]},
            "hands": {"type": "array", "items": {"type": "integer"}},
            **{name: {"enum": [one.value for one in kind]} for name, kind in CHOICES.items()},
            **{name: {"enum": list(words)} for name, words in RETIRED.items()},
        },
        "additionalProperties": False,
    }
