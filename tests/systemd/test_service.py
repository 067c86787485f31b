"""A device on duty: how it begins, ends and is switched off, what is shown then, and how crashes count."""

import ctypes
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.values import replace
from firmware.config.configuration import choose
from firmware.display import status_pictures
from firmware.display.status_pictures import Notice
from firmware.loop.app import LONGEST_PAUSE_S
from firmware.play.table import Table
from firmware.service.crashes import QUICK_S, TOO_MANY, CrashCounter
from firmware.service.health import Severity, of_devices
from firmware.service.power import Logind
from firmware.service.run import STRIKES, ThreadStopped, keep_running, serve
from firmware.service.sd_notify import Notifier, notifier
from firmware.session.actions import SWITCH_OFF_S
from firmware.text.translation import Translator
from hardware.ports import DeviceFault, DeviceRecovered, Key, KeyReleased, Light
from hardware.simulation.scanner_line import ScannerLine
from tests.firmware.evening import EXAMPLE_1, device
from tests.hardware.device_setup import SOON_S, Letters
from tests.systemd.box import Box, box


class Injected(RuntimeError):
    """A mistake that no code expects."""


def strike(name: str) -> None:
    """Raise `Injected` in the thread of that name, as soon as it runs Python again."""
    (thread,) = (one for one in threading.enumerate() if one.name == name)
    assert thread.ident is not None
    struck = ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(Injected)
    )
    assert struck == 1


def panel(at: Box) -> bytes:
    newest = at.runtime.devices["display"].newest
    assert newest is not None
    return bytes(newest.tobytes())


def notice(which: Notice) -> bytes:
    return status_pictures.picture(which, Translator()).tobytes()


def on_turn(at: Box, action: Callable[[int], None]) -> None:
    """Let `act` be called in the loop after each turn, with the number of the turn from 1 on."""
    turns = 0

    def turned(_now_s: float) -> None:
        nonlocal turns
        turns += 1
        action(turns)

    at.runtime.app.turned = turned


def test_a_program_that_was_started_by_hand_leaves_its_last_picture(at: Box) -> None:
    at.runtime.app.stop()
    serve(at.runtime, Notifier(), at.runtime.app.run)
    assert panel(at) != notice(Notice.STOPPED)


