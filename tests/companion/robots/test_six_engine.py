"""The engines of the robots place cards as the referee does; policies do as their names say."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from companion.core.cards import Card, Seat
from companion.games.six.records import LayRows, Play, TakeRow
from companion.match.match import Terms, begin
from companion.robots.six import plain
from companion.robots.six.plain import Learned, Normal
from companion.robots.six.seen import SixPlayer, SixPlayerView
from companion.robots.six.tables import KEYS, HandArrays, Policy, Tables, codes_of, drawn, policies
from tests.companion.one_match import after
from tests.companion.robots.positions import moment
from tools.arena import Greedy

ANOTHER: Final = Path(__file__).with_name("rounds_of_another_engine.jsonl")


@pytest.mark.slow
def test_rounds_that_another_program_has_played_end_with_the_heads_that_it_counted() -> None:
    """Random rounds for 2 to 10 players, played with johannbrehmer/rl-6-nimmt (MIT), commit 8bc504e0.

    It takes the row with the fewest heads, of several the first.
    """
    records = [json.loads(line) for line in ANOTHER.read_text(encoding="utf-8").splitlines()]
    assert [len(one["hands"]) for one in records] == 8 * [*range(2, 11)]
    assert sum(len(one["chosen"]) for one in records) > 200
    for one in records:
        seats, rows = len(one["hands"]), [[card] for card in one["rows"]]
        heads = [0] * seats
        for cards in one["cards"]:
            heads = [had + more for had, more in zip(heads, plain.place(rows, cards), strict=True)]
        assert heads == one["heads"]
        assert list(heads_of_referee(one)) == one["heads"]


def heads_of_referee(played: dict[str, Any]) -> tuple[int, ...]:
    """The heads of each seat, as the referee rules on a round that was played."""
    seats, chosen = len(played["hands"]), iter(played["chosen"])
    match = begin(Terms("six", seats, {"end": {"deals": 1}}))
    match = after(match, LayRows(tuple(map(Card, played["rows"]))))
    for cards in played["cards"]:
        match = after(match, *(Play(Card(card), Seat(seat)) for seat, card in enumerate(cards)))
        while match.asks and match.asks[0].choices:
            match = after(match, TakeRow(next(chosen)))
    return match.totals


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_turn_is_placed_alike_at_one_table_and_at_many_side_by_side(seats: int) -> None:
    random, size = Random(seats), 4 + 10 * seats
    decks = np.array([random.sample(range(1, 105), size) for _ in range(50)], np.uint16).T
    codes = [codes_of([[card] for card in deck[:4]]) for deck in decks.T.tolist()]
    tables = Tables(seats, np.hstack(codes), range(seats))
    for first in range(4, size, seats):
        keys = KEYS[decks[first : first + seats]] + (np.arange(seats) << 3)[:, None]
        tables.place(keys.astype(np.uint16))
    for table, dealt in enumerate(decks.T.tolist()):
        rows, own = [[card] for card in dealt[:4]], [0] * seats
        for first in range(4, size, seats):
            taken = plain.place(rows, dealt[first : first + seats])
            own = [had + more for had, more in zip(own, taken, strict=True)]
        assert tables.heads[:, table].tolist() == own
        assert tables.codes[:, table].tolist() == codes_of(rows).ravel().tolist()


def played(policy: int, seen: SixPlayerView, many: int = 1, seed: int = 1) -> Iterator[list[int]]:
    """What a seat with this hand plays by this policy in many worlds, turn by turn, if the rows stay so."""
    codes = codes_of(seen.rows, many)
    cards = np.empty((len(seen.hand), 1, many), np.uint16)
    cards[:] = np.array(seen.hand).reshape(-1, 1, 1) << 8
    chance = drawn(np.random.PCG64(seed), 1, many)
    hands = HandArrays(cards, np.full((1, many), policy, np.intp), policies(seen.seats), chance)
    while hands.left:
        yield hands.play(codes)[0].tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "player"), [(Policy.GREEDY, Greedy()), (Policy.GAP, Normal()), (Policy.LEARNED, Learned())]
)
def test_a_policy_plays_as_the_player_that_it_is_taken_from(policy: Policy, player: SixPlayer) -> None:
    for seed in range(40):
        for seen in moment(seed, 2 + seed % 9, seed % 10):
            assert next(played(policy, seen)) == [player.card(seen)]
