"""An evening of which only the score is kept: sums, piles, takings, and a deal corrected afterwards."""

from pathlib import Path

import pytest

from companion.core.codes import Control, control_code
from companion.match.match import Terms, begin
from companion.text.errors import InvalidRecord
from firmware.history.players import names_in, note_with
from hardware.ports import Scanned
from tests.firmware.evening import choose_in_menu, device
from tests.firmware.telling import told
from tests.whole.reading import alike, title

BEGIN = "R4 b1 b2 b3 b4 OK "
POINTS = BEGIN + "R4 R1 R1 R1 R1 "
"""Another game: only its points, nobody knows its cards."""
TYPED, PILES, TAKES = (BEGIN + f"R1 {way} R1 R1 " for way in ("R1", "R2", "R3"))
PRO = BEGIN + "R1 R1 R2 R1 "
"""The known deck of four: 44 cards with 72 heads."""


def test_after_the_last_deal_a_number_changes_nothing(tmp_path: Path) -> None:
    with device(tmp_path, BEGIN + "R1 R1 R1 R1 70 3 0 9 OK") as at:
        assert at.page == "deal_end"
        steps = at.match.steps
        at.people("5")
        assert at.match.steps == steps
        assert at.match.position.over


def test_points_are_typed_as_they_are_written_up_to_five_digits_and_below_zero(tmp_path: Path) -> None:
    with device(tmp_path, POINTS + ":6NC-MUTEY") as at:
        for number in ("99999", "-1050", "1000", "-7"):
            at.give(Scanned(number, typed=True), 0.1)
            at.runtime.app.picture()
        assert at.view["sums"] == [99999, -1050, 1000, -7]
        at.people("OK")
        assert at.match.totals == (99999, -1050, 1000, -7)


@pytest.mark.parametrize("number", ["100000", "--5", "12-3"])
def test_what_is_no_number_of_points_is_refused_with_a_reason(tmp_path: Path, number: str) -> None:
    with device(tmp_path, POINTS) as at:
        at.give(Scanned(number, typed=True))
        assert (at.page, bool(at.refused), at.signals[-1]) == ("sums", True, "refused")
        assert at.match.newest is None


def test_when_all_is_typed_a_number_corrects_the_player_whose_badge_follows(tmp_path: Path) -> None:
    with device(tmp_path, POINTS + "12 3 0 9 15") as at:
        assert at.table.notice == "15: WHOSE BADGE?"
        assert "refused" not in at.signals
        assert "15: WHOSE BADGE?" in told(at)
        assert "OK=YES" not in told(at)
        at.people("b2")
        assert at.view["sums"] == [12, 15, 0, 9]
        at.people("16 OK")
        assert at.match.newest.events[-1].KIND != "deal_scored"  # type: ignore[union-attr]
        at.people("DOWN OK")
        assert at.view["sums"] == [16, 15, 0, 9]
        at.people("17 UNDO OK")
        assert at.match.totals == (16, 15, 0, 9)


def test_a_corrected_score_can_be_below_zero_and_have_four_digits_and_no_arrows_are_needed(
    tmp_path: Path,
) -> None:
    with device(tmp_path, POINTS + "12 3 0 9 OK OK :6NC-EDITR :6NC-HELPB") as at:
        assert "TYPE THE POINTS OF" in " ".join(told(at))
        at.people("UNDO")
        for number in ("-40", "1234"):
            at.give(Scanned(number, typed=True))
        at.people("hold-UNDO R2 R2 R2 R2 OK")
        assert at.match.totals == (1234, -1, 0, 9)


def test_no_cards_are_counted_where_none_are_known(tmp_path: Path) -> None:
    with device(tmp_path, POINTS + "12 3 0 9 OK") as at:
        assert at.page == "deal_end"
        assert title(at.runtime.app.picture()) == alike("DEAL 1 ENDS")


def test_a_card_typed_that_can_be_read_upside_down_is_asked_again(tmp_path: Path) -> None:
    with device(tmp_path, PILES + "R1 R4 UP UP UP UP OK OK") as at:
        assert at.page == "decide"
        at.people("R2")
        assert at.view["loose"] == ["99"]


