"""Loose wires, pulled plugs and noise under the whole device in the middle of a turn: the game goes on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.screens.parts.dial import Dial
from tests.firmware.evening import FOUR, ROWS, device
from tests.hardware.gpio_setup import fresh_chip
from tests.hardware.oled_setup import same
from tests.whole import reading
from tests.whole.real_device import LONG_S, RealDevice, expected, kept
from tests.whole.table import STRANGER

ROOT = Path(__file__).parents[2]
BEFORE = FOUR + ROWS + "14 44 "
"""Two of the four cards of the first turn are in."""
TURN = ("61", "15")
AFTER = ("36", "26", "21", "30")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[RealDevice]:
    """A device in the middle of a turn."""
    with device(tmp_path, BEFORE):
        pass
    with RealDevice(tmp_path) as box:
        box.wait_title("TURN 1/10")
        yield box


def end_turn_and_play_another(box: RealDevice) -> None:
    """The turn ends, and another one is played to its claim."""
    box.scan(*TURN)
    play_another_turn(box)


def play_another_turn(box: RealDevice) -> None:
    """The ruling is acknowledged, and the next turn is played to its claim."""
    box.wait_title("PLACE IN ORDER")
    box.ok_until("home")
    box.scan(*AFTER)
    box.wait_title("WHO PLAYED 30?")


def dialled(box: RealDevice) -> str:
    dial = box.runtime.app.controller.front
    assert isinstance(dial, Dial)
    return dial.names[dial.at]


def log_is_as_if_nothing_had_happened(box: RealDevice, tmp_path: Path) -> bool:
    script = f"{BEFORE} {' '.join(TURN)} OK {' '.join(AFTER)}"
    return kept(box.journal) == expected(tmp_path / "elsewhere", script)


def glass_is_right(box: RealDevice) -> bool:
    """Whether the panel shows what the device draws, but for the beating dot and a notice."""
    picture = box.runtime.app.picture().crop((0, 0, 128, 54))
    return same(box.panel.seen().crop((0, 0, 128, 54)), picture)


def test_a_game_over_real_libraries_is_on_the_display_and_in_the_log(box: RealDevice, tmp_path: Path) -> None:
    end_turn_and_play_another(box)
    assert log_is_as_if_nothing_had_happened(box, tmp_path)
    box.wait(lambda: glass_is_right(box))


def test_a_panel_that_is_pulled_in_mid_turn_costs_the_picture_and_nothing_else(
    box: RealDevice, tmp_path: Path
) -> None:
    box.panel.unplug()
    box.scan(TURN[0])
    box.wait(lambda: "display" in box.runtime.session.faults)
    box.scan(TURN[1])
    box.wait(lambda: box.page in ("ruling", "device_away"))
    box.panel.plug()
    box.wait(lambda: "display" not in box.runtime.session.faults)
    box.wait_title("PLACE IN ORDER")
    box.wait(lambda: glass_is_right(box))
    box.ok_until("home")
    box.scan(*AFTER)
    box.wait_title("WHO PLAYED 30?")
    assert log_is_as_if_nothing_had_happened(box, tmp_path)


def test_a_scanner_that_is_pulled_in_mid_turn_is_told_and_the_keys_serve_until_it_is_back(
    box: RealDevice, tmp_path: Path
) -> None:
    box.line.unplug()
    box.wait_title("SCANNER")
    assert reading.alike("NO SCANNER AT") in box.body()
    box.ok_until("collecting")
    # 61 with the keys: row 4 ends at 58, so its key begins at 59.
    box.press("row_4")
    box.wait(lambda: box.page == "dial")
    for number in ("60", "61"):
        box.press("row_3")
        box.wait(lambda number=number: dialled(box) == number)  # type: ignore[misc]
    box.making_a_step(lambda: box.press("ok"))
    box.line.plug()
    assert box.runtime.devices["scanner"].wait_listening(LONG_S)
    box.wait(lambda: not box.runtime.session.faults)
    box.scan(TURN[1])
    play_another_turn(box)
    assert log_is_as_if_nothing_had_happened(box, tmp_path)


def test_a_scanner_that_is_back_takes_its_fault_off_the_display(box: RealDevice) -> None:
    box.line.unplug()
    box.wait_title("SCANNER")
    box.line.plug()
    box.wait(lambda: not box.runtime.session.faults)
    box.wait(lambda: box.page == "collecting")
    box.wait_title("TURN 1/10")


@pytest.mark.parametrize("seed", range(3))
def test_lost_acknowledges_on_the_bus_never_leave_a_wrong_picture(
    box: RealDevice, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    for card in TURN:
        box.panel.refuse_after(rng.randrange(600))
        box.scan(card)
    box.wait_title("PLACE IN ORDER")
    box.panel.refuse_after(rng.randrange(60))
    box.ok_until("home")
    box.scan(*AFTER)
    box.wait_title("WHO PLAYED 30?")
    box.wait(lambda: glass_is_right(box))
    assert log_is_as_if_nothing_had_happened(box, tmp_path)


def test_a_chattering_key_takes_back_one_card_and_no_more(box: RealDevice, tmp_path: Path) -> None:
    box.scan(TURN[0])
    box.making_a_step(lambda: box.press("undo", bounces=3))
    assert box.match.asks[0].have == ("14", "44")
    box.line.scan("6NC-REDO")
    box.wait(lambda: box.match.asks[0].have == ("14", "44", TURN[0]))
    box.scan(TURN[1])
    box.wait_title("PLACE IN ORDER")
    box.press("ok", bounces=3)
    box.wait(lambda: box.page == "home")
    assert kept(box.journal) == expected(tmp_path / "elsewhere", BEFORE + "61 UNDO :6NC-REDO 15")


def test_a_wire_that_flutters_is_told_and_its_key_works_again_when_it_is_quiet(
    box: RealDevice, tmp_path: Path
) -> None:
    steps = box.match.steps
    title, flutters = reading.alike("BUTTONS/UNDO"), reading.alike("NOISY")
    box.flutter_until("undo", lambda: box.title() == title and flutters in box.body())
    assert box.match.steps == steps
    box.scan(TURN[0])
    box.wait(lambda: not box.runtime.session.faults)
    box.making_a_step(lambda: box.press("undo"))
    assert box.match.asks[0].have == ("14", "44")


def test_half_a_card_is_no_card(box: RealDevice, tmp_path: Path) -> None:
    box.scan(TURN[0])
    box.line.write(b"10")  # of 104, and the scanner fell asleep
    box.silence()
    box.line.write(b"10")  # of 104, and somebody pulled the plug
    box.line.unplug()
    box.wait(lambda: "scanner" in box.runtime.session.faults)
    box.line.plug()
    box.wait(lambda: not box.runtime.session.faults)
    box.scan(TURN[1])
    play_another_turn(box)
    assert log_is_as_if_nothing_had_happened(box, tmp_path)


def test_a_megabyte_of_noise_from_the_scanner_plays_no_card_and_is_told(
    box: RealDevice, tmp_path: Path
) -> None:
    noise = random.Random(6).randbytes(1_000_000)
    steps = box.match.steps
    for at in range(0, len(noise), 4096):
        box.line.write(noise[at : at + 4096])
    box.silence()
    box.babble_until(noise[:50], lambda: box.title() == reading.alike("SCANNER"))
    assert box.match.steps == steps
    box.scan_until(STRANGER, lambda: not box.runtime.session.faults)  # changes no more than a notice
    end_turn_and_play_another(box)
    assert not box.runtime.session.faults
    assert log_is_as_if_nothing_had_happened(box, tmp_path)


def test_a_callback_that_raises_in_the_thread_of_the_keys_does_not_end_the_game(tmp_path: Path) -> None:
    """In a process of its own, because lgpio's only thread dies of it."""
    fresh_chip()
    done = subprocess.run(
        [sys.executable, "-m", "tests.whole.raising_callback", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "a callback of somebody else" in done.stderr
