"""Commands beside 11 nimmt!: setting a table up, correcting a move, joining and leaving."""

from typing import Any

import pytest

from companion.core.cards import Seat
from companion.core.ruling import EndDeal, Join, Leave
from companion.games.eleven.records import Adopt, Correct, PileTaken
from companion.text.errors import NotInThisGame, UnknownCard
from companion.values import replace
from tests.companion.games.eleven.at_eleven import AtEleven, adopt, cards
from tests.companion.told import told


def test_all_faults_of_a_position_are_named_in_one_answer() -> None:
    refused = AtEleven(2).refused(
        adopt(
            {0: [33, 44, 33], 1: [], 7: [101], 1000: [34]},
            hands=[[33, 34], [5], [6]],
            hand_sizes=[1, 0],
            bulls=[-1, 12, 0],
            deck=100,
            due=3,
            turn=2,
            moves=-1,
            next_pile=7,
        )
    )
    assert str(refused.fault).removeprefix("this table is not possible: ").split("; ") == [
        "'hands' needs 2 entries, one for each seat, but has 3",
        "'bulls' needs 2 entries, one for each seat, but has 3",
        "'1000' is not a pile number",
        "player 2 has no cards in hand",
        "cards in player 1's hand: 1",
        "cards named: 2",
        "cards in player 2's hand: 0",
        "cards named: 1",
        "player 1 has -1 bull cards",
        "there are 11 bull cards, not 10",
        "there are 106 cards, not 100",
        "3 cards cannot be turned up from a deck of 100",
        "it is player 3's turn, but that player is not playing",
        "the number of finished moves cannot be -1",
        "the next pile cannot be number 7",
        "card 44 lies on 33, but is not 1 to 10 above it",
        "card 33 lies on 44, but is not 1 to 10 above it",
        "a pile has no cards",
        "card 33 is in the pile with 33 on top and in the pile with 33 on top",
        "card 101 in the pile with 101 on top is not between 1 and 100",
        "card 33 is in the pile with 33 on top and in player 1's hand",
        "card 34 is in the pile with 34 on top and in player 1's hand",
    ]


def test_more_cards_than_the_box_has_are_refused_also_where_the_deck_is_left_out() -> None:
    refused = AtEleven(2).refused(adopt({0: [33]}, hand_sizes=[50, 50]))
    assert str(refused.fault) == "this table is not possible: there are 101 cards, not 100"
    assert refused.rule.key == "H11-12"
    assert AtEleven(2).fault(adopt({0: [33]}, deck=-1)).endswith(": the deck has -1 cards")


def test_the_faults_of_a_position_name_what_is_no_pile() -> None:
    game = AtEleven(2)
    for name in ("x", "-1", "00", "1.0", "9999", "new"):
        refused = game.refused(Adopt({name: cards(33)}))
        assert str(refused.fault).endswith(f"{name!r} is not a pile number")


def test_a_player_who_left_has_no_cards_in_a_position() -> None:
    game = AtEleven(3)
    game.do(Leave(Seat(1)))
    refused = game.refused(adopt({0: [33]}, hand_sizes=[5, 5, 5]))
    assert str(refused.fault).endswith("player 2 is not playing, but has cards")
    game.adopt({0: [33]}, hand_sizes=[5, 0, 5])


def test_what_a_position_leaves_out_is_as_the_referee_has_it() -> None:
    game = AtEleven(2)
    game.scan(31, 36, 46)
    game.take(0)
    game.scan(23, 87)
    game.do(adopt({1: [23, 31], 2: [87]}))
    assert game.table.known[0] == {36, 46}
    assert game.table.sizes == (12, 9)
    assert game.table.deck == 100 - 3 - 21
    assert (game.table.turn, game.table.moves, game.table.next_pile) == (1, 3, 3)


def test_a_device_takes_over_the_piles_after_so_many_moves() -> None:
    game = AtEleven(3, first=1)
    game.do(game.game.adopt((("31", "36"), ("7",)), 4))
    assert game.piles == {0: [31, 36], 1: [7]}
    assert game.table.turn == 2
    with pytest.raises(UnknownCard):
        game.game.adopt((("101",),), 0)


