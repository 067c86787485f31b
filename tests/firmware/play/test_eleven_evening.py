"""An evening of 11 nimmt! at the device: what people scan and press, and what they see."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.codes import card_code
from companion.core.tally import Taken
from companion.match.tally import tally_of
from companion.text.sentence import BULL as BULL_HEAD
from firmware.commands.players import SimulatedGroup
from firmware.config.configuration import load
from firmware.display.glyphs import BULL_CARD
from firmware.screens.turn.refusal import RefusalPage
from tests.firmware.evening import Device, device
from tests.firmware.telling import told

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


OPEN = BULL + "88 92 24 "
"""The third player has a bull card, and has laid 24 on 23."""


@pytest.mark.parametrize(
    ("script", "lies"), [("95", [[23, 24], [87, 88, 92, 95]]), ("30 R1", [[23, 24, 30]])]
)
def test_the_next_player_ends_a_move_with_bull_cards_by_playing(
    tmp_path: Path, script: str, lies: list[list[int]]
) -> None:
    with device(tmp_path, OPEN + script) as at:
        assert "refused" not in at.signals
        assert piles(at)[: len(lies)] == lies
        assert on_turn(at) == 2


def test_who_played_a_card_that_two_can_have_played_is_asked_by_name(tmp_path: Path) -> None:
    table = replace(load(None).table, names=("Ana", "Bo", "Cem"))
    with device(tmp_path, OPEN, table=table) as at:
        assert ("CEM: MORE CARDS, OR ANA" in told(at), at.table.notice) == (True, "")
        at.people("30")
        assert {"30: ANA'S CARD?", "ANA", "CEM", "30"} <= set(told(at))
        at.people("R2")
        assert piles(at)[0] == [23, 24, 30]
        assert on_turn(at) == 3


def test_a_pile_is_called_by_its_top_card_wherever_it_is_told_of(tmp_path: Path) -> None:
    with device(tmp_path, THREE + "10 R1 18 57 21 WHY") as at:
        assert "21 ON 18: WHY?" in told(at)
        assert "PILE" not in told(at)
        at.people("OK RIGHT")
        assert [word for word in told(at) if word.isdigit()] == ["21", "57"]  # no key beside them
        at.people("OK R1")
        assert str(at.match.board.newest[0].because.says).startswith("player 3 takes the pile with 21 on top")


def test_who_takes_three_cards_is_told_to_take_a_bull_card_and_sees_it(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "36 46 R1") as at:
        assert {BULL_CARD, "TAKE A BULL", "CARD", "13 CARDS"} <= set(told(at))
        assert not [word for word in told(at) if "TOTAL" in word or BULL_HEAD in word]
    with device(tmp_path / "two", FIRST + "36 R1") as at:
        assert at.page == "taken"
        assert BULL_CARD not in told(at)


OUT = "R2 b1 b2 OK OK R1 1 5 9 R1 100 40 41 51 50 49 48 47 46 45 44 43 42 52 9 5 1 "


def test_before_the_cards_of_others_are_asked_for_it_is_told_who_is_out(tmp_path: Path) -> None:
    table = replace(load(None).table, names=("Ana", "Bo"))
    with device(tmp_path, OUT, table=table) as at:
        assert at.page == "out_of_cards"
        assert {"THE DEAL IS OVER", "ANA", "HAS NO CARDS LEFT"} <= set(told(at))
        assert str(at.match.board.newest[-1].outcome) == "P1 IS OUT"
        at.people("60")  # a card of the next hand is counted at once
        assert (at.page, at.have) == ("hands", "60")
        at.people("UNDO UNDO")
        assert on_turn(at) == 1


def test_the_worst_card_is_what_somebody_was_left_with_and_not_what_was_once_taken(tmp_path: Path) -> None:
    with device(tmp_path, OUT + "OK 60 61 62 63 64 66 67") as at:
        assert tally_of(at.match).taken == (Taken(1), Taken(0, "66", 5))


def test_of_many_piles_a_row_key_names_a_line_and_the_next_one_its_pile(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "R1 40 50 R1 60 70 R1 80 90 R1 20 30") as at:
        assert [word for word in told(at) if word.isdigit()][:5] == ["20", "30", "70", "80", "90"]
        at.people("R1 UNDO R1")
        assert {"71-80", "P2: TAKE WHICH PILE?"} <= set(told(at))
        at.people("R3")
        assert [top for *_, top in piles(at)] == [80, 90, 20, 30]


def test_in_a_bull_move_the_open_pile_comes_first_and_ok_ends_it_at_once(tmp_path: Path) -> None:
    with device(tmp_path, OPEN + "DOWN UNDO") as at:
        assert [word for word in told(at) if word.isdigit()][:2] == ["24", "92"]
        at.people("OK")
        assert on_turn(at) == 1


def test_people_are_told_to_deal_and_to_scan_what_they_turn_up(tmp_path: Path) -> None:
    with device(tmp_path, THREE) as at:
        assert {"10 CARDS EACH", "TURN UP, SCAN 1 CARD"} <= set(told(at))
        at.people("31 R1 OK")
        assert {"0/2", "TURN UP, SCAN 2 CARDS"} <= set(told(at))


def test_the_cursor_takes_a_pile_and_dials_a_card_where_there_are_no_row_keys(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "UP OK") as at:
        assert at.page == "dial"
        at.people("LEFT LEFT UP UP UP OK OK")
        assert piles(at) == [[31, 33]]
        at.people("DOWN DOWN OK")
        assert at.match.game.board(at.match.position.table).hands == (9, 12, 10)


def test_hands_that_nobody_had_to_count_are_shown_with_their_points_at_the_end_of_a_deal(
    tmp_path: Path,
) -> None:
    with device(tmp_path, rules={"eleven": {"hands": [0, 1]}}) as at:
        players = SimulatedGroup("eleven", 2, Random(3))
        while at.page != "counted_hands":
            at.give(players.next(at.table), 6.0)  # type: ignore[arg-type] # the match is not over
            at.wait(6.0)
        assert {"HANDS COUNTED", "P1: 20, 48, 50, 51,", "61, 70 =\xa012\xa0POINTS", "OK=NEXT"} <= {*told(at)}
        steps = at.match.steps
        at.people("48")
        assert (at.match.steps, at.page) == (steps, "counted_hands")
        at.people("OK")
        assert at.page == "deal_end"


def test_hands_are_counted_by_scans_or_typed(tmp_path: Path) -> None:
    with device(tmp_path, FIRST + "36 :6NC-NEXTK") as at:
        assert at.page == "hands"
        at.people("R1 R1 R4 R1")
        assert at.page in ("hands", "deal_end")
        at.people("R1 R1 R4 R2 R1 RIGHT UP UP UP UP OK")
        assert at.page == "deal_end"
        at.people("OK")
        assert sorted(at.match.totals) == [12, 13, 14]


@pytest.mark.parametrize("game", ["6N", "CI"])
def test_a_card_of_another_game_is_refused_by_name(tmp_path: Path, game: str) -> None:
    with device(tmp_path, FIRST + f":{card_code(game, 7)}") as at:
        refusal = at.refused
        assert isinstance(refusal, RefusalPage)
        assert {"6N": "6 NIMMT!", "CI": "CIAO!"}[game] in str(refusal.fault)
        assert piles(at) == [[31]]


def test_a_card_between_matches_offers_its_game(tmp_path: Path) -> None:
    with device(tmp_path, f":{card_code('11', 7)} b1 b2 OK") as at:
        assert at.page == "beginner"
