import csv
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.text.errors import InvalidRecord
from companion.tournament import acts
from companion.tournament.course import ActRefused, Tournament, after, fold
from companion.tournament.deals import ObservedDeal, deal, played, wrong_cards
from companion.tournament.export import results_csv, standing_csv
from companion.tournament.seating import Before, Lots, Tables, pairs, repetitions, seat, table_sizes
from companion.tournament.standing import POINTS, draw, format_points, relative, standing, table_points
from tests.examples import examples

OPENED = acts.Opened("Friday", "4 8 15", rounds=3)
NAMES = ("Ali", "Sara", "Max", "Leila", "Ben", "Mina", "Tom", "Zoe", "=1+1", "Kim")


class Log:
    """A tournament with its log."""

    def __init__(self, opened: acts.Opened = OPENED, players: int = 8) -> None:
        self.entries: list[acts.LogEntry] = []
        self.now: Tournament | None = None
        self.do(opened)
        for badge in range(1, players + 1):
            self.do(acts.Registered(badge, NAMES[(badge - 1) % len(NAMES)]))

    def do(self, act: acts.Act) -> Tournament:
        self.now = after(self.now, act)
        self.entries.append(acts.LogEntry(len(self.entries) + 1, act, "director"))
        return self.now

    @property
    def at(self) -> Tournament:
        assert self.now is not None
        return self.now

    def play(self, *heads: Sequence[int]) -> Tournament:
        """Draw a round, tell the results of its tables, close it."""
        drawn = draw(self.at)
        self.do(drawn)
        for table, badges in enumerate(drawn.tables):
            totals = heads[table] if heads else [badge * 3 for badge in badges]
            self.do(acts.ResultTold(drawn.round, table + 1, f"m{drawn.round}-{table}", tuple(totals)))
        return self.do(acts.Closed(drawn.round))


@given(st.lists(st.integers(0, 99), min_size=3, max_size=5))
def test_points_of_a_table_are_shared_and_never_lost(heads: list[int]) -> None:
    points = table_points(heads)
    assert sum(points) == sum(POINTS[len(heads)])
    for one, two in zip(heads, points, strict=True):
        for other, of_other in zip(heads, points, strict=True):
            assert (one < other) == (two > of_other)
    assert table_points([-total for total in heads], lowest_wins=False) == points
    assert sum(relative(heads)) == len(heads)


def test_points_at_each_size() -> None:
    assert list(table_points([1, 2, 3])) == [6, 3, 0]
    assert list(table_points([9, 2, 3, 4])) == [0, 6, 4, 2]
    assert list(table_points([1, 2, 3, 4, 5])) == [8, 6, 4, 2, 0]
    assert [format_points(points) for points in table_points([5, 5, 9])] == ["4½", "4½", "0"]
    assert format_points(Fraction(1, 2)) == "½"


def test_a_whole_evening_ends_with_the_final_of_the_best_four() -> None:
    log = Log(players=11)
    for _ in range(OPENED.rounds):
        log.play()
    before = standing(log.at)
    final = draw(log.at)
    assert final.final
    assert {badge for table in final.tables for badge in table} == {row.badge for row in before[:4]}
    log.play([40, 30, 20, 10])
    log.do(acts.Finished())
    (table,) = final.tables
    assert [row.badge for row in standing(log.at)] == [*reversed(table), *(row.badge for row in before[4:])]
    with pytest.raises(ActRefused, match="is over"):
        log.do(acts.Registered(99, "Late"))


@pytest.mark.parametrize(
    ("record", "named"),
    [
        ({"kind": "danced"}, "danced"),
        ({"kind": "drawn", "round": 1, "tables": [[1, "2"]]}, "tables"),
        ({"kind": "opened", "title": "a", "seed": "b", "options": []}, "options"),
    ],
)
def test_a_damaged_record_is_named(record: object, named: str) -> None:
    with pytest.raises(InvalidRecord, match=named):
        acts.from_record(record)


def test_equal_points_are_decided_by_relative_heads_then_heads_then_lot() -> None:
    log = Log(acts.Opened("a", "seed", rounds=1, final=0))
    log.play([10, 20, 30, 40], [20, 40, 60, 80])
    first, second = standing(log.at)[:2]
    assert (first.points, first.relative) == (second.points, second.relative)
    assert (first.heads, second.heads) == (Fraction(10), Fraction(20))
    assert second.decided_by == "heads"

    log = Log(acts.Opened("a", "seed", rounds=1, final=0))
    log.play([10, 20, 30, 40], [10, 20, 30, 80])
    assert standing(log.at)[1].decided_by == "relative"
    assert standing(log.at)[0].relative == Fraction(40, 140)

    lots = set()
    for seed in "abcdefgh":
        log = Log(acts.Opened("a", seed, rounds=1, final=0))
        log.play([10, 20, 30, 40], [10, 20, 30, 40])
        assert standing(log.at)[1].decided_by == "lot"
        lots.add(standing(log.at)[0].badge in log.at.rounds[0].tables[0].badges)
    assert lots == {False, True}


