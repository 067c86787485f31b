"""When a match ends, who has won it, and the way back from there."""

from companion.core.cards import Card, Seat
from companion.core.score_sheet import ScoreSheet, ranked
from companion.games.six.records import Adopt, Play
from companion.match.commands import CorrectScore
from tests.companion.games.six.six_match import SixMatch, cards
from tests.companion.games.six.test_rulebook_examples import piles


def deal(game: SixMatch, *points: int) -> None:
    """A whole deal that brings these points, also more than its cards have."""
    number = game.match.position.deal
    rows, taken = piles(list(points))
    if sum(map(len, taken)) <= 10 * len(points):
        game.adopt(rows, 10, taken)
    else:
        game.adopt(rows, 10)
        game.do(CorrectScore(number, points))


def test_a_total_over_the_target_ends_nothing_before_the_deal_is_over() -> None:
    game = SixMatch(2)
    rows, taken = piles([70, 3])
    game.adopt(rows, 9, taken)
    assert game.match.points == (70, 3)
    assert game.match.totals == (0, 0)
    assert game.match.winners is None


def test_totals_count_over_all_deals_and_a_fixed_number_of_deals_ends_the_match() -> None:
    game = SixMatch(3, end={"deals": 3})
    deal(game, 70, 10, 0)
    deal(game, 0, 10, 90)
    assert game.match.totals == (70, 20, 90)
    assert game.asked == "lay four rows"
    deal(game, 1, 2, 3)
    assert game.match.totals == (71, 22, 93)
    assert game.match.winners == (1,)
    assert game.match.position.deal == 3


def test_the_lowest_total_wins_even_when_it_is_over_the_target_itself() -> None:
    game = SixMatch(3, end={"target": 40})
    deal(game, 39, 38, 39)
    deal(game, 31, 30, 51)
    assert game.match.winners == (1,)
    assert game.match.totals == (70, 68, 90)


def test_a_match_that_is_over_takes_nothing_but_an_undo() -> None:
    game = SixMatch(2, end={"deals": 1})
    deal(game, 5, 6)
    for command in (Play(Card(1)), Adopt(tuple(cards(card) for card in (1, 2, 3, 4)))):
        refused = game.refused(command)
        assert refused.rule.key == "M-OVER"
    assert game.match.points == (0, 0)
    game.undo()
    assert game.match.winners is None


def test_equal_scores_share_a_rank() -> None:
    assert ranked({Seat(0): 7, Seat(1): 3, Seat(2): 7, Seat(3): 9}) == [(1, 1), (2, 0), (2, 2), (4, 3)]


def test_a_player_who_joined_later_has_nothing_in_the_deals_before() -> None:
    score_sheet = ScoreSheet(2).scored((5, 6)).scored((1, 2, 3))
    assert score_sheet.totals == (6, 8, 3)
    assert score_sheet.seats == 3
