"""An evening of 11 nimmt! at the device: what people scan and press, and what they see."""

from pathlib import Path

import pytest

from companion.core.codes import card_code
from firmware.screens.turn.refusal import Refusal
from tests.firmware.evening import Device, device

THREE = "R2 b1 b2 b3 OK OK R2 "
FIRST = THREE + "31 "
BULL = FIRST + "36 46 R1 23 87 "
"""The third player has a bull card."""


def piles(at: Device) -> list[list[int]]:
    """The piles on the table."""
    board = at.match.game.board(at.match.position.table)
    return [[int(card) for card in stack.cards] for stack in board.stacks]


def on_turn(at: Device) -> int:
    """The badge of who plays now."""
    return at.runtime.session.badge(at.match.asks[0].seats[0])


def test_the_second_player_may_begin(tmp_path: Path) -> None:
    with device(tmp_path, "R2 b1 b2 b3 OK b2 R2 31") as at:
        assert on_turn(at) == 2


def test_a_taking_is_one_key_and_the_two_new_cards(tmp_path: Path) -> None:
    with device(tmp_path, FIRST) as at:
        at.people("R1")
        assert at.page == "taken"
        at.people("12 70")
        assert piles(at) == [[12], [70]]
        assert on_turn(at) == 2
        assert at.match.game.board(at.match.position.table).hands == (11, 10, 10)


def test_a_card_that_fits_nowhere_is_refused_with_the_way_on(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "42") as at:
        refusal = at.controller.front
        assert isinstance(refusal, Refusal)
        assert "42" in str(refusal.fault)
        at.people("UNDO 41")
        assert piles(at) == [[31, 41]]


def test_with_a_bull_card_a_move_goes_on_until_it_is_ended(tmp_path: Path) -> None:
    with device(tmp_path, BULL + "88 92 94") as at:
        assert on_turn(at) == 3
        at.people("97 OK")
        assert piles(at)[-1] == [87, 88, 92, 94, 97]
        assert on_turn(at) == 1


def test_a_card_in_another_hand_is_refused_without_saying_whose_hand_it_is(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "36 46 R1 23 40 36") as at:
        refusal = at.controller.front
        assert isinstance(refusal, Refusal)
        assert str(refusal.fault) == "card 36 is covered on a pile or in another hand"


def test_the_cursor_takes_a_pile_and_dials_a_card_where_there_are_no_row_keys(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "UP OK") as at:
        assert at.page == "dial"
        at.people("LEFT LEFT UP UP UP OK OK")
        assert piles(at) == [[31, 33]]
        at.people("DOWN OK")
        assert at.match.game.board(at.match.position.table).hands == (9, 12, 10)


def test_hands_are_counted_by_scans_or_typed(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "36 :6NC-NEXT") as at:
        assert at.page == "hands"
        at.people("R1 RIGHT UP UP OK")
        assert at.page in ("hands", "deal_end")
        at.people("R1 RIGHT UP UP UP OK R1 RIGHT UP UP UP UP OK")
        assert at.page == "deal_end"
        at.people("OK")
        assert sorted(at.match.totals) == [12, 13, 14]


@pytest.mark.parametrize("game", ["6N", "CI"])
def test_a_card_of_another_game_is_refused_by_name(tmp_path: Path, game: str) -> None:
    with device(tmp_path, FIRST + f":{card_code(game, 7)}") as at:
        refusal = at.controller.front
        assert isinstance(refusal, Refusal)
        assert {"6N": "6 NIMMT!", "CI": "CIAO!"}[game] in str(refusal.fault)
        assert piles(at) == [[31]]


def test_a_card_between_matches_offers_its_game(tmp_path: Path) -> None:
    with device(tmp_path, f":{card_code('11', 7)} b1 b2 OK") as at:
        assert at.page == "beginner"


def test_what_lies_below_the_top_of_a_pile_is_shown_to_nobody(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "36 46 RIGHT") as at:
        assert at.page == "rows"
        before = at.runtime.app.picture().tobytes()
    with device(tmp_path / "other", FIRST + "41 46 RIGHT") as at:
        assert at.runtime.app.picture().tobytes() == before
