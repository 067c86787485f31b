"""Numbered cards, seats and bullheads: what 6 nimmt! and 11 nimmt! share. No rule of play is here."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NewType

from companion.core.codec import Number
from companion.text.sentence import CardNumber, Players, Text, Who, literal

Seat = NewType("Seat", Number)
"""A place at the table, counted from 0. Texts count from 1: see `who`."""


class Card(CardNumber):
    """The number printed on a card, from 1."""

    __slots__ = ()


HIGHEST: Final = 104
"""The highest card of 6 nimmt! (6 nimmt! rulebook, Components)."""

ROWS: Final = 4
ROW_LENGTH: Final = 5
"""The rows of 6 nimmt!, and the most cards of one (6 nimmt! rulebook, Forming the four rows)."""

TURNS: Final = 10
"""The turns of a deal of 6 nimmt!, and so the cards of a hand (6 nimmt! rulebook, Setup)."""


@lru_cache(maxsize=HIGHEST)  # asked for every card of every pile, after every step
def bullheads(card: Card) -> int:
    """The bullheads printed on a card, 1 to 7 (6 nimmt! rulebook, Bullheads = minus points).

    55 has seven; other multiples of 11 five; of 10 three; of 5 two; every other card one.
    The order of the tests matters for 55 and 110. 101 reads the same backwards but is no
    multiple of 11: it has one. All 104 cards together have 171.
    """
    if card == 55:  # noqa: PLR2004 - the one card that is both
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


def heads(cards: Iterable[Card]) -> int:
    """The bullheads of several cards together."""
    return sum(map(bullheads, cards))


def who(seat: Seat) -> Who:
    """The player of a seat in sentences: a name, or "player" and the number of the seat, counted from 1."""
    return Who(seat)


def listed_players(seats: Iterable[Seat]) -> Players:
    """The players of several seats in sentences."""
    return Players(tuple(seats))


def clockwise(players: Sequence[Seat], first: Seat | None) -> tuple[Seat, ...]:
    """The players as they sit, from `first` on; from the lowest seat on where that one does not play."""
    begins = players.index(first) if first in players else 0
    return (*players[begins:], *players[:begins])


def called(seat: Seat) -> Who:
    """The name of a seat's player on the display: `P1`, `P2` where no name is known."""
    return Who(seat, "P")


@lru_cache(maxsize=128)
def number_label(card: str) -> Text:
    """A numbered card as people read it: its number. It serves as `label` and as `named` of a game."""
    return literal(card[:4])
