"""Robots at a real table: whole deals with people who know only the display, and nothing is told early."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from companion.core.cards import Seat
from companion.core.codes import CardCode
from companion.protocol.snapshot import public_view, state
from firmware.cli import main as cli
from firmware.extensions.robots.seats import hand
from tests.firmware.evening import device
from tests.firmware.extensions.robots.robot_table import SIT_DOWN, RobotTable, with_robots
from tests.firmware.telling import told

TABLES = {"one": ("", "hard", ""), "three": ("easy", "normal", "", "hard"), "eight": ("easy",) * 7 + ("",)}
HAND = "7 10 13 20 25 30 35 40 45 50 "
WITH_ROBOT = SIT_DOWN["six"]
ROWS = "12 37 43 58 "


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_a_match_with_robots_is_played_to_its_end(tmp_path: Path, table: str) -> None:
    at_table = RobotTable(tmp_path, TABLES[table], Random(7))
    at_table.sit_down()
    for _ in range(3 if table == "three" else 1):
        at_table.deal()
        for _ in range(10):
            at_table.turn()
        assert not any(at_table.hands[seat] for seat in at_table.robots)
        assert list(at_table.at.match.totals) == at_table.totals
        if at_table.at.match.asks:
            at_table.answer_all("KEEP CARDS HIDDEN")
    if table == "three":
        assert at_table.at.match.winners
        assert at_table.taken_rows
        assert any(
            reason in row for row in at_table.taken_rows for reason in ("FEWEST HEADS", "SHORTEST ROW")
        )
    at_table.at.runtime.close()


def test_a_power_cut_after_every_act_changes_nothing(tmp_path: Path) -> None:
    at_table = RobotTable(tmp_path, ("", "normal"), Random(3))
    at_table.sit_down()
    at_table.cuts = True
    at_table.deal()
    for _ in range(4):
        at_table.turn()
    assert list(at_table.at.match.points) == at_table.totals
    at_table.at.runtime.close()


def test_an_undo_takes_the_card_of_a_robot_back_and_it_shows_the_same_one_again(tmp_path: Path) -> None:
    with with_robots(tmp_path, WITH_ROBOT) as at:
        at.people(HAND + ROWS + "OK")
        shown = at.match.asks[0].have
        assert len(shown) == 1
        assert shown[0] in told(at)
        at.people("OK UNDO +30")
        assert at.match.asks[0].have == ()  # it waits for OK
        at.people("99 14 +1")
        assert {line.card for line in at.match.board.newest} == {"14", "99", *shown}


def test_a_robot_chooses_its_row_and_waits_for_ok_after_an_undo(tmp_path: Path) -> None:
    with with_robots(tmp_path, WITH_ROBOT) as at:
        at.people("1 2 3 4 5 6 8 9 10 11 " + ROWS + "OK 14 99 +1")
        assert at.page == "robot_row"
        assert "FEWEST HEADS" in told(at)
        assert at.match.points[1] == 1
        at.people("UNDO +30")
        assert at.page == "robot_thinks"
        at.people("UNDO")
        assert at.page == "collecting"  # what was before the row can be undone as well
        at.people("99 +1 OK")
        assert at.match.points[1] == 1


def test_the_robots_card_may_be_scanned_as_well(tmp_path: Path) -> None:
    with with_robots(tmp_path, WITH_ROBOT) as at:
        at.people(HAND + ROWS + "OK")
        card = at.match.asks[0].have[0]
        at.people(card)
        assert "ROBOT'S CARD" in at.table.notice
        assert at.match.asks[0].have == (card,)


def test_a_card_that_was_scanned_as_the_robots_is_told_once_it_lies_open(tmp_path: Path) -> None:
    with with_robots(tmp_path, WITH_ROBOT) as at:
        at.people(HAND + ROWS + "20")
        assert at.page == "card_of_robot"
        at.people("OK")
        assert not at.match.asks[0].have
        at.people("20 R4 +1")
        assert list(at.match.asks[0].have) == ["20"]
        assert "ROBOT" not in " ".join(told(at))  # people lay its cards for it, as for somebody who is away
        at.people("99 14 +9")
        assert at.match.position.table.turn == 1


def test_without_a_scanner_the_hand_of_a_robot_is_set_by_keys_and_no_card_stays_on_the_display(
    tmp_path: Path,
) -> None:
    middle, cards = 52, 104  # where the dial begins, and where it wraps around
    with with_robots(tmp_path, WITH_ROBOT) as at:
        for number, card in enumerate(HAND.split(), start=1):
            assert at.page == "dealt_hand"
            tens, ones = divmod((int(card) - middle) % cards, 10)
            at.people("R1 " + "RIGHT " * tens + "UP " * ones)
            assert at.page == "dial"
            assert card in told(at)
            assert at.table.front.is_secret(at.runtime.session)
            at.people("OK")
            assert at.page == "card_set"
            assert at.table.front.is_secret(at.runtime.session)
            at.people("OK")
            if number < len(HAND.split()):
                assert f"{number}/10" in told(at)
                assert card not in told(at)
        at.people(ROWS + "OK")
        assert at.page == "robot_cards"
        assert set(at.match.asks[0].have) <= set(HAND.split())
        assert len(at.match.asks[0].have) == 1


def test_robots_are_offered_only_where_they_can_play(tmp_path: Path) -> None:
    with device(tmp_path, "R4 R1 R3") as at:
        assert at.table.notice == "NO ROBOTS IN THIS GAME"
        assert at.table.front.joined == (1,)
    with device(tmp_path / "again", WITH_ROBOT) as at:
        assert at.match.terms.robots == ("", "normal", "")
        assert at.match.terms.options["hands"] == [1]


def _views(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    said = []
    exports = ("export --format jsonl", "export --format csv", "export --format html")
    for words in ("show", "show --steps", *exports, "matches"):
        assert cli.main([*words.split(), "--journal", str(folder / "journal.sqlite")]) == 0
        said.append(capsys.readouterr().out)
    return said


@pytest.mark.parametrize(
    ("game", "hands"),
    [
        ("six", (HAND, "101 102 103 104 96 97 98 95 94 93")),
        ("eleven", ("3 14 25 36 47 58 69 80 91 100", "2 13 24 35 46 57 68 79 90 99")),
        ("ciao", ("1 2 3 4 5 6 7", "8 9 10 11 12 13 14")),
    ],
)
def test_no_view_tells_the_hand_of_a_robot_until_the_deal_is_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, hands: tuple[str, str]
) -> None:
    """Two tables that differ in what the robot holds: nothing that anybody can look at differs."""
    seen = []
    for number, cards in enumerate(hands):
        with with_robots(tmp_path / str(number), SIT_DOWN[game]) as at:
            pages = []
            for card in cards.split():
                action = CardCode(at.runtime.session.code, card)
                at.do(lambda table, action=action: table.act(action))  # type: ignore[misc]
                pages.append(told(at))
            rows = ROWS if game == "six" else ""
            for word in (rows + "+5 hold-OK UNDO LEFT LEFT RIGHT RIGHT WHY UNDO").split():
                at.people(word)
                pages.append(told(at))
            match = at.match
            assert len(hand(match, Seat(1))) == len(cards.split())
            seen.append([pages, public_view(state(match)), match.asks, match.board])
        views = _views(tmp_path / str(number), capsys)
        assert len(views[2].splitlines()) == 1
        uid = json.loads(views[2])["match"]
        moment = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d[-+:\d]*")
        seen[-1].append([moment.sub("AT", text.replace(uid, "UID")) for text in views])
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_after_the_deal_the_hand_is_in_the_export_and_the_coach_looks_at_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at_table = RobotTable(tmp_path, ("", "normal"), Random(5))
    at_table.sit_down()
    at_table.deal()
    for _ in range(10):
        at_table.turn()
    at_table.at.runtime.close()
    assert _views(tmp_path, capsys)[2].count("card_registered") == 10
    assert cli.main(["review", "--json", "--journal", str(tmp_path / "journal.sqlite")]) == 0
    plays = json.loads(capsys.readouterr().out)
    cards = [(play["seat"], play["turn"]) for play in plays if play["row"] is None]
    assert cards == [(2, turn) for turn in range(1, 10)]  # rows that were chosen are plays of their own