def test_a_late_player_plays_from_the_next_round_on() -> None:
    log = Log()
    log.do(draw(log.at))
    at = log.do(acts.Registered(9, "Late"))
    assert at.rounds[0].table_of(9) is None
    assert (at.players[-1].since, len(at.rounds[0].tables)) == (2, 2)
    # As long as nobody has played, the director may draw again.
    at = log.do(draw(at))
    assert at.rounds[0].table_of(9) is not None


def test_who_has_left_is_not_seated_and_keeps_what_was_played() -> None:
    log = Log()
    log.play()
    points = {row.badge: row.points for row in standing(log.at)}
    at = log.do(acts.Withdrew(3))
    assert standing(at)[-1].badge == 3
    assert {row.badge: row.points for row in standing(at)} == points
    drawn = draw(at)
    assert sorted(map(len, drawn.tables)) == [3, 4]
    assert 3 not in {badge for table in drawn.tables for badge in table}
    with pytest.raises(ActRefused, match="already left"):
        after(at, acts.Withdrew(3))
    assert 3 in {badge for table in draw(log.do(acts.Returned(3))).tables for badge in table}


def test_a_result_is_put_right_by_the_box_as_long_as_the_round_is_open() -> None:
    log = Log()
    log.do(draw(log.at))
    badges = log.at.rounds[0].tables[0].badges
    log.do(acts.ResultTold(1, 1, "m1", (1, 2, 3, 4)))
    for badge in badges:
        log.do(acts.Confirmed(1, 1, badge))
    confirmed = log.at.rounds[0].tables[0]
    assert confirmed.is_confirmed
    log.do(acts.ResultTold(1, 1, "m1", (1, 2, 3, 4)))  # told twice: nothing changes
    assert log.at.rounds[0].tables[0] == confirmed
    log.do(acts.ResultTold(1, 1, "m1", (4, 3, 2, 1)))
    changed = log.at.rounds[0].tables[0]
    assert not changed.is_confirmed
    assert log.do(acts.ResultUndone(1, 1, "m1")).rounds[0].tables[0].result is None
    log.do(acts.ResultTold(1, 1, "m1", (4, 3, 2, 2)))
    with pytest.raises(ActRefused, match="another match"):
        log.do(acts.ResultTold(1, 1, "m2", (1, 1, 1, 1)))
    log.do(acts.ResultTold(1, 2, "m3", (1, 2, 3, 4)))
    log.do(acts.Closed(1))
    with pytest.raises(ActRefused, match="is closed"):
        log.do(acts.ResultTold(1, 1, "m1", (0, 0, 0, 0)))


REFUSED: list[tuple[acts.Act, str]] = [
    (OPENED, "already open"),
    (acts.Registered(1, "Other"), "belongs to Ali"),
    (acts.Registered(0, "Nobody"), "no badge 0"),
    (acts.Registered(1000, "Nobody"), "no badge 1000"),
    (acts.Registered(50, "  "), "1 to 24 letters"),
    (acts.Renamed(50, "Ali"), "not registered"),
    (acts.Returned(1), "has not left"),
    (acts.Drawn(1, ((1, 2, 3, 4), (5, 6, 7))), "do not fit"),
    (acts.Drawn(1, ((1, 2, 3, 4), (5, 6, 7, 7))), "do not fit"),
    (acts.Drawn(2, ((1, 2, 3, 4), (5, 6, 7, 8))), "do not fit"),
    (acts.Drawn(1, ((1, 2, 3, 4, 5, 6), (7, 8))), "do not fit"),
    (acts.Closed(1), "not open"),
    (acts.ResultTold(1, 1, "m", (1, 2, 3, 4)), "no table 1"),
    (acts.Confirmed(0, 1, 1), "no table 1"),
]


@pytest.mark.parametrize(("act", "fault"), REFUSED)
def test_what_does_not_fit_is_refused_and_changes_nothing(act: acts.Act, fault: str) -> None:
    log = Log()
    with pytest.raises(ActRefused, match=fault):
        log.do(act)
    assert log.at == Log().at


