"""Deals ended early, tables taken over, and answers that nobody asked for."""

import pytest

from companion.core.cards import Card, Seat
from companion.core.ruling import EndDeal, Leave
from companion.games.six.records import Adopt, Claim, TakeRow
from tests.companion.games.six.six_match import SixMatch, cards
from tests.companion.told import told


def turns(game: SixMatch, *turns: int) -> None:
    """Turns that take nothing: everybody plays upwards from the number given."""
    for low in turns:
        game.play(*range(low, low + len(game.match.players)))


def test_a_deal_ended_early_counts_as_it_is() -> None:
    game = SixMatch(2, end={"deals": 1})
    assert game.rule(EndDeal()) == "H6-8"
    game.adopt([[1], [2], [3], [4]], 4, [[55], []])
    game.show((0, 60))
    assert game.rule(EndDeal()) == "H6-8"
    game.undo()
    step = game.do(EndDeal())
    assert told(step)[0][1] == "the deal ends after turn 4; the heads taken so far count"
    assert (game.match.totals, game.match.winners) == ((7, 0), (1,))


@pytest.mark.parametrize(
    ("adopt", "faults"),
    [
        (Adopt((cards(1), cards(2), cards(3))), ("there are 3 rows, not 4",)),
        (Adopt(()), ("there are 0 rows, not 4",)),
        (Adopt((cards(1, 2, 3, 4, 5, 6), cards(7), cards(8), cards(9))), ("row 1 has 6 cards, not 1 to 5",)),
        (Adopt((cards(), cards(7), cards(8), cards(9))), ("row 1 has 0 cards, not 1 to 5",)),
        (Adopt((cards(5, 4), cards(7), cards(8), cards(9))), ("row 1 is not ascending: 4 comes after 5",)),
        (Adopt((cards(5), cards(7), cards(8), cards(5))), ("card 5 is in row 1 and in row 4",)),
        (
            Adopt((cards(5), cards(7), cards(8), cards(9)), 0, (cards(9), cards())),
            ("card 9 is in row 4 and in the pile of player 1",),
        ),
        (Adopt((cards(0), cards(7), cards(8), cards(105))), ("card 0 in row 1", "card 105 in row 4")),
        (Adopt((cards(5), cards(7), cards(8), cards(9)), 11), ("turn 11 is not between 0 and 10",)),
        (Adopt((cards(5), cards(7), cards(8), cards(9)), -1), ("turn -1 is not between 0 and 10",)),
        (Adopt((cards(5), cards(7), cards(8), cards(9)), 0, (cards(),)), ("'taken' has 1 pile for 2 seats",)),
        (
            Adopt((cards(5, 4), cards(5))),
            ("there are 2 rows", "row 1 is not ascending", "card 5 is in row 1 and in row 2"),
        ),
    ],
)
def test_what_can_never_lie_on_a_table_is_refused_with_every_fault(
    adopt: Adopt, faults: tuple[str, ...]
) -> None:
    refused = SixMatch(2).refused(adopt)
    assert refused.rule.key == "H6-9"
    assert all(fault in str(refused.fault) for fault in faults)


def test_questions_that_are_not_open_are_not_answered() -> None:
    game = SixMatch(2)
    game.lay(20, 30, 40, 50)
    assert game.rule(TakeRow(0)) == "6N-4"
    assert game.rule(Claim(Card(5), Seat(0))) == "6N-OWNER"
    game.show((None, 10), (None, 60))
    assert game.rule(Claim(Card(10), Seat(0))) == "6N-4"
    assert game.rule(Claim(Card(60), Seat(0))) == "6N-OWNER"
    assert game.rule(TakeRow(0, Seat(7))) == "6N-PLAYERS"
    game.take(0)
    assert game.rule(TakeRow(1)) == "6N-4"
    assert game.rule(Claim(Card(10), Seat(7))) == "6N-PLAYERS"
    game.claim(10, 1)
    assert game.match.points == (0, 3)