def test_a_top_that_is_another_one_changes_the_pile_and_what_does_not_fit_is_told() -> None:
    game = AtEleven(3)
    game.scan(31, 36)
    game.take(0)
    game.scan(50, 80, 52, 81)
    step = game.do(game.game.adopt((("50",), ("81", "90"), ("31",)), None))
    assert game.piles == {1: [50], 2: [80, 81, 90], 3: [31]}
    assert (game.table.deck, game.table.next_pile, game.table.due) == (66, 4, 0)
    assert game.table.known[1] == {36}
    assert [says for _, says in told(step)] == [
        "player 2's turn, after 4 finished moves",
        "the cards below 50, 90 stay where they are",
        "52, the top card of a pile, is on no pile now",
        "no longer counted in a hand: 31, now on a pile",
        "the deck has 66 cards now; it had 67",
    ]


def test_new_piles_that_were_due_are_taken_over_with_the_tops() -> None:
    game = AtEleven(3)
    game.scan(31)
    game.take(0)
    assert game.table.due == 2
    game.do(game.game.adopt((("50",),), None))
    assert (game.piles, game.table.due, game.table.turn) == ({1: [50]}, 1, 1)


def test_a_position_may_leave_the_piles_out_and_not_name_them_twice() -> None:
    game = AtEleven(2)
    game.adopt({0: [33, 40], 3: [7]})
    game.do(Adopt(bulls=(2, 0)))
    assert (game.piles, game.table.bulls) == ({0: [33, 40], 3: [7]}, (2, 0))
    refused = game.refused(Adopt({"0": cards(33)}, tops=(cards(33),)))
    assert "'piles' and 'tops' are both given" in str(refused.fault)
    assert "a pile of 'tops' has no card" in game.fault(Adopt(tops=((),)))


def test_a_card_of_the_newest_move_is_put_right() -> None:
    game = AtEleven(2)
    game.scan(31, 36)
    step = game.do(game.game.correct(("36",), ("38",)))
    assert told(step)[0] == ("H11-13", "latest move corrected: 36 removed, 38 added")
    assert game.piles == {0: [31, 38]}
    assert (game.table.sizes, game.table.turn, game.table.moves) == ((9, 10), 1, 1)
    assert game.fault(Correct(cards(38), cards(42))) == "42 is not within 10 above any pile (31)"
    for remove, add in (((38,), ()), ((), (40,)), ((), ())):
        assert game.rule(Correct(cards(*remove), cards(*add))) == "H11-13"
    assert game.fix(Correct(cards(36), cards(39))) == "use one of 38"
    assert game.rule(Correct(cards(38, 38), cards(39, 40))) == "H11-13"


def test_a_move_that_was_ended_is_ended_when_it_is_put_right() -> None:
    game = AtEleven(2)
    game.adopt({0: [31]}, bulls=[1, 0])
    game.scan(33, 35)
    game.done()
    game.do(Correct(cards(33), cards(34)))
    assert game.piles == {0: [31, 34, 35]}
    assert (game.table.turn, game.table.moves, game.table.moving) == (1, 1, False)


def test_cards_that_do_not_go_together_are_not_given_to_the_next_player() -> None:
    game = AtEleven(2)
    game.adopt({0: [31], 1: [60], 2: [58]}, bulls=[1, 0])
    game.scan(33, 35)
    assert game.fault(Correct(cards(33), cards(62))) == "the other cards of this move do not fit with 62"
    assert game.piles == {0: [31, 33, 35], 1: [60], 2: [58]}


