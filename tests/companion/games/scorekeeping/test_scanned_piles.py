"""Piles that are scanned: a badge or OK ends one; then the rows; what is missing or doubled is named."""

import pytest

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.games.scorekeeping.records import ChooseCard, Close, CountCard, EndPile, TypeSum
from companion.text.errors import UnknownCard
from tests.companion.games.scorekeeping.score_match import ScoreMatch
from tests.companion.told import told


def piled(**options: str) -> ScoreMatch:
    """Two players, the cards 1 to 24: eight taken by each, eight in the rows, of which 24 is not scanned."""
    game = ScoreMatch(2, of="six", entry="piles", **options)
    game.pile(0, *range(1, 9))
    game.pile(1, *range(9, 17))
    game.scan(*range(17, 24))
    return game


def test_a_pile_is_scanned_and_a_badge_says_whose_it_was() -> None:
    game = ScoreMatch(3, of="six", entry="piles")
    assert game.asked == "count a hand 012: SCAN ONE PILE"
    game.scan(55, 11, 7)
    assert game.match.asks[0].have == ("55", "11", "7")
    board = game.match.game.board(game.table)
    assert str(board.hint) == "3 CARDS 13"
    assert str(board.facts[0]) == "LAST 7 +1"
    step = game.badge(1)
    assert told(step) == (("S-ENTRY", "player 2: 3 cards, 13 points"),)
    assert game.points == (0, 13, 0)
    assert game.asked == "count a hand 02: SCAN ONE PILE"
    line = game.match.game.board(game.table).newest[0]
    assert (line.taker, line.takes, line.heads) == (1, ("55", "11", "7"), 13)


def test_ok_ends_the_pile_of_the_next_in_the_order_of_seats() -> None:
    game = ScoreMatch(3, of="six", entry="piles")
    game.pile(1, 1)
    game.scan(2, 3)
    game.ok()
    assert game.points == (2, 1, 0)
    game.ok()
    assert game.points == (2, 1, 0)
    assert game.asked == "lay four rows 012: NOW SCAN THE 4 ROWS"


def test_a_pile_can_be_typed_instead_and_forgets_what_was_scanned_of_it() -> None:
    game = ScoreMatch(2, of="six", entry="piles")
    game.scan(1, 2)
    game.give(AskKind.HAND, "=19")
    assert game.points == (19, 0)
    assert game.match.asks[0].have == ()
    game.scan(1)


def test_with_every_card_scanned_the_missing_one_is_named() -> None:
    game = piled(deck="known")
    assert game.asked == "lay four rows 01: SCAN ROWS: 23 OF 24"
    assert game.faults == ["24 is missing", "23 of 24 cards are there: one is missing"]
    audit = game.match.game.audit(game.table)
    assert (audit.cards, audit.cards_due) == (23, 24)
    assert game.refusal(Close())[:2] == ("K4", "24 is missing")
    game.scan(24)
    assert game.match.game.audit(game.table).sound
    assert game.asked == "end the move 01: IS THAT RIGHT?"
    assert told(game.ok())[0] == ("S-CLOSE", "24 of 24 cards are there")


def test_a_deal_is_closed_although_a_card_is_missing_and_the_log_keeps_which() -> None:
    game = piled(deck="known")
    step = game.ok(1)
    assert told(step)[:-1] == (
        ("K4", "closed anyway: 24 is missing"),
        ("K1", "closed anyway: 23 of 24 cards are there: one is missing"),
    )
    finished = game.match.position.finished
    assert (finished.faults, finished.missing) == (("K4", "K1"), ("24",))


def test_of_an_unknown_deck_only_the_number_of_missing_cards_is_reported() -> None:
    game = piled()
    assert game.faults == ["23 of 24 cards are there: one is missing"]
    game.scan(100)
    assert game.faults == []
    game.scan(101)
    assert game.faults == ["there are 25 cards instead of 24: one too many"]


def test_without_the_rows_only_what_cannot_have_been_taken_is_named() -> None:
    game = ScoreMatch(2, of="six", entry="piles")
    game.pile(0, 1, 2)
    game.pile(1, 3)
    assert game.faults == ["cards taken: 3, but there must be 4 to 20"]
    game.give(AskKind.HAND, "4", 0)
    assert game.faults == []
    assert told(game.ok())[0] == ("S-CLOSE", "the deal is closed; nothing could be checked")


def test_more_cards_than_the_players_have_are_reported_also_beside_a_typed_sum() -> None:
    game = ScoreMatch(2, of="six", entry="piles")
    game.pile(0, *range(1, 21))
    game.type(1, 3)
    game.scan(*range(21, 25))
    assert game.faults == ["the typed sums add up to 3, but only 0 is possible"]
    game.scan(25)
    assert game.faults == ["there is 1 card more than 2 players can have"]


