"""Laws for the robots of all games: legal, the same for the same sight, blind to hidden cards."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.core import games
from companion.core.ask import AskKind, Wait
from companion.core.cards import ROWS, TURNS, Card, Seat
from companion.games.ciao.table import Holding
from companion.match.dealer import Dealer
from companion.match.match import Match, Step, Terms, begin
from companion.robots.eleven import _move
from companion.robots.levels import LEVELS, Decision, Level, answer
from companion.values import replace
from tests.companion.random_match import by_people
from tests.examples import examples


def moment(game: str, seed: int, steps: int) -> tuple[Match, dict[Seat, tuple[str, ...]]]:
    """A match of scripted players after so many answers, and their hands."""
    random = Random(seed)
    seats = random.choice(games.module(game).SEATS)
    options: Mapping[str, Any] = {}
    if game == "six":  # the device knows every hand, as it does those of robots
        options = {"hands": True}
        steps += seats * TURNS + ROWS
    match = begin(Terms(game, seats, options))
    dealer = Dealer(random)
    for _ in range(steps):
        if match.asks:
            match = match.then(by_people(match, dealer))
    dealer.update(match)
    return match, {seat: dealer.hand(seat) for seat in match.players}


def with_other_cards(match: Match, question: Decision, random: Random) -> Match:
    """The match with other cards where this seat cannot look: hands, as far as the device knows them."""
    own = question.seat

    def exchanged(table: Any) -> Any:
        if match.terms.game == "six":
            others = [card for seat, cards in enumerate(table.hands) if seat != own for card in cards]
            random.shuffle(others)
            hands = [
                cards if seat == own else frozenset(others.pop() for _ in cards)
                for seat, cards in enumerate(table.hands)
            ]
            return replace(table, hands=tuple(hands))
        if match.terms.game == "eleven":
            open_cards = {card for pile in table.piles for card in pile.cards}
            seen = {*open_cards, *map(int, question.hand)}
            pool = [Card(card) for card in range(1, 101) if card not in seen]
            random.shuffle(pool)
            known = [frozenset(pool.pop() for _ in cards) for cards in table.known]
            known[own] = table.known[own]
            before = None if table.before is None else exchanged(table.before)
            return replace(table, known=tuple(known), before=before)
        left = [card for card in table.agreed.cards() if card not in (*question.hand, *table.discards)]
        random.shuffle(left)
        sizes = [random.randint(0, hand.size) for hand in table.hands]
        known_hands = [
            hand if seat == own else Holding(hand.size, tuple(left.pop() for _ in range(sizes[seat])))
            for seat, hand in enumerate(table.hands)
        ]
        return replace(table, hands=tuple(known_hands), pile=())

    return replace(match, position=replace(match.position, table=exchanged(match.position.table)))


def said(question: Decision) -> tuple[object, ...] | None:
    """The words of an answer that is thought out again."""
    _move.cache_clear()
    found = answer(question)
    return None if found is None else (found.ask.kind, found.seat, found.text)


@pytest.mark.parametrize(("game", "level"), [(game, level) for game in LEVELS for level in LEVELS[game]])
@given(seed=st.integers(0, 10**6), steps=st.integers(1, 90))
@examples(3)
def test_a_robot_is_legal_steady_and_blind(game: str, level: Level, seed: int, steps: int) -> None:
    match, hands = moment(game, seed, steps)
    assume(match.asks and match.asks[0].kind is not AskKind.HAND)
    seat = match.asks[0].seats[0]
    question = Decision(match, seat, hands.get(seat, ()), level, 5)
    first = said(question)
    assert said(question) == first
    if first is None:
        return
    ask = next(one for one in match.asks if one.kind is first[0])
    assert isinstance(match.propose(match.game.read(ask, question.seat, str(first[2]))), Step)
    if ask.wait is not Wait.ANY:
        hidden = with_other_cards(match, question, Random(seed))
        assert said(replace(question, match=hidden)) == first
