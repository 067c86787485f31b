"""Switching off: only on purpose, only by asking, and never in silence when the machine will not."""

import os
from pathlib import Path

import pytest

from firmware.play.table import Table
from firmware.service.power import Logind
from firmware.session.actions import SWITCH_OFF_S
from hardware.ports import DeviceFault, Key, KeyReleased
from tests.firmware.evening import device
from tests.hardware.device_setup import Letters


def script(folder: Path, body: str) -> str:
    """A program in the place of systemctl."""
    file = folder / "systemctl"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


def test_a_device_that_is_no_box_has_no_switch_and_does_not_mind(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.do(Table.begin_switch_off)
        at.wait(SWITCH_OFF_S)
        assert not at.table.state.hold.held


@pytest.mark.parametrize(
    "message", [KeyReleased(Key.OK, 1.0), DeviceFault("buttons/ok", "GPIO 26: the signal is noisy", "look")]
)
def test_a_key_that_is_let_go_or_lost_ends_the_countdown(
    tmp_path: Path, message: KeyReleased | DeviceFault
) -> None:
    with device(tmp_path) as at:
        at.do(Table.begin_switch_off)
        at.give(message, 1)
        assert not at.table.state.hold.held


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
