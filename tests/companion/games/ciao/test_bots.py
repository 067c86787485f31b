"""People who play Ciao! by chance: what they remember from one deal to the next."""

from __future__ import annotations

from random import Random

from companion.core import games
from companion.core.cards import Seat
from companion.games.ciao.bots import Bots
from companion.games.ciao.cards import Card
from companion.match.match import Terms, begin
from tests.companion.random_match import by_people


def test_a_race_that_ended_a_deal_is_forgotten_when_the_next_is_dealt() -> None:
    match = begin(Terms("ciao", 2))
    people = Bots(Random(1))
    by_people(match, people)
    people._dealt._moves = 30
    people._dealt._fastest = (
        Seat(1),
        Card(next(card for card in games.module("ciao").DECK if card not in held(people))),
    )
    assert by_people(match, people).command is not None  # a card of the new deal, not of the race


def held(people: Bots) -> set[str]:
    """What the player who won the race has in the new hand already."""
    return set(people._dealt._hands[Seat(1)])
