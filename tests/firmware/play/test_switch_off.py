"""The page of the switch, with a switch that nothing hangs on."""

from pathlib import Path

import pytest

from firmware.session.actions import SWITCH_OFF_S
from hardware.ports import Key, KeyPressed, KeyReleased, Press
from tests.firmware.evening import EXAMPLE_1, PLACED, Device, SimulatedPower, device


def open_switch(at: Device) -> SimulatedPower:
    switch = SimulatedPower()
    at.table.power = switch
    at.people("menu:SWITCH_OFF")
    assert at.page == "switch_off"
    return switch


def hold(at: Device) -> None:
    at.give(KeyPressed(Key.OK, Press.LONG, at.table.now_s))


@pytest.mark.parametrize("script", ["", EXAMPLE_1])
def test_ok_held_on_the_page_of_the_switch_counts_down_and_switches_off(tmp_path: Path, script: str) -> None:
    with device(tmp_path, script) as at:
        switch = open_switch(at)
        still = at.runtime.app.picture().tobytes()
        hold(at)
        counted = [at.runtime.app.picture().tobytes()]
        for _ in range(2):
            at.wait(1)
            counted.append(at.runtime.app.picture().tobytes())
        assert len({still, *counted}) == 4
        assert switch.asked == []
        at.wait(SWITCH_OFF_S - 2)
        assert switch.asked == ["off"]
        assert at.table.notice == "SWITCHING OFF"


def test_letting_go_stays_on_and_shows_the_page_as_before(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        switch = open_switch(at)
        still = at.runtime.app.picture().tobytes()
        hold(at)
        at.give(KeyReleased(Key.OK, at.table.now_s + 2), 2)
        at.wait(10)
        assert switch.asked == []
        assert at.runtime.app.picture().tobytes() == still


@pytest.mark.parametrize(
    "deed", ["UNDO", "LEFT", "12", "b1", ":6NC-AUDITE", ":6NC-MENUM", ":6NC-OKB", ":SPAM"]
)
def test_whatever_else_is_done_while_ok_is_held_stops_the_countdown(tmp_path: Path, deed: str) -> None:
    with device(tmp_path, PLACED) as at:
        switch = open_switch(at)
        hold(at)
        at.people(deed)
        at.wait(SWITCH_OFF_S)
        assert switch.asked == []


def test_the_code_of_the_menu_which_nobody_can_let_go_begins_no_countdown(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        switch = open_switch(at)
        at.people(":6NC-MENUM")
        assert at.table.notice == "HOLD OK DOWN"
        at.wait(SWITCH_OFF_S)
        assert switch.asked == []


def test_a_short_press_says_what_is_missing_and_undo_goes_back(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        before = at.page
        switch = open_switch(at)
        at.people("OK")
        assert at.table.notice == "HOLD OK DOWN"
        at.people("UNDO")
        assert (at.page, switch.asked) == (before, [])


def test_no_menu_offers_a_switch_that_is_not_there(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.people("hold-OK UP OK")
        assert at.page != "switch_off"