def test_an_earlier_deal_is_put_right_and_the_old_score_stays_in_the_log(tmp_path: Path) -> None:
    with device(tmp_path, POINTS + "12 3 0 9 OK OK 1 1 1 1 OK OK") as at:
        assert at.match.totals == (13, 4, 1, 10)
        at.people(":6NC-EDITR R2 b2 20 OK")
        assert at.match.totals == (13, 21, 1, 10)
        newest = at.match.newest
        assert newest is not None
        assert newest.events[0].old == (12, 3, 0, 9)
        at.people("UNDO")
        assert at.match.totals == (13, 4, 1, 10)


def test_a_score_put_right_after_the_match_changes_who_has_won(tmp_path: Path) -> None:
    with device(tmp_path, POINTS + "100 3 0 9 OK OK OK OK") as at:
        assert at.page == "match_end"
        assert at.match.winners == (2,)
        at.people(":6NC-EDITR b3 50 OK")
        assert at.match.winners == (1,)


def test_the_highest_score_wins_where_that_was_agreed(tmp_path: Path) -> None:
    with device(tmp_path, BEGIN + "R4 R1 R1 R2 R1 100 3 0 9 OK OK") as at:
        assert at.match.winners == (0,)


def codes(keys: str) -> str:
    """The same keys as codes of the control sheet, for a table without keys."""
    return " ".join(f":{control_code(Control(key))}" for key in keys.split())


KEYS = "R1 R4 R1 R1 R1 R4 OK R1 R3 R2 OK"
WAYS = {
    "sums by keys": (POINTS, KEYS, (12, 3, 0, 9)),
    "sums by the control sheet": (POINTS, codes(KEYS), (12, 3, 0, 9)),
    "piles by scanner": (PILES, "12 55 b1 13 b2 14 b3 15 b4 :6NC-R3G", (8, 1, 1, 2)),
    "piles by scanner and keys": (PILES, "12 55 OK 13 OK 14 OK 15 OK R3", (8, 1, 1, 2)),
    "takings by scanner": (TAKES, "12 55 b2 30 b4 :6NC-R3G", (0, 8, 0, 3)),
    "takings by keys": (TAKES, "12 55 R4 R2 30 R4 R4 R3", (0, 8, 0, 3)),
    "a deal corrected by keys": (POINTS + "12 3 0 9 OK ", "R2 DOWN R4 OK", (12, 13, 0, 9)),
    "a deal corrected from the menu": (
        POINTS + "12 3 0 9 OK OK ", "menu:CORRECT_A_SCORE DOWN R4 OK", (12, 13, 0, 9),
    ),
    "numbers that are typed on after a deal": (POINTS + "12 3 0 9 OK ", "1 2 3 4 OK", (13, 5, 3, 13)),
    "badge and numbers after a deal": (POINTS + "12 3 0 9 OK ", "b3 7 1 2 4 OK", (13, 5, 7, 13)),
    "a known deck that fits closes without a word": (PRO, "10 10 10 12 R2 30 OK", (10, 10, 10, 12)),
    "a known deck with a sum that is wrong": (PRO, "10 10 10 10 R2 R2 R2 R1 OK R3", (10, 10, 10, 10)),
}  # fmt: skip
"""What people do, and what they have then. With so few cards the deal fails its check and is closed all the
same, by R3."""


@pytest.mark.parametrize("way", WAYS)
def test_a_deal_is_entered_with_whatever_a_table_has(tmp_path: Path, way: str) -> None:
    before, actions, totals = WAYS[way]
    with device(tmp_path, before + actions) as at:
        assert at.match.totals == totals


SUMS = {
    "larger numbers and those below zero are dialled by holding the keys": (
        POINTS + "hold-R4 hold-R3 R1 R3 R3 hold-R1 hold-R3 hold-R3 R2 R3 R4", [1110, -227, None, None],
    ),
    "a number corrects the player who is chosen": (POINTS + "12 3 0 9 b3 15", [12, 3, 15, 9]),
    "a badge names whose sum it is": (POINTS + "b3 7 12 3 9 b1 21", [21, 3, 7, 9]),
    "the points of a pile are three presses away": (PILES + "R2 R2 R3 R4", [27, None, None, None]),
}  # fmt: skip


