"""Cards that are scanned as they are taken, then the badge of who took them, at the end the rows."""

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.games.scorekeeping.records import Close, EndPile, TypeSum
from tests.companion.games.scorekeeping.score_match import ScoreMatch
from tests.companion.told import told


def taken(**options: str) -> ScoreMatch:
    """Two players, the cards 1 to 24: five, five and six are taken, eight lie in the rows."""
    game = ScoreMatch(2, of="six", entry="takes", **options)
    game.pile(1, 1, 2, 3, 4, 5)
    game.pile(0, 6, 7, 8, 9, 10)
    game.pile(1, 11, 12, 13, 14, 15, 16)
    return game


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
    assert game.refusal(Close())[:2] == ("K4", "6, 7, 8, 9, 10 are missing")
    game.ok(1)
    assert game.match.position.finished.missing == ("6", "7", "8", "9", "10")


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
