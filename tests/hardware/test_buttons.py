"""The keys' driver: real gpiozero and real gpiod over a simulated chip."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hardware.drivers.gpio_buttons import GpioButtons
from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered, Key, KeyPressed, KeyReleased, Press
from hardware.simulation.gpio_chip import GpioChip
from tests.hardware.device_setup import SOON_S, Letters
from tests.hardware.gpio_setup import dead_thread_of_edges, flutter_until, fresh_chip
from tests.patience import comes, threads_are_again

MS = 1_000_000
PINS = {"row_1": 5, "row_2": 6, "ok": 26, "undo": 16}


class Keys:
    """Keys over a simulated chip; `letters` are what they post."""

    def __init__(self, chip: GpioChip) -> None:
        self.chip, self.letters = chip, Letters()
        self._begun: list[GpioButtons] = []

    def begin(
        self, letters: Letters | None = None, watched: tuple[int, ...] = (5, 6, 26, 16), **options: Any
    ) -> GpioButtons:
        """Start keys on `PINS` (and what else is given) and wait until the chip watches them.

        A press is a long one after five seconds only: a machine that pauses for a moment makes it none.
        """
        buttons = GpioButtons(GpioButtons.Options(**{"pins": PINS, "hold_s": 5.0, **options}))
        self._begun.append(buttons)
        buttons.start((letters or self.letters).post)
        assert self.chip.wait_watched(*watched, timeout_s=SOON_S)
        return buttons

    def tap(self, gpio: int, held_ms: int = 40) -> int:
        """A finger presses a key now and releases it a little later; gives the time of that."""
        begin = now_ns()
        self.chip.press(gpio, begin)
        self.chip.release(gpio, begin + held_ms * MS)
        return begin + held_ms * MS

    def close(self) -> None:
        for buttons in self._begun:
            buttons.close()


@pytest.fixture
def keys() -> Iterator[Keys]:
    with closing(Keys(fresh_chip())) as keys:
        yield keys


def now_ns() -> int:
    return time.monotonic_ns()


@pytest.mark.slow
def test_holding_a_key_is_a_long_press_before_it_is_released(keys: Keys) -> None:
    keys.begin(hold_s=0.3)
    down_ns = now_ns()
    keys.chip.press(26, down_ns)
    pressed = keys.letters.next(KeyPressed)
    assert (pressed.key, pressed.press) == (Key.OK, Press.LONG)
    assert pressed.at_s == pytest.approx(down_ns / 1e9 + 0.3, abs=1e-6)
    up_ns = now_ns()
    keys.chip.release(26, up_ns)
    released = keys.letters.next(KeyReleased)
    assert released.key is Key.OK
    assert released.at_s == pytest.approx(up_ns / 1e9, abs=1e-6)
    assert keys.letters.nothing()


@pytest.mark.slow
@pytest.mark.parametrize("gap_us", [1, 1000])
def test_who_was_first_is_right_even_when_the_edges_are_reported_in_the_wrong_order(
    keys: Keys, gap_us: int
) -> None:
    keys.begin()
    start = now_ns()
    keys.chip.press(5, start)
    keys.chip.press(6, start)
    end = start + 40 * MS
    keys.chip.release(6, end + gap_us * 1000)
    keys.chip.release(5, end)
    assert [keys.letters.next(KeyPressed).key for _ in range(2)] == [Key.ROW_1, Key.ROW_2]


@pytest.mark.parametrize("gap_us", [1, 1000])
def test_of_the_players_own_keys_the_first_to_be_pressed_is_told_first_and_before_any_is_released(
    keys: Keys, gap_us: int
) -> None:
    keys.begin(pins={"seat_2": 5, "seat_7": 6}, watched=(5, 6))
    start = now_ns()
    keys.chip.press(6, start + gap_us * 1000)
    keys.chip.press(5, start)
    first, second = (keys.letters.next(KeyPressed) for _ in range(2))
    assert [first.key, second.key] == [Key.SEAT_2, Key.SEAT_7]
    assert second.at_s - first.at_s == pytest.approx(gap_us / 1e6, abs=1e-7)


@pytest.mark.slow
def test_a_key_held_at_the_start_is_named_and_works_after_it_was_released(keys: Keys) -> None:
    keys.chip.press(26)
    keys.begin(hold_s=0.3)
    fault = keys.letters.next(DeviceFault)
    assert fault.device == "buttons/ok"
    assert "GPIO 26" in fault.fault
    assert not fault.noisy
    assert keys.letters.nothing(0.4)
    keys.chip.release(26)
    assert keys.letters.next(DeviceRecovered).device == "buttons/ok"
    assert keys.letters.nothing(0.05)
    keys.tap(26)
    assert keys.letters.next(KeyPressed).key is Key.OK


@pytest.mark.slow
def test_a_floating_pin_is_switched_off_and_back_on_when_it_is_quiet(keys: Keys) -> None:
    keys.begin(noise_rest_s=0.2)
    # It flutters until it was seen to be switched off, for it is tried again soon.
    assert flutter_until(keys.chip, 16, lambda: not keys.chip.watched(16))
    fault = keys.letters.skip_to(DeviceFault)
    assert (fault.device, fault.noisy) == ("buttons/undo", True)
    keys.tap(26)
    assert keys.letters.next(KeyPressed).key is Key.OK
    assert keys.chip.wait_watched(16, timeout_s=SOON_S)
    assert keys.letters.next(DeviceRecovered).device == "buttons/undo"
    keys.tap(16)
    assert keys.letters.next(KeyPressed).key is Key.UNDO


@pytest.mark.slow
def test_a_lost_edge_is_recovered_by_reading_the_level(keys: Keys) -> None:
    keys.begin(hold_s=1.5)
    keys.chip.press(26)
    keys.chip.line(26).driven = 1  # released, and no edge tells of it
    pressed = keys.letters.next(KeyPressed)
    assert (pressed.key, pressed.press) == (Key.OK, Press.SHORT)


@pytest.mark.slow
def test_a_pin_of_another_program_costs_one_key_until_it_is_free(keys: Keys) -> None:
    keys.chip.take_elsewhere(1)
    keys.begin(pins={"ok": 26, "undo": 1}, watched=(26,))
    fault = keys.letters.next(DeviceFault)
    assert fault.device == "buttons/undo"
    assert "another program" in fault.fault
    keys.tap(26)
    assert keys.letters.next(KeyPressed).key is Key.OK
    keys.chip.free(1)
    assert keys.letters.next(DeviceRecovered).device == "buttons/undo"
    keys.tap(1)
    assert keys.letters.next(KeyPressed).key is Key.UNDO


def test_a_board_may_have_two_keys_for_one_thing(keys: Keys) -> None:
    keys.begin(also_pins={"ok": 21}, watched=(26, 21))
    for gpio in (26, 21):
        keys.tap(gpio)
        assert keys.letters.next(KeyPressed).key is Key.OK


def test_keys_to_3_3_volt_work_as_well(keys: Keys) -> None:
    keys.begin(pull_up=False)
    start = now_ns()
    keys.chip.drive(26, 1, start)
    keys.chip.drive(26, 0, start + 40 * MS)
    assert keys.letters.next(KeyPressed).key is Key.OK


@pytest.mark.slow
def test_a_knob_turns_in_both_directions(keys: Keys) -> None:
    keys.begin(encoder_a=17, encoder_b=27, watched=(17, 27))
    assert keys.chip.line(17).debounce_ns == 1 * MS  # its own setting reached the chip

    def turn(*order: int) -> Key:
        start = now_ns()
        for place, (gpio, level) in enumerate(zip(order + order, (0, 0, 1, 1), strict=True)):
            keys.chip.drive(gpio, level, start + place * 5 * MS)
        return keys.letters.next(KeyPressed).key

    assert turn(17, 27) is Key.TURN_RIGHT
    assert turn(27, 17) is Key.TURN_LEFT
    assert keys.letters.nothing()


def test_the_pins_are_free_again_after_closing(keys: Keys) -> None:
    keys.begin().close()  # the library's own thread runs from now on
    before = threading.active_count()
    for _ in range(3):
        buttons = keys.begin()
        buttons.close()
        buttons.close()
        assert not any(keys.chip.watched(gpio) for gpio in PINS.values())
    assert keys.letters.drain() == []
    assert threads_are_again(before)


def test_the_check_names_the_factory_the_board_and_the_keys_that_are_down(keys: Keys) -> None:
    keys.chip.press(16)
    line = GpioButtons(GpioButtons.Options(pins=PINS)).check()
    assert line == "4 pins by GpiodFactory on a Raspberry Pi 5B; pressed now: undo"


def test_a_key_that_does_not_exist_or_a_pin_given_twice_is_refused() -> None:
    with pytest.raises(HardwareError, match="no key 'okay'"):
        GpioButtons(GpioButtons.Options(pins={"okay": 5}))
    with pytest.raises(HardwareError, match="no key 'turn_left'"):
        GpioButtons(GpioButtons.Options(pins={"turn_left": 5}))
    with pytest.raises(HardwareError, match="GPIO 5 is used twice"):
        GpioButtons(GpioButtons.Options(pins={"ok": 5}, encoder_a=5, encoder_b=6))


@pytest.mark.slow
def test_when_the_thread_of_edges_is_dead_it_is_told_and_the_keys_still_work(keys: Keys) -> None:
    buttons = keys.begin(hold_s=0.3)
    with dead_thread_of_edges():
        assert not buttons.alive()
        assert "edges are not reported" in keys.letters.next(DeviceFault).fault
        keys.chip.line(26).driven = 0
        assert keys.letters.next(KeyPressed).key is Key.OK
        keys.chip.line(26).driven = 1
        assert keys.letters.next(KeyReleased).key is Key.OK
    assert keys.letters.next(DeviceRecovered).device == "buttons"


def test_a_start_does_not_wait_for_the_chip(keys: Keys) -> None:
    buttons = GpioButtons(GpioButtons.Options(pins=PINS))
    with keys.chip.news:  # its lock: the thread of the keys waits for the chip, this one must not
        buttons.start(keys.letters.post)
        assert buttons.alive()
    assert keys.chip.wait_watched(*PINS.values(), timeout_s=SOON_S)
    buttons.close()


@pytest.mark.slow
def test_a_tap_is_short_however_late_its_edges_are_read(keys: Keys) -> None:
    goes_on = threading.Event()
    letters = Letters(lambda _message: goes_on.wait(SOON_S))
    buttons = keys.begin(letters, hold_s=0.3)
    keys.tap(16)
    letters.next(KeyPressed)  # and the thread of the keys does not get any further
    released_ns = keys.tap(26)
    assert comes(lambda: buttons._notes.qsize() == 2 and now_ns() > released_ns + 300 * MS)
    goes_on.set()
    pressed = letters.next(KeyPressed)
    assert (pressed.key, pressed.press) == (Key.OK, Press.SHORT)
    assert letters.nothing()


def test_keys_that_wait_for_a_library_are_not_taken_for_dead() -> None:
    """In a process of its own, because libraries are loaded once. A dead thread of keys ends the program."""
    program = (
        "import sys, queue\n"
        "sys.modules['gpiod'] = None\n"  # Python's way to say: cannot be imported
        "from hardware.drivers.gpio_buttons import GpioButtons\n"
        "letters = queue.Queue()\n"
        "buttons = GpioButtons(GpioButtons.Options(pins={'ok': 26}))\n"
        "buttons.start(letters.put)\n"
        "print(letters.get().fault, buttons.alive(), sep=': ')\n"
        "buttons.close()\n"
    )
    path = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "gpiod is not installed: True\n"