def test_during_a_round_what_does_not_fit_is_refused() -> None:
    log = Log()
    log.do(draw(log.at))
    stranger = log.at.rounds[0].tables[1].badges[0]
    for act, fault in (
        (acts.Confirmed(1, 1, stranger), "no result"),
        (acts.ResultTold(1, 1, "m", (1, 2, 3)), "3 totals for 4 players"),
        (acts.Closed(1), "no result: 1, 2"),
        (acts.Finished(), "not closed"),
    ):
        with pytest.raises(ActRefused, match=fault):
            log.do(act)
    log.do(acts.ResultTold(1, 1, "m", (1, 2, 3, 4)))
    with pytest.raises(ActRefused, match=f"badge {stranger} is not at table 1"):
        log.do(acts.Confirmed(1, 1, stranger))
    with pytest.raises(ActRefused, match="being played"):
        draw(log.at)


@pytest.mark.parametrize(
    "opened",
    [
        acts.Opened(" ", "a"),
        acts.Opened("a", ""),
        acts.Opened("a", "b", rounds=0),
        acts.Opened("a", "b", pairing="none"),
        acts.Opened("a", "b", largest=6),
        acts.Opened("a", "b", final=2),
    ],
)
def test_rules_that_cannot_be_played_are_refused(opened: acts.Opened) -> None:
    with pytest.raises(ActRefused):
        after(None, opened)


@examples(4)
@given(st.data(), st.integers(3, 12), st.sampled_from([acts.MEET, acts.SWISS]), st.text("abc", min_size=1))
def test_any_evening_comes_to_its_end(data: st.DataObject, players: int, pairing: str, seed: str) -> None:
    log = Log(acts.Opened("a", seed, rounds=3, pairing=pairing), players)
    for _ in range(3):
        drawn = draw(log.at)
        assert drawn == draw(fold(log.entries))
        heads = st.integers(0, 66)
        sizes = map(len, drawn.tables)
        log.play(*(data.draw(st.lists(heads, min_size=size, max_size=size)) for size in sizes))
        if len(log.at.playing) > 3:
            log.do(acts.Withdrew(data.draw(st.sampled_from(log.at.playing)).badge))
        rows = standing(log.at)
        assert [row.place for row in rows] == list(range(1, players + 1))
        tables = [table for round_ in log.at.rounds for table in round_.tables]
        assert sum(row.points for row in rows) == sum(sum(POINTS[len(table.badges)]) for table in tables)
    log.play()
    assert log.do(acts.Finished()).finished


def test_the_deals_of_a_round_are_the_same_everywhere_and_wrong_cards_are_found() -> None:
    planned = deal("seed", 1, 1)
    assert planned == deal("seed", 1, 1) != deal("seed", 1, 2)
    cards = [*planned.rows, *(card for hand in planned.hands for card in hand)]
    assert len(set(cards)) == len(cards) == 54
    assert wrong_cards(planned, planned.rows, planned.hands[:4]) == ()
    one, two = planned.hands[0][0], planned.hands[1][0]
    assert wrong_cards(planned, [one], [[two], [two]]) == ((-1, one), (0, two))


def test_what_was_played_is_read_from_the_steps() -> None:
    records: list[tuple[int, dict[str, Any]]] = [
        (1, {"events": [{"kind": "row_begun", "card": 4, "row": 0}]}),
        (2, {"events": [{"kind": "card_shown", "card": 9, "seat": 1}]}),
        (3, {"voids": 2}),
        (4, {"events": [{"kind": "card_shown", "card": 7, "seat": None}]}),
        (5, {"events": [{"kind": "owner_named", "card": 7, "seat": 0}, {"kind": "deal_scored"}]}),
        (6, {"events": [{"kind": "card_shown", "card": 8, "seat": 0}]}),
    ]
    assert played(records) == [ObservedDeal({4}, {0: {7}})]


def test_the_tables_for_other_programs() -> None:
    log = Log(players=9)
    log.play()
    rows = list(csv.DictReader(StringIO(standing_csv(log.at))))
    assert [row["place"] for row in rows] == [str(place) for place in range(1, 10)]
    assert {row["name"] for row in rows} == {*NAMES[:8], "'=1+1"}  # no formula for a spreadsheet
    results = list(csv.DictReader(StringIO(results_csv(log.at))))
    assert len(results) == 9
    assert sum(float(row["points"]) for row in results) == 32
    assert results[0]["heads"] == str(int(results[0]["badge"]) * 3)


SEED = "4 8 15 16 23 42"


def squared(tables: Tables, met: Mapping[tuple[int, int], int]) -> int:
    """By how much these tables raise the sum of the squared meetings."""
    return sum(2 * met.get(pair, 0) + 1 for table in tables for pair in pairs(table))


@pytest.mark.parametrize("most", [4, 5])
def test_every_number_of_players_gets_tables_of_three_to_five(most: int) -> None:
    assert table_sizes(2) == table_sizes(0) == ()
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
