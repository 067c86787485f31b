from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.tournament.seating import Before, Lots, Tables, pairs, repetitions, seat, table_sizes
from tests.examples import examples

SEED = "4 8 15 16 23 42"


def squared(tables: Tables, met: Mapping[tuple[int, int], int]) -> int:
    """By how much these tables raise the sum of the squared meetings."""
    return sum(2 * met.get(pair, 0) + 1 for table in tables for pair in pairs(table))


@pytest.mark.parametrize("most", [4, 5])
def test_every_number_of_players_gets_tables_of_three_to_five(most: int) -> None:
    for players in range(3, 61):
        sizes = table_sizes(players, most)
        assert sum(sizes) == players
        assert set(sizes) <= {3, 4, 5}
        assert list(sizes) == sorted(sizes, reverse=True)
        fewest = min(
            threes + fives
            for threes in range(players // 3 + 1)
            for fives in range(players // 5 + 1)
            if (players - 3 * threes - 5 * fives) % 4 == 0 and players >= 3 * threes + 5 * fives
            if most == 5 or not fives or players == 5
        )
        assert sum(size != 4 for size in sizes) == fewest


def test_two_players_are_no_table() -> None:
    assert table_sizes(2) == table_sizes(0) == ()


def _evening(players: int, rounds: int) -> Iterator[int]:
    met: dict[tuple[int, int], int] = {}
    for number in range(1, rounds + 1):
        tables = seat(range(1, players + 1), Before(met), SEED, number)
        assert sorted(badge for table in tables for badge in table) == list(range(1, players + 1))
        yield repetitions(tables, met)
        for table in tables:
            for pair in pairs(table):
                met[pair] = met.get(pair, 0) + 1


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (18, 4), (23, 4), (28, 5), (100, 5)])
def test_nobody_meets_twice_where_that_can_be_avoided(players: int, rounds: int) -> None:
    assert list(_evening(players, rounds)) == [0] * rounds


def _all_seatings(players: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[Tables]:
    if not sizes:
        yield ()
        return
    # The first player sits somewhere: try every size for that table.
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for others in combinations(players[1:], size - 1):
            left = tuple(player for player in players[1:] if player not in others)
            for tables in _all_seatings(left, tuple(rest)):
                yield ((players[0], *others), *tables)


@pytest.mark.slow
@examples(8)
@given(st.integers(6, 10), st.lists(st.integers(0, 3), min_size=45, max_size=45), st.text(min_size=1))
def test_small_fields_are_seated_as_well_as_possible(players: int, often: Sequence[int], seed: str) -> None:
    everybody = tuple(range(1, players + 1))
    met = dict(zip(combinations(everybody, 2), often, strict=False))
    best = min(squared(tables, met) for tables in _all_seatings(everybody, table_sizes(players)))
    assert squared(seat(everybody, Before(met), seed, 2), met) == best


def _spread(tables: Tables, score: dict[int, int]) -> int:
    return sum((score[one] - score[two]) ** 2 for table in tables for one, two in pairs(table))


@examples(6)
@given(st.permutations([0, 2, 4, 6, 6, 9, 12, 15]))
def test_swiss_rounds_bring_like_scores_together(points: list[int]) -> None:
    score = dict(enumerate(points, start=1))
    order = sorted(score, key=lambda badge: -score[badge])
    tables = seat(order, Before(score={badge: Fraction(two, 2) for badge, two in score.items()}), SEED, 2)
    seatings = _all_seatings(tuple(order), (4, 4))
    assert _spread(tables, score) == min(_spread(others, score) for others in seatings)
    assert order[0] in tables[0]


@pytest.mark.slow
def test_swiss_rounds_do_not_seat_a_table_together_again() -> None:
    first = seat(range(1, 25), Before(), SEED, 1)
    met = {pair: 1 for table in first for pair in pairs(table)}
    score = {badge: Fraction(12 - 4 * place, 2) for table in first for place, badge in enumerate(table)}
    order = sorted(score, key=lambda badge: (-score[badge], badge))
    second = seat(order, Before(met, score=score), SEED, 2)
    assert repetitions(second, met) == 0
    assert max(score[badge] for badge in second[-1]) <= min(score[badge] for badge in second[0])


def test_the_odd_table_is_not_for_the_same_players_again() -> None:
    first = seat(range(1, 20), Before(), SEED, 1)
    odd = dict.fromkeys(first[-1], 1)
    assert not set(seat(range(1, 20), Before(odd=odd), SEED, 2)[-1]) & set(first[-1])


@given(st.sets(st.integers(1, 999), min_size=3, max_size=30), st.text(min_size=1), st.randoms())
@examples(8)
def test_the_same_players_get_the_same_seats(badges: set[int], seed: str, chance: Random) -> None:
    order = sorted(badges)
    chance.shuffle(order)
    assert seat(order, Before(), seed, 1) == seat(sorted(badges), Before(), seed, 1)


def test_lots_are_what_anybody_can_draw() -> None:
    # printf 'evening\nseats\n1\n0\n' | sha256sum, the first eight digits
    assert Lots("evening", "seats", 1).below(2**32) == 0xBEB4CA7C
