"""The buzzer's driver: real gpiozero and real lgpio.py over a simulated chip."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from hardware.drivers.gpio_buzzer import TUNES, GpioBuzzer
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


def tones(chip: GpioChip) -> list[float]:
    """The tones that sounded, in hertz."""
    return [done.pwm[0] for done in chip.written if done.pwm and done.pwm[1] == 50]


def silent(chip: GpioChip) -> bool:
    line = chip.line(PIN)
    return line.pwm[1] == 0 and not line.written


def wait_played(chip: GpioChip, count: int) -> bool:
    return chip.wait_until(lambda: len(tones(chip)) == count and silent(chip), SOON_S)


@pytest.mark.slow
@pytest.mark.parametrize("signal", list(Signal))
def test_each_signal_is_heard_as_its_tune(
    chip: GpioChip, begin: Callable[..., GpioBuzzer], signal: Signal
) -> None:
    begin().give(signal)
    expected = [note.hertz for note in TUNES[signal]]
    assert wait_played(chip, len(expected))
    assert tones(chip) == pytest.approx(expected)


def test_the_four_signals_differ_without_pitch() -> None:
    rhythms = {(len(tune), tune[0].sound_s) for tune in TUNES.values()}
    assert len(rhythms) == len(Signal) == len(TUNES)


@pytest.mark.usefixtures("_refused_for_an_hour")
def test_the_newest_signal_cuts_the_older_and_the_caller_never_waits(
    chip: GpioChip, begin: Callable[..., GpioBuzzer]
) -> None:
    buzzer = begin()
    buzzer.give(Signal.REFUSED)
    assert chip.wait_until(lambda: len(tones(chip)) == 1, SOON_S)
    buzzer.give(Signal.ACCEPTED)
    assert chip.wait_until(lambda: len(tones(chip)) == 2, SOON_S)
    assert tones(chip)[1] == pytest.approx(TUNES[Signal.ACCEPTED][0].hertz)


def test_a_buzzer_with_a_tone_of_its_own_is_switched_on_and_off(
    chip: GpioChip, begin: Callable[..., GpioBuzzer]
) -> None:
    buzzer = begin(kind="active")
    buzzer.give(Signal.DUPLICATE)

    def levels() -> list[int | None]:
        return [done.level for done in chip.written if done.level is not None]

    assert chip.wait_until(lambda: levels()[-4:] == [1, 0, 1, 0], SOON_S)


@pytest.mark.usefixtures("_refused_for_an_hour")
def test_closing_in_the_middle_of_a_signal_leaves_silence_and_no_thread(
    chip: GpioChip, begin: Callable[..., GpioBuzzer]
) -> None:
    before = threading.active_count()
    buzzer = begin()
    buzzer.give(Signal.REFUSED)
    assert chip.wait_until(lambda: len(tones(chip)) == 1, SOON_S)
    buzzer.close()
    buzzer.close()
    assert threads_are_again(before)
    assert silent(chip)


def test_a_pin_of_another_program_is_a_fault_until_it_is_free(
    chip: GpioChip, begin: Callable[..., GpioBuzzer]
) -> None:
    letters = Letters()
    chip.take_elsewhere(0)
    buzzer = begin(letters, pin=0)
    assert letters.next(DeviceFault).device == "buzzer"
    buzzer.give(Signal.ACCEPTED)  # a signal that comes late would say something wrong
    chip.give_back(0)
    assert letters.next(DeviceRecovered).device == "buzzer"


def test_the_check_sounds_once(chip: GpioChip) -> None:
    assert f"GPIO {PIN}" in GpioBuzzer(GpioBuzzer.Options(pin=PIN)).check()
    assert tones(chip) == pytest.approx([TUNES[Signal.ACCEPTED][0].hertz])
    assert silent(chip)


def test_a_pin_that_the_header_does_not_have_is_refused_by_the_check(chip: GpioChip) -> None:
    with pytest.raises(HardwareError, match="buzzer"):
        GpioBuzzer(GpioBuzzer.Options(pin=99)).check()