@pytest.mark.parametrize("of", ["eleven", "ciao"])
def test_hands_are_scanned_and_one_of_them_is_empty(of: str) -> None:
    game = ScoreMatch(2, of=of, entry="piles")
    assert game.asked == "count a hand 01: SCAN ONE HAND"
    game.badge(1)
    game.scan(1, 2, 3)
    assert told(game.ok())[0][0] == "S-ENTRY"
    assert game.points[1] == 0
    assert game.points[0] > 0
    assert game.refusal(CountCard(game.table.deck[6]))[1] == "every hand has already been counted"
    assert told(game.ok())[0] == ("S-CLOSE", "the sums are possible")


def test_the_cards_of_ciao_cost_what_its_rulebook_says() -> None:
    game = ScoreMatch(2, of="ciao", entry="piles")
    game.pile(0, "gR#1", "yP#2", "rS:+3", "gJ#2", "T#3")
    assert game.points == (1 + 2 + 3 + 5 + 5, 0)


def test_a_card_is_scanned_by_its_number_or_named() -> None:
    game = ScoreMatch(2, of="six", entry="piles")
    assert game.read(AskKind.HAND, " 007 ") == CountCard("7")
    ciao = ScoreMatch(2, of="ciao", entry="piles")
    deck = ciao.match.game.cards(ciao.table)
    assert ciao.read(AskKind.HAND, "17") == CountCard(deck[16])
    assert ciao.read(AskKind.HAND, deck[3].lower()) == CountCard(deck[3])
    for text in ("0", "105", "x", "", "99999", "²"):
        with pytest.raises(UnknownCard, match="is not a card of this game"):
            game.read(AskKind.HAND, text)


def test_a_card_that_was_counted_is_refused_with_its_place() -> None:
    game = piled(deck="known")
    assert game.refusal(CountCard("9"))[:2] == ("K2", "card 9 was counted for player 2")
    assert game.refusal(CountCard("17"))[:2] == ("K2", "card 17 is already in the rows")
    fresh = ScoreMatch(2, of="six", entry="piles")
    fresh.scan(5)
    assert fresh.refusal(CountCard("5"))[:2] == ("K2", "card 5 has already been counted")


def test_a_card_outside_the_known_deck_is_refused() -> None:
    game = ScoreMatch(4, of="six", entry="piles", deck="known")
    assert game.refusal(CountCard("96")) == (
        "K2",
        "card 96 is not in the deck 1 to 44",
        "leave it out, or undo what was counted before",
    )
    assert game.refusal(CountCard("61"))[2] == "is it 19 upside down? If not, leave it out"
    assert game.refusal(CountCard("x"))[1] == "card x is not in the deck 1 to 44"


@pytest.mark.parametrize(
    ("card", "other"), [(6, 9), (16, 91), (18, 81), (19, 61), (66, 99), (68, 89), (86, 98)]
)
def test_a_typed_card_that_reads_differently_upside_down_is_asked_again(card: int, other: int) -> None:
    for typed, meant in ((card, card), (card, other), (other, card), (other, other)):
        game = ScoreMatch(3, of="six", entry="piles")
        game.dial(typed)
        (ask,) = game.match.asks
        assert ask.kind is AskKind.DECIDE
        assert set(ask.choices) == {str(card), str(other)}
        assert ask.choices[0] == str(typed)
        assert game.refusal(CountCard("3"))[0] == "S-UPSIDE"
        assert game.refusal(Close(anyway=True))[0] == "S-UPSIDE"
        assert game.refusal(ChooseCard("3"))[2] == f"choose {typed} or {ask.choices[1]}"
        game.give(AskKind.DECIDE, str(meant))
        assert game.table.loose == (str(meant),)


def test_a_typed_card_is_clear_when_the_other_cannot_be_there() -> None:
    game = ScoreMatch(4, of="six", entry="piles", deck="known")
    game.dial(16)
    game.scan(9)
    game.dial(6)
    assert game.table.loose == ("16", "9", "6")


def test_a_pile_for_somebody_who_has_one_is_refused() -> None:
    game = ScoreMatch(3, of="six", entry="piles")
    game.pile(1, 1)
    game.scan(2)
    assert game.refusal(EndPile(Seat(1)))[1] == "player 2 has already been counted"
    assert game.refusal(EndPile(Seat(5)))[1] == "player 6 is not playing"
    assert game.refusal(Close())[1] == "the last 1 card counted has no owner yet"
    assert game.refusal(TypeSum(5))[1] == "the last 1 card counted has no owner yet"
