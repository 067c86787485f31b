"""What a game asks now: who may do what; and reading what people gave as an answer."""

from enum import Enum
from typing import Final, Self

from companion.core.cards import Card, Seat
from companion.text.digits import in_latin_digits
from companion.text.errors import UnknownCard, quoted
from companion.text.sentence import CardNumber, Text, say
from companion.values import Value


class Wait(Enum):
    """How many of the asked seats must answer."""

    ONE = "one"
    ALL = "all"
    ANY = "any"


class Gives(Enum):
    """What an answer names."""

    CARD = "card"
    STACK = "stack"
    PLAYER = "player"
    WORD = "word"


class AskKind(Enum):
    """The kind of question; the value is its name in the protocol. `gives` says what an answer names."""

    _value_: str
    gives: Gives

    def __new__(cls, name: str, gives: Gives = Gives.CARD) -> Self:
        kind = object.__new__(cls)
        kind._value_, kind.gives = name, gives
        return kind

    LAY = "lay four rows"
    TURN_UP = "turn up a card"
    PICK = "pick a card"
    HOLD = "scan a hand"
    PLAY = "play a card"
    RACE = "win the race"
    GIVE = "give a card"
    HAND = "count a hand"
    CHOOSE = "choose a row", Gives.STACK
    TAKE = "take a pile", Gives.STACK
    CLAIM = "who played it", Gives.PLAYER
    WHOM = "choose a player", Gives.PLAYER
    DECIDE = "decide", Gives.WORD
    DRAW = "draw", Gives.WORD
    DONE = "end the move", Gives.WORD


TYPED: Final = "="
"""The prefix of an answer to `HAND` that gives the points of the whole hand, not a card: `=13`."""

UNSEEN: Final = "?"
"""In `Ask.have`, a card that the people at the table may not see."""

DIALLED: Final = "~"
"""The prefix of a card that a player typed, where only the score is kept: `~66`.

It may have been read upside down; a scanned card, and any card in other games, has no such prefix.
"""


class Ask(Value):
    """An open question.

    `says` is the question in up to 21 columns for the display. `seats` may answer (0-based).
    `choices` holds the legal answers where they are few; empty means any card. They are the
    index of a stack on the board, a seat, or a word; `labels` are the words as they are
    shown, up to 18 columns each. `card` is the card the question is about, `have` the cards
    given to it so far in the order they came, `need` how many it needs in all (0 = not known
    beforehand). `unanswerable`: by the hidden cards that the referee knows, no answer would be accepted.
    People are asked all the same, because otherwise all would learn it; programs are not.

    Where several questions are open, the first one is shown, and the others may be
    answered instead: to draw, to take a pile, to end the move.
    """

    kind: AskKind
    seats: tuple[Seat, ...]
    wait: Wait
    says: Text
    choices: tuple[str, ...] = ()
    labels: tuple[Text, ...] = ()
    card: str = ""
    have: tuple[str, ...] = ()
    need: int = 0
    unanswerable: bool = False


WITHOUT_HANDS: Final = "without hands"
"""The answer that the deal is played without hands that are scanned."""


def asks_for_hand(seats: tuple[Seat, ...], scanned: int, need: int) -> tuple[Ask, ...]:
    """The questions while a hand is scanned when it was dealt; nobody may see its cards."""
    skip = say("SKIP HANDS")
    return (
        Ask(AskKind.HOLD, seats, Wait.ANY, say("SCAN YOUR HAND"), have=(UNSEEN,) * scanned, need=need),
        Ask(AskKind.DONE, seats, Wait.ANY, skip, choices=(WITHOUT_HANDS,), labels=(skip,)),
    )


class Answer(Value):
    """An answer to `ask`: a card's name or one of its choices, and the seat that answers."""

    ask: Ask
    text: str
    seat: Seat | None = None


_DIGITS: Final = 4
"""No points of cards have more digits."""


def read_card(text: str, highest: int, game: str) -> Card:
    """A numbered card, from 1 to `highest`. Raises `UnknownCard`, which names the game."""
    number = read_whole(text, len(str(highest)))
    if number is None or not 1 <= number <= highest:
        raise UnknownCard(
            say("{text} is not a card of {game}", text=repr(text[:20]), game=game),
            say("the cards are 1 to {highest}", highest=CardNumber(highest)),
        )
    return Card(number)


def read_choice(ask: Ask, text: str, fault: Text) -> str:
    """One of the choices of a question. Raises `UnknownCard` with this fault, whose fact is the `text`."""
    text = in_latin_digits(text)
    if text not in ask.choices:
        raise UnknownCard(
            fault.with_facts(text=quoted(text)), say("use one of: {choices}", choices=tuple(ask.choices))
        )
    return text


def read_player(ask: Ask, seat: Seat | None, text: str, fix: Text) -> Seat:
    """The seat that a choice names, or else `seat`. Raises `UnknownCard` with this fix."""
    if (text := in_latin_digits(text)) in ask.choices:
        return Seat(int(text))
    if seat is None:
        raise UnknownCard(say("{text} is not a player", text=quoted(text)), fix)
    return seat


def read_points(text: str, *, negative: bool = False, digits: int = _DIGITS) -> int:
    """Points of a whole hand or pile, behind `TYPED` or without it. Raises `UnknownCard`."""
    plain = text.strip().removeprefix(TYPED)
    number = read_whole(plain.removeprefix("-") if negative else plain, digits)
    if number is None:
        raise UnknownCard(
            say("{text} is not a number of points", text=repr(text[:20])),
            say("type it after {typed}, as in {typed_2}13", typed=repr(TYPED), typed_2=TYPED),
        )
    return -number if plain.startswith("-") else number


def read_whole(text: str, digits: int) -> int | None:
    """The whole number in a text, in digits of any script; None if there is none or it is too long."""
    plain = in_latin_digits(text.strip())
    # Without isascii, isdigit lets superscripts pass, which int() refuses.
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= digits else None