@pytest.mark.parametrize(("kiosk", "told"), [(False, Notice.FAULT), (True, Notice.BACK_SOON)])
def test_an_exception_in_the_loop_ends_the_program_with_a_word_on_the_display(
    at: Box, *, kiosk: bool, told: Notice
) -> None:
    def fail(_turn: int) -> None:
        raise Injected

    if kiosk:
        at.runtime.config = replace(at.runtime.config, kiosk=replace(at.runtime.config.kiosk, on=True))
    on_turn(at, fail)
    table = at.runtime.app.table
    table.update(light=Light.OFF)
    at.runtime.app.stop()
    with pytest.raises(Injected):
        serve(at.runtime, Notifier(at.manager.address), at.runtime.app.run)
    assert panel(at) == notice(told)
    assert at.runtime.devices["display"].light_level is Light.FULL
    assert at.manager.waiting() == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_exception_in_the_thread_of_the_display_ends_the_program(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    display = choose("display", "png", {"folder": str(tmp_path / "pictures"), "scale_px": 1})
    with box(tmp_path, display=display) as at:

        def hurt(turn: int) -> None:
            if turn == 1:
                at.runtime.devices["display"].settle(SOON_S)  # it waits for the next picture
                strike("display")
                at.people("hold-OK")

        on_turn(at, hurt)
        at.runtime.app.post(at_rest())
        in_time = threading.Timer(SOON_S, at.runtime.app.stop)
        in_time.start()
        with pytest.raises(ThreadStopped, match="display") as caught:
            serve(at.runtime, Notifier(at.manager.address), at.runtime.app.run)
        in_time.cancel()
        assert isinstance(caught.value.__cause__, Injected)


def test_an_exception_in_the_thread_of_the_scanner_is_told_and_the_scanner_comes_back(tmp_path: Path) -> None:
    line = ScannerLine(tmp_path)
    with box(tmp_path, scanner=choose("scanner", "serial", {"port": line.path})) as at:
        told: list[str] = []

        def hurt(turn: int) -> None:
            told.extend(fault.fault for fault in at.faults.values())
            if turn == 1:
                assert at.runtime.devices["scanner"].wait_listening(SOON_S)
                strike("scanner")
                line.scan("6NC-OKB")  # wakes the thread
            elif told and not at.faults:
                at.runtime.app.stop()

        on_turn(at, hurt)
        at.runtime.app.post(at_rest())
        in_time = threading.Timer(SOON_S, at.runtime.app.stop)
        in_time.start()
        serve(at.runtime, Notifier(at.manager.address), at.runtime.app.run)
        assert in_time.is_alive()
        in_time.cancel()
        assert "Injected" in told[0]
    line.unplug()


def at_rest() -> DeviceRecovered:
    """A message that changes nothing."""
    return DeviceRecovered("nobody")


def run_in_safe_mode(at: Box, fail: Callable[[int], None], now_s: Callable[[], float] = lambda: 0.0) -> None:
    """Run the loop with a fault after each turn."""
    on_turn(at, fail)
    at.runtime.app.post(at_rest())
    keep_running(at.runtime, now_s)


def test_in_safe_mode_a_fault_costs_the_open_pages_and_not_the_match(at: Box) -> None:
    at.people(EXAMPLE_1)

    def fail(turn: int) -> None:
        if turn == 1:
            at.runtime.app.post(at_rest())
            at.runtime.app.stop()
            raise Injected

    run_in_safe_mode(at, fail)
    assert at.runtime.session.match is not None


def test_in_safe_mode_a_match_that_fails_again_and_again_is_suspended_and_play_goes_on(at: Box) -> None:
    at.people(EXAMPLE_1)

    def fail(_turn: int) -> None:
        if at.runtime.session.match is not None:
            at.runtime.app.post(at_rest())
            raise Injected
        at.runtime.app.stop()

    run_in_safe_mode(at, fail)
    assert at.runtime.session.match is None
    assert [one.id for one in at.runtime.session.suspended()] == [1]
    assert len(at.runtime.journal.reader.matches()) == 1
    fault = at.runtime.session.faults["match"]
    assert fault.fault == "match 1 was suspended, because it cannot be shown: Injected"
    (issue,) = of_devices([fault])
    assert (issue.id, issue.severity) == ("match", Severity.FAULT)
    assert at.runtime.app.table.front.NAME == "device_away"
    at.runtime.app.table.home()
    at.people(EXAMPLE_1)
    assert len(at.runtime.journal.reader.matches()) == 2


def test_in_safe_mode_what_fails_without_a_match_too_is_left_to_the_service_manager(at: Box) -> None:
    turns = []

    def fail(turn: int) -> None:
        turns.append(turn)
        at.runtime.app.post(at_rest())
        raise Injected

    with pytest.raises(Injected):
        run_in_safe_mode(at, fail)
    assert len(turns) == 2 * STRIKES


def test_in_safe_mode_rare_faults_never_end_it(at: Box) -> None:
    times = iter(range(0, 100_000, 60))
    turns = 0

    def fail(turn: int) -> None:
        nonlocal turns
        turns = turn
        at.runtime.app.post(at_rest())
        if turn >= 50:
            at.runtime.app.stop()
            return
        raise Injected

    run_in_safe_mode(at, fail, lambda: float(next(times)))
    assert turns >= 50


def test_a_slow_heart_does_not_slow_the_loop_for_the_watchdog(tmp_path: Path) -> None:
    with box(tmp_path, heartbeat_s=60.0) as at:
        assert at.runtime.app._pause_s() == LONGEST_PAUSE_S
        on_turn(at, lambda _turn: at.runtime.app.stop())
        at.runtime.app.run()  # until a turn in which nothing came


def starts(file: Path | None, *times_s: float) -> list[int]:
    return [CrashCounter(file).begin(at_s) for at_s in times_s]


def test_three_quick_deaths_are_too_many(tmp_path: Path) -> None:
    counts = starts(tmp_path / "run" / "deaths.json", 10.0, 12.0, 25.0, 38.0, 39.0)
    assert counts == [0, 1, 2, 3, 4]
    assert counts.index(TOO_MANY) == 3


def test_deaths_that_are_far_apart_are_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "deaths.json"
    assert starts(file, *(number * QUICK_S for number in range(20))) == [0] + [1] * 19


@pytest.mark.parametrize(
    "left", ["", "{", "null", '["soon"]', '{"a": 1}', "[1e999]", "[50000.0, 60000.0]", "a pipe"]
)
def test_whatever_is_in_the_place_of_the_file_the_next_start_takes_place(tmp_path: Path, left: str) -> None:
    file = tmp_path / "deaths.json"
    if left == "a pipe":
        os.mkfifo(file)
    else:
        file.write_text(left)
    assert starts(file, 100.0, 101.0) == [1, 2]


def test_where_nothing_can_be_kept_nobody_counts(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file where the folder should be")
    assert starts(tmp_path / "run" / "deaths.json", 1.0, 2.0, 3.0, 4.0) == [0] * 4
    assert starts(None, 1.0, 2.0, 3.0, 4.0) == [0] * 4
    CrashCounter(None).end()


def test_the_manager_is_told_of_a_long_start_and_a_status_in_one_line_also_where_it_has_no_file() -> None:
    name = "nimmt-test-of-an-address-without-a-file"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(f"\0{name}")
        told = notifier({"NOTIFY_SOCKET": f"@{name}"})
        told.starting(600.0)
        told.status("a\nREADY=1" + "x" * 5000)
        wire.setblocking(False)
        assert wire.recv(100) == b"EXTEND_TIMEOUT_USEC=600000000"
        line = wire.recv(5000)
        assert b"\n" not in line
        assert len(line) < 300


def test_started_by_hand_nobody_is_told_and_nothing_fails(caplog: pytest.LogCaptureFixture) -> None:
    by_hand = notifier({})
    assert not by_hand.listening
    by_hand.ready()
    by_hand.watchdog()
    assert caplog.text == ""


def test_a_manager_that_is_gone_stops_no_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Notifier(str(tmp_path / "nobody")).watchdog()
    assert "could not be sent" in caplog.text


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
