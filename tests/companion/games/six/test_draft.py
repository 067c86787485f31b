"""The open draft of the advanced game: who picks, what is left, and hands that are known from then on."""

from random import Random

from companion.core.cards import Card, Seat
from companion.core.ruling import Join, Leave, Swap
from companion.games.six.records import Correct, Lay, LayRows, Pick, Play
from tests.companion.games.six.six_match import SixMatch, cards


def drafted(seats: int, first: int = 0, seed: int = 1) -> SixMatch:
    """A table after the draft, with hands by chance."""
    game = SixMatch(seats, first, deck="known", draft=True)
    pool = list(range(1, 10 * seats + 5))
    Random(seed).shuffle(pool)
    while game.asked == "pick a card":
        game.pick(game.match.asks[0].seats[0], pool.pop())
    return game


def test_a_card_is_played_only_from_the_hand_that_picked_it() -> None:
    game = drafted(3)
    hands = game.table.hands
    card = min(hands[1])
    refused = game.refused(Play(card, Seat(0)))
    assert refused.rule.key == "6N-HAND"
    assert str(refused.fault) == f"card {card} is not in player 1's hand"
    assert str(refused.fix) == "player 2 picked it"
    game.do(Play(card))
    assert game.table.shown[0].seat == 1
    assert game.rule(Play(max(hands[1]))) == "6N-CARDS"


def test_during_the_draft_only_the_player_on_turn_picks_and_only_what_lies_open() -> None:
    game = SixMatch(2, 1, deck="known", draft=True)
    for early in (Lay(Card(1)), LayRows(cards(1, 2, 3, 4)), Play(Card(1))):
        assert game.rule(early) == "6N-DRAFT"
    assert game.fix(Pick(Seat(0), Card(5))) == "player 2 picks next"
    game.pick(1, 5)
    assert game.fault(Pick(Seat(0), Card(5))) == "card 5 was picked by player 2"
    assert game.rule(Pick(Seat(0), Card(25))) == "6N-DECK"
    assert game.rule(Pick(Seat(0), Card(0))) == "6N-DECK"
    for early in (Lay(Card(1)), LayRows(cards(1, 2, 3, 4)), Play(Card(1))):
        assert game.rule(early) == "6N-DRAFT"
    (ask,) = game.match.asks
    assert (ask.seats, ask.have, ask.need) == ((0,), ("5",), 20)


def test_every_owner_is_known_after_the_draft_so_nobody_is_swapped_and_nobody_leaves_or_joins() -> None:
    game = drafted(3)
    assert game.rule(Swap((Seat(0), Seat(1)))) == "6N-HAND"
    assert game.rule(Leave(Seat(0))) == "6N-DRAFT"
    assert game.rule(Join(Seat(3))) == "6N-PLAYERS"


def test_a_correction_after_the_draft_keeps_to_the_hands() -> None:
    game = drafted(2, seed=4)
    hands = game.table.hands
    (first, other), second = sorted(hands[0])[:2], min(hands[1])
    game.do(Play(first))
    assert game.rule(Correct((), (other,))) == "6N-CARDS"
    assert game.rule(Correct((first,), cards(game.rows[0][0]))) == "6N-ONE-OF-EACH"
    game.do(Correct((first,), (other,)))
    assert [(one.card, one.seat) for one in game.table.shown] == [(other, 0)]
    game.do(Correct((), (second,)))
    if game.asked == "choose a row":
        game.take(0)
    assert game.table.turn == 1
    assert game.table.hands == (hands[0] - {other}, hands[1] - {second})


def test_a_player_who_leaves_or_joins_before_the_first_pick_changes_the_deck() -> None:
    game = SixMatch(3, deck="known", draft=True)
    game.do(Leave(Seat(0)))
    assert game.table.deck == 24
    assert game.match.asks[0].seats == (1,)
    game.do(Join(Seat(3)))
    assert game.table.deck == 34
    game.pick(1, 34)
