"""Cards that are scanned as they are taken, then the badge of who took them, at the end the rows."""

from companion.core.ask import AskKind, Wait
from companion.core.cards import Seat
from companion.games.scorekeeping.records import Close, CountCard, EndPile, TypeSum
from tests.companion.games.scorekeeping.score_match import ScoreMatch
from tests.companion.told import told


def taken(**options: str) -> ScoreMatch:
    """Two players, the cards 1 to 24: five, five and six are taken, eight lie in the rows."""
    game = ScoreMatch(2, of="six", entry="takes", **options)
    game.pile(1, 1, 2, 3, 4, 5)
    game.pile(0, 6, 7, 8, 9, 10)
    game.pile(1, 11, 12, 13, 14, 15, 16)
    return game


def test_cards_are_scanned_and_then_the_badge_of_who_took_them() -> None:
    game = ScoreMatch(3, of="six", entry="takes")
    assert game.asked == "count a hand 012: SCAN TAKEN CARDS"
    assert game.match.asks[0].wait is Wait.ANY
    game.scan(12, 14, 15, 21, 26)
    step = game.badge(2)
    assert told(step) == (("S-ENTRY", "player 3: 5 cards, 6 points"),)
    assert game.points == (0, 0, 6)
    game.pile(2, 55)
    assert game.points == (0, 0, 13)
    line = game.match.game.board(game.table).newest[0]
    assert (line.taker, line.takes, line.heads, str(line.outcome)) == (2, ("55",), 7, "1 CARD")


def test_the_rows_are_scanned_at_the_end_and_belong_to_nobody() -> None:
    game = taken(deck="known")
    game.scan(*range(17, 25))
    assert game.ask(AskKind.DONE).choices == ("rows",)
    step = game.ok()
    assert told(step) == (("S-ENTRY", "the rows: 8 cards, 14 points"),)
    assert told(game.ok())[0] == ("S-CLOSE", "24 of 24 cards are there")
    assert game.match.totals == (7, 17)


def test_a_taking_that_nobody_scanned_is_named_card_by_card() -> None:
    game = ScoreMatch(2, of="six", entry="takes", deck="known")
    game.pile(1, 1, 2, 3, 4, 5)
    game.pile(1, 11, 12, 13, 14, 15, 16)
    game.scan(*range(17, 25))
    game.ok()
    assert game.refusal(Close())[:2] == (
        "K4",
        "6, 7, 8, 9, 10 are missing, 19 of 24 cards are there: 5 are missing",
    )
    game.ok(1)
    assert game.match.position.finished.missing == ("6", "7", "8", "9", "10")


def test_during_play_nothing_is_said_to_be_missing() -> None:
    game = taken(deck="known")
    assert game.match.game.audit(game.table).sound
    assert game.faults == []


def test_without_the_rows_only_the_number_of_cards_is_checked() -> None:
    assert told(taken().ok())[0] == ("S-CLOSE", "the deal is closed; nothing could be checked")
    game = ScoreMatch(2, of="six", entry="takes")
    assert game.refusal(Close())[:2] == ("K5", "0 cards cannot be all that was taken: it must be 4 to 20")


def test_a_player_who_takes_a_card_that_somebody_has_is_refused_with_its_owner() -> None:
    game = taken()
    assert game.refusal(CountCard("7")) == (
        "K2",
        "card 7 was counted for player 1",
        "leave it out, or undo what was counted before",
    )


def test_what_does_not_fit_while_cards_are_taken_is_refused() -> None:
    game = taken()
    assert game.refusal(EndPile(Seat(0)))[1] == "no scanned cards are waiting for an owner"
    assert game.refusal(EndPile(None))[1] == "no scanned cards are waiting for the rows"
    game.scan(50, 51)
    assert game.refusal(Close(anyway=True))[1:] == (
        "the last 2 cards counted have no owner yet",
        "say whose they are, or undo them",
    )
    assert game.refusal(TypeSum(3, Seat(0)))[1] == "the last 2 cards counted have no owner yet"
    game.badge(0)
    game.type(0, 3)
    game.scan(60)
    assert game.refusal(EndPile(Seat(0)))[1] == "player 1's points were typed"
