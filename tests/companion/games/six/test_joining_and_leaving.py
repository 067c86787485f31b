"""Players who leave, join and come back: who is waited for, whose points count, who can win."""

from companion.core.cards import Seat
from companion.core.ruling import Join, Leave
from tests.companion.games.six.six_match import SixMatch


def test_a_player_who_leaves_is_not_waited_for_and_keeps_the_points() -> None:
    game = SixMatch(3, end={"deals": 1})
    game.adopt([[1], [2], [3], [4]], 9, [[], [], [55]])
    game.do(Leave(Seat(2)))
    assert game.match.asks[0].seats == (0, 1)
    assert game.match.points == (0, 0, 7)
    game.play(60, 61)
    assert game.match.totals == (0, 0, 7)
    assert game.match.winners == (0, 1)


def test_a_turn_is_settled_when_the_only_player_who_has_not_played_leaves() -> None:
    game = SixMatch(3)
    game.lay(10, 20, 30, 40)
    game.show((0, 41), (1, 31))
    game.do(Leave(Seat(2)))
    assert game.rows == [[10], [20], [30, 31], [40, 41]]
    assert game.table.turn == 1


def test_leaving_is_refused_where_it_would_harm_a_turn_or_end_the_game() -> None:
    game = SixMatch(3)
    game.lay(10, 20, 30, 40)
    assert game.fix(Leave(Seat(3))) == "choose one of: players 1, 2, 3"
    game.show((0, 5))
    assert game.rule(Leave(Seat(0))) == "H6-7"
    game.show((1, 50), (2, 51))
    assert game.asked == "choose a row"
    assert game.rule(Leave(Seat(1))) == "H6-7"
    game.take(0)
    game.do(Leave(Seat(1)))
    assert game.fault(Leave(Seat(0))) == "at least 2 players must stay"


def test_joining_is_refused_in_a_deal_that_has_begun_and_where_no_seat_is_free() -> None:
    game = SixMatch(2)
    assert game.rule(Join(Seat(1))) == "6N-PLAYERS"
    assert game.fix(Join(Seat(5))) == "use a free player number: 3"
    assert game.rule(Join(Seat(-1))) == "6N-PLAYERS"
    game.lay(10, 20, 30, 40)
    game.do(Join(Seat(2)))
    game.show((0, 50))
    assert game.fault(Join(Seat(3))) == "the deal has begun"
    full = SixMatch(10)
    assert full.fix(Join(Seat(10))) == "all 10 seats are taken, so nobody can join"


def test_a_seventh_player_cannot_join_the_known_deck_and_nobody_joins_once_it_is_dealt() -> None:
    game = SixMatch(5, deck="known")
    game.do(Join(Seat(5)))
    assert game.table.deck == 64
    assert game.rule(Join(Seat(6))) == "6N-PLAYERS"
    game.do(Leave(Seat(5)))
    game.lay(1, 2, 3, 54)
    assert game.fault(Join(Seat(5))) == "the deal has begun"
