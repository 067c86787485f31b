"""The words between the program and the service manager, over real sockets."""

import socket
from pathlib import Path

import pytest

from firmware.service.sd_notify import Notifier, notifier
from tests.systemd.manager import Manager


def test_the_manager_hears_when_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    with Manager(tmp_path) as manager:
        told = notifier({"NOTIFY_SOCKET": manager.address})
        told.starting(600.0)
        told.ready()
        told.watchdog()
        told.status("deal 2, turn 5")
        told.stopping()
        assert manager.waiting() == [
            "EXTEND_TIMEOUT_USEC=600000000",
            "READY=1",
            "WATCHDOG=1",
            "STATUS=deal 2, turn 5",
            "STOPPING=1",
        ]


def test_the_manager_is_found_at_an_address_without_a_file() -> None:
    name = "nimmt-test-of-an-address-without-a-file"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(f"\0{name}")
        notifier({"NOTIFY_SOCKET": f"@{name}"}).ready()
        wire.setblocking(False)
        assert wire.recv(100) == b"READY=1"


def test_a_status_is_one_line_whatever_is_in_it(tmp_path: Path) -> None:
    with Manager(tmp_path) as manager:
        Notifier(manager.address).status("a\nREADY=1" + "x" * 5000)
        (line,) = manager.waiting()
        assert "\n" not in line
        assert len(line) < 300


def test_started_by_hand_nobody_is_told_and_nothing_fails(caplog: pytest.LogCaptureFixture) -> None:
    by_hand = notifier({})
    assert not by_hand.listening
    by_hand.ready()
    by_hand.watchdog()
    assert caplog.text == ""


def test_a_manager_that_has_gone_does_not_stop_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Notifier(str(tmp_path / "nobody")).watchdog()
    assert "could not be sent" in caplog.text
