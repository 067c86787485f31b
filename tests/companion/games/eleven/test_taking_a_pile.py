"""Taking a pile in 11 nimmt!: the cards, the new piles, and where the bull card comes from."""

import pytest

from companion.core.cards import Seat
from companion.games.eleven.records import BullFrom, Take
from tests.companion.games.eleven.at_eleven import AtEleven
from tests.companion.told import told

LONG = {0: [33, 40, 41], 1: [7]}


def test_the_last_bull_card_of_the_supply_is_given_and_then_who_has_most_gives_one() -> None:
    game = AtEleven(3)
    game.adopt(LONG, bulls=[0, 5, 4], deck=0, hand_sizes=[3, 3, 3])
    game.take(0)
    assert (game.table.bulls, game.table.supply) == ((1, 5, 4), 0)
    game.adopt(LONG, bulls=[1, 5, 4], turn=0)
    step = game.take(0)
    assert game.table.bulls == (2, 4, 4)
    assert told(step)[0] == (
        "11-SUPPLY",
        (
            "player 1 takes the pile with 41 on top, and a bull card from player 2, who has the most: "
            "the supply is empty"
        ),
    )


def test_of_several_who_have_most_the_taker_chooses() -> None:
    game = AtEleven(4)
    game.adopt(LONG, bulls=[2, 4, 0, 4], turn=0)
    game.take(0)
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.seats, ask.choices) == ("choose a player", (0,), ("1", "3"))
    assert str(ask.says) == "BULL CARD FROM WHOM?"
    assert game.piles[0] == [33, 40, 41]
    refused = game.refused(BullFrom(Seat(2)))
    assert str(refused.fault) == "player 3 does not give a bull card"
    assert str(refused.fix) == "name one of: players 2, 4"
    assert game.fix(BullFrom(Seat(1), Seat(1))) == "player 1 must answer"
    assert game.fix(Take(1)) == "choose who gives the bull card, or undo"
    game.do(game.game.read(ask, Seat(0), "3"))
    assert game.table.bulls == (3, 4, 0, 3)
    assert game.piles == {1: [7]}
    assert game.table.turn == 1


def test_a_program_says_at_once_from_whom_the_bull_card_comes() -> None:
    game = AtEleven(4)
    game.adopt(LONG, bulls=[2, 4, 0, 4], turn=0)
    assert game.fix(Take(0, Seat(2))) == "name one of: players 2, 4"
    game.take(0, bull_from=1)
    assert game.table.bulls == (3, 3, 0, 4)


def test_nobody_is_named_where_nobody_gives_a_bull_card() -> None:
    game = AtEleven(3)
    game.adopt(LONG, bulls=[1, 1, 0])
    for pile in (0, 1):
        assert game.fix(Take(pile, Seat(1))) == "take the pile without naming a player"
    assert game.rule(BullFrom(Seat(1))) == "11-SUPPLY"


def test_who_leads_takes_from_the_others_where_that_was_agreed() -> None:
    game = AtEleven(3, leader="others")
    game.adopt(LONG, bulls=[6, 1, 3])
    game.take(0)
    assert game.table.bulls == (7, 1, 2)


def test_who_shares_the_lead_takes_from_a_fellow() -> None:
    game = AtEleven(3)
    game.adopt(LONG, bulls=[4, 4, 2])
    step = game.take(0)
    assert told(step)[1] == (
        "H11-4",
        "player 1 and player 2 both have 4 bull cards: whoever takes the pile gives none",
    )
    assert game.table.bulls == (5, 3, 2)


@pytest.mark.parametrize(("deck", "due"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_a_short_deck_turns_up_what_is_left(deck: int, due: int) -> None:
    game = AtEleven(2)
    game.adopt({0: [33], 1: [7]}, deck=deck, hand_sizes=[5, 5])
    step = game.take(0)
    assert game.table.due == due
    assert ("H11-5" in [rule for rule, _ in told(step)]) is (due < 2)
    if due:
        game.turn_up(*range(90, 90 + due))
    assert game.table.deck == deck - due
    assert game.asked == ["play a card", "take a pile"]


def test_used_bull_cards_go_back_where_that_was_agreed() -> None:
    game = AtEleven(2, bulls="spent")
    game.adopt({0: [33], 1: [70]}, bulls=[3, 0], hand_sizes=[9, 9])
    game.play({0: [34]})
    assert game.table.bulls == (3, 0)
    game.adopt({0: [33], 1: [70]}, turn=0)
    step = game.play({0: [34, 36]})
    assert game.table.bulls == (2, 0)
    assert ("H11-2", "player 1 used 1 bull card and gives it back") in told(step)
    game.adopt({0: [33], 1: [70]}, turn=0, hand_sizes=[9, 9])
    game.play({0: [34], 1: [71]})
    assert game.table.bulls == (0, 0)


def test_one_more_card_on_one_more_pile_where_that_was_agreed() -> None:
    game = AtEleven(2, bull_piles="one_more")
    game.adopt({0: [33], 1: [70], 2: [2]}, bulls=[1, 0], hand_sizes=[9, 9])
    game.scan(34, 35, 71)
    assert [str(fact) for fact in game.game.board(game.table).facts][:1] == ["ON 33: 34-43"]
    game.scan(36)
    assert game.piles == {0: [33, 34, 35, 36], 1: [70, 71], 2: [2]}
