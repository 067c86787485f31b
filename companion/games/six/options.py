"""The box of 6 nimmt!, and what can be agreed before a match: asked, read, and kept as `Options`."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType

from companion.core.cards import HIGHEST, ROWS, TURNS, Card, Seat, bullheads, heads
from companion.core.codec import encode, json_schema
from companion.core.options import Choice, Question, hands_of, read_agreed
from companion.core.score_sheet import MAX_TARGET, EndRule, When, why_limit
from companion.text.errors import InvalidRecord
from companion.text.sentence import CardNumber, count, say
from companion.values import Value, replace

SEATS: Final = range(2, 11)
DECK: Final = tuple(map(str, range(1, HIGHEST + 1)))
KNOWN_DECK_SEATS: Final = range(2, 7)
"""The advanced game is for two to six players (6 nimmt! rulebook, Advanced game)."""


def worth(card: str) -> int:
    return bullheads(Card(int(card)))


BOOKLETS: Final = {
    "000": EndRule(66, When.PASSED),
    "002": EndRule(66),
}
"""The end rule of each edition of the rulebook: "000" prints "more than 66", "002" "66 or more".

The two booklets differ, so tables argue about it: that is why it is the first question.
"""


class Deck(Enum):
    """Which cards are used; the value is the option's."""

    FULL = "full"
    KNOWN = "known"
    """The advanced game: ten cards for each player and four, so that everybody knows what is in play."""


class Options(Value, forbid_unknown_fields=True):
    """What was agreed. `draft` is the open draft: cards are picked face up instead of dealt."""

    deck: Deck = Deck.FULL
    end: EndRule = BOOKLETS["002"]
    hands: bool | tuple[int, ...] = False
    """Whose hands are scanned when they are dealt: those of all players, of nobody, or of some seats."""
    draft: bool = False
    booklet: Literal["000", "002"] | UnsetType = UNSET
    """Another way to say the end."""

    def scanned(self, seat: Seat) -> bool:
        """Whether the hand of a player is scanned."""
        return self.hands if isinstance(self.hands, bool) else seat in self.hands

    def highest(self, players: int) -> int:
        """The highest card: 104, or ten times the players plus four (6 nimmt! rulebook, Advanced game 1)."""
        return TURNS * players + ROWS if self.deck is Deck.KNOWN else HIGHEST


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    agreed = read_agreed(Options, options, "6 nimmt!", seats, SEATS)
    if agreed.draft and agreed.deck is Deck.FULL:
        raise InvalidRecord(say("the open draft needs the known deck"), say('add "deck": "known"'))
    if agreed.deck is Deck.KNOWN and seats not in KNOWN_DECK_SEATS:
        raise InvalidRecord(
            say("the known deck is for 2 to 6 seats, not {seats}", seats=seats), say('use "deck": "full"')
        )
    if agreed.hands and agreed.draft:
        raise InvalidRecord(say("the open draft makes all hands known"), say("leave out 'hands', or 'draft'"))
    if not isinstance(agreed.hands, bool):
        agreed = replace(agreed, hands=hands_of(agreed.hands, SEATS))
    if agreed.booklet is UNSET:
        return agreed
    end = BOOKLETS[agreed.booklet]
    if "end" in options and agreed.end != end:
        raise InvalidRecord(say("the options 'end' and 'booklet' disagree"), say("give only one of the two"))
    return replace(agreed, end=end, booklet=UNSET)


def questions(seats: int) -> tuple[Question, ...]:
    """What to settle before a match: the end rule, and where it is allowed the deck."""
    end = Question(
        say("WHEN DOES IT END?"),
        (
            Choice(say("SOMEONE HAS ≥ 66"), {"end": encode(BOOKLETS["002"])}),
            Choice(say("SOMEONE HAS > 66"), {"end": encode(BOOKLETS["000"])}),
            Choice(say("AFTER 3 DEALS"), {"end": {"deals": 3}}),
            Choice(say("SOMEONE HAS ≥ ..."), {"end": {"target": 66, "when": "reached"}}),
        ),
        say("CHECKED AFTER A DEAL"),
        dial=("end.target", 1, MAX_TARGET, 66),
        why=why_limit(66),
    )
    all_cards = Choice(say("ALL 104"), {"deck": Deck.FULL.value})
    scanned = Choice(say("HANDS ARE SCANNED"), {"deck": Deck.FULL.value, "hands": True})
    which = say("WHICH CARDS?")
    if seats not in KNOWN_DECK_SEATS:
        return (end, Question(which, (all_cards, scanned), say("HANDS SHOW THE OWNER")))
    highest = Options(Deck.KNOWN).highest(seats)
    total = heads(Card(card) for card in range(1, highest + 1))
    known = Choice(say("KNOWN DECK 1-{highest}", highest=CardNumber(highest)), {"deck": Deck.KNOWN.value})
    draft = Choice(say("KNOWN + OPEN DRAFT"), {"deck": Deck.KNOWN.value, "draft": True})
    note = count("KNOWN: {count} HEAD", "KNOWN: {count} HEADS", total)
    return (end, Question(which, (all_cards, known, draft, scanned), note))


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    return json_schema(Options)