@pytest.mark.parametrize(("script", "sums"), SUMS.values(), ids=SUMS)
def test_any_sum_is_put_right_before_closing(tmp_path: Path, script: str, sums: list[int | None]) -> None:
    with device(tmp_path, script) as at:
        assert at.view["sums"] == sums


NAMED = BEGIN + "R4 UP OK "
"""The page for the name of a game."""


def test_a_game_gets_a_name_that_is_offered_again(tmp_path: Path) -> None:
    with device(tmp_path, NAMED + ":SKAT R1 R1 R1 12 3 0 9 OK") as at:
        assert at.match.game.title == "Skat"
        assert at.match.totals == (12, 3, 0, 9)
        choose_in_menu(at, "SUSPEND THE MATCH")
        at.people("OK")
        (suspended,) = at.runtime.session.suspended()
        assert suspended.title == "Skat"
    with device(tmp_path, BEGIN + "R4") as at:
        assert {"1=NO NAME", "2=SKAT", "3=HEARTS"} <= set(told(at))
        at.people("R2 R1 R1 R1")
        assert at.match.terms.options["name"] == "Skat"


def test_a_game_can_stay_without_a_name_after_all(tmp_path: Path) -> None:
    with device(tmp_path, NAMED + "R4 R1 R1 R1") as at:
        assert at.match.game.title == "KEEP SCORE"
        assert at.runtime.session.notes.game_names == ()


def test_twelve_names_are_kept_the_newest_first_and_each_once() -> None:
    note = None
    for number in [*range(20), 10]:
        note = note_with(note, Terms("score", 4, {"of": "other", "name": f"game {number}"}))
    assert names_in(note) == tuple(f"game {number}" for number in (10, *range(19, 10, -1), 9, 8))
    assert note_with(note, Terms("score", 4)) == note
    assert note_with(None, Terms("six", 4)) is None


@pytest.mark.parametrize("name", [7, "x" * 25, "a\nb"])
def test_what_is_no_name_of_a_game_is_refused(name: object) -> None:
    with pytest.raises(InvalidRecord, match=r"options\.name"):
        begin(Terms("score", 3, {"name": name}))
    with pytest.raises(InvalidRecord, match="already has a name"):
        begin(Terms("score", 3, {"of": "six", "name": "Skat"}))


def test_every_usual_number_of_points_is_three_presses_away(tmp_path: Path) -> None:
    with device(tmp_path, POINTS) as at:
        for number in (0, 1, 15, 16, 31, 47):
            wide, rest = divmod(number, 16)
            some, one = divmod(rest, 4)
            at.people(f"R{wide + 1} R{some + 1} R{one + 1}")
            assert at.view["sums"][0] == number
            at.people("UNDO")
        at.people("R4 R2 R1 R1")  # behind 47 it takes one press more
        assert at.view["sums"][0] == 64


def test_undo_leaves_the_numbers_near_and_is_told(tmp_path: Path) -> None:
    with device(tmp_path, POINTS + "12 R2") as at:
        assert {"1=16–19", "UNDO=BACK"} <= set(told(at)) or "16–19" in told(at)
        at.people("UNDO")
        assert "0–15" in told(at)
        assert at.view["sums"][0] == 12
        at.people("UNDO")
        assert at.view["sums"][0] is None


def test_well_known_games_and_the_name_of_the_configuration_are_offered(tmp_path: Path) -> None:
    with device(tmp_path, BEGIN + "R4 R2 R1 R1 R1") as at:
        assert at.match.title == "HEARTS"
    rules = {"score": {"of": "other", "name": "Skat"}}
    with device(tmp_path / "named", BEGIN + "R1", rules=rules) as at:
        assert {"1=SKAT", "2=NO NAME"} <= set(told(at))
        at.people("R1 R1 R1 R1")
        assert at.match.title == "Skat"


def test_a_limit_says_at_least_and_why_explains_it(tmp_path: Path) -> None:
    for asks in ("R1 b1 b2 OK", BEGIN + "R1 R1 R1"):
        with device(tmp_path / asks[:2], asks) as at:
            at.people("WHY")
            assert any("66 ENDS" in line or "WHO HAS 66" in line for line in told(at))
            at.people("UNDO R4")
            assert "SOMEONE HAS ≥ ..." in told(at)
