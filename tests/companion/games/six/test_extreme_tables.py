"""Tables that random play hardly ever leads to: crowded, empty, highest and lowest."""

from companion.core.cards import Card, Seat
from companion.games.six.records import Lay, LayRows, Play
from companion.text.sentence import BULL
from tests.companion.games.six.six_match import SixMatch, cards


def test_ten_players_play_all_104_cards_of_the_deck_in_one_deal() -> None:
    game = SixMatch(10, end={"deals": 1})
    game.lay(1, 2, 3, 4)
    for turn in range(10):
        game.play(*range(5 + 10 * turn, 15 + 10 * turn))
    assert game.match.winners is not None
    audit = game.match.game.audit(game.table)
    assert (audit.cards, audit.cards_due) == (104, 104)
    assert audit.sound
    taken = sum(game.match.totals)
    assert str(audit.says) == f"{taken}{BULL} TAKEN+{171 - taken}{BULL} LEFT"


def test_cards_without_owners_are_placed_and_only_takers_are_asked_for() -> None:
    game = SixMatch(4)
    game.adopt([[20, 21, 22, 23, 24], [30], [40], [50]])
    game.show((None, 60), (None, 25), (None, 10), (None, 41))
    assert (game.asked, game.match.asks[0].card, game.match.asks[0].seats) == (
        "choose a row",
        "10",
        (0, 1, 2, 3),
    )
    assert game.take(1) == []
    assert (game.asked, game.match.asks[0].choices) == ("who played it", ("0", "1", "2", "3"))
    went = game.claim(10, 2)
    assert [(one.card, one.seat, one.row, one.takes) for one in went] == [(10, 2, 1, (30,))]
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.card, ask.seats) == ("who played it", "25", (0, 1, 3))
    went = game.claim(25, 0)
    assert [(one.card, one.seat) for one in went] == [(25, 0), (41, None), (60, None)]
    assert game.match.points == (11, 0, 3, 0)


def test_a_card_that_lies_or_was_taken_is_refused_and_the_fault_says_where_it_is() -> None:
    game = SixMatch(3)
    assert game.rule(LayRows(cards(5, 6, 7, 5))) == "6N-ONE-OF-EACH"
    assert game.rule(LayRows(cards(5, 6, 7))) == "6N-ROWS"
    assert game.rule(LayRows(cards(5, 6, 7, 8, 9))) == "6N-ROWS"
    assert game.rule(Play(Card(50))) == "6N-ROWS"
    game.adopt([[10, 11], [20], [30], [40]], 2, [[], [7], []])
    assert game.fault(Play(Card(11))) == "card 11 is already in row 1"
    assert game.fault(Play(Card(7))) == "card 7 was taken by player 2"
    game.show((2, 50))
    assert game.fault(Play(Card(50))) == "card 50 was already played in this turn (number 1)"
    assert game.fault(Play(Card(51), Seat(2))) == "player 3 has already played 50 in this turn"
    assert game.fault(Play(Card(51), Seat(3))) == "player 4 is not playing"
    assert game.rule(Play(Card(0))) == "6N-DECK"
    assert game.rule(Play(Card(105))) == "6N-DECK"
    assert game.rule(Play(Card(-3))) == "6N-DECK"
    assert game.rule(Lay(Card(60))) == "6N-ROWS"
