"""Moves of 11 nimmt!: what a scan does, what bull cards allow, and what is refused in which words."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.cards import Card, Seat
from companion.games.eleven.explain import range_above
from companion.games.eleven.records import Choose, Done, Play, PlayCard, Take, TurnUp
from companion.match.match import Step
from companion.values import replace
from tests.companion.games.eleven.at_eleven import AtEleven, adopt, cards, play
from tests.companion.games.eleven.naive_eleven import after_play, may_play, window
from tests.examples import examples


def test_a_pile_is_asked_for_only_where_several_fit() -> None:
    game = AtEleven(2)
    game.adopt({0: [31], 4: [38], 7: [60]}, turn=0)
    game.scan(40)
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.choices, ask.card, str(ask.says)) == (
        "choose a row", ("0", "4"), "40", "40: WHICH PILE?",
    )  # fmt: skip
    assert [stack.name for stack in game.game.board(game.table).stacks] == ["31", "38", "60"]
    refused = game.refused(Choose(7))
    assert str(refused.fault) == "40 cannot go on that pile now"
    assert str(refused.fix) == "choose one of the piles with 31, 38 on top"
    assert game.rule(PlayCard(Card(61))) == "11-TURN"
    game.scan(4)
    assert game.piles == {0: [31], 4: [38, 40], 7: [60]}
    assert game.table.turn == 1


def test_the_cards_that_go_on_a_top_are_shown_in_eleven_columns() -> None:
    for top in range(1, 101):
        fits = str(range_above(Card(top)))
        ranges = [part.split("-") for part in fits.split(", ")]
        shown = [card for low, *high in ranges for card in range(int(low), int(high[0] if high else low) + 1)]
        assert shown == window(top)
        assert len(fits) <= 11


def test_a_card_that_fits_nowhere_is_refused_with_the_tops() -> None:
    game = AtEleven(2)
    game.adopt({0: [96], 1: [23]})
    refused = game.refused(PlayCard(Card(7)))
    assert refused.rule.key == "11-2"
    assert str(refused.fault) == "7 is not within 10 above any pile (96, 23)"
    assert str(refused.fix) == "play another card, or take a pile"
    assert game.fault(play({1: [34]})) == "34 is 11 above 23"
    assert game.scan(5) == ["5 goes on 96: it is 9 higher, because 1 comes after 100"]


@pytest.mark.parametrize(
    ("top", "card", "rule", "fault"),
    [
        (33, 30, "11-1", "30 is lower than 33"),
        (90, 1, "11-1", "1 is lower than 90"),
        (96, 90, "11-1", "90 is lower than 96"),
        (100, 99, "11-1", "99 is lower than 100"),
        (96, 7, "11-2", "counting on past 100, 7 is 11 above 96"),
        (100, 11, "11-2", "counting on past 100, 11 is 11 above 100"),
        (33, 44, "11-2", "44 is 11 above 33"),
    ],
)
def test_a_lower_card_breaks_rule_1_and_one_that_is_too_high_rule_2(
    top: int, card: int, rule: str, fault: str
) -> None:
    game = AtEleven(2)
    game.adopt({0: [top]})
    assert game.refusal(PlayCard(Card(card), 0))[:2] == (rule, fault)
    assert game.rule(play({0: [card]})) == rule
    assert game.rule(PlayCard(Card(card))) == rule


def test_a_card_below_all_piles_is_lower_also_in_a_move_that_has_begun() -> None:
    game = AtEleven(2)
    game.adopt({0: [33], 1: [70]}, bulls=[1, 0])
    fault = "30 is lower than the top of every pile (33, 70)"
    assert game.refusal(PlayCard(Card(30)))[:2] == ("11-1", fault)
    game.scan(38)
    assert game.refusal(PlayCard(Card(30)))[:2] == ("11-1", fault)
    refused = game.refused(PlayCard(Card(30), 0))
    assert refused.rule.key == "11-1"
    assert str(refused.fault) == "30 is lower than 33, the top card before the move"


def test_a_card_that_is_elsewhere_is_refused_and_its_place_is_told_only_where_it_lies_open() -> None:
    game = AtEleven(3)
    game.scan(31, 36, 46)
    game.take(0)
    game.turn_up(23, 87)
    for card, fault in (
        (87, "card 87 lies on top of a pile"),
        (36, "card 36 is covered on a pile or in another hand"),
        (101, "there is no card 101"),
    ):
        assert game.fault(PlayCard(Card(card))) == fault
    assert game.fault(Play({"2": cards(36)})) == "card 36 is covered on a pile or in another hand"
    game.scan(88, 92)
    assert game.fault(PlayCard(Card(88), 1)) == "card 88 is covered on a pile or in another hand"
    assert game.fault(PlayCard(Card(36), 1)) == "36 is 13 above 23"


def test_who_cannot_play_is_asked_the_same_as_who_can_so_that_nobody_learns_it() -> None:
    game = AtEleven(2)
    game.adopt({0: [33], 1: [70]}, hands=[[34, 60], []], hand_sizes=[2, 5], turn=0)
    can = game.match.asks
    game.adopt({0: [33], 1: [70]}, hands=[[20, 60], []], hand_sizes=[2, 5], turn=0)
    assert [ask.unanswerable for ask in can] == [False, False]
    assert [ask.unanswerable for ask in game.match.asks] == [True, False]
    assert tuple(replace(ask, unanswerable=False) for ask in game.match.asks) == can
    game.take(1)
    assert game.table.sizes == (3, 5)


def test_only_the_seat_on_turn_plays() -> None:
    game = AtEleven(3)
    game.scan(31)
    refused = game.refused(PlayCard(Card(36), seat=Seat(2)))
    assert str(refused.fault) == "it is not player 3's turn"
    assert str(refused.fix) == "it is player 1's turn"
    assert game.rule(Take(0, seat=Seat(1))) == "11-TURN"
    assert game.rule(play({0: [36]}, seat=9)) == "11-TURN"
    assert game.rule(Done()) == "11-TURN"


def test_a_bull_card_leaves_the_move_open_for_more_cards_within_the_first_window() -> None:
    game = AtEleven(2)
    game.adopt({0: [33], 1: [70]}, bulls=[1, 0])
    game.scan(38)
    assert [(ask.kind.value, ask.seats, str(ask.says)) for ask in game.match.asks] == [
        ("play a card", (0,), "MORE CARDS, OR P2"),
        ("play a card", (1,), "SCAN CARD / TAKE PILE"),
        ("take a pile", (1,), "TAKE WHICH PILE?"),
        ("end the move", (0,), "OK: MOVE IS DONE"),
    ]
    assert [str(fact) for fact in game.game.board(game.table).facts][:2] == [
        "ON 33: 34-43",
        "DRAW PILE: 78 CARDS",
    ]
    assert game.refusal(PlayCard(Card(44)))[:2] == ("11-MORE", "44 is not within 10 above any pile (33, 70)")
    assert game.fault(PlayCard(Card(44), 0)) == "44 is 11 above 33, the top card before the move"
    refused = game.refused(PlayCard(Card(71)))
    assert refused.rule.key == "H11-9"
    assert str(refused.fault) == "player 1 has 1 bull card: too few for these cards"
    assert str(refused.fix) == "play any number of cards on 1 pile"
    assert game.rule(Take(1)) == "11-TURN"
    game.scan(34, 43)
    assert game.piles[0] == [33, 34, 38, 43]
    game.do(Done())
    assert game.table.turn == 1
    assert game.table.bulls == (1, 0)


def test_a_move_ends_by_itself_when_nothing_more_can_be_played() -> None:
    game = AtEleven(2)
    game.adopt({0: [33]}, hands=[[34, 60], []], hand_sizes=[2, 5], bulls=[3, 0])
    game.scan(34)
    assert game.table.turn == 1


def test_the_last_card_ends_the_deal_even_within_an_open_move() -> None:
    game = AtEleven(2)
    game.adopt({0: [33]}, hands=[[34, 36], []], hand_sizes=[2, 5], bulls=[1, 0])
    game.scan(34, 36)
    assert game.table.out == 0
    assert game.asked == ["count a hand"]
    refused = game.refused(PlayCard(Card(37)))
    assert refused.rule.key == "11-OUT"
    assert str(refused.fix) == "count player 2's hand"


@pytest.mark.parametrize(
    ("move", "rule", "fault"),
    [
        ({}, "H11-9", "no card is played"),
        ({0: []}, "H11-9", "a pile is named without a card"),
        ({0: [34], 1: []}, "H11-9", "a pile is named without a card"),
        ({0: [34, 35]}, "11-MORE", "player 1 has 0 bull cards: too few for these cards"),
        ({0: [34], 1: [71]}, "11-MORE", "player 1 has 0 bull cards: too few for these cards"),
        ({2: [34]}, "11-TURN", "there is no such pile"),
        ({0: [34, 34]}, "11-ONE-OF-EACH", "card 34 lies on top of a pile"),
        ({0: [0]}, "11-ONE-OF-EACH", "there is no card 0"),
    ],
)
def test_a_whole_move_that_will_not_do_is_refused(move: dict[int, list[int]], rule: str, fault: str) -> None:
    game = AtEleven(2)
    game.adopt({0: [33], 1: [70]})
    assert game.refusal(play(move))[:2] == (rule, fault)


def test_a_new_pile_is_refused_where_others_lie() -> None:
    game = AtEleven(2)
    game.adopt({0: [33], 5: [70]})
    refused = game.refused(Play({"new": cards(34)}))
    assert refused.rule.key == "H11-6"
    assert str(refused.fix) == "name one of the piles with 33, 70 on top"
    refused = game.refused(PlayCard(Card(34), 3))
    assert str(refused.fault) == "there is no such pile"
    assert str(refused.fix) == "use one of the piles with 33, 70 on top"


def test_without_pile_and_deck_any_one_card_opens_a_pile() -> None:
    game = AtEleven(2)
    game.adopt({}, hand_sizes=[3, 3], deck=0, next_pile=9, bulls=[1, 0])
    assert game.asked == ["play a card"]
    assert str(game.match.asks[0].says) == "OPEN A PILE"
    assert game.fix(PlayCard(Card(50), 2)) == "open a pile with any card"
    assert game.fix(Take(2)) == "open a pile with any card"
    assert game.fix(play({2: [50]})) == 'name the new pile "new"'
    for move in ({"new": cards(50, 51)}, {"new": cards(50), "9": cards(51)}):
        assert game.fault(Play(move)) == "a new pile is opened with one card only"
    assert game.scan(50) == ["no pile is left: player 1 opens one with 50"]
    assert game.piles == {9: [50]}
    assert (game.table.turn, game.table.moves, game.table.next_pile) == (1, 1, 10)


def test_cards_are_turned_up_as_many_as_are_due() -> None:
    game = AtEleven(2)
    assert game.fix(TurnUp(cards(1, 2))) == "turn up 1 card"
    assert game.rule(TurnUp(())) == "11-NEW"
    assert game.rule(PlayCard(Card(5))) == "11-NEW"
    game.scan(1)
    assert game.fault(TurnUp(cards(2))) == "it is not time to turn up a card"
    game.take(0)
    assert str(game.match.asks[0].says) == "TURN UP, SCAN 2 CARDS"
    assert game.fault(TurnUp(cards(1))) == "card 1 is covered on a pile or in a hand"
    assert game.fault(TurnUp(cards(2, 2))) == "card 2 lies on top of a pile"
    game.scan(2)
    assert (game.match.asks[0].have, game.match.asks[0].need) == (("2",), 2)
    game.scan(3)
    assert game.piles == {1: [2], 2: [3]}


def test_the_newest_move_is_listed_with_its_reasons() -> None:
    game = AtEleven(3)
    game.scan(31, 36, 46)
    (line,) = game.game.board(game.table).newest
    assert (line.card, str(line.outcome), line.place) == ("46", "ON 36", "36")
    assert line.because.chart == (("TOP", "36"), ("CARD", "46"), ("UP", "10"))
    game.take(0)
    game.turn_up(23, 87)
    taken, *turned = game.game.board(game.table).newest
    assert (taken.card, str(taken.outcome), taken.taker, taken.takes, taken.heads) == (
        "46", "TAKES A PILE", 2, ("31", "36", "46"), 3,
    )  # fmt: skip
    assert [(line.card, str(line.outcome)) for line in turned] == [("23", "NEW PILE"), ("87", "NEW PILE")]
    assert str(turned[0].because.says) == "23 from the deck starts a new pile"


@examples(40)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_move_is_judged_as_a_second_referee_judges_it(seed: int) -> None:
    random = Random(seed)
    box = list(range(1, 101))
    random.shuffle(box)
    piles = {number: [box.pop()] for number in random.sample(range(20), random.randrange(1, 6))}
    bulls = random.randrange(4)
    near = [card for pile in piles.values() for card in window(pile[0]) if card in box]
    hand = {card for card in near if random.random() < 0.7} | set(random.sample(box, 3))
    move: dict[int, list[int]] = {}
    left = sorted(hand)
    random.shuffle(left)
    for number in random.sample(sorted(piles), random.randrange(1, 1 + min(3, len(piles)))):
        fits = [card for card in left if card in window(piles[number][0])]
        chosen = (fits if random.random() < 0.9 else left)[: random.choice((1, 1, 2, 3))]
        move[number] = chosen
        left = [card for card in left if card not in chosen]
    game = AtEleven(2)
    game.do(adopt(piles, hands=[sorted(hand), []], hand_sizes=[len(hand), 3], bulls=[bulls, 0]))
    step = game.match.propose(play(move))
    assert isinstance(step, Step) is may_play(piles, bulls, hand, move)
    if isinstance(step, Step):
        game.match = game.match.then(step)
        assert game.piles == after_play(piles, move)