def test_a_card_from_the_deck_is_corrected_where_it_lies() -> None:
    game = AtEleven(2)
    game.scan(31)
    game.do(Correct(cards(31), cards(41)))
    assert game.piles == {0: [41]}
    game.take(0)
    game.scan(23, 87)
    assert game.fault(Correct(cards(23), cards(41))) == "card 41 is covered on a pile or in a hand"
    game.do(Correct(cards(23, 87), cards(24, 88)))
    assert game.piles == {1: [24], 2: [88]}
    assert game.table.turn == 1
    assert [line.card for line in game.game.board(game.table).newest] == ["41", "24", "88"]


def test_nothing_is_corrected_where_nothing_was_played_or_the_deal_was_ended_early() -> None:
    game = AtEleven(2)
    assert game.rule(Correct(cards(31), cards(32))) == "H11-13"
    game.adopt({0: [33]}, hand_sizes=[2, 4])
    game.scan(34)
    game.do(EndDeal())
    assert game.fix(Correct(cards(34), cards(35))) == "undo back to the card that was wrong"


def out_with(card: int, **options: Any) -> AtEleven:
    """Of three players the first has gone out with this card, and the hand of the second is counted."""
    game = AtEleven(3, **options)
    game.adopt({0: [33]}, hand_sizes=[1, 2, 1])
    game.scan(card)
    game.hand(1, 50, 55)
    return game


def test_the_card_that_went_out_is_corrected_and_counted_hands_stay_counted() -> None:
    game = out_with(34)
    assert game.fault(Correct(cards(34), cards(50))) == "card 50 was counted for player 2"
    game.do(Correct(cards(34), cards(35)))
    assert (game.piles, game.table.out, game.table.counted) == ({0: [33, 35]}, 0, (None, 10, None))
    game.hand_card(34)
    assert game.match.totals == (0, 10, 1)


def test_players_come_and_go_between_deals() -> None:
    game = AtEleven(3, first=1)
    game.do(Leave(Seat(1)))
    assert (game.match.players, game.table.turn, game.table.deck) == ((0, 2), 2, 80)
    assert game.rule(Leave(Seat(0))) == "11-PLAYERS"
    game.do(Join(Seat(3)))
    game.do(Join(Seat(1)))
    assert (game.match.players, game.table.deck) == ((0, 1, 2, 3), 60)
    assert game.rule(Join(Seat(0))) == "11-PLAYERS"
    assert game.fix(Join(Seat(6))) == "use a free player number: 5"
    game.scan(31)
    assert game.fault(Join(Seat(4))) == "the deal has begun"
    assert game.fault(Leave(Seat(2))) == "the deal has begun"


@pytest.mark.parametrize("deck", [2, 10, 11])
def test_who_joins_gets_ten_cards_and_one_is_left_to_turn_up(deck: int) -> None:
    game = AtEleven(2)
    game.do(Adopt(piles={}, hand_sizes=(45, 100 - 45 - deck), deck=deck))
    if deck < 11:
        assert game.fault(Join(Seat(2))) == f"the deck has only {deck} cards"
        return
    game.do(Join(Seat(2)))
    game.scan(31)
    assert game.table.deck == 0


def test_owners_cannot_be_exchanged() -> None:
    with pytest.raises(NotInThisGame) as told:
        AtEleven(2).game.swap((Seat(0), Seat(1)))
    assert told.value.fix == "undo the move that was wrong"


def test_the_check_finds_a_card_in_two_places_and_a_bull_card_too_many() -> None:
    game = AtEleven(2)
    game.scan(31)
    twice = game.table
    for seat in (0, 1):
        fact = PileTaken(0, Seat(seat), cards(31), bull=seat == 0, bull_from=Seat(1), due=0)
        twice = game.game.apply(twice, fact)
    audit = game.game.audit(twice)
    assert not audit.sound
    assert [str(fault) for fault in audit.faults] == [
        "a card is in two places",
        "the number of bull cards is not 10",
    ]
    assert audit.cards == audit.cards_due + 1
    small = replace(game.table, known=(frozenset(cards(*range(1, 12))), frozenset()))
    assert [str(fault) for fault in game.game.audit(small).faults] == [
        "a hand has fewer cards than are known to be in it"
    ]
