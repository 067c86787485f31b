"""The buzzer's driver: real gpiozero and real gpiod over a simulated chip."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from hardware.drivers.gpio_buzzer import TUNES, Beep, GpioBuzzer
from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered, Signal
from hardware.simulation.gpio_chip import GpioChip
from tests.hardware.device_setup import SOON_S, Letters
from tests.hardware.gpio_setup import fresh_chip
from tests.patience import threads_are_again

PIN = 18


@pytest.fixture
def chip() -> GpioChip:
    return fresh_chip()


@pytest.fixture
def _refused_for_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal that something is refused begins with a tone that nobody waits for."""
    first, *others = TUNES[Signal.REFUSED]
    monkeypatch.setitem(TUNES, Signal.REFUSED, (replace(first, sound_s=3600.0), *others))


@pytest.fixture
def begin(chip: GpioChip) -> Iterator[Callable[..., GpioBuzzer]]:
    begun = []

    def begin(letters: Letters | None = None, pin: int = PIN, **options: Any) -> GpioBuzzer:
        buzzer = GpioBuzzer(GpioBuzzer.Options(pin=pin, **options))
        begun.append(buzzer)
        buzzer.start((letters or Letters()).post)
        return buzzer

    yield begin
    for buzzer in begun:
        buzzer.close()


def levels(chip: GpioChip) -> list[int]:
    return [done.level for done in chip.written if done.gpio == PIN]


def wait_levels(chip: GpioChip, wanted: list[int]) -> bool:
    return chip.wait_until(lambda: levels(chip) == wanted, SOON_S)


def wait_waves(chip: GpioChip, count: int) -> bool:
    return chip.wait_until(lambda: levels(chip).count(1) >= count, SOON_S)


@pytest.mark.slow
@pytest.mark.parametrize("signal", [Signal.ACCEPTED, Signal.TAKING, Signal.LAST_CARD])
def test_each_signal_is_heard_as_its_tune(
    chip: GpioChip, begin: Callable[..., GpioBuzzer], signal: Signal
) -> None:
    begin(kind="active").give(signal)
    assert wait_levels(chip, [0, *[1, 0] * len(TUNES[signal])])


def test_a_piezo_is_sounded_by_a_wave_of_the_pitch_of_the_note(
    chip: GpioChip, begin: Callable[..., GpioBuzzer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TUNES, Signal.ACCEPTED, (Beep(200.0, 3600.0),))  # nobody waits for its end
    turn_s, began_s = sys.getswitchinterval(), time.monotonic()
    buzzer = begin()
    buzzer.give(Signal.ACCEPTED)
    assert wait_waves(chip, 21)
    assert time.monotonic() - began_s > 0.095
    assert sys.getswitchinterval() < turn_s
    wave = levels(chip)
    assert wave[wave.index(1) :][:40] == [1, 0] * 20
    buzzer.close()
    assert sys.getswitchinterval() == turn_s


@pytest.mark.usefixtures("_refused_for_an_hour")
def test_the_newest_signal_cuts_the_older_and_the_caller_never_waits(
    chip: GpioChip, begin: Callable[..., GpioBuzzer]
) -> None:
    buzzer = begin(kind="active")
    buzzer.give(Signal.REFUSED)
    assert wait_levels(chip, [0, 1])
    buzzer.give(Signal.ACCEPTED)
    assert wait_levels(chip, [0, 1, 0, 1, 0])


def test_a_buzzer_with_a_tone_of_its_own_is_switched_on_and_off(
    chip: GpioChip, begin: Callable[..., GpioBuzzer]
) -> None:
    for active_high, expected in ((True, [0, 1, 0, 1, 0]), (False, [1, 0, 1, 0, 1])):
        chip.written.clear()
        buzzer = begin(kind="active", active_high=active_high)
        buzzer.give(Signal.DUPLICATE)
        assert wait_levels(chip, expected)
        buzzer.close()


@pytest.mark.usefixtures("_refused_for_an_hour")
def test_closing_in_the_middle_of_a_signal_leaves_silence_and_no_thread(
    chip: GpioChip, begin: Callable[..., GpioBuzzer]
) -> None:
    before = threading.active_count()
    buzzer = begin()
    buzzer.give(Signal.REFUSED)
    assert wait_waves(chip, 1)
    buzzer.close()
    buzzer.close()
    assert threads_are_again(before)
    assert levels(chip)[-1] == 0
    assert chip.line(PIN).holder is None


def test_a_pin_of_another_program_is_a_fault_until_it_is_free(
    chip: GpioChip, begin: Callable[..., GpioBuzzer]
) -> None:
    letters = Letters()
    chip.take_elsewhere(0)
    buzzer = begin(letters, pin=0)
    assert letters.next(DeviceFault).device == "buzzer"
    buzzer.give(Signal.ACCEPTED)  # a signal that comes late would say something wrong
    chip.free(0)
    assert letters.next(DeviceRecovered).device == "buzzer"


def test_the_check_sounds_once(chip: GpioChip) -> None:
    assert f"GPIO {PIN}" in GpioBuzzer(GpioBuzzer.Options(pin=PIN)).check()
    assert 1 in levels(chip)
    assert levels(chip)[-1] == 0


def test_a_pin_that_the_header_does_not_have_is_refused_by_the_check(chip: GpioChip) -> None:
    with pytest.raises(HardwareError, match="buzzer"):
        GpioBuzzer(GpioBuzzer.Options(pin=99)).check()
