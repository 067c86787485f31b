"""Ciao! against a second referee, written from the rules alone: thousands of moves with open cards."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.games.ciao.cards import KINDS, Card
from companion.games.ciao.cards import higher as real_higher
from companion.games.ciao.options import Options
from companion.games.ciao.records import Draw, Foul, Keep, Play, Race, RaceOff
from companion.match.match import Step
from tests.companion.games.ciao import naive_ciao
from tests.companion.games.ciao.ciao_match import CiaoMatch
from tests.companion.games.ciao.naive_ciao import Naive
from tests.examples import examples

DECK = [card.partition("#")[0] for card in Options().cards()]
seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("colours", [True, False])
def test_every_card_on_every_card_is_higher_or_not_as_in_the_second_referee(*, colours: bool) -> None:
    named = [f"{colour}J={symbol}" for colour in "gyr" for symbol in "RPS"]
    tops = [name for name in KINDS if "J" not in name and name != "T"] + named
    for top in tops:
        for card in KINDS:
            wanted = naive_ciao.higher(card, top, colours=colours)
            assert bool(real_higher(card, top, colours=colours)) is wanted, (card, top)


def same(game: CiaoMatch, naive: Naive) -> None:
    """Both see the same table."""
    view = game.view
    assert [sorted(hand) for hand in view["hands"]] == [sorted(hand) for hand in naive.hands]
    assert view["hand_sizes"] == [len(hand) for hand in naive.hands]
    assert view["pile"] == naive.pile
    assert view["draw"] == len(naive.pile)
    assert (view["top"], view["pending"], view["dir"]) == (naive.top, naive.pending, naive.dir)
    assert view["race"] == naive.race
    assert view["skips"] == naive.skips
    if naive.race is None:
        assert view["turn"] == naive.turn


def said_with(card: str, seat: int, naive: Naive, random: Random) -> dict[str, Any]:
    """What a card needs, by chance, under the names of the orders."""
    others = [other for other in range(len(naive.hands)) if other != seat]
    left = list(naive.hands[seat])
    left.remove(card)
    if card[1:2] == "J" and left:
        return {"name": random.choice("RPS")}
    if not left or ":" not in card:
        return {}
    if card.endswith("AR"):
        return {"mode": random.choice(("again", "reverse"))}
    if card.endswith("SW"):
        return {"with_": Seat(random.choice(others))}
    if card.endswith("BC"):
        give = random.choice(left)
        return {"to": Seat(random.choice(others)), "give": give, "thanks": random.random() < 0.5}
    return {}


def lay(game: CiaoMatch, naive: Naive, seat: int, card: str, random: Random) -> bool:
    """A card is played in both; False if both refuse it."""
    said = said_with(card, seat, naive, random)
    order: Play | Race = (Race if naive.race is not None else Play)(Card(card), Seat(seat), **said)
    if not naive.may(seat, card):
        ruling = game.match.propose(order)
        assert isinstance(ruling, Refused), (order, naive)
        assert ruling.penalty == Foul(Seat(seat), Card(card))
        return False
    game.do(order)
    naive.play(seat, card, other=said.get("with_", said.get("to", 0)), **said)
    return True


def move(game: CiaoMatch, naive: Naive, random: Random) -> None:
    """Something happens: mostly a play, legal or not, or a drawing, or a mistake."""
    seats = range(len(naive.hands))
    kind = random.random()
    if kind < 0.08:
        seat = random.choice(seats)
        game.do(Foul(Seat(seat)))
        naive.foul(seat)
    elif naive.race is not None and kind < 0.25:
        challenger = naive.race
        game.do(RaceOff())
        naive.race = None
        naive.next(challenger)
    elif naive.race is None and kind < 0.4:
        seat = naive.turn
        game.do(Draw())
        if naive.draw():
            same(game, naive)
            drawn = naive.hands[seat][-1]
            others = [card for card in naive.hands[seat] if card != drawn]
            if others and random.random() < 0.3:
                wrong = Play(Card(random.choice(others)), Seat(seat))
                assert str(game.rule(wrong)) in ("HC-2", "CI-12")
            if naive_ciao.higher(drawn, naive.top) and random.random() < 0.7:
                assert lay(game, naive, seat, drawn, random)
            else:
                game.do(Keep())
                naive.next(seat)
    else:
        seat = naive.turn if naive.race is None and random.random() < 0.9 else random.choice(seats)
        if naive.hands[seat]:
            hand = list(naive.hands[seat])
            random.shuffle(hand)
            hand.sort(key=lambda card: not naive.may(seat, card) and random.random() < 0.8)
            lay(game, naive, seat, hand[0], random)


@examples(15)
@given(seed=seeds)
def test_a_deal_with_open_cards_goes_as_in_the_second_referee(seed: int) -> None:
    random = Random(seed)
    box = list(DECK)
    random.shuffle(box)
    seats = random.randrange(2, 7)
    hands = [[box.pop() for _ in range(random.randrange(2, 9))] for _ in range(seats)]
    top = next(card for card in box if "J" not in card and card != "T")
    box.remove(top)
    naive = Naive(hands, box, top, turn=random.randrange(seats), dir=random.choice((1, -1)))
    game = CiaoMatch(seats, end={"deals": 1})
    game.set_up(top, hands, turn=Seat(naive.turn), pile=box, dir=naive.dir)
    same(game, naive)
    while len(naive.pile) > 3 + naive.pending + 1:
        same(game, naive)
        move(game, naive, random)
        if naive.over:
            break
    if naive.over:
        costs = [sum(map(naive_ciao.worth, hand)) for hand in naive.hands]
        assert list(game.match.totals) == costs
        assert isinstance(game.match.newest, Step)
        best = min(costs)
        assert game.match.winners == tuple(Seat(seat) for seat in range(seats) if costs[seat] == best)
