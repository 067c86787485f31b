"""Who must live for the box to count as alive, and what is told of the rest."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.config.configuration import choose
from firmware.service import status
from firmware.service.machine import LATCH_S
from firmware.service.watchdog import BEAT_S
from hardware.ports import DeviceFault, Light
from tests.firmware.evening import EXAMPLE_1
from tests.hardware.gpio_setup import dead_thread_of_edges, fresh_chip
from tests.patience import comes
from tests.systemd.box import Box, box


def test_it_is_ready_when_the_loop_has_turned_and_turns_between_two_beats_cost_nothing(at: Box) -> None:
    assert at.manager.waiting() == []
    assert "READY=1" in at.beat()
    assert "READY=1" not in at.beat()
    assert at.beat(BEAT_S / 4) == []


def test_a_day_without_a_hand_is_a_day_without_a_missed_beat(at: Box) -> None:
    at.people(EXAMPLE_1)
    steps = at.runtime.session.playing.steps
    lights = set()
    starved = []
    for minutes in [1] * 10 + [10] * 143:
        if "WATCHDOG=1" not in at.beat(minutes * 60.0):
            starved.append(at.now_s)
        lights.add(at.runtime.devices["display"].light_level)
    assert starved == []
    assert at.runtime.session.playing.steps == steps
    assert at.faults == {}
    assert lights == set(Light)  # it was dimmed and went dark meanwhile
    at.people("7")
    assert at.runtime.session.playing.steps == steps + 1  # a scan in the dark counts


def test_a_journal_that_cannot_be_written_starves_the_watchdog_and_is_told(at: Box) -> None:
    assert at.fed()
    at.journal.rename(at.journal.with_name("elsewhere.sqlite"))
    assert not at.fed()
    assert at.faults["journal/writing"].check
    at.journal.with_name("elsewhere.sqlite").rename(at.journal)
    assert at.fed()
    assert at.faults == {}


def test_a_dead_thread_of_the_keys_starves_the_watchdog(tmp_path: Path) -> None:
    chip = fresh_chip()
    with box(tmp_path, buttons=choose("buttons", "gpio", {"pins": {"ok": 26}})) as at:
        at.runtime.start()
        assert chip.wait_watched(26)
        assert at.fed()
        with dead_thread_of_edges():
            assert not at.fed()
        assert "buttons/thread" in at.faults


def test_a_scanner_and_a_display_that_are_away_are_degraded_and_not_dead(tmp_path: Path) -> None:
    away: dict[str, Any] = {
        "scanner": choose("scanner", "serial", {"port": str(tmp_path / "none")}),
        "display": choose("display", "png", {"folder": str(tmp_path / "none")}),
    }
    with box(tmp_path, **away) as at:
        at.runtime.start()
        warned = {("scanner", "warning"), ("display", "warning")}
        assert comes(
            lambda: at.fed() and {(one.key, one.severity.value) for one in at.pulse.issues} == warned
        )


def test_in_safe_mode_the_loop_alone_feeds_the_watchdog(tmp_path: Path) -> None:
    with box(tmp_path, safe=True) as at:
        at.journal.unlink()
        assert at.fed()
        assert "journal/writing" in at.faults


def test_a_weak_supply_is_told_at_the_table_until_it_is_over(tmp_path: Path) -> None:
    alarm = tmp_path / "hwmon" / "hwmon1"
    alarm.mkdir(parents=True)
    alarm.joinpath("name").write_text("rpi_volt\n")
    alarm.joinpath("in0_lcrit_alarm").write_text("1\n")
    with box(tmp_path) as at:
        at.beat()
        assert "too weak" in at.faults["under-voltage"].fault
        assert at.runtime.app.table.front.NAME == "device_away"
        alarm.joinpath("in0_lcrit_alarm").write_text("0\n")
        at.beat()
        assert "under-voltage" in at.faults
        assert {issue.key: issue.severity.value for issue in at.pulse.issues} == {"under-voltage": "warning"}
        at.beat(LATCH_S)
        assert at.pulse.issues == []
        assert at.faults == {}


def test_what_an_optional_part_tells_is_a_warning(at: Box) -> None:
    at.runtime.app.post(DeviceFault("dice", "a die is missing", "look under the table"))
    for _ in range(2):
        at.beat()
    assert [(issue.key, issue.severity.value) for issue in at.pulse.issues] == [("dice", "warning")]


def test_a_note_is_in_the_status_and_never_on_the_display(tmp_path: Path, at: Box) -> None:
    (tmp_path / "synchronized").unlink()
    at.beat()
    assert at.faults == {}
    assert [issue["id"] for issue in json.loads(at.status.read_text())["issues"]] == ["clock"]


@pytest.mark.parametrize("left", ["", "{", "[]", '{"pid": 1}', '{"pid": 999999999, "said_at_s": 0}'])
def test_a_file_that_was_left_behind_is_no_running_program(tmp_path: Path, left: str) -> None:
    file = tmp_path / "status.json"
    file.write_text(left)
    assert status.seen(file) is None
    assert status.seen(tmp_path / "absent") is None


def test_a_status_that_cannot_be_written_costs_one_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "run").write_text("a file where the folder should be")
    with box(tmp_path) as at:
        assert [at.fed() for _ in range(3)] == [True] * 3
    assert caplog.text.count("can no longer be written") == 1


def test_the_status_is_where_systemd_says_else_with_the_user(tmp_path: Path) -> None:
    assert status.place({"RUNTIME_DIRECTORY": "/run/nimmt:/run/other"}) == status.OF_THE_SERVICE
    assert status.place({"XDG_RUNTIME_DIR": str(tmp_path)}) == tmp_path / "nimmt" / "status.json"
    assert status.place({}) is None
