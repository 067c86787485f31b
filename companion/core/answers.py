"""Reading what people gave as an answer: a card, a choice, a player, points. Games share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.ask import TYPED
from companion.core.cards import Card, Seat
from companion.text.errors import UnknownCard, quoted
from companion.text.sentence import say

if TYPE_CHECKING:
    from companion.core.ask import Ask
    from companion.text.sentence import Text

_DIGITS: Final = 4
"""No points of cards have more digits."""


def read_card(text: str, highest: int, game: str) -> Card:
    """A numbered card, from 1 to `highest`. Raises `UnknownCard`, which names the game."""
    number = _whole(text, len(str(highest)))
    if number is None or not 1 <= number <= highest:
        raise UnknownCard(
            say("{text} is not a card of {game}", text=repr(text[:20]), game=game),
            say("the cards are 1 to {highest}", highest=highest),
        )
    return Card(number)


def read_choice(ask: Ask, text: str, fault: Text) -> str:
    """One of the choices of a question. Raises `UnknownCard` with this fault, whose fact is the `text`."""
    if text not in ask.choices:
        raise UnknownCard(
            fault.with_facts(text=quoted(text)), say("use one of: {choices}", choices=tuple(ask.choices))
        )
    return text


def read_player(ask: Ask, seat: Seat | None, text: str, fix: Text) -> Seat:
    """The seat that a choice names, or else `seat`. Raises `UnknownCard` with this fix."""
    if text in ask.choices:
        return Seat(int(text))
    if seat is None:
        raise UnknownCard(say("{text} is not a player", text=quoted(text)), fix)
    return seat


def read_points(text: str, *, negative: bool = False, digits: int = _DIGITS) -> int:
    """Points of a whole hand or pile, behind `TYPED` or without it. Raises `UnknownCard`."""
    plain = text.strip().removeprefix(TYPED)
    number = _whole(plain.removeprefix("-") if negative else plain, digits)
    if number is None:
        raise UnknownCard(
            say("{text} is not a number of points", text=repr(text[:20])),
            say("type it after {typed}, as in {typed_2}13", typed=repr(TYPED), typed_2=TYPED),
        )
    return -number if plain.startswith("-") else number


def _whole(text: str, digits: int) -> int | None:
    plain = text.strip()
    # Without isascii, isdigit lets digits of other scripts pass, and superscripts, which int() refuses.
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= digits else None
