"""The operator of a kiosk: who gets to the page, what it says, and where else the figures are."""

import csv
import io
import json
import time
from pathlib import Path

import pytest

from companion.text.errors import CompanionError
from firmware.cli.main import main
from firmware.commands import status as status_command
from firmware.config.sections import KioskOptions
from firmware.kiosk.counts import COLUMNS, FILE
from firmware.kiosk.operator import Operator
from firmware.service import status
from hardware.ports import Key, KeyPressed, KeyReleased, Press
from tests.firmware.kiosk.kiosk_box import KioskBox, kiosk_box

OPTIONS = KioskOptions(pin="3142")


def hold(at: KioskBox, seconds: float, *keys: Key) -> None:
    for key in keys:
        at.give(KeyPressed(key, Press.LONG))
    at.wait(seconds, step_s=0.1)
    for key in keys:
        at.give(KeyReleased(key))


@pytest.mark.parametrize("before", ["", "R1", "R1 R1 R1"])
def test_ok_and_undo_for_five_seconds_and_the_pin_open_the_page(tmp_path: Path, before: str) -> None:
    with kiosk_box(tmp_path, before, kiosk=OPTIONS) as at:
        hold(at, 3.9, Key.OK, Key.UNDO)
        assert at.page != "pin"
        hold(at, 4.5, Key.OK, Key.UNDO)
        assert at.page == "pin"
        at.people("R3 R1 R4 R2")
        assert at.page == "operator"
        at.people("R4 R4 UNDO")
        assert at.page != "operator"


def test_one_of_the_keys_alone_opens_nothing_and_neither_does_a_box_without_a_pin(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1", kiosk=OPTIONS) as at:
        hold(at, 6, Key.OK)
        hold(at, 6, Key.OK, Key.ROW_1)
        assert at.page == "visitor_menu"
    with kiosk_box(tmp_path / "without", "R1") as at:
        hold(at, 6, Key.OK, Key.UNDO)
        assert at.page == "visitor_menu"


def test_after_three_wrong_pins_there_is_a_minute_of_silence(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1", kiosk=OPTIONS) as at:
        for _ in range(3):
            hold(at, 4.5, Key.OK, Key.UNDO)
            assert at.page == "pin"
            at.people("R1 R1 R1 R1")
            assert at.page != "operator"
        hold(at, 4.5, Key.OK, Key.UNDO)
        assert at.page != "pin"
        at.wait(60)
        hold(at, 4.5, Key.OK, Key.UNDO)
        at.people("R3 R1 R4 R2")
        assert at.page == "operator"


def test_the_page_says_what_was_counted_and_turns_the_sound_off(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R1", kiosk=OPTIONS) as at:
        hold(at, 4.5, Key.OK, Key.UNDO)
        at.people("R3 R1 R4 R2 R1")
        assert at.table.state.muted
        page = at.table.front
        assert isinstance(page, Operator)
        lines = [str(line) for line in page.lines]
        assert lines[0] == "VISITORS 1 / 1"
        assert lines[1] == "LESSONS 1, DONE 0"
        assert lines[4] == "STUCK KEYS: -"


def test_the_operator_is_no_visitor_and_who_comes_then_is_one(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, kiosk=OPTIONS) as at:
        hold(at, 4.5, Key.OK, Key.UNDO)
        at.people("R3 R1 R4 R2")
        page = at.table.front
        assert isinstance(page, Operator)
        assert str(page.lines[0]) == "VISITORS 0 / 0"
        at.wait(60)
        assert at.page == "attract"
        at.people("hold-OK")
        at.people("R1")
        assert at.kiosk.counts.in_all()["visitors"] == 1


def test_the_operator_chooses_the_language_in_which_the_attract_loop_begins(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, kiosk=OPTIONS) as at:
        hold(at, 4.5, Key.OK, Key.UNDO)
        at.people("R3 R1 R4 R2 R2 UNDO")
        assert (at.page, at.runtime.session.language) == ("operator", "en")
        at.people("R2 R2")
        assert (at.page, at.runtime.session.language) == ("operator", "de")
        at.wait(31)
        assert (at.page, at.runtime.session.language) == ("attract", "de")


def test_the_owner_gets_the_menu_and_the_box_is_a_kiosk_again_afterwards(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, kiosk=OPTIONS) as at:
        hold(at, 4.5, Key.OK, Key.UNDO)
        at.people("R3 R1 R4 R2 R3")
        assert at.page == "menu"
        at.people("UNDO")
        assert at.page == "start"
        at.people("R1 b1 b2 OK R1 R1 12 37 43 58")
        assert at.match.terms.game == "six"
        at.wait(119)
        assert at.page != "attract"
        at.wait(2)
        assert at.page == "attract"
        assert at.runtime.session.match is None
        at.people("OK")
        assert at.page == "visitor_language"


def test_the_owner_leaves_by_the_same_keys(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, kiosk=OPTIONS) as at:
        hold(at, 4.5, Key.OK, Key.UNDO)
        at.people("R3 R1 R4 R2 R3")
        hold(at, 4.5, Key.OK, Key.UNDO)
        assert at.page == "attract"


def test_the_status_tells_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with kiosk_box(tmp_path, "R1 R1 R1", knows_time=False) as at:
        said = status.described(at.runtime.session, (), at.kiosk.status(at.table), safe=False)
    file = status.StatusFile(tmp_path / "status.json")
    file.write(said, time.monotonic())

    class Args:
        json = False
        file = tmp_path / "status.json"
        config = None

    assert status_command.run(Args) == 0  # type: ignore[arg-type] # what argparse would give
    told = capsys.readouterr().out
    assert "the clock is not set" in told
    assert "visitors: 1 today, 1 in all" in told
    kept = json.loads((tmp_path / "status.json").read_text(encoding="utf-8"))
    assert kept["kiosk"]["in_all"]["lessons_begun"] == 1


def test_the_counts_are_exported_as_a_table_of_days(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with kiosk_box(tmp_path, "R1 R1 R1") as at:
        at.wait(61)
    journal = str(tmp_path / "journal.sqlite")
    assert main(["export", "kiosk", "--journal", journal]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["day"], row["visitors"]) for row in rows] == [("2026-02-21", "1")]
    assert set(rows[0]) == {"day", *COLUMNS}
    stick = tmp_path / "stick"
    stick.mkdir()
    assert main(["export", "kiosk", "--journal", journal, "--to", str(stick)]) == 0
    assert (stick / FILE).read_bytes() == (tmp_path / FILE).read_bytes()
    assert main(["export", "kiosk", "--journal", str(stick / "none" / "j.sqlite")]) == 1


def test_a_word_that_is_no_match_is_refused() -> None:
    with pytest.raises((SystemExit, CompanionError)):
        main(["export", "all-of-them"])
