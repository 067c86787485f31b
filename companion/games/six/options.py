"""What can be agreed before a match of 6 nimmt!: asked, read, and kept as `Options`."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from companion.core.cards import Card, Seat, heads
from companion.core.questions import Choice, Question
from companion.core.score_sheet import HIGHEST_TARGET, EndRule, When, end_rule_schema, read_end_rule
from companion.games.six.box import KNOWN_DECK_SEATS, SEATS, deck_for
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import CardNumber, count, say
from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BOOKLETS: Final = {
    "000": EndRule(When.PASSED, 66),
    "002": EndRule(When.REACHED, 66),
}
"""The end rule of each edition of the rulebook: "000" prints "more than 66", "002" "66 or more".

The two booklets differ, so tables argue about it: that is why it is the first question.
"""

KNOWN: Final = frozenset({"deck", "draft", "end", "booklet", "hands"})


class Deck(Enum):
    """Which cards are used; the value is the option's."""

    FULL = "full"
    KNOWN = "known"
    """The advanced game: ten cards for each player and four, so that everybody knows what is in play."""


class Options(Value):
    """What was agreed. `draft` is the open draft: cards are picked face up instead of dealt."""

    end: EndRule = BOOKLETS["002"]
    deck: Deck = Deck.FULL
    draft: bool = False
    hands: bool | tuple[Seat, ...] = False
    """Whose hands are scanned when they are dealt: those of all players, of nobody, or of some seats."""

    def registered(self, players: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Which of the players have their hands scanned."""
        if isinstance(self.hands, bool):
            return players if self.hands else ()
        return tuple(seat for seat in players if seat in self.hands)

    def highest(self, players: int) -> int:
        """The highest card in use when so many play."""
        return deck_for(players, known=self.deck is Deck.KNOWN)

    def record(self) -> dict[str, Any]:
        """The options that are read as these again."""
        options: dict[str, Any] = {"deck": self.deck.value, "end": self.end.options()}
        if self.hands:
            options["hands"] = self.hands if isinstance(self.hands, bool) else list(self.hands)
        return {**options, "draft": True} if self.draft else options


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for so many seats. Raises `InvalidRecord`, naming the option that will not do."""
    for name in options:
        if name not in KNOWN:
            raise InvalidRecord(
                say("6 nimmt! has no option {name}", name=quoted(name)),
                did_you_mean(str(name), sorted(KNOWN)),
            )
    if seats not in SEATS:
        raise InvalidRecord(
            say("the number of seats is {seats}", seats=quoted(seats)),
            say("use {seats} to {seats_2} for 6 nimmt!", seats=SEATS[0], seats_2=SEATS[-1]),
        )
    deck = options.get("deck", Deck.FULL.value)
    if deck not in (Deck.FULL.value, Deck.KNOWN.value):
        raise InvalidRecord(
            say("the option 'deck' is {deck}", deck=quoted(deck)),
            say("use 'full' (1 to 104) or 'known' (1 to 10 x seats + 4)"),
        )
    draft = options.get("draft", False)
    if type(draft) is not bool:
        raise InvalidRecord(
            say("the option 'draft' is {draft}", draft=quoted(draft)), say("use true or false")
        )
    if draft and deck != Deck.KNOWN.value:
        raise InvalidRecord(say("the open draft needs the known deck"), say('add "deck": "known"'))
    if deck == Deck.KNOWN.value and seats not in KNOWN_DECK_SEATS:
        raise InvalidRecord(
            say("the known deck is for 2 to 6 seats, not {seats}", seats=seats), say('use "deck": "full"')
        )
    return Options(_end(options), Deck(deck), draft, _hands(options, draft=draft))


def _hands(options: Mapping[str, Any], *, draft: bool) -> bool | tuple[Seat, ...]:
    hands = options.get("hands", False)
    seats = hands if isinstance(hands, list | tuple) else ()
    are_seats = seats == hands and all(type(seat) is int and 0 <= seat < SEATS[-1] for seat in seats)
    if type(hands) is not bool and not are_seats:
        raise InvalidRecord(
            say("the option 'hands' is {hands}", hands=quoted(hands)),
            say("use true, false or a list of seats from 0"),
        )
    if hands and draft:
        raise InvalidRecord(say("the open draft makes all hands known"), say("leave out 'hands', or 'draft'"))
    return hands if isinstance(hands, bool) else tuple(Seat(seat) for seat in sorted(set(hands)))


def _end(options: Mapping[str, Any]) -> EndRule:
    if "booklet" not in options:
        return read_end_rule(options["end"]) if "end" in options else BOOKLETS["002"]
    booklet = options["booklet"]
    if not isinstance(booklet, str) or booklet not in BOOKLETS:
        raise InvalidRecord(
            say("the option 'booklet' is {booklet}", booklet=quoted(booklet)),
            say("use '000' (more than 66) or '002' (66 or more)"),
        )
    if "end" in options and read_end_rule(options["end"]) != BOOKLETS[booklet]:
        raise InvalidRecord(say("the options 'end' and 'booklet' disagree"), say("give only one of the two"))
    return BOOKLETS[booklet]


def questions(seats: int) -> tuple[Question, ...]:
    """What to settle before a match: the end rule, and where it is allowed the deck."""
    end = Question(
        say("MATCH ENDS WHEN ..."),
        (
            Choice(say("SOMEONE HAS ≥ 66"), {"end": BOOKLETS["002"].options()}),
            Choice(say("SOMEONE HAS > 66"), {"end": BOOKLETS["000"].options()}),
            Choice(say("AFTER 3 DEALS"), {"end": {"deals": 3}}),
            Choice(say("OTHER LIMIT"), {"end": {"target": 66, "when": "reached"}}),
        ),
        say("CHECKED AFTER A DEAL"),
        dial=("end.target", 1, HIGHEST_TARGET, 66),
    )
    all_cards = Choice(say("ALL 104"), {"deck": Deck.FULL.value})
    scanned = Choice(say("HANDS ARE SCANNED"), {"deck": Deck.FULL.value, "hands": True})
    which = say("WHICH CARDS?")
    if seats not in KNOWN_DECK_SEATS:
        return (end, Question(which, (all_cards, scanned), say("HANDS SAY WHOSE CARD")))
    highest = deck_for(seats, known=True)
    total = heads(Card(card) for card in range(1, highest + 1))
    known = Choice(say("KNOWN DECK 1-{highest}", highest=CardNumber(highest)), {"deck": Deck.KNOWN.value})
    draft = Choice(say("KNOWN + OPEN DRAFT"), {"deck": Deck.KNOWN.value, "draft": True})
    note = count("KNOWN: {count} HEAD", "KNOWN: {count} HEADS", total)
    return (end, Question(which, (all_cards, known, draft, scanned), note))


def with_hands(seats: Sequence[int]) -> dict[str, Any]:
    """The option by which the hands of these seats are scanned when they are dealt."""
    return {"hands": list(seats)}


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    return {
        "type": "object",
        "properties": {
            "deck": {"enum": [deck.value for deck in Deck]},
            "draft": {"type": "boolean"},
            "hands": {"anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "integer"}}]},
            "end": end_rule_schema(),
            "booklet": {"enum": sorted(BOOKLETS)},
        },
        "additionalProperties": False,
    }