def test_what_was_taken_in_this_deal_stays_taken_when_the_rows_are_set_up_again() -> None:
    game = SixMatch(2)
    game.adopt([[30, 36], [37], [43, 44], [58, 61]], 5, [[55, 11, 22], [33]])
    step = game.do(game.match.game.adopt((("30", "36"), ("37",), ("43", "44"), ("11", "58", "61")), 5))
    assert game.table.taken == ((55, 22), (33,))
    assert game.match.points == (12, 5)
    assert [says for _, says in told(step)] == [
        "the table is set up after 5 finished turns",
        "player 1 keeps 2 cards taken in this deal",
        "no longer counted for player 1: 11, now in a row",
        "player 2 keeps 1 card taken in this deal",
        "11 of the 14 cards played are in rows and piles; nobody is charged for the others",
    ]


def test_the_number_of_turns_follows_from_what_lies_and_what_was_taken_and_never_goes_back() -> None:
    game = SixMatch(2)
    game.adopt([[30], [37], [43], [58]], 2, [[55, 11], [22, 33]])
    game.do(Adopt((cards(30, 36), cards(37, 38), cards(43), cards(58))))
    assert game.table.turn == 3
    game.do(Adopt((cards(30), cards(37), cards(43), cards(58))))
    assert game.table.turn == 3


@pytest.mark.parametrize(
    ("players", "adopt", "fault"),
    [
        (
            2,
            Adopt((cards(1), cards(2), cards(3), cards(4)), 9, (cards(), cards())),
            "after 9 turns, rows and piles should have 22 cards, but there are 4",
        ),
        (
            2,
            Adopt((cards(1), cards(2), cards(3), cards(4)), 1, (cards(5), cards())),
            "after 1 turn, rows and piles should have 6 cards, but there are 5",
        ),
        (
            3,
            Adopt((cards(1, 9), cards(2), cards(3), cards(4)), 2, (cards(5), cards(), cards()), 1),
            "after 2 turns, rows and piles should have 10 cards, but there are 6, and 1 missing",
        ),
        (
            2,
            Adopt((cards(1), cards(2), cards(3), cards(4)), 3, None, 5),
            "after 3 turns, rows and piles should have 10 cards, but there are 4, and 5 missing",
        ),
    ],
)
def test_fewer_cards_than_were_played_are_refused_where_piles_are_given(
    players: int, adopt: Adopt, fault: str
) -> None:
    refused = SixMatch(players).refused(adopt)
    assert refused.rule.key == "H6-9"
    assert fault in str(refused.fault)
    assert "every card that was played" in str(refused.fix)
    assert "missing" in str(refused.fix)


def test_cards_that_nobody_knows_are_told_as_missing_or_the_piles_left_out() -> None:
    rows = (cards(1), cards(2), cards(3), cards(4))
    for order in (
        Adopt(rows, 9, (cards(55), cards()), 17),
        Adopt(rows, 9, ()),
        Adopt(rows, 9),
        Adopt(rows, 9, (), 18),
        Adopt(rows, None, (cards(55), cards(7)), 16),
    ):
        game = SixMatch(2)
        game.do(order)
        assert (game.table.turn, game.table.missing) == (9, 18 - sum(map(len, game.taken)))
        # What the state says can be set up again as it is, also in another match.
        again = SixMatch(2)
        again.do(Adopt(game.table.rows, game.table.turn, game.table.taken, game.table.missing))
        assert again.table == game.table
        turns(game, 60)
        assert game.match.position.deal == 2


def test_of_the_players_who_left_during_the_deal_it_is_not_known_how_much_they_played() -> None:
    game = SixMatch(3)
    game.lay(1, 2, 3, 4)
    game.do(Leave(Seat(2)))
    rows = (cards(1, 9), cards(2), cards(3), cards(4))
    fault = game.fault(Adopt(rows, 2, (cards(5), cards(), cards())))
    assert "after 2 turns, rows and piles should have at least 8 cards, but there are 6" in fault
    for taken in (cards(5, 6, 7), cards(5, 6, 7, 8, 10)):
        game.do(Adopt(rows, 2, (taken, cards(), cards())))
    assert game.match.points == (8, 0, 0)
