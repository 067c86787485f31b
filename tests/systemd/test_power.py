"""Switching off: only on purpose, only by asking, and never in silence when the machine will not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware.service.power import Logind, SimulatedPower
from firmware.session.switch import HOLD_S, Hold
from hardware.ports import DeviceFault, Key, KeyReleased
from tests.firmware.evening import device
from tests.hardware.device_setup import Letters


def script(folder: Path, body: str) -> str:
    """A program in the place of systemctl."""
    file = folder / "systemctl"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


def test_holding_the_key_counts_down_and_switches_off_once() -> None:
    hold = Hold()
    hold.begin(100.0)
    assert [hold.left(100.0 + s) for s in (0.0, 0.9, 1.1, 2.1, 2.9)] == [3, 3, 2, 1, 1]
    assert not hold.due(100.0 + HOLD_S - 0.01)
    assert hold.due(100.0 + HOLD_S)
    assert not hold.due(100.0 + HOLD_S + 1)


def test_letting_go_before_the_end_switches_nothing_off() -> None:
    hold = Hold()
    hold.begin(100.0)
    hold.let_go()
    assert not hold.held
    assert not hold.due(200.0)
    assert hold.left(200.0) == 0


def test_a_key_held_to_the_end_switches_the_machine_off_once(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.controller.machine.power = switch = SimulatedPower()
        at.controller.machine.hold.begin(at.controller.now_s)
        at.controller.tick(at.controller.now_s + HOLD_S - 0.1)
        assert switch.asked == []
        at.controller.tick(at.controller.now_s + HOLD_S)
        at.controller.tick(at.controller.now_s + HOLD_S)
        assert switch.asked == ["off"]


def test_a_device_that_is_no_box_has_no_switch_and_does_not_mind(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.controller.machine.hold.begin(at.controller.now_s)
        at.controller.tick(at.controller.now_s + HOLD_S)
        assert not at.controller.machine.hold.held


@pytest.mark.parametrize(
    "message", [KeyReleased(Key.OK, 1.0), DeviceFault("buttons/ok", "GPIO 26: the signal is noisy", "look")]
)
def test_a_key_that_is_let_go_or_lost_ends_the_countdown(
    tmp_path: Path, message: KeyReleased | DeviceFault
) -> None:
    with device(tmp_path) as at:
        at.controller.machine.hold.begin(at.controller.now_s)
        at.controller.hear(message, at.controller.now_s + 1)
        assert not at.controller.machine.hold.held


@pytest.mark.parametrize(("order", "verb"), [("off", "poweroff"), ("restart", "reboot")])
def test_the_machine_is_asked_and_nobody_for_a_password(tmp_path: Path, order: str, verb: str) -> None:
    said = tmp_path / "said"
    os.mkfifo(said)
    letters = Letters()
    getattr(Logind(letters.post, script(tmp_path, f'echo "$@" > {said}')), order)()
    assert said.read_text().split() == ["--no-ask-password", "--no-wall", verb]
    assert letters.nothing()


def test_a_machine_that_will_not_says_why_and_what_to_do(tmp_path: Path) -> None:
    letters = Letters()
    unwilling = script(tmp_path, "echo 'no wall message, ignoring' >&2; echo 'Access denied' >&2; exit 1")
    Logind(letters.post, unwilling).off()
    fault = letters.next(DeviceFault)
    assert (fault.device, fault.fault) == ("power", "the machine refused: Access denied")
    assert "sudo poweroff" in fault.check


def test_a_machine_without_systemd_says_what_to_do(tmp_path: Path) -> None:
    letters = Letters()
    Logind(letters.post, str(tmp_path / "absent")).off()
    assert "does not answer" in letters.next(DeviceFault).fault


def test_the_game_does_not_wait_for_a_machine_that_takes_its_time(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    letters = Letters()
    Logind(letters.post, script(tmp_path, f"read answer < {gate}; echo $answer; exit 1")).off()
    assert letters.nothing()
    gate.write_text("not while others are logged in\n")
    assert "logged in" in letters.next(DeviceFault).fault


def test_the_simulated_switch_notes_what_it_was_asked() -> None:
    switch = SimulatedPower()
    switch.off()
    switch.restart()
    assert switch.asked == ["off", "restart"]
